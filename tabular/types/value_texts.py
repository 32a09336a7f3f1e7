"""Every value as JSON and as a cell of an export, a column at a time. See docs/columntypes.md."""

import json
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.i_json import MAX_SAFE_INTEGER, exact
from tabular.types.output_formats import formatted
from tabular.values.arrays import replaced, where

SAFE_DIGITS = 15  # significant decimal digits that every double keeps
_ESCAPED = np.isin(np.arange(256), [*range(0x20), ord('"'), ord("\\")])  # RFC 8259, section 7
_TO_THE_MINUTE = frozenset({"time_hm", "time_hm_24"})


def json_texts(
    values: pa.Array, column_type: Any = None, output_format: str | None = None
) -> pa.Array:
    """
    Return n values as n JSON texts; a null stays null.

    Whole numbers beyond 2^53-1 and decimals of more than 15 digits become strings, other numbers
    JSON numbers, dates and times ISO 8601 strings, lists arrays. With an ``outputFormat``, every
    value is the string that it produces.
    """
    if output_format is not None:
        return _strings(formatted(values, column_type, output_format))
    kind = values.type
    if pa.types.is_dictionary(kind):
        return json_texts(values.dictionary, column_type).take(values.indices)
    if pa.types.is_list(kind):
        return _arrays(values)
    if pa.types.is_boolean(kind) or pa.types.is_floating(kind):
        return pc.cast(values, pa.string())
    if pa.types.is_decimal(kind):
        return _decimals(values)
    if pa.types.is_integer(kind):
        return _integers(values)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _strings(values)
    texts = pc.cast(values, pa.string())
    if column_type in _TO_THE_MINUTE:
        texts = pc.utf8_slice_codeunits(texts, 0, 5)
    return _quoted(texts)


def exact_texts(texts: pa.Array) -> pa.Array:
    """
    Return n JSON texts in which numbers that a double does not keep are strings.

    That is how these are delivered where a file has them (RFC 7493, section 2.2).
    """
    suspects = where(pc.match_substring_regex(texts, r"[0-9]{16}"))
    if not len(suspects):
        return texts
    some = [exact(json.loads(text)) for text in texts.take(pa.array(suspects)).to_pylist()]
    written = pa.array([orjson.dumps(value).decode() for value in some], texts.type)
    return replaced(texts, suspects, written)


def _integers(values: pa.Array) -> pa.Array:
    texts = pc.cast(values, pa.string())
    bounds = pc.min_max(values).as_py()
    if (bounds["max"] or 0) <= MAX_SAFE_INTEGER and (bounds["min"] or 0) >= -MAX_SAFE_INTEGER:
        return texts
    safe = pc.and_(
        pc.less_equal(values, MAX_SAFE_INTEGER), pc.greater_equal(values, -MAX_SAFE_INTEGER)
    )
    return pc.if_else(safe, texts, _quoted(texts))


def _decimals(values: pa.Array) -> pa.Array:
    texts = pc.utf8_rtrim(pc.cast(values, pa.string()), characters="0")
    texts = pc.utf8_rtrim(texts, characters=".")
    long = where(pc.greater(pc.binary_length(texts), SAFE_DIGITS))
    if not len(long):
        return texts
    some = texts.take(pa.array(long))
    digits = pc.binary_length(pc.replace_substring_regex(some, r"^-?0*\.?0*|\.", ""))
    written = pc.if_else(pc.greater(digits, SAFE_DIGITS), _quoted(some), some)
    return replaced(texts, long, written)


def _strings(values: pa.Array) -> pa.Array:
    quoted = _quoted(values)
    if not _holds_escaped(values):
        return quoted
    special = where(pc.match_substring_regex(values, r'["\\\x00-\x1f]'))
    written = [orjson.dumps(text).decode() for text in values.take(pa.array(special)).to_pylist()]
    return replaced(quoted, special, pa.array(written, quoted.type))


def _holds_escaped(values: pa.Array) -> bool:
    _, bounds, payload = values.buffers()
    if payload is None or not len(values):
        return False
    width = np.int64 if pa.types.is_large_string(values.type) else np.int32
    offsets = np.frombuffer(bounds, width)
    first, last = offsets[values.offset], offsets[values.offset + len(values)]
    return bool(_ESCAPED[np.frombuffer(payload, np.uint8)[first:last]].any())


def _quoted(texts: pa.Array) -> pa.Array:
    return pc.binary_join_element_wise('"', texts, '"', "")


def _arrays(values: pa.Array) -> pa.Array:
    flat = pc.fill_null(json_texts(values.flatten()), "null")
    lengths = pc.fill_null(pc.list_value_length(values), 0).to_numpy(zero_copy_only=False)
    offsets = pa.array(np.concatenate([[0], np.cumsum(lengths)]), pa.int32())
    joined = pc.binary_join(pa.ListArray.from_arrays(offsets, flat), ",")
    texts = pc.binary_join_element_wise("[", joined, "]", "")
    return pc.if_else(values.is_valid(), texts, pa.scalar(None, texts.type))


def shown_texts(
    values: pa.Array, column_type: Any = None, output_format: str | None = None
) -> pa.Array:
    """
    Return n values as n texts; a null stays null.

    The texts are those of the delivered JSON without its quotation marks; the values of a list are
    joined.
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
