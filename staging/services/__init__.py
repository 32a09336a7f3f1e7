"""Store tables, change them, undo and redo, and purge them."""

from staging.manifest import MadeFrom
from staging.services.committing import abandon, commit, drop, follow, next_number
from staging.services.storing import confirm_lost, purge, rebase, stage
from staging.services.travelling import (
    NothingToRedo,
    NothingToUndo,
    changes_around,
    redo_to,
    undo_to,
)

__all__ = [
    "MadeFrom",
    "NothingToRedo",
    "NothingToUndo",
    "abandon",
    "changes_around",
    "commit",
    "confirm_lost",
    "drop",
    "follow",
    "next_number",
    "purge",
    "rebase",
    "redo_to",
    "stage",
    "undo_to",
]
