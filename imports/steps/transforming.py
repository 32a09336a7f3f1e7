"""transforming -> review: type and validate every row."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from common import clock, storage
from common.actors import ENGINE
from common.errors import Conflict
from common.models import Move
from imports.asking import TRANSFORM_KINDS, asked_of, text_fingerprint
from imports.host_checks import asking
from imports.left_out import LeftOutRows
from imports.models import ImportRecord
from imports.planning import Answers, given_answers, with_known
from imports.progress import Reporter
from imports.recalling import Known, known_answers
from imports.recording import record_questions
from imports.settling import is_kept
from imports.steps.resolving import resolve
from ledger import selectors as ledger
from ledger.services import Asked
from sandbox import run_step
from staging import services as staging
from staging.selectors import at_revision
from staging.selectors import table_of as staged_at
from tabular.model.problem import Limits
from tabular.model.sentences import counted

State = ImportRecord.State
WAITING = (State.MAPPING, State.REVIEW)
MOST_PASSES = 3  # what is remembered may bring up a question whose answer is remembered too
Json = dict[str, Any]
PLACE = "sheet", "page", "range", "columns", "places"  # of the table: where its cells stand


@dataclass(slots=True)
class _Transformed:
    """What the rows came to, and what was asked on the way."""

    answers: Answers
    asked: dict[str, Asked] = field(default_factory=dict)
    known: dict[str, Known] = field(default_factory=dict)


def transform(record: ImportRecord, reporter: Reporter) -> None:
    """Transform the text in a child and stage what it made as a new revision."""
    found = _Transformed(answers=given_answers(record))
    for number in range(MOST_PASSES):
        with storage.working_folder("transform") as folder:
            result = transform_rows(record, found.answers, folder, reporter)
            used = dict(found.known)
            further = _answers_known(record, found, result)
            if further == found.answers or number == MOST_PASSES - 1:
                found.known = used  # what came up in the last pass did not reach the rows
                _move_on(record, found, result, folder / "out", clock.now())
                return
            found.answers = further


def transform_rows(
    record: ImportRecord, answers: Answers, folder: Path, reporter: Reporter
) -> Json:
    """Type and check the rows of what was read, into ``folder``; give the result of the step."""

    def run(into: Path, wanted: Json) -> Json:
        return run_step(
            into,
            wanted,
            limits=Limits(**settings.LIMITS),
            progress=reporter.progress,
            cancelled=reporter.cancelled,
        )

    request = _request(record, answers)
    result = run(folder, request)
    return resolve(record, request, folder / "out", result, run)


def origin_of(record: ImportRecord, answers: Answers) -> staging.MadeFrom:
    """Say what the rows are made from, so that they can be looked at, and made, again."""
    place = _place(record)
    place["file"] = {"filename": record.filename, "sha256": record.sha256}
    return staging.MadeFrom(record.source, place, _request(record, answers))


def try_out(
    record: ImportRecord, source: Path, folder: Path, cancelled: Callable[[], bool]
) -> Json:
    """
    Transform a source as this import would, into ``folder/out``; nothing is recorded.

    record: need not be as it is stored. Returns the request, and the result beside it.
    """
    found = _Transformed(answers=given_answers(record))
    for _ in range(MOST_PASSES):
        request = _request(record, found.answers)
        result = run_step(
            folder,
            {**request, "input": str(source)},
            limits=Limits(**settings.LIMITS),
            progress=lambda *_: None,
            cancelled=cancelled,
        )
        further = _answers_known(record, found, result)
        if further == found.answers:
            break
        found.answers = further
    open_ = [one for key, one in found.asked.items() if key not in found.known]
    return {"request": request, "result": result, "asked": open_}


def _request(record: ImportRecord, answers: Answers) -> Json:
    return {
        "step": "transform",
        "input": str(storage.local_path(record.source) / "source.arrow"),
        "catalog": record.target.model_dump(mode="json", exclude_none=True),
        "mapping": record.mapping,
        "recipe": record.recipe,
        "answers": answers,
        "context": {**record.context, "today": record.created_at.date().isoformat()},
        "document": _table(record).get("document", {}),
        "document_kinds": _table(record).get("document_kinds", {}),
        "delimiter": _table(record).get("delimiter"),
        "keep": _kept(record),
        "limits": settings.LIMITS,
    }


def _kept(record: ImportRecord) -> list[int]:
    """Give where the rows stand that somebody took back: no step leaves them out again."""
    rows = record.choices.get("take_back") or ()
    return LeftOutRows(record).positions(rows) if rows else []


def _answers_known(record: ImportRecord, found: _Transformed, result: Json) -> Answers:
    """Note what this pass asks; give the answers with what is remembered about it."""
    asked = asked_of(
        result["questions"], reading=record.reading or {}, catalog_key=record.catalog_key
    )
    asked += _remembered_texts(record, result, {one.fingerprint for one in asked})
    known = known_answers(record, asked)
    learned = {key: one for key, one in known.items() if one.is_learned}
    answered_before = {key: one for key, one in found.asked.items() if key in found.known}
    found.asked = answered_before | {one.fingerprint: one for one in asked}
    found.known |= learned
    return with_known(found.answers, asked, learned)


def _remembered_texts(record: ImportRecord, result: Json, asked: set[str]) -> list[Asked]:
    """List the texts without an option that are not asked about, but whose answer is remembered."""
    texts = {
        text_fingerprint(path, entry["value"], catalog_key=record.catalog_key): (path, entry)
        for path, entries in result.get("unmatched", {}).items()
        for entry in entries
    }
    kept = ledger.remembered(record.tenant, record.scope, set(texts) - asked)
    return [
        Asked(
            kind="category_value",
            fingerprint=key,
            field=texts[key][0],
            evidence=(texts[key][1]["value"], counted(texts[key][1]["count"], "row")),
        )
        for key in kept
    ]


def _move_on(
    record: ImportRecord, found: _Transformed, result: Json, made: Path, at: datetime
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
        revision = staging.replay(former=former, revision=revision, at=at)
    checks = asking.batches_for(record, staged_at(revision))
    left_out = sum(_table(record).get("skipped", {}).values())  # by the layout
    counts = {
        "sourceRows": result["sourceRows"] + left_out,
        "skipped": result["skipped"] + left_out,
        **revision.counts,
    }
    try:
        with transaction.atomic():
            if former is not None and is_kept(record, former.revision.transform):
                staging.follow(revision=revision, former=former.revision, actor=_asked_by(record))
            record_questions(
                record, list(found.asked.values()), kinds=TRANSFORM_KINDS, known=found.known, at=at
            )
            record.move_to(
                State.REVIEW,
                at=at,
                revision=revision.number,
                # An older one stands: what hosts said before is then brought to these rows.
                checked_revision=record.checked_revision or (revision.number if checks else 0),
                counts=counts,
                stage="",
                done=result["rows"],
                total=result["rows"],
                tries=0,
                due_at=None,
                claimed_until=None,
            )
            asking.enqueue(record, checks, at=at)
    except Conflict:  # refused: nobody is asked
        asking.forget(checks)
        raise


def _asked_by(record: ImportRecord) -> dict[str, Any]:
    """Give who sent the import here from where somebody had to act."""
    moves = Move.objects.filter(subject=record.public_id, from_state__in=WAITING)
    return moves.order_by("-version").values_list("actor", flat=True).first() or ENGINE.as_dict()


def _table(record: ImportRecord) -> Json:
    reading = record.reading or {}
    tables: list[Json] = reading.get("tables") or []
    return tables[reading["chosen"]] if tables else {}


def _place(record: ImportRecord) -> Json:
    """Say where the table stands, and each of its parts if it is a stack."""
    table = _table(record)
    place = _place_of(table)
    if parts := table.get("stacked"):
        tables = (record.reading or {})["tables"]
        place["parts"] = {str(number): _place_of(tables[number]) for number in parts}
    return place


def _place_of(table: Json) -> Json:
    return {name: table.get(name) for name in PLACE} | {"member": table.get("file")}
