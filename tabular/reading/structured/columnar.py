"""Convert typed columns of Parquet and Feather to texts in one notation, with their kinds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabular.model.issue import Issue
from tabular.model.problem import Limits, UnreadableFile
from tabular.model.sentences import Sentence
from tabular.model.table import KINDS_COLUMN, Evidence, Kind, Progress, Reading, SkippedRow, Table
from tabular.reading import batches
from tabular.reading.grid_body import PREVIEW_ROWS
from tabular.reading.layout.naming import unique
from tabular.reading.limiting import check_counts, too_much
from tabular.reading.workbook.texts import number_text, plain_text, text_of

if TYPE_CHECKING:
    import pyarrow as pa


_DEPTH = 20  # of nested records


def flat_columns(batch: pa.RecordBatch) -> list[tuple[str, Any]]:
    """Return the columns of a batch, records by dotted path."""
    return [
        leaf
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
        for leaf in _leaves(name, column, 0)
    ]


def _leaves(name: str, column: Any, depth: int) -> Iterator[tuple[str, Any]]:
    import pyarrow as pa

    if isinstance(column.type, pa.BaseExtensionType):
        column = column.storage
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if not pa.types.is_struct(column.type) or not column.type.num_fields or depth == _DEPTH:
        yield name, column
        return
    for field, inner in zip(column.type, column.flatten(), strict=True):
        yield from _leaves(f"{name}.{field.name}", inner, depth + 1)


def kind_of(type_: pa.DataType) -> Kind:
    """Return the kind of a column's cells."""
    import pyarrow as pa

    is_ = pa.types
    if is_.is_integer(type_) or is_.is_floating(type_) or is_.is_decimal(type_):
        return Kind.NUMBER
    if is_.is_boolean(type_):
        return Kind.BOOLEAN
    if is_.is_date(type_) or is_.is_timestamp(type_):
        return Kind.DATE
    if is_.is_time(type_):
        return Kind.TIME
    return Kind.DURATION if is_.is_duration(type_) else Kind.TEXT


def texts_of(column: Any) -> Any:
    """Return a column's values as texts. column: n values. Returns n strings, "" as null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    is_, type_ = pa.types, column.type
    if is_.is_null(type_):
        return pa.nulls(len(column), pa.string())
    if is_.is_string(type_) or is_.is_large_string(type_) or is_.is_string_view(type_):
        texts = column.cast(pa.string())
        return pc.if_else(pc.equal(pc.binary_length(texts), 0), None, texts)
    if is_.is_binary(type_) or is_.is_large_binary(type_) or is_.is_fixed_size_binary(type_):
        return texts_of(column.cast(pa.binary()).cast(pa.string()))
    if is_.is_integer(type_) or is_.is_boolean(type_) or is_.is_date32(type_):
        return column.cast(pa.string())
    if getattr(type_, "unit", "") == "ns":  # Python has no nanoseconds
        column = column.cast(_in_microseconds(type_), safe=False)
    return pa.array([_text(value, type_) for value in column.to_pylist()], pa.string())


def _in_microseconds(type_: Any) -> pa.DataType:
    import pyarrow as pa

    if pa.types.is_timestamp(type_):
        return pa.timestamp("us", type_.tz)
    return pa.duration("us") if pa.types.is_duration(type_) else pa.time64("us")


def _text(value: Any, type_: pa.DataType) -> str | None:
    import pyarrow as pa

    if value is None:
        return None
    if isinstance(value, float):
        return _float(value, type_)
    if pa.types.is_decimal(type_):
        return str(plain_text(str(value)))
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(text_of(value)) or None


def _float(value: float, type_: pa.DataType) -> str | None:
    if value != value:  # not a number: a missing value
        return None
    is_single = type_.bit_width < 64
    return str(plain_text(f"{value:.7g}") if is_single else number_text(value))


_METADATA_BYTES = 64 << 20  # of a footer; a table with 5,000 columns has some MB


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
        evidence=(
            Evidence(
                "table",
                Sentence("a {format} file names its columns", format=file_format.capitalize()),
                1.0,
            ),
        ),
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
        """Return the schema and the number of rows that the file claims."""
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
        """Yield checked batches of at most ``rows`` rows."""
        import pyarrow as pa

        if self.is_parquet:
            yield from self._checked(self._parquet().iter_batches(batch_size=rows))
            return
        with pa.OSFile(str(self.path)) as opened:
            reader = pa.ipc.open_file(opened)
            batches = (reader.get_batch(n) for n in range(reader.num_record_batches))
            for batch in self._checked(batches):
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

    def _checked(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield validated batches: untrusted buffers are checked, and expanded sizes bounded."""
        seen = rows = 0
        for batch in batches:
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
    """The rows of a columnar file, each numbered by its position."""

    source: _Source
    table: Table

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the body's batches (see ``Body``)."""
        schema = batches.schema_of(self.table.columns, has_kinds=True)
        first = 0
        with _unbroken():
            for batch in self.source.batches(batches.rows_per_batch(len(self.table.columns))):
                yield _as_texts(batch, first, schema)
                first += batch.num_rows

    def outcome(self) -> tuple[Table, tuple[Issue, ...]]:
        """Return the table, whose counts are exact from the start."""
        return self.table, ()

    def skipped_rows(self) -> Iterator[SkippedRow]:
        """Return nothing: every row is in the body."""
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
            "damaged_file", "The file is incomplete or damaged. Export or send it again."
        ) from error
