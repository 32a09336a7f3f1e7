"""Read stored tables: the table of a revision, opened once."""

import threading
from collections import OrderedDict

from django.db.models import QuerySet

from common.rows import the_only
from staging.columns import StagedFiles, StagedTable
from staging.lineage.history import between
from staging.manifest import Manifest
from staging.models import PURGED, OrphanedEdit, Revision
from staging.overlay import Overlay

OPEN_BASES = 16
MOST_LOST = 1_000  # lost edits shown at once

_opened: OrderedDict[tuple[str, int], StagedFiles] = OrderedDict()
_lock = threading.Lock()


def at_revision(subject: str, number: int) -> StagedTable | None:
    """Return one revision of ``subject``, or None if there is none."""
    revisions = Revision.objects.filter(subject=subject, number=number, base__gt=PURGED)
    revision = the_only(revisions.defer("manifest"))  # that of its base says which files it has
    return None if revision is None else table_of(revision)


def table_of(revision: Revision) -> StagedTable:
    """Open the table that a revision shows."""
    return StagedTable(revision, _files_of(revision))


def table_of_files(manifest: Manifest) -> StagedTable:
    """Open a transform's output that is briefly in a storage folder; no revision names it."""
    table = StagedTable(Revision(), StagedFiles(manifest))
    table.overlay = Overlay()  # these rows have no edits
    return table


def orphaned_edits(revision: Revision) -> list[OrphanedEdit]:
    """Return the edits whose cells were missing after a transform on the way to a revision."""
    return list(orphaned_before(revision).order_by("pk")[:MOST_LOST])


def orphaned_before(revision: Revision) -> "QuerySet[OrphanedEdit]":
    """Return the edits lost on the way to a revision; an undo restores them."""
    transforms = {step.transform for step in between(revision, 0)}
    return OrphanedEdit.objects.filter(subject=revision.subject, revision__in=transforms)


def forget(subject: str) -> None:
    """Close the files of a purged table."""
    with _lock:
        for key in [key for key in _opened if key[0] == subject]:
            del _opened[key]


def _files_of(revision: Revision) -> StagedFiles:
    # The files of a base never change, so what is mapped stays right as long as it is kept.
    key = (revision.subject, revision.base or revision.number)
    with _lock:
        if key in _opened:
            _opened.move_to_end(key)
            return _opened[key]
    base = Revision.objects.get(subject=key[0], number=key[1])
    files = StagedFiles(Manifest.kept(base.manifest))
    with _lock:
        _opened[key] = files
        while len(_opened) > OPEN_BASES:
            _opened.popitem(last=False)
    return files
