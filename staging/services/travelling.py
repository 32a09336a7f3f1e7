"""Undo and redo: which revision the pointer moves to."""

from common.errors import Conflict
from staging.models import Revision


class NothingToUndo(Conflict):
    """Nothing was changed before: the beginning is reached."""

    code = "nothing_to_undo"


class NothingToRedo(Conflict):
    """Nothing was undone, or something was changed since."""

    code = "nothing_to_redo"


class LaterEdit(Conflict):
    """Somebody else changed the rows since you looked. Look again before you undo."""

    code = "later_edit"


def undo_to(*, current: Revision, seen: int, actor: dict[str, str]) -> Revision:
    """Give the revision before ``current``; LaterEdit when another's later change would go."""
    _refuse_unseen(current, seen, actor)
    if current.parent is None:
        raise NothingToUndo
    return Revision.objects.get(subject=current.subject, number=current.parent)


def redo_to(*, current: Revision, seen: int, actor: dict[str, str]) -> Revision:
    """Give the revision that was undone last."""
    _refuse_unseen(current, seen, actor)
    undone = Revision.objects.filter(
        subject=current.subject, parent=current.number, is_abandoned=False
    ).first()
    if undone is None:
        raise NothingToRedo
    return undone


def _refuse_unseen(current: Revision, seen: int, actor: dict[str, str]) -> None:
    if current.number != seen and current.actor != actor:
        raise LaterEdit(
            revision=current.number, by=current.actor, at=current.created_at.isoformat()
        )
