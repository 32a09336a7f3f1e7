"""Store tables, change them, undo and redo, and purge them."""

from staging.services.job_output import confirm_lost, purge, rebase, stage
from staging.services.revisions import abandon, commit, drop, follow, next_number
from staging.services.undo_redo import (
    NothingToRedo,
    NothingToUndo,
    changes_around,
    redo_to,
    undo_to,
)

__all__ = [
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
