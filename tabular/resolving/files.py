"""What is known, at rest beside the columns of a table."""

from pathlib import Path

import pyarrow as pa

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
        read(folder / ENTITIES_FILE),
        read(folder / LEARNED_FILE),
        read(decided) if decided.exists() else DECIDED.empty_table(),
    )


def read(path: Path) -> pa.Table:
    """Map a file into memory."""
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def write(path: Path, table: pa.Table) -> None:
    """Write a file in batches that are read alone."""
    with pa.ipc.new_file(str(path), table.schema) as writer:
        writer.write_table(table, max_chunksize=1 << 16)
