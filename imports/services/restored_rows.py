"""Restore skipped rows; mapping and edits remain. docs/review.md, Left out."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction

from common.actors import Actor
from common.errors import Conflict
from common.wording.messages import Message
from imports import transitions
from imports.answers.snapshots import save_snapshot
from imports.models import ImportRecord
from imports.rows.left_out import skipped_rows_of
from imports.transitions import WAITING, NotWaiting

State = ImportRecord.State
MOST_TAKEN = 10_000  # rows that one import may restore


class TooManyRows(Conflict):
    """Too many rows to restore."""

    code = "too_many_rows"


def restore_rows(
    *,
    record: ImportRecord,
    rows: Sequence[int],
    reasons: Collection[str] = (),
    actor: Actor,
    at: datetime,
) -> ImportRecord:
    """
    Read the file again with exactly these rows restored. Raise Conflict for any other row.

    Nothing is read if exactly these rows are restored already.

    rows: physical numbers, from 0. Rows restored before and not named are skipped again. reasons:
    also restore every row that was skipped for one of these. Raise TooManyRows above MOST_TAKEN.
    """
    if record.state not in WAITING:
        raise NotWaiting("not_waiting.restore", state=record.state)
    _check(record, rows)
    taken = {*rows, *(skipped_rows_of(record).of(reasons) if reasons else ())}
    if len(taken) > MOST_TAKEN:
        raise TooManyRows("too_many_rows.restored", rows=len(taken), most=MOST_TAKEN)
    if taken == set(record.chosen.restored):
        return record
    choices = replace(record.chosen, restored=tuple(sorted(taken)))
    with transaction.atomic():
        save_snapshot(record)
        return transitions.read_again(record, choices, keeps_mapping=True, actor=actor, at=at)


def _check(record: ImportRecord, rows: Sequence[int]) -> None:
    taken = set(record.chosen.restored)
    unknown = [
        {
            "pointer": f"/takeBack/{place}",
            "code": "unknown_row",
            "detail": Message("unknown_row.not_skipped", row=rows[place]),
        }
        for place in skipped_rows_of(record).unknown(rows)
        if rows[place] not in taken
    ]
    if unknown:
        raise Conflict("unknown_row.skipped", errors=unknown)
