"""What is known, at rest beside the columns of a table."""

from pathlib import Path

from tabular.protocol.tables import whole, write
from tabular.resolving.deciding import DECIDED
from tabular.resolving.resolution import Known

ENTITIES_FILE, LEARNED_FILE, DECIDED_FILE = "known.arrow", "learned.arrow", "decided.arrow"


def write_known(folder: Path, known: Known) -> None:
    """Write what is known into a folder."""
    write(folder / ENTITIES_FILE, known.entities)
    write(folder / LEARNED_FILE, known.learned)


def read_known(folder: Path) -> Known:
    """Read what is known, and what was decided by likeness where that is there already."""
    decided = folder / DECIDED_FILE
    return Known(
        whole(folder / ENTITIES_FILE),
        whole(folder / LEARNED_FILE),
        whole(decided) if decided.exists() else DECIDED.empty_table(),
    )
