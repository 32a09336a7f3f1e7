"""Which moves of an import a caller may make now, by what refuses their calls."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from common.errors import NotAllowed
from imports.models import ImportRecord
from imports.page_policy import require_own, require_started
from licensing.caller import Caller
from licensing.rights.checker import may_call
from staging import services as staging
from staging.models import Revision

State = ImportRecord.State


@dataclass(frozen=True, slots=True)
class Moves:
    """Which calls the engine would accept: cancel the import, undo or redo a change of it."""

    cancel: bool
    undo: bool
    redo: bool


def moves_of(
    caller: Caller, records: Sequence[ImportRecord], *, changing: Collection[int] = ()
) -> dict[int, Moves]:
    """
    Return which moves a caller may make now, by the key of each import.

    changing: keys of imports whose rows a worker changes now: nothing is undone meanwhile.
    """
    travels = may_call(caller, "imports_undo_create")
    currents = {
        record.public_id: record.revision
        for record in records
        if travels and _may_travel(record) and record.pk not in changing
    }
    around = staging.changes_around(currents)

    def moves(record: ImportRecord) -> Moves:
        there = around.get(record.public_id)
        return Moves(
            cancel=_may_cancel(caller, record),
            undo=there is not None and _is_theirs(caller, there.undoable),
            redo=there is not None and _is_theirs(caller, there.undone),
        )

    return {record.pk: moves(record) for record in records}


def _may_travel(record: ImportRecord) -> bool:
    return record.state == State.REVIEW and record.revision > 0


def _may_cancel(caller: Caller, record: ImportRecord) -> bool:
    return (
        record.may_move_to(State.CANCELLED)
        and may_call(caller, "imports_cancel_create")
        and _is_let(lambda: require_started(caller, record))
    )


def _is_theirs(caller: Caller, change: Revision | None) -> bool:
    return change is not None and _is_let(lambda: require_own(caller, change.actor))


def _is_let(check: Callable[[], None]) -> bool:
    try:
        check()
    except NotAllowed:
        return False
    return True
