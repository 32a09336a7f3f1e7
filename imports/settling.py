"""What an import was told when rows of it were made: kept when they are left, given back by undo.

Rows that are transformed again are one step that can be undone like any other. The rows before it
still lie in their files; the mapping, the reading of the file and the answers go back with them.
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
COUNTED = ("sourceRows", "skipped")  # of the rows; a revision knows the other counts


def keep_settlement(record: ImportRecord) -> None:
    """Keep what the rows in review were made with, inside the transaction that changes it."""
    if record.state == ImportRecord.State.REVIEW and record.revision:
        _keep(record, transform_of(record))


def transform_of(record: ImportRecord) -> int:
    """Give the revision that made the rows an import shows; 0 without rows."""
    mine = Revision.objects.filter(subject=record.public_id, number=record.revision)
    return mine.values_list("transform", flat=True).first() or 0


def is_kept(record: ImportRecord, transform: int) -> bool:
    """Whether undo can give back what some rows were made with."""
    return record.settlements.filter(transform=transform).exists()


def told_of(record: ImportRecord, transform: int) -> Json:
    """Give the columns of an import as they were told for some rows, its counts among them."""
    told: Json = dict(record.settlements.get(transform=transform).told)
    told["counts"] = {**record.counts, **told["counts"]}
    return told


def exchange_questions(
    record: ImportRecord, *, told: Json, former: int, goal: int, actor: Actor, at: datetime
) -> None:
    """Keep the questions as they stand under ``former``; have them stand as under ``goal``."""
    asked = record.settlements.get(transform=goal).asked
    _write(record, former, told)
    ledger.restore(tenant=record.tenant, subject=record.public_id, kept=asked, actor=actor, at=at)


def telling(record: ImportRecord) -> Json:
    """Give what an import is told now, as a settlement has it."""
    counts = {name: record.counts[name] for name in COUNTED if name in record.counts}
    return {**{name: getattr(record, name) for name in TOLD}, "counts": counts}


def _keep(record: ImportRecord, transform: int) -> None:
    _write(record, transform, telling(record))


def _write(record: ImportRecord, transform: int, told: Json) -> None:
    asked = ledger.kept(tenant=record.tenant, subject=record.public_id)
    Settlement.objects.update_or_create(
        record=record, transform=transform, defaults={"told": told, "asked": asked}
    )
