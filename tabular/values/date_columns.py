"""Dates in columns of texts: the grammar of ``dates`` as array kernels."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.values.dates import COMPACT, PARTS

Days = NDArray[np.int64]


def numeric_parts(texts: pa.Array) -> tuple[tuple[Days, Days, Days], NDArray[np.object_]]:
    """
    Split dates of three numbers.

    texts: n strings. Returns three arrays of n numbers (0 if there is none) and n times of day.
    """
    texts = _without_weekday(texts)
    numbers = pc.extract_regex(texts, PARTS)
    compact = pc.extract_regex(texts, COMPACT)
    joined = {
        name: pc.coalesce(pc.struct_field(numbers, name), pc.struct_field(compact, name))
        for name in ("a", "b", "c", "time")
    }
    a, b, c = (_number(joined[name]) for name in "abc")
    first, last = (_width(joined[name]) for name in "ac")
    b = np.where((first < 4) & (last == 1), 0, b)  # a version or a section: no year has one digit
    times = joined["time"]
    times = pc.if_else(pc.equal(pc.binary_length(times), 0), None, times)
    return (a, b, c), times.to_numpy(zero_copy_only=False)


def _width(texts: pa.Array) -> Days:
    widths: Days = pc.fill_null(pc.binary_length(texts), 0).to_numpy(zero_copy_only=False)
    return widths


def _without_weekday(texts: pa.Array) -> pa.Array:
    # RE2 takes milliseconds to compile the class of all letters; most columns have no letter.
    if not pc.any(pc.match_substring_regex(texts, "^[^0-9]")).as_py():
        return texts
    return pc.replace_substring_regex(texts, r"^\pL+\.?,?[ ]+", "")


def _number(texts: pa.Array) -> Days:
    filled = pc.if_else(pc.greater(pc.binary_length(texts), 0), texts, "0")
    numbers: Days = pc.cast(pc.fill_null(filled, "0"), pa.int64()).to_numpy(zero_copy_only=False)
    return numbers
