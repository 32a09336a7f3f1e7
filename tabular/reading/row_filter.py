"""Remove rows from a record batch that the layout stage knows are not data."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, cast

from tabular.model.table import Skipped, SkippedRow
from tabular.reading.batches import first_text

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Filtered:
    """A batch without its extra rows, and the numbers of those."""

    batch: pa.RecordBatch
    blank: Sequence[int] = ()
    repeated: Sequence[Sequence[int]] = ()  # by the header row that they repeat


@dataclass(slots=True)
class Log:
    """
    The rows that a stream skips: eight bytes per row, however many there are.

    head: rows that the layout stage removed. headers: texts of each row that is repeated.
    """

    head: Sequence[SkippedRow]
    headers: Sequence[Sequence[str]]
    blank: array[int] = field(default_factory=lambda: array("q"))
    repeated: list[array[int]] = field(init=False)
    below: list[SkippedRow] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Start a list of rows for each header row."""
        self.repeated = [array("q") for _ in self.headers]

    def note(self, filtered: Filtered) -> None:
        """Record the rows that were filtered out of a batch."""
        self.blank.extend(filtered.blank)
        for known, rows in zip(self.repeated, filtered.repeated, strict=True):
            known.extend(rows)

    def rows(self) -> Iterator[SkippedRow]:
        """Yield all of them, in order."""
        by_row = attrgetter("row")
        merged = heapq.merge(
            self.head,
            (SkippedRow(row, "blank") for row in self.blank),
            *map(_repetitions, self.headers, self.repeated),
            self.below,
            key=by_row,
        )
        for _, same in groupby(merged, by_row):  # the stream meets rows of the head again
            yield next(same)

    def skipped(self) -> Skipped:
        """Return their counts by kind."""
        return Skipped.of(left.reason for left in self.rows())


def _repetitions(header: Sequence[str], rows: Sequence[int]) -> Iterator[SkippedRow]:
    cells = tuple(text or None for text in header)
    return (SkippedRow(row, "repeated_header", cells) for row in rows)


def filter_rows(
    batch: pa.RecordBatch,
    *,
    headers: Sequence[Sequence[str]],
    dropped: frozenset[int],
    taken: frozenset[int],
) -> Filtered:
    """
    Drop blank rows, rows that repeat a header row, and the rows listed in ``dropped``.

    batch: row numbers in order, kinds if there are any, then text columns. taken: rows that stay in
    any case.
    """
    blank: Sequence[int] = ()
    repeated: list[Sequence[int]] = []
    if (mask := _blank_rows(batch)) is not None:
        batch, blank = _without(batch, mask, taken)
    for header in headers:
        rows: Sequence[int] = ()
        if (mask := _header_rows(batch, header)) is not None:
            batch, rows = _without(batch, mask, taken)
        repeated.append(rows)
    if dropped and batch.num_rows and batch.column(0)[0].as_py() <= max(dropped):
        batch = batch.filter(_not_in(batch, dropped))
    return Filtered(batch, blank, repeated)


def _without(
    batch: pa.RecordBatch, mask: pa.BooleanArray, taken: frozenset[int]
) -> tuple[pa.RecordBatch, Sequence[int]]:
    """Split a batch: the rows that stay, and the numbers of the others."""
    import pyarrow.compute as pc

    if taken:
        mask = pc.and_(mask, _not_in(batch, taken))
    return batch.filter(pc.invert(mask)), batch.column(0).filter(mask).to_pylist()


def _blank_rows(batch: pa.RecordBatch) -> pa.BooleanArray | None:
    import pyarrow.compute as pc

    mask: pa.BooleanArray | None = None
    for column in batch.columns[first_text(batch) :]:
        if column.null_count == 0:
            return None
        nulls = pc.is_null(column)
        mask = nulls if mask is None else pc.and_(mask, nulls)
        if not pc.any(mask).as_py():
            return None
    return mask


def _header_rows(batch: pa.RecordBatch, header: Sequence[str]) -> pa.BooleanArray | None:
    import pyarrow as pa
    import pyarrow.compute as pc

    mask: pa.BooleanArray | None = None
    start = first_text(batch)
    for place, text in enumerate(header[: batch.num_columns - start], start):
        same: Any = pc.equal(batch.column(place), pa.scalar(text))
        same = pc.fill_null(same, not text)
        mask = same if mask is None else cast("Any", pc.and_(mask, same))
        if not pc.any(mask).as_py():
            return None
    return mask


def _not_in(batch: pa.RecordBatch, dropped: frozenset[int]) -> pa.BooleanArray:
    import pyarrow as pa

    numbers = batch.column(0).to_pylist()
    return pa.array([number not in dropped for number in numbers], pa.bool_())
