"""
Snapshots of an import's inputs: saved when other rows are made, restored by undo.

Transforming rows again is one step that can be undone like any other. The former rows are still in
their files; the mapping, the reading of the file and the answers are restored with them.
"""

from datetime import datetime
from typing import Any

from common.actors import Actor
from imports.models import ImportRecord, ImportSnapshot
from ledger import services as ledger
from pipeline.kinds.drift import NAME as DRIFT
from staging.models import Revision

Json = dict[str, Any]
INPUTS = ("source", "parsed", "decided", "progress")
COUNTED = ("sourceRows", "skipped")  # row counts that a revision does not know


def save_snapshot(record: ImportRecord) -> None:
    """Save the inputs of the rows in review, inside the transaction that changes them."""
    if record.state == ImportRecord.State.REVIEW and record.revision:
        _keep(record, transform_of(record))


def transform_of(record: ImportRecord) -> int:
    """Return the revision that made the current rows of an import; 0 without rows."""
    mine = Revision.objects.filter(subject=record.public_id, number=record.revision)
    return mine.values_list("transform", flat=True).first() or 0


def is_kept(record: ImportRecord, transform: int) -> bool:
    """Return whether undo can restore the inputs of some rows."""
    return record.snapshots.filter(transform=transform).exists()


def inputs_of(record: ImportRecord, transform: int) -> Json:
    """Return the columns of an import as they were for some rows, including its counts."""
    kept = record.snapshots.get(transform=transform)
    inputs: Json = {name: getattr(kept, name) for name in INPUTS}
    return inputs | {"counts": {**record.counts, **kept.counts}}


def exchange_questions(
    record: ImportRecord, *, inputs: Json, former: int, goal: int, actor: Actor, at: datetime
) -> None:
    """Save the questions under ``former``, and restore them as they were under ``goal``."""
    questions = record.snapshots.get(transform=goal).questions
    _write(record, former, inputs)
    ledger.restore(
        tenant=record.tenant,
        subject=record.public_id,
        kept=questions,
        apart={DRIFT},
        actor=actor,
        at=at,
    )


def current_inputs(record: ImportRecord) -> Json:
    """Return the current inputs of an import, as a snapshot stores them."""
    counts = {name: record.counts[name] for name in COUNTED if name in record.counts}
    return {**{name: getattr(record, name) for name in INPUTS}, "counts": counts}


def _keep(record: ImportRecord, transform: int) -> None:
    _write(record, transform, current_inputs(record))


def _write(record: ImportRecord, transform: int, inputs: Json) -> None:
    questions = ledger.kept(tenant=record.tenant, subject=record.public_id)
    ImportSnapshot.objects.update_or_create(
        record=record, transform=transform, defaults={**inputs, "questions": questions}
    )
