"""How often jobs run, with which decisions, and what is left open. No child and no database."""

from dataclasses import replace
from pathlib import Path

from pipeline.decisions import Decisions
from pipeline.draft import MappingDraft
from pipeline.recall import RecalledAnswer
from pipeline.run import FileSource, TextSource, run
from tabular.model.catalog import Context
from tabular.model.issue import Candidate, Question
from tabular.protocol.results import (
    Counts,
    FoundTable,
    ReadResult,
    TextCount,
    TransformResult,
    WrittenInferred,
)
from tests.jobs import catalog_of

CATALOG = catalog_of({"key": "t", "entries": [{"id": "e", "fields": [{"key": "a"}]}]})
TABLES = (FoundTable(columns=("A",), sheet="S"), FoundTable(columns=("A", "B"), sheet="T"))
ENCODING = Question(
    "encoding", candidates=(Candidate("cp1252", "a"), Candidate("cp850", "b")), default="cp1252"
)
TABLE = Question("table", candidates=(Candidate(0, "S"), Candidate(1, "T")), default=0)
ORDER = Question(
    "date_order", field="e.a", columns=("A",), candidates=(Candidate("dmy", "d"),), default="dmy"
)


class Jobs:
    """A bench on which jobs answer as told; it keeps what it was asked."""

    def __init__(self, answer):
        self.answer, self.requests = answer, []

    def run(self, name, request):
        self.requests.append(request)
        return self.answer(request), Path("out")


class Remembers:
    """A memory of answers by kind; learned from another file, or this file's own."""

    def __init__(self, is_learned=True, texts=False, **answers):
        self.kept, self.known, self.texts = "kept" if is_learned else None, answers, texts

    def answers(self, questions):
        return {
            item.fingerprint: RecalledAnswer(self.known[item.kind], "ans_1", recalled=self.kept)
            for item in questions
            if item.kind in self.known
        }

    def remembers(self, fingerprints):
        return sorted(fingerprints) if self.texts else []


def reading(*questions):
    def read(request):
        return ReadResult(
            format="csv",
            tables=TABLES,
            chosen=request.choices.table or 0,
            entries={},
            columns=("A",),
            rows=1,
            left_out={},
            fingerprint="f",
            issues=(),
            questions=questions,
            related=(),
            proposal=None,
        )

    return Jobs(read)


def transforming(*questions, unmatched=()):
    def transform(request):
        settled = request.plan.answers.date_order
        return TransformResult(
            columns=(),
            rows_file="rows.arrow",
            issues_file="issues.arrow",
            hashes=(),
            rows=1,
            counts=Counts(rows=1, valid=1, warning=0, error=0, by_code={}),
            source_rows=1,
            skipped=0,
            inferred=WrittenInferred(documents={}, fields={}),
            questions=tuple(item for item in questions if item.field not in settled),
            unmatched={"e.a": tuple(TextCount(text, 2) for text in unmatched)},
            defects=(),
        )

    return Jobs(transform)


FILE = FileSource(file=Path("a.csv"), catalog=CATALOG)
MAPPED = Decisions(draft=MappingDraft({"A": "e.a"}))


def text(**members):
    context = Context.model_validate_json('{"today": "2026-01-02"}')
    return TextSource(text=Path("source.arrow"), catalog=CATALOG, context=context, **members)


def test_a_file_without_questions_is_read_once():
    jobs = reading()

    outcome = run(FILE, Decisions(), jobs)

    assert len(jobs.requests) == 1
    assert (outcome.decisions, outcome.questions, outcome.open) == (Decisions(), {}, [])


def test_what_is_not_remembered_stays_open():
    outcome = run(FILE, Decisions(), reading(ENCODING))

    assert [item.kind for item in outcome.open] == ["encoding"]


def test_a_remembered_choice_reads_the_file_again_and_its_question_stays():
    jobs = reading(ENCODING, TABLE)

    outcome = run(FILE, Decisions(), jobs, Remembers(table=1))

    assert [request.choices.table for request in jobs.requests] == [None, 1]
    assert outcome.result.chosen == 1
    assert {item.kind for item in outcome.questions.values()} == {"table", "encoding"}
    assert [item.kind for item in outcome.open] == ["encoding"]


def test_answers_that_never_come_to_rest_end_after_three_passes():
    class Restless(FileSource):
        def further(self, made, decisions, questions, known):
            table = (decisions.choices.table or 0) + 1
            return replace(decisions, choices=replace(decisions.choices, table=table % 2))

    jobs = reading()

    run(Restless(file=Path("a")), Decisions(), jobs)

    assert len(jobs.requests) == 3


def test_a_remembered_answer_makes_the_rows_again():
    jobs = transforming(ORDER)

    outcome = run(text(), MAPPED, jobs, Remembers(date_order="mdy"))

    assert [request.plan.answers.date_order for request in jobs.requests] == [{}, {"e.a": "mdy"}]
    assert [item.kind for item in outcome.questions.values()] == [
        "date_order"
    ]  # it stays, as learned
    assert outcome.used == outcome.known


def test_the_answers_of_the_file_itself_are_among_the_decisions_already():
    jobs = transforming(ORDER)

    outcome = run(text(), MAPPED, jobs, Remembers(is_learned=False, date_order="mdy"))

    assert len(jobs.requests) == 1
    assert outcome.known == {}


def test_a_remembered_text_decides_though_no_job_asks_about_it():
    jobs = transforming(unmatched=["wibble"])

    outcome = run(text(), MAPPED, jobs, Remembers(texts=True, category_value="x"))

    assert jobs.requests[-1].plan.answers.category_value == {"e.a": {"wibble": "x"}}
    assert [item.evidence for item in outcome.questions.values()] == [("wibble", "2 rows")]


def test_references_are_resolved_by_a_port():
    def resolve(plan, made, result, bench):
        return replace(result, questions=(Question("reference", field="e.a", evidence=("x",)),))

    outcome = run(text(resolve=resolve), MAPPED, transforming())

    assert [item.kind for item in outcome.open] == ["reference"]
