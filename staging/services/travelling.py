"""Undo and redo: which revision the pointer moves to."""

from collections.abc import Collection

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
    passed = {current.number}
    while current.kind == Revision.Kind.CHECK:
        current = _parent(current)
        passed.add(current.number)
    _refuse_unseen(current, seen, actor, passed)
    return _parent(current)


def redo_to(*, current: Revision, seen: int, actor: dict[str, str]) -> Revision:
    """Give the revision that was undone last."""
    _refuse_unseen(current, seen, actor, {current.number})
    undone = Revision.objects.filter(
        subject=current.subject, parent=current.number, is_abandoned=False
    ).first()
    if undone is None:
        raise NothingToRedo
    return undone


def _parent(revision: Revision) -> Revision:
    if revision.parent is None:
        raise NothingToUndo
    return Revision.objects.get(subject=revision.subject, number=revision.parent)


def _refuse_unseen(
    current: Revision, seen: int, actor: dict[str, str], alike: Collection[int]
) -> None:
    """alike: the revisions that show the same cells."""
    if seen not in alike and current.actor != actor:
        raise LaterEdit(
            revision=current.number, by=current.actor, at=current.created_at.isoformat()
        )
