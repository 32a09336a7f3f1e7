"""Open a table's Arrow files, mapped into memory, and write one.

All code that opens a file's text, or a column, the rows or the issues of a staged table, uses this
module. It imports pyarrow, which a web process loads on first use.
"""

import mmap
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from tabular.protocol.arrow import keep_pandas_out

_ROWS_AT_ONCE = 1 << 16  # of a file that is written whole; its batches are read singly

keep_pandas_out()


@contextmanager
def opened(
    path: Path, options: pa.ipc.IpcReadOptions | None = None
) -> Iterator[pa.ipc.RecordBatchFileReader]:
    """Yield a file open for reading its batches one by one."""
    with pa.memory_map(str(path)) as file:
        yield pa.ipc.open_file(file, options=options)


def whole(path: Path) -> pa.Table:
    """Map a file into memory."""
    with opened(path) as reader:
        return reader.read_all()


def with_pages(path: Path) -> tuple[pa.Table, mmap.mmap]:
    """Return a file's table without reading it, and its memory map."""
    with path.open("rb") as file:
        pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return pa.ipc.open_file(pa.py_buffer(pages)).read_all(), pages


def column(path: Path) -> pa.ChunkedArray:
    """Map the single column of a file into memory."""
    return whole(path).column(0)


def batches(path: Path) -> Iterator[pa.RecordBatch]:
    """Yield the record batches of a file."""
    with opened(path) as reader:
        for i in range(reader.num_record_batches):
            yield reader.get_batch(i)


def rows(files: Mapping[str, Path]) -> Iterator[pa.RecordBatch]:
    """Yield the typed rows of a table, a column per field path."""
    streams = [batches(path) for path in files.values()]
    for parts in zip(*streams, strict=True):
        columns = (part.column(0) for part in parts)
        yield pa.record_batch(dict(zip(files, columns, strict=True)))


def write(path: Path, table: pa.Table) -> None:
    """Write a file in batches that are read singly."""
    with pa.ipc.new_file(str(path), table.schema) as writer:
        writer.write_table(table, max_chunksize=_ROWS_AT_ONCE)


def write_parts(path: Path, schema: pa.Schema, parts: Iterable[pa.Table]) -> None:
    """Write a file part by part; each is in memory alone."""
    with pa.ipc.new_file(str(path), schema) as writer:
        for part in parts:
            writer.write_table(part)


def write_first_rows(source: Path, path: Path, *, most: int) -> int:
    """Write at most so many first rows of a file to another; return how many there are."""
    written = 0
    with opened(source) as file, pa.ipc.new_file(str(path), file.schema) as sample:
        for number in range(file.num_record_batches):
            batch = file.get_batch(number).slice(0, most - written)
            sample.write_batch(batch)
            written += batch.num_rows
            if written == most:
                break
    return written
