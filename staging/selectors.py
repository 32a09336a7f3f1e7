"""Read tables at rest."""

import threading
from collections import OrderedDict
from typing import Any

from staging.columns import StagedFiles, StagedTable
from staging.manifests import qualified
from staging.models import PURGED, LostEdit, Revision
from staging.overlay import Overlay

OPEN_BASES = 16
MOST_LOST = 1_000  # lost edits shown at once

_opened: OrderedDict[tuple[str, int], StagedFiles] = OrderedDict()
_lock = threading.Lock()


def at_revision(subject: str, number: int) -> StagedTable | None:
    """Give one revision of ``subject``, if there is one."""
    revision = Revision.objects.filter(subject=subject, number=number, base__gt=PURGED).first()
    return None if revision is None else table_of(revision)


def table_of(revision: Revision) -> StagedTable:
    """Open the table a revision shows."""
    return StagedTable(revision, _files_of(revision))


def table_of_files(result: dict[str, Any], folder: str, about: dict[str, Any]) -> StagedTable:
    """
    Open what a transform made, kept for a moment in a storage folder; no revision names it.

    about: ``source`` and ``place`` of the manifest.
    """
    table = StagedTable(Revision(), StagedFiles(qualified(result, folder) | about))
    table.overlay = Overlay()  # nobody edited these rows
    return table


def lost_edits(subject: str) -> list[LostEdit]:
    """List the edits of a table whose cells a new transform no longer has."""
    return list(LostEdit.objects.filter(subject=subject).order_by("pk")[:MOST_LOST])


def forget(subject: str) -> None:
    """Close the files of a table that is purged."""
    with _lock:
        for key in [key for key in _opened if key[0] == subject]:
            del _opened[key]


def _files_of(revision: Revision) -> StagedFiles:
    # The files of a base never change, so what is mapped stays right for as long as it is kept.
    key = (revision.subject, revision.base or revision.number)
    with _lock:
        if key in _opened:
            _opened.move_to_end(key)
            return _opened[key]
    base = Revision.objects.get(subject=key[0], number=key[1])
    files = StagedFiles(base.manifest)
    with _lock:
        _opened[key] = files
        while len(_opened) > OPEN_BASES:
            _opened.popitem(last=False)
    return files
