"""Take rows back that were left out; mapping and edits stay. docs/review.md, Left out."""

from collections.abc import Sequence
from datetime import datetime

from common.actors import Actor
from common.errors import InvalidRequest
from imports.left_out import LeftOutRows
from imports.models import ImportRecord
from imports.services.starting import FRESH, WAITING, NotWaiting, start

State = ImportRecord.State


def take_back(
    *, record: ImportRecord, rows: Sequence[int], actor: Actor, at: datetime
) -> ImportRecord:
    """
    Read the file again with exactly these rows taken back; InvalidRequest for any other row.

    rows: physical numbers, from 0. Rows taken back before and not named are left out again.
    """
    if record.state not in WAITING:
        raise NotWaiting(f"The import is {record.state}; rows are taken back in mapping or review.")
    _check(record, rows)
    choices = {**record.choices, "take_back": sorted(set(rows))}
    return start(record, State.READING, actor=actor, at=at, choices=choices, **FRESH)


def _check(record: ImportRecord, rows: Sequence[int]) -> None:
    taken = set(record.choices.get("take_back", ()))
    unknown = [
        {
            "pointer": f"/takeBack/{place}",
            "code": "unknown_row",
            "detail": f"Row {rows[place]} was not left out.",
        }
        for place in LeftOutRows(record).unknown(rows)
        if rows[place] not in taken
    ]
    if unknown:
        raise InvalidRequest("Some rows were not left out.", code="unknown_row", errors=unknown)
