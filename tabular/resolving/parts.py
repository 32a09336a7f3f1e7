"""The texts of a referring column: one per row, or several."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.resolving.keys import MOST_CHARACTERS
from tabular.resolving.pointers import Pointer
from tabular.types.hashing import as_texts
from tabular.values.arrays import Rows

SEPARATORS = r"[,;|\n]"  # of several references in one cell, if the catalog says nothing


@dataclass(frozen=True, slots=True)
class Parts:
    """
    The m texts by which n rows refer.

    rows: m, ascending. texts: m strings. distinct: each text once, in the order of appearance.
    which: m positions in it.
    """

    rows: Rows
    texts: pa.Array
    distinct: pa.Array
    which: Rows


def parts_of(values: pa.Array | pa.ChunkedArray, pointer: Pointer) -> Parts:
    """Split a column into parts. values: n typed values of the referring field."""
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


def without_parts(
    cells: pa.Array, omitted: Sequence[Collection[str]], separator: str | None
) -> pa.Array:
    """
    Remove some of the texts by which cells refer.

    cells: m typed values. omitted: the texts to remove from each. Returns m values: lists and
    texts without these, null if nothing remains or the type holds no part.
    """
    single = cells.type.value_type if pa.types.is_list(cells.type) else None
    texts_kept: list[Any] = []
    for cell, texts in zip(cells.to_pylist(), omitted, strict=True):
        if single is not None:
            names = plain_texts(pa.array(cell, single)).to_pylist()
            texts_kept.append(
                [option for option, name in zip(cell, names, strict=True) if name not in texts]
            )
        else:
            texts_kept.append(
                _text_without(cell, texts, separator) if isinstance(cell, str) else None
            )
    return pa.array([item or None for item in texts_kept], cells.type)


def _text_without(cell: str, omitted: Collection[str], separator: str | None) -> str:
    pieces = re.split(f"({SEPARATORS if separator is None else re.escape(separator)})", cell)
    parts = zip(["", *pieces[1::2]], pieces[::2], strict=True)  # with the separator before each
    stay = [(before, part) for before, part in parts if part.strip() not in {*omitted, ""}]
    return "".join(before * (i > 0) + part for i, (before, part) in enumerate(stay)).strip()


def plain_texts(values: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return values as the texts that name entities: n strings, null for none."""
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
