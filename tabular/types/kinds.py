"""
Cells that already are numbers in a workbook, JSON or Parquet.

Their text has one notation and is read by it, whatever the column's other texts look like, and they
never count as evidence of how those are written.
"""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.amounts import CURRENCY_OF
from tabular.model.catalog import ColumnType
from tabular.model.table import MONIES, NUMBERS, Kind
from tabular.types.canonical import localised, percent_texts
from tabular.types.parse_options import ParseOptions
from tabular.types.parsed import Fault, Parsed
from tabular.types.registry import read_tidy
from tabular.values.arrays import where
from tabular.values.signs import currencies_sharing

FORMATTED = NUMBERS - {Kind.NUMBER}
PLAIN: frozenset[ColumnType] = frozenset({"int", "float"})
LOCAL = PLAIN | {"percentage"} | CURRENCY_OF.keys()
SERIALS: frozenset[ColumnType] = frozenset(
    {"date", "date_dmy", "date_mdy", "date_iso", "datetime", "boolean"}
)
TIMES: frozenset[ColumnType] = frozenset({"time_hms", "time_hms_24", "time_hm", "time_hm_24"})


def is_number(kinds: pa.Array) -> pa.Array:
    """Return which cells are numbers. kinds: n int8. Returns n bool."""
    return is_any(kinds, NUMBERS)


def is_any(kinds: pa.Array, wanted: frozenset[int]) -> pa.Array:
    """Return which cells are of one of some kinds. kinds: n int8. Returns n bool."""
    return pc.is_in(kinds, value_set=pa.array(sorted(wanted), pa.int8()))


def written_as_text(texts: pa.Array, kinds: pa.Array | None) -> pa.Array:
    """Keep what was written as text: only that shows how a column writes. Returns n strings."""
    return texts if kinds is None else pc.if_else(is_number(kinds), None, texts)


def bare(texts: pa.Array, kinds: pa.Array | None) -> pa.Array:
    """Remove the numbers whose format already says what they mean. Returns n strings."""
    if kinds is None:
        return texts
    return pc.if_else(is_any(kinds, FORMATTED), None, texts)


def typed_again(
    texts: pa.Array, kinds: pa.Array | None, column_type: ColumnType, parse_options: ParseOptions
) -> pa.Array:
    """
    Return number cells as a user would type them into a field.

    texts: n tidy strings. kinds: n int8. Returns n strings that, read as texts, give the same.
    """
    if kinds is None:
        return texts
    share = pc.equal(kinds, pa.scalar(Kind.PERCENT, pa.int8()))
    typed = pc.if_else(share, percent_texts(pc.if_else(share, texts, None), parse_options), texts)
    if column_type in LOCAL:
        numbers = is_number(kinds)
        as_number = numbers if column_type in PLAIN else pc.and_not(numbers, share)
        typed = pc.if_else(as_number, localised(texts, parse_options), typed)
    return typed


def read_cells(
    texts: pa.Array, kinds: pa.Array, column_type: ColumnType, parse_options: ParseOptions
) -> Parsed:
    """
    Read one column in which some cells are numbers.

    texts: n tidy strings. kinds: n int8. Returns n values of the column type.
    """
    if parse_options.options and column_type != "category":
        return read_tidy(texts, column_type, parse_options)
    numbers = is_number(kinds)
    rest = pc.if_else(numbers, None, texts)
    digits = pc.if_else(numbers, texts, None)
    if digits.null_count == len(digits):
        return read_tidy(texts, column_type, parse_options)
    parsed = _read_numbers(digits, kinds, column_type, parse_options)
    if rest.null_count == len(rest):
        return parsed
    return _both(read_tidy(rest, column_type, parse_options), parsed)


def _read_numbers(
    texts: pa.Array, kinds: pa.Array, column_type: ColumnType, parse_options: ParseOptions
) -> Parsed:
    parse_options = replace(parse_options, number_format="us")
    currency = parse_options.currency or CURRENCY_OF.get(column_type)
    if currency is not None:
        return _read_amounts(texts, kinds, column_type, parse_options, _kinds_in(currency))
    if column_type in PLAIN or column_type in SERIALS:
        return read_tidy(texts, column_type, parse_options)
    if column_type == "percentage":
        return _read_shares(texts, kinds, parse_options)
    if column_type in TIMES:
        return _refusing(
            texts, pc.match_substring_regex(texts, r"^0(\.|$)"), column_type, parse_options
        )
    share = pc.equal(kinds, pa.scalar(Kind.PERCENT, pa.int8()))
    return read_tidy(
        pc.if_else(share, percent_texts(texts, parse_options), texts), column_type, parse_options
    )


def _read_shares(texts: pa.Array, kinds: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read percentages: a cell in a format with a percent sign contains the fraction."""
    share = pc.equal(kinds, pa.scalar(Kind.PERCENT, pa.int8()))
    fractions = read_tidy(
        pc.if_else(share, texts, None),
        "percentage",
        replace(parse_options, bare_percent="fraction"),
    )
    bare = pc.if_else(is_any(kinds, frozenset({Kind.NUMBER})), texts, None)
    others = pc.if_else(pc.or_(pc.is_valid(bare), share), None, texts)
    return _both(
        _both(fractions, read_tidy(bare, "percentage", parse_options)),
        _refused(others, "not_a_percentage"),
    )


def _kinds_in(currency: str) -> frozenset[int]:
    """Return the kinds of cells that may be an amount in a currency: its sign may be shared."""
    shared = (kind for name, kind in MONIES.items() if currency in currencies_sharing(name))
    return frozenset({Kind.NUMBER, MONIES.get(currency, Kind.NUMBER), *shared})


def _read_amounts(
    texts: pa.Array,
    kinds: pa.Array,
    column_type: ColumnType,
    parse_options: ParseOptions,
    own: frozenset[int],
) -> Parsed:
    share = pc.equal(kinds, pa.scalar(Kind.PERCENT, pa.int8()))
    fits = is_any(kinds, own)
    read = read_tidy(pc.if_else(fits, texts, None), column_type, parse_options)
    other = pc.if_else(pc.or_(fits, share), None, texts)
    shares = _refused(pc.if_else(share, texts, None), "not_an_amount")
    return _both(_both(read, _refused(other, "other_currency")), shares)


def _refusing(
    texts: pa.Array, fits: pa.Array, column_type: ColumnType, parse_options: ParseOptions
) -> Parsed:
    """Read the numbers that may be a value of the type; for example, 8.5 is not a time."""
    read = read_tidy(pc.if_else(fits, texts, None), column_type, parse_options)
    return _both(read, _refused(pc.if_else(fits, None, texts), "not_a_time"))


def _refused(texts: pa.Array, code: str) -> Parsed:
    return Parsed(pa.nulls(len(texts)), (Fault(code, where(pc.is_valid(texts))),))


def _both(first: Parsed, two: Parsed) -> Parsed:
    """Join the readings of cells that are disjoint."""
    rows: dict[str, Fault] = {}
    for fault in (*first.faults, *two.faults):
        before = rows.get(fault.code, fault)
        both = np.union1d(before.rows, fault.rows)
        rows[fault.code] = Fault(fault.code, both, fault.severity)
    values = (
        first.values if pa.types.is_null(two.values.type) else pc.coalesce(first.values, two.values)
    )
    return Parsed(values, tuple(fault for fault in rows.values() if len(fault.rows)))
