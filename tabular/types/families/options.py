"""Cells with an option or several; yes and no. Spec: dropdown option, isMultiSelect."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.distinct import on_distinct
from tabular.types.hashing import as_texts
from tabular.types.parse_options import Found, ParseOptions
from tabular.types.parsed import LONGEST, Fault, Parsed, faults, refused
from tabular.values.arrays import Rows, where
from tabular.values.judging import no, yes


def read_boolean(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read booleans. texts: n tidy strings. Returns n bool."""
    return on_distinct(texts, _read, parse_options.memory)


def _read(texts: pa.Array) -> Parsed:
    lowered = pc.utf8_lower(texts)
    true = pc.is_in(lowered, value_set=pa.array(sorted(yes())))
    known = pc.or_(true, pc.is_in(lowered, value_set=pa.array(sorted(no()))))
    values = pc.if_else(known, true, pa.scalar(None, pa.bool_()))
    return Parsed(values, faults("not_a_boolean", refused(texts, values)))


SEPARATORS = (";", "|", ",", "\n", "/")


Own = Callable[[pa.Array, ParseOptions], Parsed]  # reads a column of the field's own type


def read_options(texts: pa.Array, parse_options: ParseOptions, own: Own) -> Parsed:
    """
    Read a field of some type that has options.

    own: reads what is not an option, if a field accepts that too.
    """
    if parse_options.custom_options and not parse_options.multi_select:
        return _read_open(texts, parse_options, own)
    return read_category(texts, parse_options)


def read_category(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """
    Read options.

    texts: n tidy strings. Returns n option values (string, int64 or float64), for multi-select n
    lists of them. ``option_guessed`` warns if similarity decided.
    """
    if parse_options.multi_select:
        return on_distinct(
            texts, lambda distinct: _read_many(distinct, parse_options), parse_options.memory
        )
    return on_distinct(
        texts, lambda distinct: _read_one(distinct, parse_options), parse_options.memory
    )


def _read_open(texts: pa.Array, parse_options: ParseOptions, own: Own) -> Parsed:
    """Read options as listed, and the rest as the field's own type."""
    listed = pa.array(
        [t is not None and _listed(t, parse_options) for t in texts.to_pylist()], pa.bool_()
    )
    from_list = _read_one(pc.if_else(listed, texts, None), parse_options)
    rest = own(pc.if_else(listed, None, texts), replace(parse_options, options=(), memory=None))
    type_ = parse_options.book.type
    values = as_texts(rest.values) if pa.types.is_string(type_) else _number(rest.values, type_)
    lost = where(pc.and_(rest.values.is_valid(), values.is_null()))
    values = pc.coalesce(from_list.values, values)
    return Parsed(values, (*from_list.faults, *rest.faults, *faults("unknown_option", lost)))


def _listed(text: str, parse_options: ParseOptions) -> bool:
    return text in parse_options.answered or parse_options.book.listed(text) is not None


def _number(values: pa.Array, type_: pa.DataType) -> pa.Array:
    """Convert values to the type of numeric options; null if that is not possible."""
    wide = pc.cast(values, pa.float64(), safe=False) if _is_number(values) else None
    if wide is None:
        return pa.nulls(len(values), type_)
    if pa.types.is_floating(type_):
        return wide
    return pc.cast(pc.if_else(pc.equal(wide, pc.round(wide)), wide, None), type_, safe=False)


def _is_number(values: pa.Array) -> bool:
    kind = values.type
    tests = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    return any(is_kind(kind) for is_kind in tests)


def _lookup(text: str, parse_options: ParseOptions) -> Found | None:
    if text in parse_options.answered:
        answer = parse_options.book.typed(parse_options.answered[text])
        return None if answer is None else Found(answer)
    return parse_options.book.find(text) if len(text) <= LONGEST else None


def _read_one(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    options = [None if text is None else _lookup(text, parse_options) for text in texts.to_pylist()]
    values = pa.array([None if f is None else f.value for f in options], parse_options.book.type)
    waved = np.array(
        [parse_options.answered.get(t, t) is None for t in texts.to_pylist()], dtype=bool
    )
    unknown = where(pc.and_(pc.is_valid(texts), pc.is_null(values)))
    guessed = np.flatnonzero([f is not None and f.guessed for f in options]).astype(np.int64)
    return Parsed(values, _option_faults(unknown[~waved[unknown]], guessed))


def _option_faults(unknown: Rows, guessed: Rows) -> tuple[Fault, ...]:
    return faults("unknown_option", unknown) + faults("option_guessed", guessed, "warning")


def _read_many(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    values: list[list[Any] | None] = []
    unknown: list[int] = []
    guessed: list[int] = []
    for row, text in enumerate(texts.to_pylist()):
        options = (
            []
            if text is None
            else [_lookup(part, parse_options) for part in split(text, parse_options)]
        )
        if any(f is None for f in options):
            unknown.append(row)
        elif any(f.guessed for f in options if f):
            guessed.append(row)
        kept = list(dict.fromkeys(f.value for f in options if f))
        values.append(kept if options and row not in unknown[-1:] else None)
    typed = pa.array(values, pa.list_(parse_options.book.type))
    return Parsed(typed, _option_faults(np.array(unknown, np.int64), np.array(guessed, np.int64)))


def split(text: str, parse_options: ParseOptions) -> list[str]:
    """Split a multi-select cell; a text that is an option as a whole stays whole."""
    if text in parse_options.answered or parse_options.book.listed(text):
        return [text]
    separator = parse_options.separator or next((s for s in SEPARATORS if s in text), None)
    parts = text.split(separator) if separator else [text]
    return [part.strip() for part in parts if part.strip()]
