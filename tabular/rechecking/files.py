"""The files of a transformed table, opened for reading."""

from collections.abc import Iterator
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
