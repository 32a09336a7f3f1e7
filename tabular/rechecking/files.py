"""The files of a transformed table, opened for reading."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa


def column(path: Path) -> pa.ChunkedArray:
    """Map the single column of a file into memory."""
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all().column(0)


def batches(path: Path) -> Iterator[pa.RecordBatch]:
    """Stream the record batches of a file."""
    with pa.memory_map(str(path)) as file:
        reader = pa.ipc.open_file(file)
        for i in range(reader.num_record_batches):
            yield reader.get_batch(i)


def rows(files: Mapping[str, Path]) -> Iterator[pa.RecordBatch]:
    """Stream the typed rows of a table, a column per field path."""
    streams = [batches(path) for path in files.values()]
    for parts in zip(*streams, strict=True):
        columns = (part.column(0) for part in parts)
        yield pa.record_batch(dict(zip(files, columns, strict=True)))
