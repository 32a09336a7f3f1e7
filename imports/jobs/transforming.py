"""transforming -> review: convert and validate every row."""

from collections.abc import Callable
from dataclasses import astuple, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from common import clock, storage
from common.actors import ENGINE
from common.errors import Conflict
from common.models import Move
from imports import transitions
from imports.answers.given import given_answers, with_known
from imports.answers.recall import RecalledAnswer, recalled_answers
from imports.answers.record import record_questions
from imports.answers.snapshots import is_kept
from imports.host_checks import asking
from imports.jobs.resolving import has_references, resolve
from imports.models import ImportRecord
from imports.progress import Reporter
from imports.questions import TRANSFORM_KINDS, asked_of
from imports.questions.model import text_fingerprint
from imports.rows.left_out import LeftOutRows
from imports.transitions import RowsMade
from ledger import selectors as ledger
from ledger.services import NewQuestion
from sandbox import run_job
from staging import services as staging
from staging.defects import log_defects
from staging.manifest import Place, References, SourceNamed, TablePlace
from staging.selectors import at_revision
from staging.selectors import table_of as staged_at
from tabular.model import i_json
from tabular.model.catalog import Context
from tabular.model.problem import Limits
from tabular.model.recipe import Recipe
from tabular.model.sentences import counted
from tabular.model.table import silent
from tabular.protocol.answers import Answers
from tabular.protocol.requests import JobRequest, R, TransformRequest, WrittenPlan
from tabular.protocol.results import FoundTable, TransformResult

State = ImportRecord.State
WAITING = (State.MAPPING, State.REVIEW)
MOST_PASSES = 3  # a remembered answer may raise another question with a remembered answer
Json = dict[str, Any]
PLACE = "sheet", "page", "range", "columns", "places"  # members of a table that locate its cells


@dataclass(slots=True)
class _Transformed:
    """The rows, and the questions asked on the way."""

    answers: Answers
    asked: dict[str, NewQuestion] = field(default_factory=dict)
    known: dict[str, RecalledAnswer] = field(default_factory=dict)


def transform(record: ImportRecord, reporter: Reporter) -> None:
    """Transform the text in a child and stage the result as a new revision."""
    found = _Transformed(answers=given_answers(record))
    for number in range(MOST_PASSES):
        with storage.working_folder("transform") as folder:
            result = transform_rows(record, found.answers, folder, reporter)
            used = dict(found.known)
            further = _answers_known(record, found, result)
            if further == found.answers or number == MOST_PASSES - 1:
                found.known = used  # answers first used in the last pass did not reach the rows
                _move_on(record, found, result, folder / "out", clock.now())
                return
            found.answers = further


def transform_rows(
    record: ImportRecord, answers: Answers, folder: Path, reporter: Reporter
) -> TransformResult:
    """Convert and validate the rows that were read, into ``folder``; return the job's result."""

    def run(into: Path, wanted: JobRequest[R]) -> R:
        return run_job(into, wanted, progress=reporter.progress, cancelled=reporter.cancelled)

    plan = _plan(record, answers)
    source = storage.local_path(record.source) / "source.arrow"
    result = run(folder, _request(source, plan))
    log_defects(record.public_id, result.defects)
    return resolve(record, plan, folder / "out", result, run)


def origin_of(record: ImportRecord, answers: Answers) -> staging.MadeFrom:
    """Return what the rows are made from, so that they can be inspected and made again."""
    tenant = None if record.from_page else record.tenant_id
    references = References("", tenant, record.scope) if has_references(record) else None
    return staging.MadeFrom(record.source, _place(record), _plan(record, answers), references)


@dataclass(frozen=True, slots=True)
class TriedOut:
    """The result of a transform that is not stored."""

    origin: staging.MadeFrom
    result: TransformResult
    asked: list[NewQuestion]  # and not answered


def try_out(
    record: ImportRecord, source: Path, folder: Path, cancelled: Callable[[], bool]
) -> TriedOut:
    """
    Transform a source as this import would, into ``folder/out``; nothing is recorded.

    record: may differ from its stored row.
    """
    found = _Transformed(answers=given_answers(record))
    for _ in range(MOST_PASSES):
        plan = _plan(record, found.answers)
        request = _request(source, plan)
        result = run_job(folder, request, progress=silent, cancelled=cancelled)
        further = _answers_known(record, found, result)
        if further == found.answers:
            break
        found.answers = further
    asked = ((key, item) for key, item in found.asked.items() if not item.decided)
    open_ = [item for key, item in asked if key not in found.known]
    return TriedOut(staging.MadeFrom(record.source, _place(record), plan), result, open_)


