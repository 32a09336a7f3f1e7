"""The rows of a revision as an apply takes them: some left out, invalid values as null."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from staging import arrays
from staging.columns import BATCH_ROWS, SEVERITY_ERROR, SEVERITY_WARNING, StagedTable
from staging.issues import errors_of, rows_in_error
from staging.pages import ABOUT, Sentences

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows

NO_NULLS: Mapping[str, Rows] = MappingProxyType({})


class Delivered:
    """
    The rows that are delivered, in the order of the file.

    Rows somebody left out never are; rows with errors are not either, unless they are included:
    then each value with an error is null and ``row_issues`` names it.
    """

    def __init__(
        self,
        table: StagedTable,
        *,
        includes_invalid: bool,
        chosen: Rows | None = None,
        nulls: Mapping[str, Rows] = NO_NULLS,
    ) -> None:
        """chosen: the rows of an apply that takes some alone. nulls: further nulls, by field."""
        self._table = table
        self._includes = includes_invalid
        self._chosen = chosen
        self._nulls = nulls
        self.types = {column.field: column.column_type for column in table.columns}
        self.formats = {c.field: c.output_format for c in table.columns if c.output_format}

    @cached_property
    def numbers(self) -> Rows:
        """The row numbers of the delivered rows, ascending."""
        if self._chosen is not None:
            return self._chosen
        at_most = SEVERITY_ERROR if self._includes else SEVERITY_WARNING
        rows: Rows = self._table.numbers(at_most=at_most).to_numpy()
        return rows

    def __len__(self) -> int:
        return len(self.numbers)

    def batches(self, start: int = 0, end: int | None = None) -> Iterator[pa.RecordBatch]:
        """Stream the typed columns, one per field path, in batches of at most 20,000 rows."""
        import pyarrow as pa

        end = len(self) if end is None else min(end, len(self))
        for first in range(start, end, BATCH_ROWS):
            rows = self.numbers[first : min(first + BATCH_ROWS, end)]
            yield pa.record_batch(
                {path: arrays.take(self._columns[path], rows) for path in self.types}
            )
            self._table.files.let_go_of_pages()

    @cached_property
    def _columns(self) -> dict[str, pa.ChunkedArray]:
        import numpy as np
        import pyarrow as pa

        columns = {path: self._table.values(path) for path in self.types}
        for path, values in columns.items():
            rows = np.zeros(0, np.int64)
            if self._includes:
                rows = rows_in_error(self._errors, path)
            rows = np.union1d(rows, self._nulls[path]) if path in self._nulls else rows
            if len(rows):
                columns[path] = arrays.replaced(values, rows, pa.nulls(len(rows), values.type))
        return columns

    def column(self, path: str) -> pa.ChunkedArray:
        """Give a column as it is delivered, with every row of the revision."""
        return self._columns[path]

    @cached_property
    def _errors(self) -> pa.Table:
        return errors_of(self._table)

    def row_issues(self, start: int = 0, end: int | None = None) -> list[dict[str, Any]]:
        """
        Name the values delivered as null, with the sentence that people saw.

        ``row`` counts the delivered rows from 0; a row in a sentence is that of the review.
        """
        import numpy as np

        if not self._includes:
            return []
        end = len(self) if end is None else end
        rows = self._errors.column("row").to_numpy()
        places = np.searchsorted(self.numbers, rows)
        inside = (places >= start) & (places < min(end, len(self)))
        inside[inside] &= self.numbers[places[inside]] == rows[inside]
        at = np.flatnonzero(inside)
        found = self._errors.select(ABOUT).take(at).to_pylist()
        sentences = Sentences()
        issues = []
        for i, issue in zip(at, found, strict=True):
            said = sentences.said(int(rows[i]), *issue.values())
            named = {name: said[name] for name in ("field", "code", "value", "message")}
            issues.append({"row": int(places[i]), **named})
        return issues
