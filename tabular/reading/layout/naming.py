"""Names of columns: header rows joined, blanks and duplicates made unique."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tabular.model.table import BESIDE
from tabular.reading.layout.grid import Grid
from tabular.reading.layout.region import Hints

_BLANKS = re.compile(r"\s+")


_FEWEST_VALUES = 2  # in a column without a title, next to a title without values


def titles_next_to(
    grid: Grid, header: Sequence[int], columns: Sequence[int], rows: Sequence[int], hints: Hints
) -> dict[int, int]:
    """
    Return the columns of values whose title is in another column, which has no value itself.

    A title over merged cells is in the first of them, and the values may all be in another.
    Returns the column of the values to the column of the title.
    """
    if not header or not hints.merged:
        return {}
    titled = {column for column in columns if any(grid.cell(r, column).strip() for r in header)}
    filled = {column: sum(bool(grid.cell(r, column).strip()) for r in rows) for column in columns}
    titles: dict[int, int] = {}
    for column in columns:
        if column in titled or filled[column] < _FEWEST_VALUES:
            continue
        over = {
            span.left
            for span in hints.merged
            if span.left < column <= span.right
            and any(span.top <= row <= span.bottom for row in header)
        }
        empty = sorted(over & titled - {title for title in titled if filled.get(title)})
        if empty and empty[0] not in titles.values():
            titles[column] = empty[0]
    return titles


def name_columns(
    grid: Grid,
    header: Sequence[int],
    columns: Sequence[int],
    hints: Hints,
    titles: Mapping[int, int] | None = None,
) -> tuple[str, ...]:
    """
    Return the names of the columns from the header rows.

    Texts of several rows are joined from the top; a group name applies to the unnamed cells to its
    right. Blank names become ``Column 5`` (their position in the table, from 1), repeated ones
    ``Amount (2)``. titles: the column with the title of another column.
    """
    named = [(titles or {}).get(column, column) for column in columns]
    filled = [_row_names(grid, row, header, named, hints) for row in header]
    raw = [_join(parts) for parts in zip(*filled, strict=True)] if filled else [""] * len(columns)
    return unique(raw)


def unique(names: Sequence[str]) -> tuple[str, ...]:
    """
    Return unique, stable names, none of them reserved. NULs, which databases reject, are dropped.

    >>> unique(["Amount", "", "Amount", "Amount (2)"])
    ('Amount', 'Column 2', 'Amount (2)', 'Amount (2) (2)')
    """
    given = set(BESIDE)
    result = []
    for place, name in enumerate(names, 1):
        wanted = name.replace("\0", "") or f"Column {place}"
        candidate, number = wanted, 1
        while candidate in given:
            number += 1
            candidate = f"{wanted} ({number})"
        given.add(candidate)
        result.append(candidate)
    return tuple(result)


def _row_names(
    grid: Grid,
    row: int,
    header: Sequence[int],
    columns: Sequence[int],
    hints: Hints,
) -> list[str]:
    texts = [_BLANKS.sub(" ", grid.cell(row, column)).strip() for column in columns]
    if row == header[-1]:
        return texts
    below = header[list(header).index(row) + 1 :]
    group = ""
    for place, column in enumerate(columns):
        if texts[place]:
            group = texts[place]
        elif _reaches(row, column, hints) and any(grid.cell(b, column).strip() for b in below):
            texts[place] = group
    return texts


def _reaches(row: int, column: int, hints: Hints) -> bool:
    """
    Return whether a group name may apply here: anywhere, or only inside the row's merged ranges.
    """
    here = [span for span in hints.merged if span.top <= row <= span.bottom]
    spans = [span for span in here if span.right > span.left]
    if not spans:
        return not hints.shows_spans
    return any(span.left <= column <= span.right for span in spans)


def _join(parts: Sequence[str]) -> str:
    joined: list[str] = []
    for part in parts:
        if part and part not in joined:
            joined.append(part)
    return " ".join(joined)
