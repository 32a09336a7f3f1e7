"""
Snapshots of an import's inputs: saved when other rows are made, restored by undo.

Transforming rows again is one step that can be undone like any other. The former rows are still in
their files; the mapping, the reading of the file and the answers are restored with them.
"""

from datetime import datetime
from typing import Any

from common.actors import Actor
from imports.models import ImportRecord, Settlement
from ledger import services as ledger
from staging.models import Revision

Json = dict[str, Any]
TOLD = (
    "mapping", "recipe", "profile", "settled_by", "choices", "reading", "proposal", "source",
    "done", "total",
)  # fmt: skip
COUNTED = ("sourceRows", "skipped")  # row counts that a revision does not know


def keep_settlement(record: ImportRecord) -> None:
    """Save the inputs of the rows in review, inside the transaction that changes them."""
    if record.state == ImportRecord.State.REVIEW and record.revision:
        _keep(record, transform_of(record))


def transform_of(record: ImportRecord) -> int:
    """Return the revision that made the current rows of an import; 0 without rows."""
    mine = Revision.objects.filter(subject=record.public_id, number=record.revision)
    return mine.values_list("transform", flat=True).first() or 0


def is_kept(record: ImportRecord, transform: int) -> bool:
    """Return whether undo can restore the inputs of some rows."""
    return record.settlements.filter(transform=transform).exists()


def told_of(record: ImportRecord, transform: int) -> Json:
    """Return the columns of an import as they were for some rows, including its counts."""
    told: Json = dict(record.settlements.get(transform=transform).told)
    told["counts"] = {**record.counts, **told["counts"]}
    return told


def exchange_questions(
    record: ImportRecord, *, told: Json, former: int, goal: int, actor: Actor, at: datetime
) -> None:
    """Save the questions under ``former``, and restore them as they were under ``goal``."""
    asked = record.settlements.get(transform=goal).asked
    _write(record, former, told)
    ledger.restore(tenant=record.tenant, subject=record.public_id, kept=asked, actor=actor, at=at)


def telling(record: ImportRecord) -> Json:
    """Return the current inputs of an import, as a snapshot stores them."""
    counts = {name: record.counts[name] for name in COUNTED if name in record.counts}
    return {**{name: getattr(record, name) for name in TOLD}, "counts": counts}


def _keep(record: ImportRecord, transform: int) -> None:
    _write(record, transform, telling(record))


def _write(record: ImportRecord, transform: int, told: Json) -> None:
    asked = ledger.kept(tenant=record.tenant, subject=record.public_id)
    Settlement.objects.update_or_create(
        record=record, transform=transform, defaults={"told": told, "asked": asked}
    )
