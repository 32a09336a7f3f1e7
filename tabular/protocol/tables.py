"""The Arrow files of a table: here they are opened, mapped into memory, and here one is written.

Whatever opens the text of a file that was read, or a column, the rows or the issues of a staged
table, does it here. Imports pyarrow, which a web process does on first use.
"""

import mmap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

_ROWS_AT_ONCE = 1 << 16  # of a file that is written whole; its batches are read alone


@contextmanager
def opened(
    path: Path, options: pa.ipc.IpcReadOptions | None = None
) -> Iterator[pa.ipc.RecordBatchFileReader]:
    """Open a file to look at its batches one by one."""
    with pa.memory_map(str(path)) as file:
        yield pa.ipc.open_file(file, options=options)


def whole(path: Path) -> pa.Table:
    """Map a file into memory."""
    with opened(path) as reader:
        return reader.read_all()


def with_pages(path: Path) -> tuple[pa.Table, mmap.mmap]:
    """Give the table of a file without reading it, and the map that it stands in."""
    with path.open("rb") as file:
        pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return pa.ipc.open_file(pa.py_buffer(pages)).read_all(), pages


def column(path: Path) -> pa.ChunkedArray:
    """Map the single column of a file into memory."""
    return whole(path).column(0)


def batches(path: Path) -> Iterator[pa.RecordBatch]:
    """Stream the record batches of a file."""
    with opened(path) as reader:
        for i in range(reader.num_record_batches):
            yield reader.get_batch(i)


def rows(files: Mapping[str, Path]) -> Iterator[pa.RecordBatch]:
    """Stream the typed rows of a table, a column per field path."""
    streams = [batches(path) for path in files.values()]
    for parts in zip(*streams, strict=True):
        columns = (part.column(0) for part in parts)
        yield pa.record_batch(dict(zip(files, columns, strict=True)))


def write(path: Path, table: pa.Table) -> None:
    """Write a file in batches that are read alone."""
    with pa.ipc.new_file(str(path), table.schema) as writer:
        writer.write_table(table, max_chunksize=_ROWS_AT_ONCE)
