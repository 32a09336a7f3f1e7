"""What is decided about a mapping, as a table of proposals and answers. No database."""

import pytest

from pipeline.decide import Answers, Policy, Saved, decide
from pipeline.draft import MappingDraft
from pipeline.proposal import Decider, Proposal, ProposedColumn
from pipeline.recall import RecalledAnswer
from tabular.model.issue import Candidate, NewQuestion
from tabular.model.mapping import Alternative
from tests.jobs import catalog_of

FIELDS = catalog_of(
    {
        "key": "t",
        "entries": [
            {"id": "e", "fields": [{"key": "a"}, {"key": "b", "required": True}, {"key": "c"}]}
        ],
    }
).live_fields
QUESTION = NewQuestion(
    kind="column",
    fingerprint="q",
    columns=("B",),
    candidates=(Candidate("e.b", "b"), Candidate("e.c", "c")),
    default="e.c",
)


def column(name, path=None, **alternatives):
    others = tuple(Alternative(f"e.{key}", score) for key, score in alternatives.items())
    score = 90.0 if path else 0.0
    return ProposedColumn(name, path, score=score, reason="", alternatives=others)


class Remembering:
    """A memory of answers, by fingerprint; each is learned from another file."""

    def __init__(self, **answers):
        self.known = answers

    def answers(self, questions):
        return {
            item.fingerprint: RecalledAnswer(self.known[item.field], "ans_1", recalled="kept")
            for item in questions
            if item.field in self.known
        }

    def remembers(self, fingerprints):
        return []


def decided(*columns, questions=(), auto_map=True, given=(), **answers):
    policy = Policy(
        catalog_key="t", fields=FIELDS, given=frozenset(given), auto_map=auto_map, read=None
    )
    proposal = Proposal(columns=columns)
    return decide(proposal, Answers(questions=questions, **answers), policy)


A, B = column("A", "e.a"), column("B", "e.b")
UNSURE = column("B")
SAVED = Saved(MappingDraft({"B": "e.b"}), Decider("profile", "prf_1"), {"id": "prf_1"})
CASES = {
    # name: (columns, answers, mapping, whether rows are made now)
    "all is proposed": ([A, B], {}, {"A": "e.a", "B": "e.b"}, True),
    "a person maps": ([A, B], {"auto_map": False}, {"A": "e.a", "B": "e.b"}, False),
    "a required field is empty": ([A], {}, {"A": "e.a"}, False),
    "the host gives its value": ([A], {"given": ["e.b"]}, {"A": "e.a"}, True),
    "it was left empty before": ([A], {"left_empty": frozenset({"e.b"})}, {"A": "e.a"}, True),
    "a question has a default": (
        [A, UNSURE], {"questions": [QUESTION]}, {"A": "e.a", "B": "e.c"}, False,
    ),
    "a question was answered": (
        [A, UNSURE], {"questions": [QUESTION], "known": {"q": RecalledAnswer("e.b", "qst_1")}},
        {"A": "e.a", "B": "e.b"}, True,
    ),
    "an answer comes before a saved mapping": (
        [A, B],
        {"saved": Saved(MappingDraft({"A": "e.a"}), SAVED.by), "questions": [QUESTION],
         "known": {"q": RecalledAnswer("e.b", "qst_1")}},
        {"A": "e.a", "B": "e.b"}, True,
    ),
    "a saved mapping comes before the matcher": ([A, B], {"saved": SAVED}, {"B": "e.b"}, True),
}  # fmt: skip


@pytest.mark.parametrize(("columns", "answers", "mapping", "transforms"), CASES.values(), ids=CASES)
def test_a_mapping_is_decided(columns, answers, mapping, transforms):
    decision = decided(*columns, **answers)

    assert dict(decision.draft.mapping) == mapping
    assert decision.transforms is transforms


def test_a_saved_mapping_leaves_no_question_that_no_required_field_needs():
    assert decided(A, B, questions=[QUESTION], saved=SAVED).questions == ()


def test_a_required_field_is_asked_for_with_the_columns_that_fit_best():
    (question,) = decided(A, column("X", b=70.0), column("Y", b=20.0)).required

    assert (question.kind, question.field, question.default) == ("required_field", "e.b", "X")
    assert [candidate.value for candidate in question.candidates] == ["X", "Y", None]


@pytest.mark.parametrize(
    ("answer", "mapping"), [("X", {"A": "e.a", "X": "e.b"}), (None, {"A": "e.a"})]
)
def test_a_remembered_column_of_a_required_field_is_used(answer, mapping):
    decision = decided(A, column("X"), memory=Remembering(**{"e.b": answer}))

    assert dict(decision.draft.mapping) == dict(decision.proposal.draft.mapping) == mapping
    assert decision.transforms


def test_a_decision_is_the_same_for_the_same_values():
    again = {"questions": [QUESTION], "saved": SAVED}

    assert decided(A, B, **again) == decided(A, B, **again)
