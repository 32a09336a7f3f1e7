"""
Cells as exact decimals and days, for the steps that compute.

A cell that cannot be read has a flaw: the step leaves its result empty, with an issue.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.recipe import DateOrder, NumberFormat
from tabular.model.table import MONIES, Kind
from tabular.transforming.step_rows import StepRows, flaw
from tabular.types.kinds import is_number, read_cells
from tabular.types.parse_options import ParseOptions
from tabular.types.parsed import per_distinct, refused, tidy
from tabular.values.arrays import replaced, where
from tabular.values.number_columns import decimal_texts, plain
from tabular.values.numbers import number
from tabular.values.signs import currency_of

# A product of two such numbers has 75 digits, and so does a quotient: decimal256 holds 76.
EXACT = pa.decimal128(37, 19)
_FITS = r"^-?(?:[0-9]{1,18}(?:\.[0-9]{1,19})?|\.[0-9]{1,19})$"
_MOST_EXPONENT = 40  # a larger one is beyond EXACT in any case
PLAIN = int(Kind.NUMBER)


@dataclass(frozen=True, slots=True)
class Operand:
    """
    One column as values of one type.

    values: n, null where the cell is empty or unreadable. flaws: n strings, null where it is not.
    units: n int8, the ``Kind`` of numbers: money or plain.
    """

    values: pa.Array
    flaws: pa.Array
    units: pa.Array | None = None


def numbers_of(step_rows: StepRows, name: str, fmt: NumberFormat) -> Operand:
    """Read the cells of a column as exact decimals."""
    cells, kinds = step_rows.columns[name], step_rows.kinds.get(name)
    before = step_rows.readings.get((name, fmt))
    if before is None or before[0] is not cells or before[1] is not kinds:
        before = step_rows.readings[name, fmt] = cells, kinds, _distinctly(tidy(cells), kinds, fmt)
    return _with_earlier(before[2], step_rows, name)


def _distinctly(texts: pa.Array, kinds: pa.Array | None, fmt: NumberFormat) -> Operand:
    """Read repeated texts once, where that is less work."""
    if kinds is not None:
        return _numbers(texts, kinds, fmt)
    encoded = texts.dictionary_encode()
    if len(encoded.dictionary) * 2 > len(texts):
        return _numbers(texts, None, fmt)
    few, at = _numbers(encoded.dictionary, None, fmt), encoded.indices
    units = None if few.units is None else few.units.take(at)
    return Operand(few.values.take(at), few.flaws.take(at), units)


def dates_of(step_rows: StepRows, name: str, order: DateOrder, today: date) -> Operand:
    """Read the cells of a column as days; a time of day is left out."""
    texts, kinds = tidy(step_rows.columns[name]), step_rows.kinds_of(name)
    options = ParseOptions(date_order=order, today=today)
    days = pc.cast(read_cells(texts, kinds, "date", options).values, pa.date32())
    flaws = _flaws("not_a_date", texts, refused(texts, days))
    return _with_earlier(Operand(days, flaws), step_rows, name)


def _with_earlier(operand: Operand, step_rows: StepRows, name: str) -> Operand:
    """Add the flaws that earlier steps left in the column."""
    if name not in step_rows.flaws:
        return operand
    flaws = pc.coalesce(step_rows.flaws[name], operand.flaws)
    values = pc.if_else(pc.is_null(flaws), operand.values, None)
    return Operand(values, flaws, operand.units)


def _numbers(texts: pa.Array, kinds: pa.Array | None, fmt: NumberFormat) -> Operand:
    bare = plain(texts)
    digits = decimal_texts(bare, fmt)
    if kinds is not None:
        digits = pc.if_else(is_number(kinds), texts, digits)
    digits = _without_exponents(digits)
    fits = pc.match_substring_regex(digits, _FITS)
    values = pc.cast(pc.if_else(fits, digits, None), EXACT)
    unreadable = _flaws("not_a_number", texts, refused(texts, digits))
    too_long = _flaws("too_many_digits", texts, refused(digits, values))
    return Operand(values, pc.coalesce(unreadable, too_long), _units(texts, bare, kinds))


def _flaws(code: str, texts: pa.Array, rows: np.ndarray) -> pa.Array:
    flaws = pa.nulls(len(texts), pa.string())
    return replaced(flaws, rows, flaw(code, texts.take(pa.array(rows)))) if len(rows) else flaws


def _without_exponents(digits: pa.Array) -> pa.Array:
    rows = where(pc.match_substring_regex(digits, "[eE]"))
    if not len(rows):
        return digits
    expanded = per_distinct(digits.take(pa.array(rows)), _expanded, pa.string())
    return replaced(digits, rows, expanded)


def _expanded(digits: str) -> str:
    """Write a number without its exponent, or as it is if that makes it too long to read."""
    exact = Decimal(digits)
    _, written, exponent = exact.as_tuple()
    if not isinstance(exponent, int) or abs(exponent) > _MOST_EXPONENT:
        return digits
    return format(exact, "f") if len(written) <= _MOST_EXPONENT else digits


def _units(texts: pa.Array, bare: pa.Array, kinds: pa.Array | None) -> pa.Array | None:
    """Return which numbers are money, by their cell's kind or the sign next to them."""
    rows = where(pc.not_equal(texts, bare))
    if kinds is None and not len(rows):
        return None
    units = pa.repeat(pa.scalar(PLAIN, pa.int8()), len(texts))
    if len(rows):
        signed = per_distinct(texts.take(pa.array(rows)), _unit_of, pa.int8())
        units = replaced(units, rows, signed)
    if kinds is None:
        return units
    is_money = pc.is_in(kinds, value_set=pa.array([Kind.MONEY, *MONIES.values()], pa.int8()))
    return pc.if_else(is_money, kinds, units)


@lru_cache(maxsize=4096)
def _unit_of(text: str) -> int:
    parsed = number(text)
    if parsed is None or not parsed.sign or parsed.is_percent:
        return PLAIN
    return MONIES.get(currency_of(parsed.sign) or parsed.sign, int(Kind.MONEY))
