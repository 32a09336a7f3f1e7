"""What a model may propose, whatever it answers: evidence next to the mapping. No network."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.advice.columns import Advice, Trial, open_columns, with_advice
from pipeline.advice.masking import masked
from pipeline.advice.weight import LEAST, MOST, probability, weight
from pipeline.proposal import Decider, Proposal, ProposedColumn
from tabular.matching.asking.remaining import POSSIBLE
from tabular.model.issue import Candidate, Question
from tabular.model.mapping import Alternative
from tests.jobs import catalog_of

KEYS = "abcdefgh"
FIELDS = catalog_of(
    {"key": "t", "entries": [{"id": "e", "fields": [{"key": key} for key in KEYS]}]}
).offered_fields
GOOD, BAD = Trial(rows=10, fixed=9, broken=1), Trial(rows=10, fixed=5, broken=5)


def column(name, field=None, **members):
    about = {"score": 0.0, "reason": "", "samples": ("x",), **members}
    return ProposedColumn(name, field, **about)


def advised(proposal, fields, *, trial=GOOD, worth=3.0, missing=()):
    trials = dict.fromkeys(fields.values(), trial)
    advice = Advice("small", worth, fields)
    return with_advice(proposal, advice, trials, FIELDS, missing=frozenset(missing))


def test_only_columns_and_fields_that_are_left_are_asked_about():
    proposal = Proposal(
        columns=(
            column("A", "e.a"),
            column("B"),
            column("Empty", samples=()),
            column("Skipped before", learned_from="prf_1"),
            column("Answered", decided_by=Decider("question", "qst_1")),
            column("Asked"),
        ),
        questions=(Question("column", ("Asked",), (Candidate("e.b", "b"),)),),
    )

    columns = open_columns(proposal, FIELDS, taken=frozenset({"e.c"}))

    assert columns is not None
    assert (columns.columns, columns.paths) == (("B",), ("e.d", "e.e", "e.f", "e.g", "e.h"))


def test_nothing_is_asked_where_no_column_or_no_field_is_left():
    assert open_columns(Proposal(columns=(column("A", "e.a"),)), FIELDS) is None
    full = Proposal(columns=(*(column(key, f"e.{key}") for key in KEYS), column("More")))
    assert open_columns(full, FIELDS) is None


def test_the_same_file_and_catalog_give_the_same_digest():
    both = [open_columns(Proposal(columns=(column(name),)), FIELDS) for name in "BBC"]

    digests = [item.prompt.digest for item in both if item]
    assert digests[0] == digests[1] != digests[2]


@given(
    st.dictionaries(
        st.sampled_from(["A", "B", "C", "no column"]),
        st.sampled_from([f"e.{key}" for key in KEYS]),
    ),
    st.floats(-5, 20),
)
def test_no_proposal_of_a_model_changes_the_mapping(fields, worth):
    proposal = Proposal(columns=(column("A", "e.a", score=90.0), column("B"), column("C")))

    changed, questions = advised(proposal, fields, worth=worth)

    assert changed.draft == proposal.draft
    assert all(question.default is None and not question.blocking for question in questions)
    assert all((question.candidates[0].score or 0) < 50 for question in questions)
    assert {name for question in questions for name in question.columns} <= {"B", "C"}


def test_a_proposal_that_broke_as_many_rows_as_it_fixed_is_dropped():
    proposal = Proposal(columns=(column("B"),))

    assert len(advised(proposal, {"B": "e.b"})[1]) == 1
    assert advised(proposal, {"B": "e.b"}, trial=BAD) == (proposal, [])


def test_at_most_five_questions_are_asked_the_likeliest_first():
    names = "BCDEFGH"
    columns = tuple(
        column(name, alternatives=(Alternative(f"e.{name.lower()}", 10.0 + 3 * place),))
        for place, name in enumerate(names)
    )

    _, questions = advised(
        Proposal(columns=columns), {n: f"e.{n.lower()}" for n in names}, worth=1.0
    )

    assert [question.columns[0] for question in questions] == ["H", "G", "F", "E", "D"]


def test_a_required_field_gets_an_alternative_and_no_question_of_its_own():
    proposal = Proposal(columns=(column("B", alternatives=(Alternative("e.c", 12.0),)),))

    changed, questions = advised(proposal, {"B": "e.b"}, missing=["e.b"])

    assert questions == []
    assert [other.field for other in changed.columns[0].alternatives] == ["e.b", "e.c"]


def test_other_evidence_adds_to_the_weight_of_a_model():
    untried = weight(0, 0)

    assert probability(0.0, untried) < probability(0.12, untried) <= MOST
    assert probability(0.0, weight(0, 6)) < LEAST == POSSIBLE


@given(st.text())
def test_a_masked_text_has_no_letter_and_no_digit_of_the_original(text):
    shown = masked(text)

    assert len(shown) <= 40
    assert {letter for letter in shown if letter.isalpha()} <= {"x", "X"}
    assert {digit for digit in shown if digit.isdecimal()} <= {"9"}
