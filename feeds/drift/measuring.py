"""Take the picture of a table: each column in one pass over its batches, or in two."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from feeds.drift.picture import BINS, ColumnPicture, Dates, Numbers, Picture
from feeds.drift.sketch import Sketch
from tabular.types.hashing import as_texts
from tabular.values import Kind, judge

FEW_DISTINCT = 100  # values, up to which a column's most frequent ones are kept
MOST_TOP = 12  # of them
LEAST_ROWS = 2  # that a kept value has, so that it describes no single row
LONGEST = 80  # characters of a kept value
JUDGED = 60  # texts of a column whose kind is determined
THREADS = 2
EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class ColumnValues:
    """
    One column of a file.

    texts: its cells as they are in the file. values: the typed values of the field that it feeds
    as it is, if it does; column_type: of that field. They may have other rows than the texts.
    """

    header: str
    place: int
    texts: pa.ChunkedArray
    path: str | None = None
    column_type: str = ""
    values: pa.ChunkedArray | None = None


def picture_of(columns: Sequence[ColumnValues], *, rows: int, day: date | None = None) -> Picture:
    """Return the picture of a table. day: when its file arrived."""
    with ThreadPoolExecutor(THREADS) as pool:
        return Picture(rows=rows, columns=tuple(pool.map(_column, columns)), day=day)


def _column(column: ColumnValues) -> ColumnPicture:
    rows = len(column.texts)
    empty = _empty(column.texts)
    values = _comparable(column)
    nulls = 0 if column.values is None else values.null_count
    unread = max(0, round(nulls * rows / (len(values) or 1)) - empty)
    sketch = Sketch()
    for chunk in values.chunks:
        sketch.add(_filled(chunk))
    numbers = _numbers(values) if _is_number(values.type) else None
    dates = _dates(_days(values, column.column_type)) if _has_days(column) else None
    is_text = not _is_number(values.type) and not _has_days(column)
    return ColumnPicture(
        header=column.header,
        place=column.place,
        path=column.path,
        kinds=_kinds(sketch) if is_text else ((column.column_type, 1),),
        rows=rows,
        filled=rows - empty,
        unread=unread,
        distinct=sketch.distinct,
        sample=tuple(sketch.least.tolist()),
        top=_top(values) if is_text and sketch.distinct <= FEW_DISTINCT else (),
        length=_letters(column.texts) / (rows - empty) if is_text and rows > empty else 0.0,
        numbers=numbers,
        dates=dates,
        content=f"{sketch.content:016x}",
    )


def _comparable(column: ColumnValues) -> pa.ChunkedArray:
    """Return the values to compare: numbers and days as such, everything else as texts."""
    values = column.texts if column.values is None else column.values
    kind = values.type
    if pa.types.is_decimal(kind) or _is_number(kind):
        return values.cast(pa.float64())
    if pa.types.is_date(kind):
        return values
    if pa.types.is_string(kind):
        return values
    return pa.chunked_array([as_texts(chunk) for chunk in values.chunks], pa.string())


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _has_days(column: ColumnValues) -> bool:
    if column.values is None:
        return False
    return column.column_type == "datetime" or bool(pa.types.is_date(column.values.type))


def _days(values: pa.ChunkedArray, column_type: str) -> pa.ChunkedArray:
    """Return the days of dates, or of instants, which are texts in ISO 8601 format."""
    if column_type != "datetime":
        return values
    return pc.utf8_slice_codeunits(values, 0, 10).cast(pa.date32())


def _empty(texts: pa.ChunkedArray) -> int:
    blank = sum(pc.sum(pc.equal(pc.binary_length(chunk), 0)).as_py() or 0 for chunk in texts.chunks)
    return int(blank) + int(texts.null_count)


def _letters(texts: pa.ChunkedArray) -> int:
    return sum(pc.sum(pc.utf8_length(chunk)).as_py() or 0 for chunk in texts.chunks)


def _filled(chunk: pa.Array) -> pa.Array:
    """Return what a batch of values holds, without nulls; days as whole numbers."""
    chunk = chunk.drop_null() if chunk.null_count else chunk
    return chunk.cast(pa.int32()) if pa.types.is_date32(chunk.type) else chunk


def _numbers(values: pa.ChunkedArray) -> Numbers | None:
    sizes: Counter[int] = Counter()
    count = negative = 0
    least, greatest = math.inf, -math.inf
    for chunk in values.chunks:
        numbers = _finite(chunk)
        if not len(numbers):
            continue
        count += len(numbers)
        least, greatest = min(least, numbers.min()), max(greatest, numbers.max())
        negative += int((numbers < 0).sum())
        size = np.abs(numbers[numbers != 0])
        bins = np.floor(np.log10(size) * BINS).astype(np.int64)
        if len(bins):
            low = int(bins.min())
            counts = np.bincount(bins - low)
            sizes.update({low + int(at): int(counts[at]) for at in np.flatnonzero(counts)})
    if not count:
        return None
    return Numbers(
        count=count,
        least=float(least),
        greatest=float(greatest),
        total=_total(values),
        negative=negative,
        sizes=tuple(sorted(sizes.items())),
    )


def _total(values: pa.ChunkedArray) -> float:
    """Return the sum: exact, so the same in any order; the largest float if it is beyond."""
    try:
        return math.fsum(_each(values))
    except OverflowError:
        small = math.fsum(math.ldexp(number, -64) for number in _each(values))
        largest = sys.float_info.max
        return max(-largest, min(largest, small * 2.0**64))


def _each(values: pa.ChunkedArray) -> Iterator[float]:
    for chunk in values.chunks:
        yield from _finite(chunk).tolist()


def _finite(chunk: pa.Array) -> NDArray[np.float64]:
    numbers: NDArray[np.float64] = _filled(chunk).to_numpy()
    return numbers[np.isfinite(numbers)]


def _dates(values: pa.ChunkedArray) -> Dates | None:
    counts: Counter[int] = Counter()
    for chunk in values.chunks:
        for item in pc.value_counts(_filled(chunk)).to_pylist():
            counts[item["values"]] += item["counts"]
    if not counts:
        return None
    days = np.array(sorted(counts))
    up_to = np.cumsum([counts[day] for day in days.tolist()])
    total = int(up_to[-1])

    def at(share: float) -> date:
        return _day(int(days[np.searchsorted(up_to, share * (total - 1), side="right")]))

    return Dates(
        count=total,
        first=_day(int(days[0])),
        last=_day(int(days[-1])),
        early=at(0.05),
        late=at(0.95),
    )


def _day(number: int) -> date:
    return EPOCH + timedelta(days=number)


def _top(texts: pa.ChunkedArray) -> tuple[tuple[str, int], ...]:
    """Return the most frequent values, equally frequent ones in their own order."""
    counts = [(i["values"], i["counts"]) for i in texts.value_counts().to_pylist()]
    kept = [(t, n) for t, n in counts if t and n >= LEAST_ROWS and len(t) <= LONGEST]
    return tuple(sorted(kept, key=lambda item: (-item[1], item[0]))[:MOST_TOP])


def _kinds(sketch: Sketch) -> tuple[tuple[str, int], ...]:
    """Return what some distinct texts are: the same ones in any order of the rows."""
    sample = [text for _, text in sorted(sketch.texts.items())[:JUDGED]]
    kinds = Counter(_TEXT.get(kind := judge(text).kind, kind.value) for text in sample)
    return tuple(sorted(kinds.items(), key=lambda item: (-item[1], item[0])))


_TEXT = dict.fromkeys((Kind.WORD, Kind.PROSE, Kind.PLACEHOLDER), "text")
