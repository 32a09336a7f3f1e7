"""Numbers as people write them. Spec: columnType int, float, percentage, currency_*.

A number is normalised by array kernels to ``-1234.56`` and cast; nothing is guessed per cell: the
decimal separator is settled for the whole column (``number_formats``).
"""

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.how import How, NumberFormat
from tabular.types.parsed import Parsed, Rows, faults, refused, replaced, where

MONEY = pa.decimal128(38, 4)
CURRENCIES = (
    r"€|\$|£|¥|₣|₺|₹|zł|Kč|Fr\.|EUR|USD|GBP|CHF|JPY|PLN|CZK|SEK|NOK|DKK|HUF|TRY|INR|CAD|AUD|US\$"
)
EURO = r"€|EUR|Euro"
DOLLAR = r"US\$|\$|USD|US-Dollar|Dollar"

# Western groups of three, or the Indian lakh grouping for the comma.
_EXPONENT = r"(?:[eE][+-]?[0-9]{1,3})?$"
_GRAMMAR = {
    "eu": r"^[+-]?(?:(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[0-9]+)(?:,[0-9]+)?|,[0-9]+)" + _EXPONENT,
    "us": r"^[+-]?(?:(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}|[0-9]+)"
    r"(?:\.[0-9]+)?|\.[0-9]+)" + _EXPONENT,
}
_BARE = r"^[+-]?[0-9.,]+$"
_SPACED = r"^([+-]?[0-9]{1,3})((?:[ '’\x{00a0}\x{2009}\x{202f}][0-9]{3})+)([.,].*)?$"
_SPACES = r"[ '’\x{00a0}\x{2009}\x{202f}]"


def fits(texts: pa.Array, fmt: NumberFormat) -> pa.Array:
    """Say which plain texts follow the grammar of a format. texts: n strings. Returns n bool."""
    return pc.match_substring_regex(texts, _GRAMMAR[fmt])


def plain(texts: pa.Array, *, signs: str = CURRENCIES, whole: bool = False) -> pa.Array:
    """
    Take signs and decorations off, leaving digits, separators, a leading sign and an exponent.

    texts: n tidy strings. signs: alternatives (RE2) of what may stand before or after a number.
    whole: a minus behind the digits is refused (``12-`` is rather an unfinished range).
    """
    texts = _on_others(texts, lambda rest: _signed_behind(rest, signs))
    return _on_others(texts, lambda rest: _undecorated(rest, signs, whole=whole))


def _on_others(texts: pa.Array, change: Callable[[pa.Array], pa.Array]) -> pa.Array:
    """Change the texts that are not bare numbers already, but hold a digit."""
    rest = where(pc.invert(pc.match_substring_regex(texts, _BARE)))
    rest = rest[where(pc.match_substring_regex(texts.take(pa.array(rest)), "[0-9]"))]
    return replaced(texts, rest, change(texts.take(pa.array(rest)))) if len(rest) else texts


def _signed_behind(texts: pa.Array, signs: str) -> pa.Array:
    found = pc.extract_regex(texts, rf"^(?P<n>[+-]?[0-9.,]+)[ \x{{00a0}}\x{{202f}}]*(?i:{signs})$")
    return pc.coalesce(pc.struct_field(found, "n"), texts)


def _undecorated(texts: pa.Array, signs: str, *, whole: bool) -> pa.Array:
    for pattern, by in _decorations(signs):
        texts = pc.replace_substring_regex(texts, pattern, by)
    if not whole:
        texts = pc.replace_substring_regex(texts, r"^([0-9.,]*[0-9])[ ]?-$", r"-\1")
    spaced = pc.match_substring_regex(texts, _SPACED)
    return pc.if_else(spaced, pc.replace_substring_regex(texts, _SPACES, ""), texts)


def _decorations(signs: str) -> tuple[tuple[str, str], ...]:
    return (
        (r"[−–‒]", "-"),
        (rf"^([+-]?)[ \x{{00a0}}]*(?i:{signs})[ \x{{00a0}}]*", r"\1"),
        (rf"[ \x{{00a0}}\x{{202f}}]*(?i:{signs})$", ""),
        (r"^\((.*[0-9].*)\)$", r"-\1"),  # the accountant's minus
        (rf"^-[ \x{{00a0}}]*(?i:{signs})[ \x{{00a0}}]*", "-"),
        (rf"[ \x{{00a0}}\x{{202f}}]*(?i:{signs})$", ""),
        (r"^([+-])[ ]+", r"\1"),
        (r",[-–—]+$", ""),  # 12,- is a round price
    )


def decimal_texts(texts: pa.Array, fmt: NumberFormat) -> pa.Array:
    """
    Normalise to ``-1234.56``.

    texts: n plain strings. Returns n strings, null where the grammar of ``fmt`` is broken.
    """
    good = pc.if_else(fits(texts, fmt), texts, None)
    group, decimal = (".", ",") if fmt == "eu" else (",", ".")
    good = pc.replace_substring(good, group, "")
    if decimal != ".":
        good = pc.replace_substring(good, decimal, ".")
    if pc.any(pc.starts_with(good, "+")).as_py():
        good = pc.utf8_ltrim(good, characters="+")
    return good


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
    signed = pc.match_substring_regex(texts, r"[%％]|(?i:\bpercent|\bprozent|\bpct)")
    digits = decimal_texts(
        plain(texts, signs=r"%|％|percent|prozent|pct\.?|v\.? ?H\.?"), how.number_format
    )
    hundredths = pc.binary_join_element_wise(digits, "e-2", "")
    simple = pc.invert(pc.match_substring(digits, "e", ignore_case=True))
    scaled = _finite(pc.if_else(simple, hundredths, None))
    kept = _finite(digits) if how.bare_percent == "fraction" else scaled
    values = pc.if_else(signed, scaled, kept)
    return Parsed(values, faults("not_a_percentage", refused(texts, values)))


def read_currency_eur(texts: pa.Array, how: How) -> Parsed:
    """Read amounts in euro. texts: n tidy strings. Returns n decimal128(38, 4)."""
    return _read_money(texts, how, EURO)


def read_currency_usd(texts: pa.Array, how: How) -> Parsed:
    """Read amounts in US dollars. texts: n tidy strings. Returns n decimal128(38, 4)."""
    return _read_money(texts, how, DOLLAR)


def _read_money(texts: pa.Array, how: How, signs: str) -> Parsed:
    digits = decimal_texts(plain(texts, signs=signs), how.number_format)
    digits = pc.replace_substring_regex(digits, r"(\.[0-9]*[1-9]|\.)0*$", r"\1")
    exact = pc.match_substring_regex(digits, r"^-?[0-9]{0,30}(\.[0-9]{0,4})?$")
    values = pc.cast(pc.if_else(exact, digits, None), MONEY)
    other = _in_other_currency(texts, refused(texts, values))
    rows = refused(texts, values)
    rows = rows[~np.isin(rows, other)]
    return Parsed(values, faults("not_an_amount", rows) + faults("other_currency", other))


def _in_other_currency(texts: pa.Array, rows: Rows) -> Rows:
    some = texts.take(pa.array(rows))
    return rows[
        where(
            pc.match_substring_regex(
                some, rf"^(?i:{CURRENCIES})[ ]?[0-9(-]|[0-9)][ ]?(?i:{CURRENCIES})$"
            )
        )
    ]
