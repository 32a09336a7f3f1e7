"""Which values differ from the cell of the file that they come from. docs/review.md."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.model.catalog import ColumnType
from tabular.types.hashing import as_texts
from tabular.types.parse_options import ParseOptions

Mask = NDArray[np.bool_]


def differing(
    values: pa.Array,
    cells: pa.Array,
    kinds: pa.Array | None,
    *,
    column_type: ColumnType,
    parse_options: ParseOptions,
    is_touched: Mask,
) -> tuple[Mask, Mask]:
    """
    Compare values with the cells of the file.

    values: n typed values. cells: n strings, as they are in the file. kinds: n int8, or None.
    is_touched: n bool, whether a step or a user may have changed the text. A text or an option is
    compared as it is written. A number, a date or a list differs only if a touched cell reads as
    another value, in any notation. Returns n bool each: differs, and has no value although the cell
    has a text.
    """
    from tabular.transforming.texts import typed_texts_of  # these load every type
    from tabular.types.registry import read_tidy

    cells = typed_texts_of(cells, kinds, column_type, parse_options)
    has_value, has_text = _mask(values.is_valid()), _mask(cells.is_valid())
    if pa.types.is_string(values.type) or (
        parse_options.options and not pa.types.is_list(values.type)
    ):
        differs = _mask(pc.fill_null(pc.not_equal(as_texts(values), cells), False))
    else:
        differs = np.zeros(len(values), dtype=bool)
        at = np.flatnonzero(is_touched & has_value & has_text)
        if len(at):
            read = as_texts(read_tidy(cells.take(pa.array(at)), column_type, parse_options).values)
            same = pc.equal(read, as_texts(values.take(pa.array(at))))
            differs[at] = ~_mask(pc.fill_null(same, False))
    return differs | (has_value & ~has_text), has_text & ~has_value


def of_none(values: pa.Array, cells: list[pa.Array]) -> Mask:
    """
    Return which texts a step combined: no cell of their row contains them.

    values: n strings. cells: n strings per column of the file.
    """
    differs = _mask(values.is_valid())
    for column in cells:
        differs &= ~_mask(pc.fill_null(pc.equal(values, column), False))
    return differs


def not_listed(values: pa.Array, parse_options: ParseOptions) -> Mask:
    """Return which values are not options of a field. values: n values, or n lists of them."""
    listed = pa.array(parse_options.book.values, parse_options.book.type)
    if not pa.types.is_list(values.type):
        return _mask(pc.and_(values.is_valid(), pc.invert(_among(values, listed))))
    mask = np.zeros(len(values), dtype=bool)
    parts = pc.list_flatten(values)
    rows = pc.list_parent_indices(values).to_numpy(zero_copy_only=False)
    mask[rows[_mask(pc.invert(_among(parts, listed)))]] = True
    return mask


def _among(values: pa.Array, listed: pa.Array) -> pa.Array:
    return pc.is_in(as_texts(values), value_set=as_texts(listed))


def _mask(array: pa.Array) -> Mask:
    mask: Mask = array.to_numpy(zero_copy_only=False).astype(bool, copy=False)
    return mask
