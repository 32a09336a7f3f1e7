"""
Read single batches of an Arrow file without the rest of it.

An Arrow IPC file is a schema message, then a message for each batch, then a footer. A message is
decoded alone by whoever knows the schema (Arrow Columnar Format, "IPC File Format"). pyarrow is
loaded when a function is called.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

_MAGIC_BYTES = 8  # before the first message


def parts_of(path: Path) -> tuple[dict[str, Any], list[tuple[int, int]]] | None:
    """
    Return what a reader of batches must know, as JSON, and each batch's first byte and size.

    Return None for a file that is not read in parts: no Arrow file, or one with dictionaries.
    """
    if path.suffix != ".arrow":
        return None
    import pyarrow as pa

    ranges, rows = [], []
    with pa.memory_map(str(path)) as file:
        file.seek(_MAGIC_BYTES)
        messages = pa.ipc.MessageReader.open_stream(file)
        schema = pa.ipc.read_schema(messages.read_next_message())
        start = file.tell()
        for message in messages:
            if message.type != "record batch":
                return None
            ranges.append((start, file.tell() - start))
            rows.append(pa.ipc.read_record_batch(message, schema).num_rows)
            start = file.tell()
    written = base64.b64encode(schema.serialize()).decode()
    return {"schema": written, "rows": rows}, ranges


def schema_of(about: dict[str, Any]) -> pa.Schema:
    """Return the schema of a file, from what ``parts_of`` said of it."""
    import pyarrow as pa

    return pa.ipc.read_schema(pa.py_buffer(base64.b64decode(about["schema"])))


def batch(part: Any, schema: pa.Schema) -> pa.RecordBatch:
    """Decode one part. part: its bytes, which the batch refers to."""
    import pyarrow as pa

    return pa.ipc.read_record_batch(pa.ipc.read_message(pa.py_buffer(part)), schema)
