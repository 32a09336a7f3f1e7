"""Undo and redo: which revision the pointer moves to."""

from collections.abc import Collection
from dataclasses import dataclass

from common.errors import Conflict
from staging.models import Revision


class NothingToUndo(Conflict):
    """Nothing to undo."""

    code = "nothing_to_undo"


class NothingToRedo(Conflict):
    """Nothing to redo: nothing was undone, or rows were edited since."""

    code = "nothing_to_redo"


class LaterEdit(Conflict):
    """Another person changed the rows. Reload them before you undo."""

    code = "later_edit"


@dataclass(frozen=True, slots=True)
class Way:
    """Where undo or redo leads, and which change it removes or restores."""

    goal: Revision
    change: Revision


def undo_to(*, current: Revision, seen: int, actor: dict[str, str]) -> Way:
    """Return the way back from ``current``. Raise LaterEdit if that drops another's change."""
    passed = {current.number}
    while current.kind == Revision.Kind.CHECK:
        current = _parent(current)
        passed.add(current.number)
    _refuse_unseen(current, seen, actor, passed)
    return Way(_parent(current), current)


def redo_to(*, current: Revision, seen: int, actor: dict[str, str]) -> Way:
    """Return the way to the revision that was undone last."""
    _refuse_unseen(current, seen, actor, {current.number})
    undone = Revision.objects.filter(
        subject=current.subject, parent=current.number, is_abandoned=False
    ).first()
    if undone is None:
        raise NothingToRedo
    return Way(undone, undone)


def _parent(revision: Revision) -> Revision:
    if revision.parent is None:
        raise NothingToUndo
    return Revision.objects.get(subject=revision.subject, number=revision.parent)


def _refuse_unseen(
    current: Revision, seen: int, actor: dict[str, str], alike: Collection[int]
) -> None:
    """Raise LaterEdit for another actor's unseen change. alike: revisions with equal cells."""
    if seen not in alike and current.actor != actor:
        raise LaterEdit(
            revision=current.number, by=current.actor, at=current.created_at.isoformat()
        )
