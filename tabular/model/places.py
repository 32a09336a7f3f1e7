"""Where tables, rows and cells stand, and which tables can stand one below the other."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tabular.model.table import PART_ROWS, folded_name


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


_GENERATED = re.compile(r"Column \d+")
_LEAST_COMMON = 2  # columns that stacked tables must share


def fault(tables: Sequence[Mapping[str, Any]]) -> tuple[str, str] | None:
    """
    Say why tables cannot be stacked: a code and a sentence; None where they can be.

    tables: ``columns`` and the place of each. The headers may differ in order, and one of two may
    have one column more.
    """
    if len({table["page"] is None for table in tables}) > 1:
        sentence = "Tables of a PDF are stacked with others of a PDF only. Choose one kind of file."
        return "unstackable_tables", sentence
    for table in tables:
        if len({*map(folded_name, table["columns"])}) < len(table["columns"]):
            sentence = f"{named_place(table)} has two columns of the same name but for its case."
            return "unstackable_tables", sentence
    first, *others = tables
    known = frozenset(map(folded_name, first["columns"]))
    for table in others:
        names = frozenset(map(folded_name, table["columns"]))
        if are_alike(known, names) and not _are_generated(first["columns"]):
            continue
        apart = sorted(known ^ names)
        what = "they name no columns" if not apart else f"these differ: {', '.join(apart)[:200]}"
        sentence = (
            f"{named_place(table)} has not the same columns as {named_place(first)}; {what}. "
            "Stack tables with the same header; one column more or fewer is allowed."
        )
        return "unlike_headers", sentence
    return None


def are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Say whether two headers are the same, but for their order and one column more."""
    return len(one ^ other) <= 1 and len(one & other) >= _LEAST_COMMON


def _are_generated(columns: Sequence[str]) -> bool:
    return all(_GENERATED.fullmatch(name) for name in columns)
