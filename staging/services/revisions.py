"""Commit a prepared operation as the next revision."""

from datetime import datetime

from django.db.models import Max

from common import storage
from common.actors import Actor
from staging.changes import Prepared
from staging.models import CellEdit, Revision, RowState

SLICE = 1_000  # rows per INSERT


def next_number(subject: str) -> int:
    """Return a revision number that was never used. Call it inside the transaction."""
    last = Revision.objects.filter(subject=subject).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def commit(*, prepared: Prepared, number: int, actor: Actor, at: datetime) -> Revision:
    """
    Save an operation inside the caller's transaction.

    Undone revisions are abandoned: they can no longer be redone.
    """
    parent = prepared.parent
    abandon(subject=parent.subject, after=parent.number)
    revision = Revision.objects.create(
        subject=parent.subject,
        number=number,
        kind=prepared.kind,
        parent=parent.number,
        base=number if prepared.manifest else parent.base,
        transform=parent.transform,
        folder=prepared.folder,
        manifest=prepared.manifest.as_json() if prepared.manifest else {},
        counts=prepared.counts.as_json(),
        cells=prepared.cells,
        stored_bytes=prepared.stored_bytes,
        about=dict(prepared.about),
        actor=actor.as_dict(),
        created_at=at,
    )
    RowState.objects.bulk_create(
        [
            RowState(subject=parent.subject, revision=number, row=row, state=patch.as_json())
            for row, patch in prepared.patches.items()
        ],
        batch_size=SLICE,
    )
    for edit in prepared.edits:
        edit.revision = number
    CellEdit.objects.bulk_create(prepared.edits, batch_size=SLICE)
    return revision


def drop(*, prepared: Prepared) -> None:
    """Remove the files of an operation that is not committed."""
    if prepared.folder:
        storage.delete(prepared.folder)


def follow(*, revision: Revision, former: Revision, actor: dict[str, str]) -> None:
    """
    Make undo lead from a new transform to the rows before it, inside the caller's transaction.

    revision: the transform or, if edits were moved to it, their replay, so that undo takes one
    step.
    """
    later = Revision.objects.filter(subject=former.subject, number__gt=former.number)
    later.exclude(transform=revision.transform).update(is_abandoned=True)
    Revision.objects.filter(pk=revision.pk).update(parent=former.number, actor=actor)
    revision.parent, revision.actor = former.number, actor


def abandon(*, subject: str, after: int) -> None:
    """Mark the revisions after one that an undo returned to as abandoned."""
    later = Revision.objects.filter(subject=subject, number__gt=after, is_abandoned=False)
    later.update(is_abandoned=True)
