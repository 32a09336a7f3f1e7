"""Store finished job output, and remove it again."""

from datetime import datetime
from pathlib import Path

from django.db import transaction

from common import storage
from common.actors import ENGINE
from staging import selectors
from staging.columns import StagedTable
from staging.edits import moved_edits
from staging.manifest import Manifest, References, RowCounts, SourceText
from staging.models import PURGED, CellEdit, OrphanedEdit, Revision, RowState
from staging.services.revisions import SLICE, commit, next_number
from tabular import versions
from tabular.protocol.parts import parts_of
from tabular.protocol.plan import TransformPlan
from tabular.protocol.results import TransformResult


def stage(
    *,
    subject: str,
    made: Path,
    result: TransformResult,
    plan: TransformPlan,
    source: SourceText,
    references: References | None = None,
    at: datetime,
) -> Revision:
    """Store the files that a transform made in ``made`` as the next revision of ``subject``."""
    folder = storage.adopt("staged", made, parts_of=parts_of)
    manifest = Manifest.of(
        result, folder, plan, source, references=references, pins=versions.pins()
    )
    with transaction.atomic():
        number = next_number(subject)
        return Revision.objects.create(
            subject=subject,
            number=number,
            stored_bytes=storage.size_of(folder) + _size_of_new(source.folder, subject),
            base=number,
            transform=number,
            folder=folder,
            manifest=manifest.as_json(),
            counts=RowCounts.of(result.counts).as_json(),
            created_at=at,
        )


def _size_of_new(source: str, subject: str) -> int:
    """Return the size in bytes of a source text that no earlier revision uses."""
    is_known = Revision.objects.filter(subject=subject, manifest__source=source).exists()
    return 0 if is_known or not source else storage.size_of(source)


def rebase(*, former: StagedTable, revision: Revision, at: datetime) -> Revision:
    """
    Move the edits of a former transform to a new one; see ``follow`` for undo.

    Edits whose cell is gone are recorded as lost until a user confirms that.
    """
    prepared, lost = moved_edits.rebase(former, selectors.table_of(revision), at=at)
    with transaction.atomic():
        OrphanedEdit.objects.bulk_create(lost, batch_size=SLICE)
        if prepared is None:
            return revision
        number = next_number(revision.subject)
        return commit(prepared=prepared, number=number, actor=ENGINE, at=at)


def confirm_lost(*, revision: Revision) -> int:
    """Delete the edits lost on the way to a revision. Return how many there were."""
    forgotten, _ = selectors.orphaned_before(revision).delete()
    return forgotten


def purge(*, subject: str) -> None:
    """Delete the rows of ``subject``, then their files; who made which revision is kept."""
    bases = Revision.objects.filter(subject=subject).exclude(folder="")
    pairs = bases.values_list("folder", "manifest__source")
    names = {name for pair in pairs for name in pair if name}
    with transaction.atomic():
        for model in (RowState, CellEdit, OrphanedEdit):
            model._default_manager.filter(subject=subject).delete()
        purged = Revision.objects.filter(subject=subject)
        purged.update(base=PURGED, folder="", manifest={}, counts={}, about={}, stored_bytes=0)
    selectors.forget(subject)
    for name in names:
        storage.delete(name)
