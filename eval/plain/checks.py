"""The reader's result for the file of a plain table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from eval.plain.tables import PlainTable
from tabular.job.known_headers import is_header_known
from tabular.model.problem import TabularProblem
from tabular.model.table import Reading
from tabular.reading import read
from tabular.reading.pdf.tables import PdfBody

_TELLING = {"lines_joined", "row_left_out", "text_left_out", "table_apart"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """``exact``: header and every cell; ``asked``: not exact, but a question tells; ``wrong``."""

    outcome: Literal["exact", "asked", "wrong"]
    why: str = ""
    questions: tuple[str, ...] = ()  # kinds of the questions about the file
    has_lost_rows: bool = False  # rows are missing, with neither question nor issue
    is_silent: bool = False  # wrong, with neither question nor issue
    is_compared: bool = False  # a person is asked to compare the rows with the page
    features: Mapping[str, float] = field(default_factory=dict)  # of a PDF: how its rows cohere

    @property
    def is_right(self) -> bool:
        """Return whether nothing is wrong silently."""
        return self.outcome != "wrong"


def check(table: PlainTable, path: Path) -> Verdict:
    """Read the file and compare."""
    try:
        reading = read(path)
        columns, rows = _first(reading)
    except TabularProblem as problem:
        return Verdict("wrong", f"refused: {problem.code}")
    names = reading.tables[0].columns
    kinds = tuple(q.kind for q in reading.questions if not is_header_known(q, names))
    why = _difference(table, columns, rows)
    body = reading.bodies[0]
    read_table, issues = body.outcome()
    features = body.cohesion.features if isinstance(body, PdfBody) and body.cohesion else {}
    verdict = Verdict("exact", "", kinds, is_compared=bool(read_table.doubts), features=features)
    if not why:
        return verdict
    is_reported = kinds or any(issue.code in _TELLING for issue in issues)
    lost = len(rows) < len(table.rows) and not is_reported
    return replace(
        verdict,
        outcome="asked" if kinds else "wrong",
        why=why,
        has_lost_rows=lost,
        is_silent=not kinds and not issues,
    )


def _first(reading: Reading) -> tuple[tuple[str, ...], list[list[str | None]]]:
    body = reading.bodies[0]
    rows: list[list[str | None]] = []
    for batch in body.batches():
        columns = [batch.column(place).to_pylist() for place in range(batch.num_columns)]
        rows.extend(list(row) for row in zip(*columns, strict=True))
    table = body.outcome()[0]
    return table.columns if table.header_rows else (), [row[-len(table.columns) :] for row in rows]


def _difference(table: PlainTable, columns: tuple[str, ...], rows: list[list[str | None]]) -> str:
    if columns != table.header:
        return f"header {columns}"
    if len(rows) != len(table.rows):
        return f"{len(rows)} rows of {len(table.rows)}"
    for number, (cells, meant) in enumerate(zip(rows, table.records, strict=True)):
        if cells != meant:
            return f"row {number}: {cells} is not {meant}"
    return ""


def read_first(path: Path) -> tuple[list[str], int, list[list[str | None]]]:
    """Read the best table: its columns, its last header row (-1: none), its rows."""
    reading = read(path)
    columns, rows = _first(reading)
    header = reading.tables[0].header_rows
    return list(columns), header[-1] if header else -1, rows
