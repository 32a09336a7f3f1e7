"""Rows for export: the source text of invalid cells, the delivered value of valid ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from staging import arrays
from staging.columns import SEVERITY_ERROR, StagedColumn, StagedTable
from staging.defects import column_alone
from staging.edits.cell_edits import text_columns
from staging.pages import Remark, Sentences, ShownIssue, issue_shown, not_checked
from staging.row_issues import ABOUT

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from staging.arrays import Rows


BLOCK_ROWS = 4_096
DIGITS = 15  # of a number that a spreadsheet keeps
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?").fullmatch


@dataclass(frozen=True)
class ExportedRows:
    """Some rows. texts: what each cell shows, by field path; null where it is empty."""

    numbers: Rows
    texts: dict[str, pa.Array]
    failed: NDArray[Any]  # whether each row has errors
    issues: dict[int, Sequence[Remark]] = field(default_factory=dict)  # by position in these rows

    def row_texts(self, place: int) -> dict[str, str | None]:
        """Return what the cells of one row show."""
        return {path: texts[place] for path, texts in self._lists.items()}

    @cached_property
    def _lists(self) -> dict[str, list[str | None]]:
        return {path: texts.to_pylist() for path, texts in self.texts.items()}


def exported(
    table: StagedTable, rows: Rows, *, at_once: int = BLOCK_ROWS
) -> Iterator[ExportedRows]:
    """Yield some rows, a block at a time, column by column."""
    import pyarrow as pa

    sentences = _Sentences(table)
    values = {column.field: table.values(column.field) for column in table.columns}
    for start in range(0, len(rows), at_once):
        numbers = rows[start : start + at_once]
        failed = table.severities[numbers] == SEVERITY_ERROR
        texts, issues = {}, sentences.of(numbers)
        for column in table.columns:
            path = column.field
            with column_alone(table.revision.subject, path, "export"):
                texts[path] = shown_texts(column, arrays.take(values[path], numbers))
            if path not in texts:
                texts[path] = pa.nulls(len(numbers), pa.string())
                for place, row in enumerate(numbers.tolist()):
                    issues[place] = [*issues.get(place, ()), issue_shown(not_checked(path), row)]
        yield ExportedRows(numbers, _with_sources(table, numbers, failed, texts), failed, issues)
        table.files.let_go_of_pages()


def shown_texts(column: StagedColumn, values: pa.Array) -> pa.Array:
    """Return n values of a column as cells show them."""
    from tabular.types.value_texts import shown_texts

    return shown_texts(values, column.column_type, column.output_format)


def numbers_of(table: StagedTable, path: str, rows: ExportedRows) -> dict[int, float]:
    """Return a numeric field's numbers by position. Rows with errors show their text instead."""
    import orjson
    import pyarrow as pa

    kind = table.files.values(path).type
    if table.files.by_field[path].output_format or not (
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    ):
        return {}
    return {
        place: orjson.loads(text)
        for place, text in enumerate(rows.texts[path].to_pylist())
        # A longer number stays a text, because a spreadsheet would round it.
        if text is not None and not rows.failed[place] and len(text) <= DIGITS and NUMBER(text)
    }


def with_texts(shown: pa.Array, numbers: Rows, rows: Rows, texts: pa.Array) -> pa.Array:
    """Return what n cells show, with other texts in some rows. rows, texts: m each, ascending."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    place = np.searchsorted(rows, numbers).clip(max=len(rows) - 1)
    return pc.if_else(pa.array(rows[place] == numbers), texts.take(pa.array(place)), shown)


def _with_sources(
    table: StagedTable, numbers: Rows, failed: NDArray[Any], texts: dict[str, pa.Array]
) -> dict[str, pa.Array]:
    """Return texts with the file's own in rows with errors, because users correct those."""
    if not failed.any():
        return texts
    import pyarrow as pa
    import pyarrow.compute as pc

    columns, mask = text_columns(table, numbers[failed], texts), pa.array(failed)
    return {path: pc.replace_with_mask(some, mask, columns[path]) for path, some in texts.items()}


class _Sentences:
    """The issues of rows with their messages."""

    def __init__(self, table: StagedTable) -> None:
        self._table = table
        self._sentences = Sentences()

    def of(self, numbers: Rows) -> dict[int, Sequence[Remark]]:
        """Return the issues of some rows, by the row's position among them."""
        import numpy as np

        files, overlay = self._table.files, self._table.overlay
        # The rows of an export ascend, so their issues are adjacent.
        first = np.searchsorted(files.issue_rows, numbers)
        end = np.searchsorted(files.issue_rows, numbers, side="right")
        with_some = np.flatnonzero(end > first)
        remarks: dict[int, list[ShownIssue]] = {}
        if len(with_some):
            base = int(first[with_some[0]])
            until = int(end[with_some[-1]])
            some = files.issues.slice(base, until - base).select(ABOUT)
            rows = files.issue_rows[base:until].tolist()
            keys = zip(rows, *(c.to_pylist() for c in some), strict=True)
            localized = [self._sentences.localized(row, *key) for row, *key in keys]
            for place in with_some.tolist():
                remarks[place] = localized[int(first[place]) - base : int(end[place]) - base]
        for place in np.flatnonzero(np.isin(numbers, overlay.rows)).tolist():
            row = int(numbers[place])
            remarks[place] = [issue_shown(issue, row) for issue in overlay.patches[row].issues]
        return {place: issues for place, issues in remarks.items() if issues}
