"""Numbers as people write them. Spec: columnType int, float, percentage, currency_*.

A number is normalised by array kernels to ``-1234.56`` and cast; nothing is guessed per cell: the
decimal separator is settled for the whole column (``number_formats``).
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.how import How
from tabular.types.parsed import Parsed, faults, refused
from tabular.values.arrays import Rows, replaced, where
from tabular.values.numbers import NumberFormat, decimal_texts, plain
from tabular.values.signs import any_currency, percent, signs_of

MONEY = pa.decimal128(38, 4)


def read_float(texts: pa.Array, how: How) -> Parsed:
    """Read numbers. texts: n tidy strings. Returns n float64."""
    values = _finite(decimal_texts(plain(texts), how.number_format))
    return Parsed(values, faults("not_a_number", refused(texts, values)))


def _finite(texts: pa.Array) -> pa.Array:
    values = pc.add(pc.cast(texts, pa.float64()), 0.0)  # there is one zero, without a sign
    return pc.if_else(pc.is_finite(values), values, None)


def read_int(texts: pa.Array, how: How) -> Parsed:
    """
    Read whole numbers; ``3,0`` is one, ``3,5`` is not.

    texts: n tidy strings. Returns n int64; beyond 64 bits is ``out_of_range``.
    """
    small = pc.match_substring_regex(texts, r"^-?[0-9]{1,18}$")
    values = pc.cast(pc.if_else(small, texts, None), pa.int64())
    rest = refused(texts, values)
    if not len(rest):
        return Parsed(values)
    late, other, beyond = _read_other_ints(texts.take(pa.array(rest)), how.number_format)
    return Parsed(
        replaced(values, rest, late),
        faults("not_a_whole_number", rest[other]) + faults("out_of_range", rest[beyond]),
    )


def _read_other_ints(texts: pa.Array, fmt: NumberFormat) -> tuple[pa.Array, Rows, Rows]:
    """Give values, the rows that hold no whole number, and those whose number is too large."""
    digits = decimal_texts(plain(texts, whole=True), fmt)
    digits = pc.replace_substring_regex(digits, r"\.0*$", "")
    whole = pc.if_else(pc.match_substring_regex(digits, r"^-?[0-9]+$"), digits, None)
    in_range = _within_64_bits(whole)
    values = pc.cast(pc.if_else(in_range, whole, None), pa.int64())
    beyond = where(pc.and_(pc.is_valid(whole), pc.invert(in_range)))
    return values, where(pc.is_null(whole)), beyond


def _within_64_bits(digits: pa.Array) -> pa.Array:
    short = pc.less_equal(pc.binary_length(digits), 18)
    rest = where(pc.invert(short))
    if not len(rest):
        return short
    bound = 2**63
    texts = pc.utf8_slice_codeunits(digits.take(pa.array(rest)), 0, 40).to_pylist()
    fits_in = [-bound <= int(text) < bound for text in texts]
    return replaced(short, rest, pa.array(fits_in, pa.bool_()))


def read_percentage(texts: pa.Array, how: How) -> Parsed:
    """
    Read percentages as fractions: ``12,5 %`` is 0.125.

    texts: n tidy strings. Returns n float64. A number without a sign is per cent too, unless the
    whole column holds fractions (``How.bare_percent``).
    """
    signed = pc.match_substring_regex(texts, percent())
    digits = decimal_texts(plain(texts, signs=percent()), how.number_format)
    hundredths = pc.binary_join_element_wise(digits, "e-2", "")
    simple = pc.invert(pc.match_substring(digits, "e", ignore_case=True))
    scaled = _finite(pc.if_else(simple, hundredths, None))
    kept = _finite(digits) if how.bare_percent == "fraction" else scaled
    values = pc.if_else(signed, scaled, kept)
    return Parsed(values, faults("not_a_percentage", refused(texts, values)))


def read_currency_eur(texts: pa.Array, how: How) -> Parsed:
    """Read amounts in euro. texts: n tidy strings. Returns n decimal128(38, 4)."""
    return _read_money(texts, how, signs_of("EUR"))


def read_currency_usd(texts: pa.Array, how: How) -> Parsed:
    """Read amounts in US dollars. texts: n tidy strings. Returns n decimal128(38, 4)."""
    return _read_money(texts, how, signs_of("USD"))


def _read_money(texts: pa.Array, how: How, signs: str) -> Parsed:
    digits = decimal_texts(plain(texts, signs=signs), how.number_format)
    digits = pc.replace_substring_regex(digits, r"(\.[0-9]*[1-9]|\.)0*$", r"\1")
    exact = pc.match_substring_regex(digits, r"^-?[0-9]{0,30}(\.[0-9]{0,4})?$")
    values = pc.cast(pc.if_else(exact, digits, None), MONEY)
    rows = refused(texts, values)
    other = _in_other_currency(texts, rows, signs)
    rows = rows[~np.isin(rows, other)]
    return Parsed(values, faults("not_an_amount", rows) + faults("other_currency", other))


def _in_other_currency(texts: pa.Array, rows: Rows, signs: str) -> Rows:
    some = texts.take(pa.array(rows))
    beside = (
        rf"^(?:{any_currency()})[ \x{{00a0}}]?[0-9(-]|[0-9)][ \x{{00a0}}]?(?:{any_currency()})$"
    )
    own = rf"^(?:{signs})|(?:{signs})$"
    other = pc.and_not(pc.match_substring_regex(some, beside), pc.match_substring_regex(some, own))
    return rows[where(other)]
