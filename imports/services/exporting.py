"""Give rows away as a workbook or CSV, each with its reasons and its key."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from common import storage
from common.errors import Unprocessable
from imports.models import ImportRecord
from imports.services.reviewing import rows_of
from staging.columns import SEVERITY_ERROR, SEVERITY_VALID, StagedTable
from staging.exporting import ExportedRow, exported
from tabular.writing.headers import headers
from tabular.writing.lines import Line, RowKey, csv_chunks, fingerprint
from tabular.writing.workbook import write_workbook

MAX_WORKBOOK_CELLS = 2_000_000  # a larger one takes minutes; CSV streams at any size
MAX_WORKBOOK_ROWS = 1_000_000
SHEET = "Rows"


class WorkbookTooLarge(Unprocessable):
    """That is too much for a workbook. Ask for format=csv, which has no limit."""

    code = "workbook_too_large"


@dataclass(frozen=True, slots=True)
class Export:
    """A file that is written while it is read."""

    name: str
    chunks: Iterator[bytes]


def export(*, record: ImportRecord, which: str, file_format: str) -> Export:
    """
    Export rows, those left out excepted. which: all or error; file_format: xlsx or csv.

    WorkbookTooLarge before anything is written.
    """
    table = rows_of(record)
    least = SEVERITY_ERROR if which == "error" else SEVERITY_VALID
    rows = table.numbers(at_least=least).to_numpy()
    names = headers(record.target, [column.field for column in table.columns])
    lines = (line_of(record, table, row, names) for row in exported(table, rows))
    stem = PurePath(record.filename).stem or record.public_id
    if file_format == "csv":
        return Export(f"{stem}-{which}.csv", csv_chunks(list(names.values()), lines))
    if len(rows) > MAX_WORKBOOK_ROWS or len(rows) * len(names) > MAX_WORKBOOK_CELLS:
        raise WorkbookTooLarge(rows=len(rows))
    return Export(f"{stem}-{which}.xlsx", _workbook(list(names.values()), lines))


def line_of(
    record: ImportRecord, table: StagedTable, row: ExportedRow, names: dict[str, str]
) -> Line:
    """Give a row as it is exported."""
    cells = [row.cells[path] for path in names]
    at = {path: number for number, path in enumerate(names)}
    notes: dict[int, str] = {}
    for issue in row.issues:
        if issue["field"] in at:
            number = at[issue["field"]]
            notes[number] = "\n".join(filter(None, (notes.get(number), _sentence(issue))))
    return Line(
        cells=cells,
        key=str(RowKey(record.public_id, row.row, fingerprint(cells))),
        notes=notes,
        reasons="; ".join(_reason(issue, names) for issue in row.issues),
    )


def _reason(issue: dict[str, Any], names: dict[str, str]) -> str:
    name = names.get(issue["field"])
    return f"{name}: {issue['message']}" if name else str(issue["message"])


def _sentence(issue: dict[str, Any]) -> str:
    return " ".join(filter(None, (issue["message"], issue["hint"])))


def _workbook(names: list[str], lines: Iterator[Line]) -> Iterator[bytes]:
    with storage.working_folder("export") as folder:
        path = folder / "rows.xlsx"
        write_workbook(path, SHEET, names, lines)
        with path.open("rb") as file:
            while chunk := file.read(1 << 20):
                yield chunk
