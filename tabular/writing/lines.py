"""Rows for people to look at and correct: each says what is wrong, and which row it is."""

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from typing import Any, NamedTuple

from tabular.writing.cells import written

REASONS = "Reasons"
KEY = "Row key"
LINES_AT_ONCE = 500
FINGERPRINT_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Line:
    """One row of an export. notes: what is wrong, by the number of its column."""

    cells: Sequence[Any]  # JSON values, one per column
    key: str
    notes: Mapping[int, str] = field(default_factory=dict)
    reasons: str = ""


class RowKey(NamedTuple):
    """Which row of which import a line is, and what it held when it was exported."""

    record_id: str
    row: int
    fingerprint: str

    def __str__(self) -> str:
        return f"{self.record_id}/{self.row}/{self.fingerprint}"


def read_key(text: str | None) -> RowKey | None:
    """
    Read a row key; None for what is none.

    >>> read_key("rec_1/12/ab")
    RowKey(record_id='rec_1', row=12, fingerprint='ab')
    >>> read_key("rec_1/twelve/ab") is read_key(None) is None
    True
    """
    parts = (text or "").strip().split("/")
    if len(parts) != 3 or not parts[1].isdecimal() or len(parts[1]) > 18:
        return None
    return RowKey(parts[0], int(parts[1]), parts[2])


def cell_text(value: Any) -> str:
    """
    Give a JSON value as a cell shows it.

    >>> cell_text(None), cell_text(True), cell_text(["a", "b"]), cell_text("=1")
    ('', 'true', 'a, b', "'=1")
    """
    if value is None or isinstance(value, str):
        return written(value)
    if isinstance(value, list):
        return written(", ".join(cell_text(one) for one in value))
    return json.dumps(value)


def fingerprint(cells: Iterable[Any]) -> str:
    """Give a short sha256 over what a row's cells show."""
    texts = json.dumps([cell_text(value) for value in cells])
    return hashlib.sha256(texts.encode()).hexdigest()[:FINGERPRINT_LENGTH]


def csv_chunks(names: Sequence[str], lines: Iterable[Line]) -> Iterator[bytes]:
    """Write lines as CSV (RFC 4180, UTF-8 with a byte order mark), some hundred at a time."""
    text = StringIO("\ufeff")
    text.seek(1)
    writer = csv.writer(text)
    writer.writerow([written(name) for name in (*names, REASONS, KEY)])
    for number, line in enumerate(lines, start=1):
        cells = [cell_text(value) for value in line.cells]
        writer.writerow([*cells, written(line.reasons), line.key])
        if number % LINES_AT_ONCE == 0:
            yield _taken(text)
    yield _taken(text)


def _taken(text: StringIO) -> bytes:
    chunk = text.getvalue().encode()
    text.seek(0)
    text.truncate()
    return chunk
