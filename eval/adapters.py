"""What the external test sets call: our nouns in their shapes."""

import re
from pathlib import Path
from typing import Any

from eval.matching import match
from tabular.model.problem import UnreadableFile
from tabular.model.table import Reading
from tabular.reading import read as read_file

__all__ = ["match", "read", "read_pdf"]

_GENERATED = re.compile(r"Column \d+")


def read(path: str) -> dict[str, Any]:
    """
    Read the best table: header row (the last one, physical), columns and rows.

    An empty file is a table without rows here, and a problem in the engine.
    """
    try:
        reading = read_file(Path(path))
    except UnreadableFile as problem:
        if problem.code not in {"empty_file", "no_table_found"}:
            raise
        return best_of(None)
    return best_of(reading)


def best_of(reading: Reading | None) -> dict[str, Any]:
    """Return the best table of a file; None: it has no table."""
    if reading is None:
        return {"header_row": None, "columns": None, "rows": []}
    table = reading.tables[0]
    return {
        "header_row": table.header_rows[-1] if table.header_rows else None,
        "columns": _given_names(table.columns) if table.header_rows else None,
        "rows": rows_of(reading, 0),
    }


def read_pdf(path: str) -> list[dict[str, Any]]:
    """Read every table of a document, the best one first; raise if it must be refused."""
    return tables_of(read_file(Path(path)))


def tables_of(reading: Reading) -> list[dict[str, Any]]:
    """Return every table of a document, the best one first."""
    return [
        {"columns": _given_names(table.columns), "rows": rows_of(reading, place)}
        for place, table in enumerate(reading.tables)
        if not table.stacked  # an additional candidate, not a table of the document
    ]


def _given_names(columns: tuple[str, ...]) -> list[str]:
    """Return the names as in the file: blank where the reader made one up."""
    return [
        "" if _GENERATED.fullmatch(name) and name == f"Column {place}" else name
        for place, name in enumerate(columns, 1)
    ]


def rows_of(reading: Reading, place: int) -> list[list[str | None]]:
    """Return the rows of one table of a file."""
    width = len(reading.tables[place].columns)
    rows: list[list[str | None]] = []
    for batch in reading.bodies[place].batches():
        columns = [column.to_pylist() for column in batch.columns[batch.num_columns - width :]]
        rows.extend(list(row) for row in zip(*columns, strict=True))
    return rows
