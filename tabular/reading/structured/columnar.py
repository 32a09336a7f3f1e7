"""Parquet and Feather: columns that say what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabular.model.issue import Issue
from tabular.model.kinds import KINDS_COLUMN
from tabular.model.limits import Limits
from tabular.model.problem import UnreadableFile
from tabular.model.table import Evidence, LeftOut, Progress, Reading, Table
from tabular.reading import batches
from tabular.reading.grid_body import PREVIEW_ROWS
from tabular.reading.layout.naming import unique
from tabular.reading.limiting import check_counts, too_much
from tabular.reading.structured.values import flat_columns, kind_of, texts_of

if TYPE_CHECKING:
    import pyarrow as pa

_METADATA_BYTES = 64 << 20  # of a footer; one of a table with 5,000 columns has some MB


def read_columnar(path: Path, file_format: str, *, limits: Limits, progress: Progress) -> Reading:
    """
    Read a Parquet or Feather file.

    Raises UnreadableFile (damaged_file, no_table_found) and LimitExceeded.
    """
    progress("columns", 0, None)
    source = _Source(path, file_format == "parquet", limits)
    with _unbroken():
        schema, rows = source.opened()
        check_counts(rows, len(schema), limits)
        first = next((b for b in source.batches(PREVIEW_ROWS) if b.num_rows), None)
        columns = flat_columns(_empty(schema) if first is None else first.slice(0, PREVIEW_ROWS))
        texts = [texts_of(values).to_pylist() for _, values in columns]
    if not columns:
        raise UnreadableFile("no_table_found", "The file holds no column.")
    check_counts(rows, len(columns), limits)
    table = Table(
        columns=unique([name.strip() for name, _ in columns]),
        row_count=rows,
        preview=tuple(zip(*texts, strict=True)),
        evidence=(Evidence("table", f"a {file_format.capitalize()} file names its columns", 1.0),),
    )
    return Reading(file_format, (table,), (ColumnarBody(source, table),))


def _empty(schema: pa.Schema) -> pa.RecordBatch:
    import pyarrow as pa

    return pa.RecordBatch.from_pylist([], schema)


@dataclass(frozen=True, slots=True)
class _Source:
    path: Path
    is_parquet: bool
    limits: Limits

    def opened(self) -> tuple[pa.Schema, int]:
        """Give the schema and the number of rows, as the file claims."""
        import pyarrow as pa

        if self.is_parquet:
            file = self._parquet()
            claimed = sum(
                file.metadata.row_group(n).total_byte_size for n in range(file.num_row_groups)
            )
            self._check(claimed)
            return file.schema_arrow, file.metadata.num_rows
        with pa.OSFile(str(self.path)) as opened:
            reader = pa.ipc.open_file(opened)
            return reader.schema, sum(batch.num_rows for batch in self.batches(1 << 16))

    def batches(self, rows: int) -> Iterator[pa.RecordBatch]:
        """Stream checked batches of at most some rows."""
        import pyarrow as pa

        if self.is_parquet:
            yield from self._checked(self._parquet().iter_batches(batch_size=rows))
            return
        with pa.OSFile(str(self.path)) as opened:
            reader = pa.ipc.open_file(opened)
            found = (reader.get_batch(n) for n in range(reader.num_record_batches))
            for batch in self._checked(found):
                for start in range(0, batch.num_rows, rows):
                    yield batch.slice(start, rows)

    def _parquet(self) -> Any:
        import pyarrow.parquet as pq

        return pq.ParquetFile(
            self.path,
            thrift_string_size_limit=_METADATA_BYTES,
            thrift_container_size_limit=_METADATA_BYTES // 64,
            pre_buffer=False,
        )

    def _checked(self, found: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Trust nothing that the file says of its buffers, and bound what they unfold to."""
        seen = rows = 0
        for batch in found:
            batch.validate(full=True)
            seen += batch.nbytes
            rows += batch.num_rows
            self._check(seen)
            check_counts(rows, batch.num_columns, self.limits)
            yield batch

    def _check(self, expanded: int) -> None:
        if expanded > self.limits.expanded_bytes:
            raise too_much(
                "expanded_bytes", self.limits.expanded_bytes, "The unpacked file is larger"
            )


@dataclass(frozen=True, slots=True)
class ColumnarBody:
    """The rows of a columnar file, each of its place."""

    source: _Source
    table: Table

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Stream the body (see ``Body``)."""
        schema = batches.schema_of(self.table.columns, has_kinds=True)
        first = 0
        with _unbroken():
            for batch in self.source.batches(batches.rows_per_batch(len(self.table.columns))):
                yield _as_texts(batch, first, schema)
                first += batch.num_rows

    def settled(self) -> tuple[Table, tuple[Issue, ...]]:
        """Give the table, whose counts are exact from the start."""
        return self.table, ()

    def left_out(self) -> Iterator[LeftOut]:
        """Give nothing: every row is in the body."""
        return iter(())


def _as_texts(batch: pa.RecordBatch, first: int, schema: pa.Schema) -> pa.RecordBatch:
    import numpy as np
    import pyarrow as pa

    columns: Sequence[pa.Array[Any]] = [values for _, values in flat_columns(batch)]
    size = batch.num_rows
    kinds = [pa.array(np.full(size, kind_of(values.type), np.int8)) for values in columns]
    fields = list(schema.field(KINDS_COLUMN).type)
    beside = pa.StructArray.from_arrays(kinds, fields=fields)
    numbers = batches.number_array(range(first, first + size))
    texts = [texts_of(values) for values in columns]
    return pa.record_batch([numbers, beside, *texts], schema=schema)


@contextmanager
def _unbroken() -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(
            "damaged_file", "The file is cut off or damaged. Please export or send it again."
        ) from error
