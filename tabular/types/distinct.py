"""Read each distinct text once, in a batch and from batch to batch."""

from collections.abc import Callable
from threading import Lock

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.parsed import Fault, Parsed
from tabular.values.arrays import Rows, where

REMEMBERED = 20_000  # distinct texts of one column


class Memory:
    """
    A cache of what has been read of one column. It affects only the speed of reading.

    Two batches may use it at once; the second waits for the first.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._texts: pa.Array | None = None
        self._parsed: Parsed | None = None

    def read(self, texts: pa.Array, read: Callable[[pa.Array], Parsed]) -> Parsed:
        """Read n texts; ``read`` gets only the new ones."""
        with self._lock:
            return self._read(texts, read)

    def _read(self, texts: pa.Array, read: Callable[[pa.Array], Parsed]) -> Parsed:
        if self._texts is None or self._parsed is None:
            self._texts = texts.unique().drop_null()
            self._parsed = read(self._texts)
        places = pc.index_in(texts, value_set=self._texts)
        new = where(pc.and_(pc.is_valid(texts), pc.is_null(places)))
        if len(new):
            fresh = texts.take(pa.array(new)).unique()
            self._parsed = _joined(self._parsed, read(fresh))
            self._texts = pa.concat_arrays([self._texts, fresh])
            places = pc.index_in(texts, value_set=self._texts)
        spread_out = spread(self._parsed, places)
        if len(self._texts) > REMEMBERED:
            self._texts = None
        return spread_out


def _joined(first: Parsed, two: Parsed) -> Parsed:
    size = len(first.values)
    rows: dict[str, Fault] = {fault.code: fault for fault in first.faults}
    for fault in two.faults:
        before = rows[fault.code].rows if fault.code in rows else np.zeros(0, np.int64)
        both = np.concatenate([before, fault.rows + size])
        rows[fault.code] = Fault(fault.code, both, fault.severity)
    return Parsed(pa.concat_arrays([first.values, two.values]), tuple(rows.values()))


def on_distinct(
    texts: pa.Array, read: Callable[[pa.Array], Parsed], memory: Memory | None = None
) -> Parsed:
    """
    Read the distinct texts as one array, then spread the result over the rows.

    Worthwhile if few texts repeat often: dates, countries, options.
    """
    if memory is not None:
        return memory.read(texts, read)
    encoded = texts.dictionary_encode()
    return spread(read(encoded.dictionary), encoded.indices)


def spread(parsed: Parsed, places: pa.Array) -> Parsed:
    """Return for each of n rows what was read at its place. places: n numbers, null for no text."""
    size = len(parsed.values)
    at = pc.fill_null(places, size).to_numpy(zero_copy_only=False)
    spread_ = (Fault(f.code, _rows_of(f.rows, at, size), f.severity) for f in parsed.faults)
    return Parsed(parsed.values.take(places), tuple(f for f in spread_ if len(f.rows)))


def _rows_of(rows: Rows, places: Rows, size: int) -> Rows:
    faulty = np.zeros(size + 1, dtype=bool)
    faulty[rows] = True
    return np.flatnonzero(faulty[places]).astype(np.int64, copy=False)
