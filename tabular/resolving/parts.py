"""The texts of a referring column: one a row, or several."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.resolving.keys import MOST_CHARACTERS
from tabular.resolving.pointers import Pointer
from tabular.types.hashing import as_texts
from tabular.values.arrays import Rows

SEPARATORS = r"[,;|\n]"  # of several references in one cell, where the catalog says nothing


@dataclass(frozen=True, slots=True)
class Parts:
    """
    The m texts that n rows refer by.

    rows: m, ascending. texts: m strings. distinct: each text once, in the order of appearance.
    which: m places in it.
    """

    rows: Rows
    texts: pa.Array
    distinct: pa.Array
    which: Rows


def parts_of(values: pa.Array | pa.ChunkedArray, pointer: Pointer) -> Parts:
    """Take a column apart. values: n typed values of the referring field."""
    column = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    if pointer.reference.cardinality == "one":
        rows, texts = np.arange(len(column), dtype=np.int64), plain_texts(column)
    else:
        rows, texts = _several(column, pointer.reference.separator)
    filled = pc.and_(pc.is_valid(texts), pc.greater(pc.utf8_length(texts), 0))
    at = np.flatnonzero(pc.fill_null(filled, False).to_numpy(zero_copy_only=False))
    texts = texts.take(pa.array(at))
    words = texts.dictionary_encode()
    which = words.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return Parts(rows[at], texts, words.dictionary, which)


def plain_texts(values: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Write values as the texts that name entities. Returns n strings, null for none."""
    column = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    texts = pc.utf8_trim_whitespace(as_texts(column))
    length = pc.utf8_length(texts)
    fits = pc.and_(pc.greater(length, 0), pc.less_equal(length, MOST_CHARACTERS))
    return pc.if_else(fits, texts, pa.scalar(None, pa.string()))


def _several(column: pa.Array, separator: str | None) -> tuple[Rows, pa.Array]:
    if not pa.types.is_list(column.type):
        texts = as_texts(column)
        column = (
            pc.split_pattern_regex(texts, SEPARATORS)
            if separator is None
            else pc.split_pattern(texts, separator)
        )
    rows = pc.list_parent_indices(column).to_numpy().astype(np.int64)
    return rows, plain_texts(column.flatten())
