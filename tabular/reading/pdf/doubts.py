"""Warnings about rows and titles of a table that may have been read wrongly."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tabular.model.issue import Issue
from tabular.model.sentences import Sentence, numbered
from tabular.reading.pdf.grids.content import kind_of
from tabular.reading.pdf.grids.grid import Row

NARROW = 3  # columns from which a row with one filled cell is odd
VALUE_IN_TITLE = re.compile(r"\S+@\S+\.\w|\b\d[\d.,' ]*[.,]\d\d\b")
REPEATED = re.compile(r"(.+) \(\d+\)")
CHARACTERS_SHOWN = 120
LONE = " text in one column only. It may be the title of a group, a note, or part of another row."
UNDEFINED = " characters that the file does not define; they appear as \ufffd."


def doubts(names: Sequence[str], rows: Sequence[tuple[int, Row]]) -> Iterator[Issue]:
    """
    Yield warnings about a table.

    names: of its columns. rows: its rows with their numbers, cells as in ``names``.
    """
    yield from _lone_cells(names, rows)
    yield from _unreadable_characters(rows)
    yield from _titles(names)


def _lone_cells(names: Sequence[str], rows: Sequence[tuple[int, Row]]) -> Iterator[Issue]:
    """Warn of rows with text in one column only."""
    if len(names) < NARROW:
        return
    lone = [
        (number, next(cell for cell in row.cells if cell))
        for number, row in rows
        if sum(map(bool, row.cells)) == 1
    ]
    if not lone or 2 * len(lone) > len(rows):
        return
    number, text = lone[0]
    yield Issue(
        "lone_cells",
        severity="warning",
        row=number,
        message=numbered(len(lone), f"{{n1}} row has{LONE}", f"{{n1}} rows have{LONE}"),
        value=text[:CHARACTERS_SHOWN],
        hint="Compare these rows with the page; exclude what is not a row.",
    )


def _unreadable_characters(rows: Sequence[tuple[int, Row]]) -> Iterator[Issue]:
    """Warn of characters for which the file gives no letter; they are read as U+FFFD."""
    unreadable = [
        (number, cell) for number, row in rows for cell in row.cells if cell and "\ufffd" in cell
    ]
    if unreadable:
        number, text = unreadable[0]
        yield Issue(
            "unreadable_characters",
            severity="warning",
            row=number,
            message=numbered(
                len(unreadable), f"{{n1}} cell has{UNDEFINED}", f"{{n1}} cells have{UNDEFINED}"
            ),
            value=text[:CHARACTERS_SHOWN],
            hint="Compare these cells with the page and correct them.",
        )


def _titles(names: Sequence[str]) -> Iterator[Issue]:
    """Warn of titles that do not distinguish columns, or that are values."""
    repeated = {name for name, count in Counter(map(_without_number, names)).items() if count > 1}
    if repeated:
        yield Issue(
            "repeated_titles",
            severity="warning",
            message=Sentence(
                "Several columns have the same title: {names}. A title above them may tell "
                "them apart.",
                names=", ".join(sorted(repeated)),
            ),
            hint="Compare the titles with the page before you map these columns.",
        )
    values = [name for name in names if VALUE_IN_TITLE.search(name)]
    if values or (len(names) == 1 and kind_of(names[0]) == "text"):
        yield Issue(
            "doubtful_titles",
            severity="warning",
            message=Sentence(
                "The titles may be wrong: “{value}” holds a value.",
                value=values[0][:CHARACTERS_SHOWN],
            )
            if values
            else "The titles may be wrong: the table has one column only.",
            hint="Compare the table with the page, or choose its header rows.",
        )


def _without_number(name: str) -> str:
    match = REPEATED.fullmatch(name)
    return match[1] if match else name
