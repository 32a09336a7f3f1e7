"""How many records at the end of a large text file are not data."""

from __future__ import annotations

from pathlib import Path

from tabular.reading.layout import Region, end_of_data
from tabular.reading.text.dialect import Scored
from tabular.reading.text.encoding import Encoding
from tabular.reading.text.records import parse_lines

_TAIL_BYTES = 1 << 16
_TAIL_RECORDS = 60


def footer_length(path: Path, encoding: Encoding, scored: Scored, region: Region) -> int:
    """
    Count the records after the last row of data, blank ones included.

    0 when the end looks like data, or like nothing that can be told.
    """
    lines = _last_lines(path, encoding)[1:]  # the first one is cut
    rows = [record.cells for record in parse_lines(lines, scored.dialect)][-_TAIL_RECORDS:]
    return len(rows) - end_of_data(rows, region)


def _last_lines(path: Path, encoding: Encoding) -> list[str]:
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _TAIL_BYTES) // 4 * 4)  # UTF-16 and UTF-32 stay aligned
        text = file.read().decode(_without_mark(encoding, path), "replace")
    return text.splitlines(keepends=True)


def _without_mark(encoding: Encoding, path: Path) -> str:
    """Name the codec for bytes from the middle of the file, where there is no mark to tell."""
    if encoding.name not in {"utf-16", "utf-32"}:
        return encoding.name
    with path.open("rb") as file:
        is_little = file.read(1) == b"\xff"
    return f"{encoding.name}-{'le' if is_little else 'be'}"
