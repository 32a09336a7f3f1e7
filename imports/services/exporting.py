"""Give rows away as a workbook or CSV, each with its reasons and its key."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from common import storage
from common.errors import Unprocessable
from imports.models import ImportRecord
from imports.services.reviewing import rows_of
from staging.columns import SEVERITY_ERROR, SEVERITY_VALID, StagedTable
from staging.exporting import ExportedRows, exported, numbers_of
from tabular.writing.headers import headers
from tabular.writing.lines import Block, Line, RowKey, csv_chunks, fingerprint
from tabular.writing.workbook import write_workbook

MAX_WORKBOOK_CELLS = 2_000_000  # a larger one takes minutes; CSV streams at any size
MAX_WORKBOOK_ROWS = 1_000_000
WORKBOOK_ROWS = 1_000  # at a time: a workbook is written row by row
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
    stem = PurePath(record.filename).stem or record.public_id
    if file_format == "csv":
        blocks = (_block(record, one, names) for one in exported(table, rows))
        return Export(f"{stem}-{which}.csv", csv_chunks(list(names.values()), blocks))
    if len(rows) > MAX_WORKBOOK_ROWS or len(rows) * len(names) > MAX_WORKBOOK_CELLS:
        raise WorkbookTooLarge(rows=len(rows))
    lines = (
        line
        for one in exported(table, rows, at_once=WORKBOOK_ROWS)
        for line in _lines(record, table, one, names)
    )
    return Export(f"{stem}-{which}.xlsx", _workbook(list(names.values()), lines))


def key_of(record: ImportRecord, row: int, texts: Iterable[str | None]) -> str:
    """Give the key of a row that shows some texts."""
    return str(RowKey(record.public_id, row, fingerprint(texts)))


def _block(record: ImportRecord, exported: ExportedRows, names: dict[str, str]) -> Block:
    return Block(
        record_id=record.public_id,
        rows=exported.numbers.tolist(),
        columns=[exported.texts[path] for path in names],
        reasons={n: _reasons(issues, names) for n, issues in exported.issues.items()},
    )


def _lines(
    record: ImportRecord, table: StagedTable, exported: ExportedRows, names: dict[str, str]
) -> Iterator[Line]:
    at = {path: number for number, path in enumerate(names)}
    numbers = {path: numbers_of(table, path, exported) for path in names}
    for place, row in enumerate(exported.numbers.tolist()):
        issues = exported.issues.get(place, ())
        texts = exported.row_texts(place)
        notes: dict[int, str] = {}
        for issue in issues:
            if issue["field"] in at:
                number = at[issue["field"]]
                notes[number] = "\n".join(filter(None, (notes.get(number), _sentence(issue))))
        yield Line(
            cells=[numbers[path].get(place, texts[path]) for path in names],
            key=key_of(record, row, [texts[path] for path in names]),
            notes=notes,
            reasons=_reasons(issues, names),
        )


def _reasons(issues: Iterable[dict[str, Any]], names: dict[str, str]) -> str:
    return "; ".join(_reason(issue, names) for issue in issues)


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
