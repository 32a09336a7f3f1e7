"""
Convert workbooks with LibreOffice and read each format: ``python -m eval formats [FOLDER]``.

Without a folder, workbooks of our own are converted. The .xlsx that LibreOffice writes is what the
other formats are compared with: it has the values of formulas, and LibreOffice's own changes.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from eval.formats.workbooks import write
from eval.printed.makers import MissingProgram
from eval.printed.makers.office import convert
from tabular.model.problem import TabularProblem
from tabular.reading import read

FORMATS = ("xls", "ods")
SHOWN = 3  # differences of one file


@dataclass(frozen=True, slots=True)
class Content:
    """One table of a file: its names, its rows, and the rows that were left out."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]
    left_out: tuple[tuple[str | None, ...], ...]


def contents(path: Path) -> list[Content]:
    """Return every table of a file."""
    reading = read(path)
    tables = []
    for table, body in zip(reading.tables, reading.bodies, strict=True):
        rows: list[tuple[str | None, ...]] = []
        for batch in body.batches():
            columns = batch.columns[batch.num_columns - len(table.columns) :]
            rows += zip(*(column.to_pylist() for column in columns), strict=True)
        left_out = tuple(tuple(row.cells) for row in body.skipped_rows())
        tables.append(Content(tuple(table.columns), tuple(rows), left_out))
    return tables


def differences(wanted: list[Content], actual: list[Content]) -> list[str]:
    """Return a line for each name, row and left-out row that differs."""
    if len(wanted) != len(actual):
        return [f"{len(actual)} tables instead of {len(wanted)}"]
    lines = []
    for number, (mine, other) in enumerate(zip(wanted, actual, strict=True)):
        pairs: list[tuple[str, Any, Any]] = [("names", mine.columns, other.columns)]
        pairs += [("row", *rows) for rows in zip_longest(mine.rows, other.rows)]
        pairs += [("left out", *rows) for rows in zip_longest(mine.left_out, other.left_out)]
        lines += [
            f"table {number}, {what}: {actually} instead of {expected}"
            for what, expected, actually in pairs
            if expected != actually
        ]
    return lines


def main(arguments: Sequence[str]) -> int:
    """Convert and compare; return 1 if a format reads otherwise."""
    parser = argparse.ArgumentParser("eval formats", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="a folder of .xlsx files")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        paths = sorted(options.folder.glob("*.xlsx")) if options.folder else write(place)
        if not paths:
            parser.error("the folder has no .xlsx file")
        try:
            for suffix in ("xlsx", *FORMATS):
                (place / suffix).mkdir()
                convert(paths, place / suffix, suffix)
        except MissingProgram as error:
            print(f"NOT MEASURED: {error}")
            return 1
        different = sum(
            _compare(place / "xlsx" / f"{path.stem}.xlsx", place / suffix / f"{path.stem}.{suffix}")
            for path in paths
            for suffix in FORMATS
        )
    count = len(paths) * len(FORMATS)
    print(f"{count - different} of {count} conversions of {len(paths)} workbooks read the same")
    return int(different > 0)


def _compare(wanted: Path, actual: Path) -> bool:
    """Print what differs between two files; return whether anything does."""
    try:
        lines = differences(contents(wanted), contents(actual))
    except TabularProblem as problem:
        lines = [f"{problem.code}: {problem.sentence}"]
    for line in lines[:SHOWN]:
        print(f"  {actual.name}: {line}")
    if len(lines) > SHOWN:
        print(f"  {actual.name}: {len(lines) - SHOWN:,} more differences")
    return bool(lines)
