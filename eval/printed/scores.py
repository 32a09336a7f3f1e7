"""The reader's result for a printed document, compared with the original."""

from __future__ import annotations

import re
import resource
import time
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pypdfium2

from eval.printed.papers import Paper, PrintedTable
from tabular.model.problem import TabularProblem
from tabular.model.table import Reading
from tabular.reading import read
from tabular.reading.pdf.tables import PdfBody

DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")


HALF = 0.5  # of the main table's cells, from which a table is the main one


@dataclass(frozen=True, slots=True)
class Cost:
    """What reading one document took, and the most memory its process had so far."""

    seconds: float  # of CPU
    pages: int
    megabytes: float


@dataclass(frozen=True, slots=True)
class Score:
    """
    The result for one document.

    ``is_exact``: header and every cell of the main table. ``is_first``: the table chosen first is
    the main one (half of its cells at least). ``has_rows``: every row, whatever the header.
    ``is_silent``: rows or header are wrong, and there is neither an issue nor a question.
    ``is_reported``: there is an issue or a question, whether anything is wrong or not.
    """

    is_exact: bool
    is_first: bool
    has_rows: bool
    is_silent: bool
    is_reported: bool = False
    why: str = ""
    cause: str = ""  # which kind of fault it is
    cost: Cost | None = None
    is_compared: bool = False  # a person is asked to compare the rows with the page
    features: Mapping[str, float] = field(default_factory=dict)  # how its rows cohere


def score(paper: Paper, path: Path) -> Score:
    """Read a printed document and compare its first table with the main one."""
    started = time.process_time()
    try:
        compared = _compared(paper, read(path))
    except TabularProblem as problem:
        compared = Score(
            False, False, False, False, why=f"refused: {problem.code}", cause="refused"
        )
    seconds = time.process_time() - started
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with pypdfium2.PdfDocument(path) as document:
        return replace(compared, cost=Cost(seconds, len(document), most))


def _compared(paper: Paper, reading: Reading) -> Score:
    columns, rows = _first(reading)
    main = paper.main
    is_first = _share(rows, main) >= HALF
    has_rows = plain(rows) == plain(main.records)
    is_exact = has_rows and [_text(name) for name in columns] == [_text(n) for n in main.names]
    _, issues = reading.bodies[0].outcome()
    is_reported = bool(reading.questions or issues or reading.issues)
    why = "" if is_exact else _why(columns, rows, main)
    body = reading.bodies[0]
    return Score(
        is_exact,
        is_first,
        has_rows,
        is_silent=not is_exact and not is_reported,
        is_reported=is_reported,
        why=why,
        cause="" if is_exact else _cause(columns, rows, main),
        is_compared=bool(body.outcome()[0].doubts),
        features=body.cohesion.features if isinstance(body, PdfBody) and body.cohesion else {},
    )


def _first(reading: Reading) -> tuple[Sequence[str], list[list[str]]]:
    table = reading.bodies[0].outcome()[0]
    width = len(table.columns)
    rows: list[list[str]] = []
    for batch in reading.bodies[0].batches():
        cells = [column.to_pylist() for column in batch.columns[batch.num_columns - width :]]
        rows.extend([cell or "" for cell in row] for row in zip(*cells, strict=True))
    return table.columns, rows


def _text(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).translate(DASHES)).strip()


def plain(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return rows with plain spaces and dashes, as they are compared."""
    return [[_text(cell) for cell in row] for row in rows]


def _share(rows: Sequence[Sequence[str]], main: PrintedTable) -> float:
    wanted = [cell for row in plain(main.records) for cell in row if cell]
    have = {cell for row in plain(rows) for cell in row}
    return sum(cell in have for cell in wanted) / max(len(wanted), 1)


def _cause(columns: Sequence[str], rows: Sequence[Sequence[str]], main: PrintedTable) -> str:
    """Return the kind of fault: another table, columns, titles, rows or cells."""
    if _share(rows, main) < HALF:
        return "another table"
    if len(columns) != len(main.names):
        return "columns merged" if len(columns) < len(main.names) else "columns split"
    if [_text(name) for name in columns] != [_text(name) for name in main.names]:
        return "titles"
    if len(rows) != len(main.records):
        return "rows lost or merged" if len(rows) < len(main.records) else "rows split or added"
    pairs = list(zip(plain(rows), plain(main.records), strict=True))
    if all(sorted(filter(None, is_)) == sorted(filter(None, meant)) for is_, meant in pairs):
        return "cells in other columns"
    if all(_letters(is_) == _letters(meant) for is_, meant in pairs):
        return "order or blanks in cells"
    return "text of cells"


def _letters(cells: Sequence[str]) -> list[str]:
    return sorted("".join(cells).replace(" ", ""))


def _why(columns: Sequence[str], rows: Sequence[Sequence[str]], main: PrintedTable) -> str:
    if [_text(name) for name in columns] != [_text(name) for name in main.names]:
        return f"header {list(columns)} is not {main.names}"
    if len(rows) != len(main.records):
        return f"{len(rows)} rows instead of {len(main.records)}"
    pairs = zip(plain(rows), plain(main.records), strict=True)
    number, (is_, meant) = next((n, pair) for n, pair in enumerate(pairs) if pair[0] != pair[1])
    return f"row {number}: {is_} is not {meant}"
