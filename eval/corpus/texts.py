"""Which texts of a workbook appear in a table, or are listed as left out."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from python_calamine import CalamineWorkbook

from tabular.model.problem import is_panic
from tabular.model.table import Reading
from tabular.reading import read

SUFFIXES = {".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"}


def share_of_texts(path: Path) -> tuple[int, int] | None:
    """
    Return how many text cells of a workbook were accounted for, and how many it has.

    Return None for a file that is not a workbook, or whose cells another reader cannot list. A cell
    is accounted for if its text is a value, a column name or words of one (a header of several rows
    is one name), a text above a table, or in a row that was left out.
    """
    if path.suffix.lower() not in SUFFIXES:
        return None
    try:
        cells = list(_texts_in(path))
    except BaseException as error:
        if isinstance(error, Exception) or is_panic(error):
            return None
        raise
    reading = read(path)
    names = "\n".join(
        f" {name} " for table in reading.tables for name in _normalized(table.columns)
    )
    texts = set(_accounted_for(reading))
    return sum(text in texts or f" {text} " in names for text in cells), len(cells)


def _texts_in(path: Path) -> Iterator[str]:
    workbook = CalamineWorkbook.from_path(str(path))
    for sheet in workbook.sheet_names:
        for row in workbook.get_sheet_by_name(sheet).to_python():
            yield from _normalized(cell for cell in row if isinstance(cell, str))


def _accounted_for(reading: Reading) -> Iterator[str]:
    for table, body in zip(reading.tables, reading.bodies, strict=True):
        yield from _normalized(_values(table.document))
        for batch in body.batches():
            for column in batch.columns[batch.num_columns - len(table.columns) :]:
                yield from _normalized(text for text in column.to_pylist() if text)
        for row in body.skipped_rows():
            yield from _normalized(text for text in row.cells if text)


def _values(document: Any) -> Iterator[str]:
    items = document.values() if isinstance(document, dict) else document
    for item in items or ():
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict | list | tuple):
            yield from _values(item)


def _normalized(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        if short := " ".join(text.replace("\0", "").split()):
            yield short
