"""Undo and redo: which revision the pointer moves to."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Q

from common.errors import Conflict
from staging.models import PURGED, Revision


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


@dataclass(frozen=True, slots=True)
class Around:
    """The changes on both sides of a revision, read without their files."""

    last: Revision  # what an undo takes back, unless nothing lies before it
    undone: Revision | None  # what a redo does again
    alike: frozenset[int]  # the revisions that show the same cells as the last change

    @property
    def undoable(self) -> Revision | None:
        """Return the change that an undo takes back; None at the beginning."""
        return None if self.last.parent is None else self.last


def changes_around(currents: Mapping[str, int]) -> dict[str, Around]:
    """
    Find what undo and redo would move over, by subject; purged rows are missing.

    currents: subject to the number of its revision. Takes as many queries for many as for one.
    """
    here = _numbered(currents)
    undone = _undone(currents)
    passed = {subject: {number} for subject, number in currents.items()}
    while checks := {
        subject: item.parent
        for subject, item in here.items()
        if item.kind == Revision.Kind.CHECK and item.parent is not None
    }:
        here |= _numbered(checks)
        for subject, number in checks.items():
            passed[subject].add(number)
    return {
        subject: Around(last, undone.get(subject), frozenset(passed[subject]))
        for subject, last in here.items()
    }


def undo_to(*, current: Revision, seen: int, actor: dict[str, str]) -> Way:
    """Return the way back from ``current``. Raise LaterEdit if that drops another's change."""
    around = _around(current)
    _refuse_unseen(around.last, seen, actor, around.alike)
    if around.last.parent is None:
        raise NothingToUndo
    goal = Revision.objects.get(subject=current.subject, number=around.last.parent)
    return Way(goal, around.last)


def redo_to(*, current: Revision, seen: int, actor: dict[str, str]) -> Way:
    """Return the way to the revision that was undone last."""
    _refuse_unseen(current, seen, actor, {current.number})
    undone = _around(current).undone
    if undone is None:
        raise NothingToRedo
    goal = Revision.objects.get(pk=undone.pk)
    return Way(goal, goal)


def _around(current: Revision) -> Around:
    return changes_around({current.subject: current.number})[current.subject]


def _numbered(numbers: Mapping[str, int]) -> dict[str, Revision]:
    one_each = [Q(subject=subject, number=number) for subject, number in numbers.items()]
    return _read(one_each, Q(base__gt=PURGED))


def _undone(currents: Mapping[str, int]) -> dict[str, Revision]:
    behind = [Q(subject=subject, parent=number) for subject, number in currents.items()]
    return _read(behind, Q(is_abandoned=False))


def _read(named: list[Q], also: Q) -> dict[str, Revision]:
    if not named:
        return {}
    order = Revision.objects.filter(reduce(or_, named), also).order_by("-pk")
    light = order.only("subject", "number", "parent", "kind", "actor", "created_at")
    return {revision.subject: revision for revision in light}


def _refuse_unseen(
    current: Revision, seen: int, actor: dict[str, str], alike: Collection[int]
) -> None:
    """Raise LaterEdit for another actor's unseen change. alike: revisions with equal cells."""
    if seen not in alike and current.actor != actor:
        raise LaterEdit(
            members={
                "revision": current.number,
                "by": current.actor,
                "at": current.created_at.isoformat(),
            }
        )