def _request(source: Path, plan: WrittenPlan) -> TransformRequest:
    return TransformRequest(input=str(source), plan=plan, limits=Limits(**settings.LIMITS))


def _plan(record: ImportRecord, answers: Answers) -> WrittenPlan:
    table = _table(record)
    context = {**record.context, "today": record.created_at.date().isoformat()}
    recipe = record.recipe and Recipe.model_validate_json(i_json.write(record.recipe))
    return WrittenPlan(
        catalog=record.target,
        mapping=record.mapping or {},
        recipe=recipe or None,
        answers=answers,
        context=Context.model_validate_json(i_json.write(context)),
        document=table.document if table else {},
        document_kinds=table.document_kinds if table else {},
        delimiter=table.delimiter if table else None,
        keep=tuple(_kept(record)),
    )


def _kept(record: ImportRecord) -> list[int]:
    """Return the numbers of restored rows: recipes no longer skip them."""
    rows = record.chosen.restored
    return LeftOutRows(record).positions(rows) if rows else []


def _answers_known(record: ImportRecord, found: _Transformed, result: TransformResult) -> Answers:
    """Record the questions of this pass; return the answers, including remembered ones."""
    asked = asked_of(result.questions, read=record.file_read, catalog_key=record.catalog_key)
    asked += _remembered_texts(record, result, {item.fingerprint for item in asked})
    known = recalled_answers(record, asked)
    learned = {key: answer for key, answer in known.items() if answer.is_learned}
    answered_before = {key: item for key, item in found.asked.items() if key in found.known}
    found.asked = answered_before | {item.fingerprint: item for item in asked}
    found.known |= learned
    return with_known(found.answers, asked, learned)


def _remembered_texts(
    record: ImportRecord, result: TransformResult, asked: set[str]
) -> list[NewQuestion]:
    """Return the texts without an option that have a remembered answer and no question."""
    texts = {
        text_fingerprint(path, text.value, catalog_key=record.catalog_key): (path, text)
        for path, unmatched in result.unmatched.items()
        for text in unmatched
    }
    kept = ledger.remembered(record.tenant, record.scope, set(texts) - asked)
    return [
        NewQuestion(
            kind="category_value",
            fingerprint=key,
            field=texts[key][0],
            evidence=(texts[key][1].value, counted(texts[key][1].count, "row")),
        )
        for key in kept
    ]


def _move_on(
    record: ImportRecord, found: _Transformed, result: TransformResult, made: Path, at: datetime
) -> None:
    former = at_revision(record.public_id, record.revision)
    revision = staging.stage(
        subject=record.public_id,
        made=made,
        result=result,
        origin=origin_of(record, found.answers),
        at=at,
    )
    if former is not None:
        revision = staging.rebase(former=former, revision=revision, at=at)
    checks = asking.batches_for(record, staged_at(revision))
    table = _table(record)
    left_out = sum(astuple(table.skipped)) if table else 0  # by the layout
    counts = {
        "sourceRows": result.source_rows + left_out,
        "skipped": result.skipped + left_out,
        **revision.counts,
    }
    rows_made = RowsMade(
        revision=revision.number,
        # An older transform exists: carry over to these rows what hosts reported before.
        checked_revision=record.checked_revision or (revision.number if checks else 0),
        counts=counts,
        rows=result.rows,
    )
    try:
        with transaction.atomic():
            if former is not None and is_kept(record, former.revision.transform):
                staging.follow(revision=revision, former=former.revision, actor=_asked_by(record))
            record_questions(
                record, list(found.asked.values()), kinds=TRANSFORM_KINDS, known=found.known, at=at
            )
            transitions.review(record, rows_made, at=at)
            asking.enqueue(record, checks, at=at)
    except Conflict:  # refused: nothing is asked
        asking.forget(checks)
        raise


def _asked_by(record: ImportRecord) -> dict[str, Any]:
    """Return who moved the import here from a state that waits for a person."""
    moves = Move.objects.filter(subject=record.public_id, from_state__in=WAITING)
    return moves.order_by("-version").values_list("actor", flat=True).first() or ENGINE.as_dict()


def _table(record: ImportRecord) -> FoundTable | None:
    return record.file_read.table if record.file_read else None


def _place(record: ImportRecord) -> TablePlace:
    """Return the location of the table, and of each of its parts if it is a stack."""
    read, file = record.file_read, SourceNamed(record.filename, record.sha256)
    if read is None:
        return TablePlace(file=file)
    parts = {str(number): Place(**_where(read.tables[number])) for number in read.table.stacked}
    return TablePlace(**_where(read.table), file=file, parts=parts)


def _where(table: FoundTable) -> Json:
    """Return the location of a table's cells, as the members of a place."""
    return {name: getattr(table, name) for name in PLACE} | {"member": table.file}
