"""Rows to review and correct, as lines or a workbook: what is wrong, and which row it is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tabular.writing.cells import UNWRITABLE, written, written_column

if TYPE_CHECKING:
    import pyarrow as pa
    from openpyxl.cell import Cell
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet


REASONS = "Reasons"
KEY = "Row key"
FINGERPRINT_LENGTH = 16
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """One row of an export. notes: what is wrong, by the number of its column."""

    cells: Sequence[Any]  # texts and numbers, one per column; None for an empty one
    key: str
    notes: Mapping[int, str] = field(default_factory=dict)
    reasons: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows of an export, column by column."""

    record_id: str
    rows: Sequence[int]  # their numbers
    columns: Sequence[pa.Array]  # texts; null for an empty cell
    reasons: Mapping[int, str]  # by the row's position in the block, if there are any


class RowKey(NamedTuple):
    """Which row of which import a line is, and its content when it was exported."""

    record_id: str
    row: int
    fingerprint: str

    def __str__(self) -> str:
        return f"{self.record_id}/{self.row}/{self.fingerprint}"


def read_key(text: str | None) -> RowKey | None:
    """
    Read a row key. Return None if it is invalid.

    >>> read_key("rec_1/12/ab")
    RowKey(record_id='rec_1', row=12, fingerprint='ab')
    >>> read_key("rec_1/twelve/ab") is read_key(None) is None
    True
    """
    parts = (text or "").strip().split("/")
    if len(parts) != 3 or not parts[1].isdecimal() or len(parts[1]) > 18:
        return None
    return RowKey(parts[0], int(parts[1]), parts[2])


def csv_line(cells: Iterable[str | None]) -> str:
    """
    Return cells as CSV (RFC 4180), each in quotation marks.

    >>> print(csv_line(["a", None, "=1", "z"]))
    "a","","'=1","z"
    """
    return ",".join('"' + written(cell).replace('"', '""') + '"' for cell in cells)


def fingerprint(cells: Iterable[str | None]) -> str:
    """Return a short sha256 of what a row's cells show."""
    return _digest(csv_line(cells).encode())


def csv_chunks(names: Sequence[str], blocks: Iterable[Block]) -> Iterator[bytes]:
    """Yield rows as CSV, UTF-8 with a byte order mark, a block at a time."""
    yield BYTE_ORDER_MARK + csv_line([*names, REASONS, KEY]).encode() + b"\r\n"
    for block in blocks:
        if len(block.rows):
            yield _csv(block)


def _csv(block: Block) -> bytes:
    import pyarrow as pa
    import pyarrow.compute as pc

    text = pa.large_string()  # wide rows may exceed 2 GB together
    cells = _joined(block.columns)
    before = f'"{block.record_id}/'
    pairs = zip(block.rows, _digests(cells), strict=True)
    keys = pa.array([f"{before}{row}/{digest}" for row, digest in pairs], text)
    row_reasons = [block.reasons.get(place) for place in range(len(block.rows))]
    reasons = _joined([pa.array(row_reasons, pa.string())])
    comma, end = pa.scalar(",", text), pa.scalar('"\r\n', text)
    parts = [cells, comma, reasons, comma, keys, end]
    lines = pc.binary_join_element_wise(*parts, pa.scalar("", text))
    offsets = _offsets(lines)
    return bytes(memoryview(lines.buffers()[2])[offsets[0] : offsets[-1]])


def _joined(columns: Sequence[pa.Array]) -> pa.Array:
    """Return the cells of each row as CSV."""
    import pyarrow as pa
    import pyarrow.compute as pc

    text = pa.large_string()
    parts: list[Any] = []
    for number, column in enumerate(columns):
        parts.append(pa.scalar('","' if number else '"', text))
        quoted = pc.replace_substring(written_column(column), '"', '""')
        parts.append(quoted.cast(text))
    parts += [pa.scalar('"', text), pa.scalar("", text)]
    return pc.binary_join_element_wise(*parts)


def _digests(lines: pa.Array) -> Iterator[str]:
    return (_digest(piece) for piece in _pieces(lines))


def _pieces(lines: pa.Array) -> Iterator[memoryview]:
    """Return the bytes of each text without copying them."""
    offsets, view = _offsets(lines), memoryview(lines.buffers()[2])
    return (view[start:end] for start, end in pairwise(offsets))


def _offsets(lines: pa.Array) -> list[int]:
    import numpy as np

    offsets = np.frombuffer(lines.buffers()[1], np.int64)
    bounds: list[int] = offsets[lines.offset : lines.offset + len(lines) + 1].tolist()
    return bounds


def _digest(content: bytes | memoryview) -> str:
    return hashlib.sha256(content).hexdigest()[:FINGERPRINT_LENGTH]


MAX_NOTES = 5_000  # they stay in memory until the end, and slow spreadsheets down
NOTE_COLOUR = "FDE2E1"
AUTHOR = "Import Engine"


def write_workbook(path: Path, title: str, names: Sequence[str], lines: Iterable[Line]) -> None:
    """Write one sheet: the columns, then the reasons, then the row key in a hidden column."""
    from openpyxl import Workbook
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    sheet = book.create_sheet(title)
    sheet.freeze_panes = "A2"
    for number, name in enumerate(names, start=1):
        sheet.column_dimensions[get_column_letter(number)].width = min(60, max(14, len(name) + 4))
    sheet.column_dimensions[get_column_letter(len(names) + 1)].width = 60
    sheet.column_dimensions[get_column_letter(len(names) + 2)].hidden = True
    sheet.append([_header(sheet, name) for name in (*names, REASONS, KEY)])
    notes_left = MAX_NOTES
    for line in lines:
        notes = line.notes if notes_left >= len(line.notes) else {}
        notes_left -= len(notes)
        cells = [_cell(sheet, value, notes.get(n)) for n, value in enumerate(line.cells)]
        sheet.append([*cells, _text(sheet, line.reasons), _text(sheet, line.key)])
    book.save(path)


def _header(sheet: WriteOnlyWorksheet, name: str) -> Cell:
    from openpyxl.styles import Font

    cell = _text(sheet, name)
    cell.font = Font(bold=True)
    return cell


def _cell(sheet: WriteOnlyWorksheet, value: Any, note: str | None) -> Any:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and note is None:
        return value
    cell = _text(sheet, "" if value is None else str(value))
    if note is not None:
        from openpyxl.comments import Comment
        from openpyxl.styles import PatternFill

        cell.comment = Comment(UNWRITABLE.sub("\ufffd", note), AUTHOR, height=80, width=280)
        cell.fill = PatternFill("solid", start_color=NOTE_COLOUR)
    return cell


def _text(sheet: WriteOnlyWorksheet, text: str) -> Cell:
    from openpyxl.cell import WriteOnlyCell

    cell: Cell = WriteOnlyCell(sheet, value=written(text))
    cell.data_type = "s"  # openpyxl reads a leading = as a formula
    cell.number_format = "@"
    return cell
