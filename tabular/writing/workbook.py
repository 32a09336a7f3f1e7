"""Lines as a workbook, written as a stream: what is wrong stands in notes on its cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabular.writing.cells import written
from tabular.writing.lines import KEY, REASONS, Line

if TYPE_CHECKING:
    from openpyxl.cell import Cell
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

MAX_NOTES = 5_000  # they stay in memory until the end, and spreadsheets grow slow with them
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

        cell.comment = Comment(note, AUTHOR, height=80, width=280)
        cell.fill = PatternFill("solid", start_color=NOTE_COLOUR)
    return cell


def _text(sheet: WriteOnlyWorksheet, text: str) -> Cell:
    from openpyxl.cell import WriteOnlyCell

    cell: Cell = WriteOnlyCell(sheet, value=written(text))
    cell.data_type = "s"  # openpyxl takes a leading = for a formula
    cell.number_format = "@"
    return cell
