"""Where tables, rows and cells stand, and how that is named."""

from collections.abc import Mapping
from typing import Any

from tabular.model.table import PART_ROWS


def letters(column: int) -> str:
    """
    Name a column as spreadsheets do.

    >>> letters(0), letters(26), letters(16383)
    ('A', 'AA', 'XFD')
    """
    name = ""
    column += 1
    while column:
        column, place = divmod(column - 1, 26)
        name = chr(65 + place) + name
    return name


def place_of_row(where: Mapping[str, Any], number: int) -> tuple[Mapping[str, Any], int]:
    """
    Give where a row stands, by its number in ROW_COLUMN: the place of its table, and its row there.

    where: ``parts`` are the places of stacked tables by their number; without, it is the place.
    """
    parts = where.get("parts")
    if not parts:
        return where, number
    return parts[str(number // PART_ROWS)], number % PART_ROWS


def named_place(table: Mapping[str, Any]) -> str:
    """
    Say in words where a table stands in its file.

    >>> named_place({"file": None, "sheet": "May", "range": "A1:C9", "page": None})
    'The table of May'
    """
    page = f"page {table['page']}" if table.get("page") else None
    where = " / ".join(filter(None, (table.get("file"), table.get("sheet") or page)))
    return f"The table of {where or table.get('range') or 'the file'}"
