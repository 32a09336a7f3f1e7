"""The rows of a revision as an apply delivers them, with the columns that feed no field."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from staging import arrays
from staging.columns import BATCH_ROWS, SEVERITY_ERROR, SEVERITY_WARNING, StagedColumn, StagedTable
from staging.exports.parents import Parents, in_groups, parents_of
from staging.issues import errors_of, rows_in_error
from staging.lineage.origin import source_path
from staging.marks import takes_others
from staging.pages import BYTES_OF_ISSUE, Sentences
from staging.row_issues import ABOUT
from tabular.resolving.known_values import AS_JSON

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows


CELLS_AT_ONCE = 1_000_000  # a file of 2,000 columns is read 500 rows at a time


class UnmappedColumns:
    """The unmapped columns of a table, in the order of the file."""

    def __init__(self, table: StagedTable) -> None:
        self._table = table

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Their names; empty if every column of the file feeds a field."""
        from tabular.model.mapping import fed_columns
        from tabular.transforming.executing import RESERVED

        plan = self._table.files.plan
        left_out = fed_columns(plan.mapping, plan.recipe) | RESERVED
        return tuple(name for name in self._source.column_names if name not in left_out)

    def batches(self, rows: Rows) -> Iterator[pa.RecordBatch]:
        """Yield the texts of some rows, n per column, as in the file; empty cells are null."""
        import pyarrow as pa

        at_once = max(1, min(BATCH_ROWS, CELLS_AT_ONCE // max(1, len(self.names))))
        positions = self._table.files.rows.column("source")
        for start in range(0, len(rows), at_once):
            at = arrays.take(positions, rows[start : start + at_once]).to_numpy()
            cells = [arrays.take(self._source.column(name), at) for name in self.names]
            yield pa.record_batch(cells, names=list(self.names))

    @cached_property
    def _source(self) -> pa.Table:
        from tabular.protocol.tables import whole

        return whole(source_path(self._table.files.manifest))


NONE_KEPT: Mapping[str, tuple[Rows, pa.Array]] = MappingProxyType({})
NO_NULLS: Mapping[str, Rows] = MappingProxyType({})
OmittedReferences = Mapping[str, Mapping[int, Collection[str]]]
NOTHING: OmittedReferences = MappingProxyType({})


class Delivered:
    """
    The rows that are delivered, in the order of the file, but those of one parent together.

    Excluded rows are never delivered. Rows with errors are delivered only if they are included:
    then each value with an error is null, and ``row_issues`` names it.
    """

    def __init__(
        self,
        table: StagedTable,
        *,
        includes_invalid: bool,
        chosen: Rows | None = None,
        nulls: Mapping[str, Rows] = NO_NULLS,
        omitted: OmittedReferences = NOTHING,
        kept: Mapping[str, tuple[Rows, pa.Array]] = NONE_KEPT,
    ) -> None:
        """
        chosen: the rows of an apply that delivers only some. nulls: further nulls, by field.
        omitted: the references that cells are delivered without, by field and row. kept: the cells
        that are delivered with a known value: rows and JSON texts, by field.
        """
        self._table = table
        self._includes = includes_invalid
        self._chosen = chosen
        self._nulls, self._omitted = nulls, omitted
        self._kept = {path: cells for path, cells in kept.items() if path in table.files.by_field}
        self.types: dict[str, str] = {
            column.field: AS_JSON if column.field in self._kept else column.column_type
            for column in table.columns
        }
        self.formats = {
            c.field: c.output_format
            for c in table.columns
            if c.output_format and c.field not in self._kept
        }

    @cached_property
    def numbers(self) -> Rows:
        """
        The row numbers of the delivered rows in their order.

        They ascend, unless other rows are between those of one parent.
        """
        if self._chosen is not None:
            return self._chosen
        at_most = SEVERITY_ERROR if self._includes else SEVERITY_WARNING
        rows: Rows = self._table.numbers(at_most=at_most).to_numpy()
        return in_groups(self._table, rows)

    @cached_property
    def parents(self) -> Parents | None:
        """The parents that these rows are about; None if the catalog nests nothing."""
        return parents_of(self._table, self.numbers)

    def parent_batches(self, start: int = 0, end: int | None = None) -> Iterator[pa.RecordBatch]:
        """Yield batches like ``batches`` that never end within a parent."""
        import numpy as np

        if self.parents is None:
            raise LookupError("the catalog nests nothing")
        end, starts = len(self) if end is None else min(end, len(self)), self.parents.starts
        while start < end:
            after = int(np.searchsorted(starts, start + BATCH_ROWS, side="right")) - 1
            stop = min(int(starts[max(after, 0)]), end)
            if stop <= start:  # a parent with more rows than a batch
                stop = min(int(starts[np.searchsorted(starts, start, side="right")]), end)
            yield self._batch(start, stop)
            start = stop

    def __len__(self) -> int:
        return len(self.numbers)

    def batches(self, start: int = 0, end: int | None = None) -> Iterator[pa.RecordBatch]:
        """
        Yield the typed columns, one per field path, in batches of at most 20,000 rows.

        A column with kept cells has JSON texts, and the type ``AS_JSON``.
        """
        end = len(self) if end is None else min(end, len(self))
        for first in range(start, end, BATCH_ROWS):
            yield self._batch(first, min(first + BATCH_ROWS, end))

    def _batch(self, start: int, end: int) -> pa.RecordBatch:
        import pyarrow as pa

        rows = self.numbers[start:end]
        batch = pa.record_batch({path: self._cells(path, rows) for path in self.types})
        self._table.files.let_go_of_pages()
        return batch

    def _cells(self, path: str, rows: Rows) -> pa.Array:
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        cells = arrays.take(self._columns[path], rows)
        if path not in self._kept:
            return cells
        texts = self._table.files.by_field[path].json_texts(cells).cast(pa.string())
        at, known = self._kept[path]
        place = np.searchsorted(at, rows).clip(max=len(at) - 1)
        is_kept = pa.array(at[place] == rows)
        return pc.if_else(is_kept, known.take(pa.array(place)), texts)

    def fitting(self, start: int, end: int, most: int) -> int:
        """Return the end of the first rows with at most ``most`` bytes of text; one at least."""
        import numpy as np

        rows = self.numbers[start:end]
        sizes = np.full(len(rows), sum(map(len, self.types)), np.int64)
        for path in self.types:
            sizes += arrays.text_bytes(self._columns[path], rows)
        if self._includes:
            errors = self._errors.column("row").to_numpy()
            begin, after = np.searchsorted(errors, (rows, rows + 1))
            sizes += BYTES_OF_ISSUE * (after - begin)
        return start + max(1, int(np.searchsorted(np.cumsum(sizes), most, side="right")))

    @cached_property
    def unmapped(self) -> UnmappedColumns:
        """The columns of the file that feed no field."""
        return UnmappedColumns(self._table)

    def unmapped_batches(self, start: int = 0, end: int | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the cells of the unmapped columns, in the same batches as ``batches``."""
        end = len(self) if end is None else min(end, len(self))
        return self.unmapped.batches(self.numbers[start:end])

    @cached_property
    def _columns(self) -> dict[str, pa.ChunkedArray]:
        import pyarrow as pa

        columns = {path: self._table.values(path) for path in self.types}
        for path, values in columns.items():
            if path in self._omitted:
                values = columns[path] = self._without_omitted(path, values)
            rows = self.rows_in_error(path)
            rows = arrays.ascending(rows, self._nulls[path]) if path in self._nulls else rows
            if len(rows):
                columns[path] = arrays.replaced(values, rows, pa.nulls(len(rows), values.type))
        return columns

    def _without_omitted(self, path: str, values: pa.ChunkedArray) -> pa.ChunkedArray:
        import numpy as np

        from tabular.resolving.parts import without_parts

        rows = np.array(sorted(self._omitted[path]), np.int64)
        texts = [self._omitted[path][row] for row in rows.tolist()]
        reference = self._table.files.plan.fields[path].reference
        separator = reference.separator if reference is not None else None
        cells = without_parts(arrays.take(values, rows), texts, separator)
        return arrays.replaced(values, rows, cells)

    def rows_in_error(self, path: str) -> Rows:
        """Return the rows whose value of a field is null because of an error, ascending."""
        import numpy as np

        return rows_in_error(self._errors, path) if self._includes else np.zeros(0, np.int64)

    def column(self, path: str) -> pa.ChunkedArray:
        """Return a column as it is delivered, with all rows of the revision."""
        return self._columns[path]

    @cached_property
    def _errors(self) -> pa.Table:
        return errors_of(self._table)

    @cached_property
    def _places_of_errors(self) -> Rows:
        """Where the row of each error is among the delivered rows, or -1."""
        return arrays.places_in(self.numbers, self._errors.column("row").to_numpy())

    def custom_options(self, start: int = 0, end: int | None = None) -> list[dict[str, Any]]:
        """
        Return the delivered values that are not among their field's options, if it accepts others.

        ``row`` counts the delivered rows from 0.
        """
        end = len(self) if end is None else min(end, len(self))
        parse_options = self._table.files.inferred.parse_options
        options = [
            other
            for column in self._table.columns
            if takes_others(parse_options[column.field])
            for other in self._others(column, start, end)
            if not self._is_kept(column.field, int(self.numbers[other["row"]]))
        ]
        return sorted(options, key=lambda option: int(option["row"]))

    def _is_kept(self, path: str, row: int) -> bool:
        return path in self._kept and row in self._kept[path][0]

    def _others(self, column: StagedColumn, start: int, end: int) -> Iterator[dict[str, Any]]:
        import numpy as np
        import orjson

        from tabular.rechecking.differing import not_listed

        parse_options = self._table.files.inferred.parse_options[column.field]
        values = arrays.take(self._columns[column.field], self.numbers[start:end])
        at = np.flatnonzero(not_listed(values, parse_options))
        texts = column.json_texts(values.take(at)).to_pylist()
        for place, text in zip(at.tolist(), texts, strict=True):
            yield {"row": start + place, "field": column.field, "value": orjson.loads(text)}

    def row_issues(self, start: int = 0, end: int | None = None) -> list[dict[str, Any]]:
        """
        Return the values delivered as null, with the message shown to users.

        ``row`` counts the delivered rows from 0; a row number in a message is that of the review.
        """
        import numpy as np

        if not self._includes:
            return []
        end = len(self) if end is None else end
        rows = self._errors.column("row").to_numpy()
        places = self._places_of_errors
        at = np.flatnonzero((places >= start) & (places < min(end, len(self))))
        at = at[np.argsort(places[at], kind="stable")]
        errors = self._errors.select(ABOUT).take(at).to_pylist()
        sentences = Sentences()
        issues = []
        for i, issue in zip(at, errors, strict=True):
            sentence = sentences.localized(int(rows[i]), *issue.values())
            named = {name: sentence[name] for name in ("field", "code", "value", "message")}
            issues.append({"row": int(places[i]), **named})
        return issues
