"""
Read single batches of an Arrow file without the rest of it.

An Arrow IPC file is a schema message, messages with its dictionaries, one for each batch, and a
footer. A reader that knows the schema and the dictionaries decodes a batch alone (Arrow Columnar
Format, "IPC File Format"). pyarrow is loaded when a function is called.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

_MAGIC_BYTES = 8  # before the first message
_MOST_WORDS = 1 << 16  # bytes of all dictionaries; a file with larger ones is read whole
_END_OF_STREAM = b"\xff\xff\xff\xff\0\0\0\0"


def parts_of(path: Path) -> tuple[dict[str, Any], list[tuple[int, int]]] | None:
    """
    Return what a reader of batches must know, as JSON, and each batch's first byte and size.

    Return None for a file that is not read in parts: no Arrow file, or one with large dictionaries.
    """
    if path.suffix != ".arrow":
        return None
    import pyarrow as pa

    ranges, words = [], b""
    with pa.memory_map(str(path)) as file:
        file.seek(_MAGIC_BYTES)
        messages = pa.ipc.MessageReader.open_stream(file)
        schema = pa.ipc.read_schema(messages.read_next_message())
        start = file.tell()
        for message in messages:
            end = file.tell()
            if message.type == "record batch":
                ranges.append((start, end - start))
            elif end - start + len(words) <= _MOST_WORDS:
                words += file.read_at(end - start, start)
            else:
                return None
            start = end
        about = Batches(schema, words, (), None)
        decoded = [about.decoded(file.read_at(size, first)) for first, size in ranges]
    written: dict[str, Any] = {
        "schema": b64encode(schema.serialize()).decode(),
        "rows": [batch.num_rows for batch in decoded],
        "bounds": _bounds(decoded),
    }
    return written | ({"words": b64encode(words).decode()} if words else {}), ranges


def _bounds(batches: list[pa.RecordBatch]) -> list[list[int]] | None:
    """Return the first and last number of each batch's first column, or None for other columns."""
    import pyarrow as pa

    if not batches or not all(batch.num_rows for batch in batches):
        return None
    columns = [batch.column(0) for batch in batches]
    if not pa.types.is_int64(columns[0].type) or any(column.null_count for column in columns):
        return None
    return [[column[0].as_py(), column[-1].as_py()] for column in columns]


@dataclass(frozen=True, slots=True)
class Batches:
    """
    What the reader of a file's batches knows.

    words: the messages with its dictionaries. rows: of each batch. bounds: the first and the last
    number in the first column of each batch, if that has int64 without nulls.
    """

    schema: pa.Schema
    words: bytes
    rows: tuple[int, ...]
    bounds: tuple[tuple[int, int], ...] | None

    @classmethod
    def kept(cls, about: dict[str, Any]) -> Batches:
        """Read what ``parts_of`` said of a file."""
        import pyarrow as pa

        return cls(
            schema=pa.ipc.read_schema(pa.py_buffer(b64decode(about["schema"]))),
            words=b64decode(about.get("words", "")),
            rows=tuple(about["rows"]),
            bounds=about["bounds"] and tuple(map(tuple, about["bounds"])),
        )

    def decoded(self, part: Any) -> pa.RecordBatch:
        """Decode one part. part: its bytes, which the batch refers to unless it has words."""
        import pyarrow as pa

        if not self.words:
            message = pa.ipc.read_message(pa.py_buffer(part))
            return pa.ipc.read_record_batch(message, self.schema)
        stream = b"".join((self.schema.serialize(), self.words, part, _END_OF_STREAM))
        return pa.ipc.open_stream(pa.py_buffer(stream)).read_next_batch()
