"""
What a library alone takes to read a file: ``python -m bench.peers.floors TOOL FILE``.

It prints a line of JSON; imports are not counted. Every other reader does at least this much.
"""

from __future__ import annotations

import csv
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

Read = Callable[[], int]


def pyarrow_csv(file: Path) -> Read:
    """Return a reader that streams a CSV file with one thread; every column is text."""
    import pyarrow as pa
    import pyarrow.csv as arrow_csv

    with file.open(encoding="utf-8") as lines:
        names = next(csv.reader(lines, delimiter=";"))
    reading = arrow_csv.ReadOptions(use_threads=False, block_size=8 << 20)
    parsing = arrow_csv.ParseOptions(delimiter=";")
    texts = arrow_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()))

    def read() -> int:
        with arrow_csv.open_csv(
            file, read_options=reading, parse_options=parsing, convert_options=texts
        ) as batches:
            return sum(batch.num_rows for batch in batches)

    return read


def pandas_csv(file: Path) -> Read:
    """Return a reader that reads a CSV file with pandas; every column is text."""
    import pandas as pd

    return lambda: len(pd.read_csv(file, sep=";", dtype=str, keep_default_na=False))


def csv_module(file: Path) -> Read:
    """Return a reader that walks over a CSV file with the standard library."""

    def read() -> int:
        with file.open(encoding="utf-8", newline="") as lines:
            return sum(1 for _ in csv.reader(lines, delimiter=";")) - 1

    return read


def calamine(file: Path) -> Read:
    """Return a reader that reads the first sheet of a workbook with calamine."""
    from python_calamine import CalamineWorkbook

    def read() -> int:
        sheet = CalamineWorkbook.from_path(str(file)).get_sheet_by_index(0)
        return sum(1 for _ in sheet.iter_rows()) - 1

    return read


def openpyxl(file: Path) -> Read:
    """Return a reader that reads the first sheet of a workbook with openpyxl."""
    from openpyxl import load_workbook

    def read() -> int:
        sheet = load_workbook(file, read_only=True, data_only=True).worksheets[0]
        return sum(1 for _ in sheet.iter_rows(values_only=True)) - 1

    return read


TOOLS = {tool.__name__: tool for tool in (pyarrow_csv, pandas_csv, csv_module, calamine, openpyxl)}


def main(tool: str, file: Path) -> None:
    """Print the rows, and the CPU and wall seconds that reading took."""
    read = TOOLS[tool](file)
    cpu, wall = time.process_time(), time.perf_counter()
    rows = read()
    figures = {
        "rows": rows,
        "cpu": round(time.process_time() - cpu, 3),
        "s": round(time.perf_counter() - wall, 3),
        "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
