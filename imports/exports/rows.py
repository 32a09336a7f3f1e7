"""The rows of an import as a workbook or CSV, each with its reasons and its key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from imports.exports.keys import key_of
from imports.models import ImportRecord
from staging.columns import SEVERITY_ERROR, SEVERITY_VALID, StagedTable
from staging.exports.exported_rows import (
    BLOCK_ROWS,
    ExportedRows,
    exported,
    numbers_of,
    with_texts,
)
from staging.pages import Remark
from tabular.writing.export import Block, Line, csv_chunks, write_workbook
from tabular.writing.headers import headers

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows

WORKBOOK_ROWS = 1_000  # at a time, because a workbook is written row by row
SHEET = "Rows"

Remarks = Mapping[int, Sequence[Remark]]  # by row number


@dataclass(frozen=True, slots=True)
class Chosen:
    """
    Rows to export, ascending.

    say: returns remarks about some rows in addition to their issues. texts: the cells that show
    something else than the table has: their rows, ascending, and texts, by field path.
    """

    rows: Rows
    say: Callable[[Rows], Remarks] | None = None
    texts: Mapping[str, tuple[Rows, pa.Array]] = field(default_factory=dict)


# Which rows of a table to export.
Choose = Callable[[ImportRecord, "StagedTable"], Chosen]


def _at_least(severity: int) -> Choose:
    return lambda record, table: Chosen(table.numbers(at_least=severity).to_numpy())


# The rows of an import by the requested word, never excluded ones; changesets know of more.
CHOICES: Mapping[str, Choose] = {
    "all": _at_least(SEVERITY_VALID),
    "error": _at_least(SEVERITY_ERROR),
}


def csv_of(record: ImportRecord, table: StagedTable, chosen: Chosen) -> Iterator[bytes]:
    """Write rows as CSV, in blocks, column by column."""
    names = _names(record, table)
    blocks = (_block(record, item, names) for item in _exported(table, chosen))
    return csv_chunks(list(names.values()), blocks)


def write_rows(
    path: Path,
    record: ImportRecord,
    *,
    choose: Choose,
    revision: int,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write the rows of a revision as a workbook; ``progress`` is called with the written rows."""
    from imports.services.review import rows_of  # services import this package

    table = rows_of(record, revision)
    names = _names(record, table)

    chosen = choose(record, table)

    def lines() -> Iterator[Line]:
        done = 0
        for block in _exported(table, chosen, at_once=WORKBOOK_ROWS):
            if progress is not None:
                progress(done)
            yield from _lines(record, table, block, names)
            done += len(block.numbers)

    write_workbook(path, SHEET, list(names.values()), lines())


def _exported(
    table: StagedTable, chosen: Chosen, *, at_once: int = BLOCK_ROWS
) -> Iterator[ExportedRows]:
    """Yield rows with their issues, followed by the other remarks about a row."""
    for block in exported(table, chosen.rows, at_once=at_once):
        for path in chosen.texts.keys() & block.texts.keys():
            block.texts[path] = with_texts(block.texts[path], block.numbers, *chosen.texts[path])
        remarks = chosen.say(block.numbers) if chosen.say else {}
        for place, row in enumerate(block.numbers.tolist() if remarks else ()):
            if row in remarks:
                block.issues[place] = [*block.issues.get(place, ()), *remarks[row]]
        yield block


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


def _reasons(issues: Iterable[Remark], names: dict[str, str]) -> str:
    return "; ".join(_reason(issue, names) for issue in issues)


def _reason(issue: Remark, names: dict[str, str]) -> str:
    name = names.get(issue["field"])
    return f"{name}: {issue['message']}" if name else issue["message"]


def _sentence(issue: Remark) -> str:
    return " ".join(filter(None, (issue["message"], issue["hint"])))


def _names(record: ImportRecord, table: StagedTable) -> dict[str, str]:
    return headers(record.target, [column.field for column in table.columns])
