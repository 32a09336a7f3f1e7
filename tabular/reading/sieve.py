"""Take out of a record batch what the layout stage knows is not data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Sifted:
    """A batch without its extra rows, and how many there were."""

    batch: pa.RecordBatch
    blank: int
    repeated: int


def sift(
    batch: pa.RecordBatch, *, header: Sequence[str], dropped: frozenset[int], first: int
) -> Sifted:
    """
    Drop blank rows, rows that repeat the header, and the rows named in ``dropped``.

    batch: row numbers, then text columns. first: the physical row of the batch's first row.
    """
    import pyarrow.compute as pc

    blank = repeated = 0
    if (mask := _blank_rows(batch)) is not None:
        blank = mask.true_count
        batch = batch.filter(pc.invert(mask))
    if any(header) and (mask := _header_rows(batch, header)) is not None:
        repeated = mask.true_count
        batch = batch.filter(pc.invert(mask))
    if dropped and first <= max(dropped):
        batch = batch.filter(_not_in(batch, dropped))
    return Sifted(batch, blank, repeated)


def _blank_rows(batch: pa.RecordBatch) -> pa.BooleanArray | None:
    import pyarrow.compute as pc

    mask: pa.BooleanArray | None = None
    for column in batch.columns[1:]:
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
    for place, text in enumerate(header[: batch.num_columns - 1], 1):
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
