"""Every value as a cell of an export shows it, a column at a time."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.json_texts import json_texts
from tabular.types.output_formats import formatted


def shown_texts(
    values: pa.Array, column_type: Any = None, output_format: str | None = None
) -> pa.Array:
    """
    Write n values as n texts; a null stays null.

    The texts are those of the delivered JSON without its quotation marks; values of a list stand
    side by side.
    """
    kind = values.type
    if output_format is not None:
        return pc.cast(formatted(values, column_type, output_format), pa.string())
    if pa.types.is_dictionary(kind):
        return shown_texts(values.dictionary, column_type).take(values.indices)
    if pa.types.is_list(kind):
        return _side_by_side(values)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return values.cast(pa.string())
    return pc.utf8_trim(json_texts(values, column_type), characters='"')


def _side_by_side(values: pa.Array) -> pa.Array:
    flat = pc.fill_null(shown_texts(values.flatten()), "")
    lengths = pc.fill_null(pc.list_value_length(values), 0).to_numpy(zero_copy_only=False)
    offsets = pa.array(np.concatenate([[0], np.cumsum(lengths)]), pa.int32())
    joined = pc.binary_join(pa.ListArray.from_arrays(offsets, flat), ", ")
    return pc.if_else(values.is_valid(), joined, pa.scalar(None, joined.type))
