"""reading -> mapping, or transforming: read the file and propose a mapping."""

from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import transaction

from common import clock, storage
from imports.asking import (
    CHOICE_OF,
    COLUMN_KINDS,
    READING_KINDS,
    TRANSFORM_KINDS,
    asked_of,
    undecided,
)
from imports.choosing import chosen_by
from imports.models import ImportRecord
from imports.progress import Reporter
from imports.proposing import (
    ANSWERED,
    LIKE_LAST_TIME,
    after_answers,
    is_complete,
    replay,
    with_answer,
)
from imports.recalling import Known, known_answers, learned_fields, profile_for
from imports.recording import is_blocked, record_questions
from imports.services.uploading import join
from ledger.services import Asked
from sandbox import run_step
from tabular.model.limits import Limits

State = ImportRecord.State
MOST_READINGS = 3  # a remembered table, then its remembered header row, change what is read
Json = dict[str, Any]


@dataclass(slots=True)
class _Read:
    """What one file came to, however often it was read to get there."""

    choices: Json
    result: Json = field(default_factory=dict)
    source: str = ""
    asked: dict[str, Asked] = field(default_factory=dict)
    known: dict[str, Known] = field(default_factory=dict)


def read(record: ImportRecord, reporter: Reporter) -> None:
    """Read the file in a child, keep its text, and move on with the proposal."""
    join(record)
    found = _Read(choices=dict(record.choices))
    for number in range(MOST_READINGS):
        with storage.working_folder("read") as folder:
            found.result = _run(record, found.choices, folder, reporter)
            further = _choices_known(record, found)
            if further == found.choices or number == MOST_READINGS - 1:
                found.source = storage.adopt("read", folder / "out")
                break
            found.choices = further
    former = record.source
    _move_on(record, found)
    if former and not record.revision:  # else edits are found again by their rows in it
        storage.delete(former)


def _run(record: ImportRecord, choices: Json, folder: Any, reporter: Reporter) -> Json:
    return run_step(
        folder,
        {
            "step": "read",
            "input": str(storage.local_path(record.file)),
            "filename": record.filename,
            "choices": choices,
            "limits": settings.LIMITS,
            "catalog": record.target.model_dump(mode="json", exclude_none=True),
            "learned": {"fields": learned_fields(record)},
        },
        limits=Limits(**settings.LIMITS),
        progress=reporter.progress,
        cancelled=reporter.cancelled,
    )


def _choices_known(record: ImportRecord, found: _Read) -> Json:
    """Note what this reading asks; give the choices with what is known about the file itself."""
    about = undecided(
        found.result["questions"], choices=found.choices, chosen=found.result["chosen"]
    )
    questions = [*about, *found.result["proposal"]["questions"]]
    asked = asked_of(questions, reading=found.result, catalog_key=record.catalog_key)
    known = known_answers(record, asked)
    about_file = {key: one for key, one in found.asked.items() if one.kind in CHOICE_OF}
    found.asked = about_file | {one.fingerprint: one for one in asked}
    found.known |= known
    choices = found.choices
    for one in asked:
        if one.kind in CHOICE_OF and one.fingerprint in known:
            choices = chosen_by(one.kind, known[one.fingerprint].value, choices, found.result)
    return choices


def _move_on(record: ImportRecord, found: _Read) -> None:
    result, at = found.result, clock.now()
    proposal, used = _proposed(record, found)
    changes = {
        "reading": result,
        "proposal": proposal,
        "choices": found.choices,
        "profile": used,
        "source": found.source,
        "stage": "",
        "done": result["rows"] or 0,
        "total": result["rows"],
        "tries": 0,
        "counts": {"sourceRows": result["rows"]},
    }
    with transaction.atomic():
        record_questions(
            record,
            list(found.asked.values()),
            kinds=READING_KINDS | TRANSFORM_KINDS,
            known=found.known,
            at=at,
        )
        record.proposal = proposal
        if record.auto_map and not is_blocked(record) and is_complete(record):
            changes |= {"mapping": record.proposed_mapping, "recipe": record.proposed.recipe}
            record.move_to(State.TRANSFORMING, at=at, **changes)
        else:
            record.move_to(State.MAPPING, at=at, due_at=None, claimed_until=None, **changes)


def _proposed(record: ImportRecord, found: _Read) -> tuple[Json, Json | None]:
    """Give the proposal, and which profile it follows; a profile leaves nothing to ask."""
    result = found.result
    proposal = result.pop("proposal")
    kept = profile_for(record, result["fingerprint"])
    replayed = replay(kept, result["columns"], record.target.live_fields)
    if replayed is not None:
        found.asked = {k: one for k, one in found.asked.items() if one.kind not in COLUMN_KINDS}
        used = {"id": replayed.profile.public_id, "version": replayed.profile.version}
        return with_answer(proposal, replayed.draft, why=LIKE_LAST_TIME), used
    matched = type(record)(proposal=proposal).proposed
    draft = after_answers(proposal, matched, list(found.asked.values()), found.known)
    return with_answer(proposal, draft, why=ANSWERED), None
