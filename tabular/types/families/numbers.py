"""Numbers as people write them, and currencies. Spec: columnType int, float; numberFormat."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.distinct import on_distinct
from tabular.types.parse_options import BarePercent, ParseOptions
from tabular.types.parsed import Parsed, faults, per_distinct, refused
from tabular.values import number_columns, numbers
from tabular.values.arrays import Rows, replaced, where
from tabular.values.number_columns import decimal_texts, plain
from tabular.values.numbers import NumberFormat
from tabular.values.signs import any_currency, decimals_of, percent, signs_of
from tabular.values.vocabularies import currency


def read_currency_code(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read currencies. texts: n tidy strings. Returns n ISO 4217 codes."""
    return on_distinct(texts, _read, parse_options.memory)


def _read(texts: pa.Array) -> Parsed:
    values = per_distinct(texts, currency, pa.string())
    return Parsed(values, faults("not_a_currency", refused(texts, values)))


# Most numbers of most columns: they fit one grammar and certainly not the other.
_CLEARLY_EU = r"^-?(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[0-9]+),(?:[0-9]{1,2}|[0-9]{4,})$"
_CLEARLY_US = r"^-?(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]+)\.(?:[0-9]{1,2}|[0-9]{4,})$"


@dataclass(frozen=True, slots=True)
class NumberTally:
    """How many texts can only be European, only American, or either (``1.234``)."""

    eu: int = 0
    us: int = 0
    either: int = 0

    def __add__(self, other: "NumberTally") -> "NumberTally":
        return NumberTally(self.eu + other.eu, self.us + other.us, self.either + other.either)

    @property
    def likelier(self) -> NumberFormat:
        """The format with more texts on its side."""
        return "eu" if self.eu > self.us else "us"

    @property
    def is_decided(self) -> bool:
        """Whether the column needs no question: one side prevails, or no text depends on it."""
        less, more = sorted((self.eu, self.us))
        if more == 0:
            return self.either == 0
        return less * 10 <= more


def tally_numbers(texts: pa.Array, currency: str | None = None) -> NumberTally:
    """
    Count the evidence in the texts. texts: n tidy strings.

    currency: of amounts. One without decimals leaves no doubt about ``1,200``: the comma groups.
    """
    separated = texts.filter(pc.match_substring_regex(texts, "[.,]"))
    clearly_eu = pc.match_substring_regex(separated, _CLEARLY_EU)
    rest = separated.filter(pc.invert(clearly_eu))
    clearly_us = pc.match_substring_regex(rest, _CLEARLY_US)
    rest = rest.filter(pc.invert(clearly_us))
    clear = NumberTally(eu=_count(clearly_eu), us=_count(clearly_us))
    return clear + _tally_rest(rest, currency)


def _tally_rest(texts: pa.Array, currency: str | None) -> NumberTally:
    signs = signs_of(currency) + "|" if currency else ""
    bare = number_columns.plain(texts, signs=signs + numbers.every_sign(), currency=currency or "")
    eu, us = number_columns.fits(bare, "eu"), number_columns.fits(bare, "us")
    separated = pc.match_substring_regex(bare, "[.,]")
    if currency and not decimals_of(currency):
        grouped = pc.and_(pc.and_(eu, us), separated)
        eu = pc.and_not(eu, pc.and_(grouped, pc.match_substring(bare, ",")))
        us = pc.and_not(us, pc.and_(grouped, pc.match_substring(bare, ".")))
    return NumberTally(
        eu=_count(pc.and_not(eu, us)),
        us=_count(pc.and_not(us, eu)),
        either=_count(pc.and_(pc.and_(eu, us), separated)),
    )


def depend_on_format(texts: pa.Array) -> pa.BooleanArray:
    """Return which texts are another number with a decimal comma. texts: n tidy strings."""
    bare = number_columns.plain(texts, signs=numbers.every_sign())
    separated = pc.match_substring_regex(bare, "[.,]")
    return pc.and_(
        pc.and_(number_columns.fits(bare, "eu"), number_columns.fits(bare, "us")), separated
    )


def _count(mask: pa.Array) -> int:
    return pc.sum(mask).as_py() or 0


@dataclass(frozen=True, slots=True)
class ShareTally:
    """
    How many percentages have a sign, are bare above one, and are bare above zero up to one.

    parts: of the last, those below one, such as ``0.19``.
    """

    signed: int = 0
    above_one: int = 0
    up_to_one: int = 0
    parts: int = 0

    def __add__(self, other: "ShareTally") -> "ShareTally":
        return ShareTally(
            self.signed + other.signed,
            self.above_one + other.above_one,
            self.up_to_one + other.up_to_one,
            self.parts + other.parts,
        )

    @property
    def meaning(self) -> BarePercent:
        """What a bare number means: 0.19 with nothing above 1 is a fraction."""
        if not self.is_decided:
            return "fraction" if self.parts > self.above_one and not self.signed else "percent"
        return "fraction" if self.up_to_one and not self.above_one else "percent"

    @property
    def is_decided(self) -> bool:
        """Whether the column needs no question: 0.19 occurs with neither 1.5 nor 7 %."""
        if self.above_one:
            return not self.parts
        return not (self.up_to_one and self.signed)


def tally_shares(texts: pa.Array) -> ShareTally:
    """Count the evidence in percentages. texts: n tidy strings."""
    signed = pc.match_substring(texts, "%")
    bare = pc.if_else(signed, None, texts)
    zero = pc.match_substring_regex(bare, r"^[+-]?0*(?:[.,]0*)?$")
    part = pc.and_not(pc.match_substring_regex(bare, r"^[+-]?0*[.,][0-9]+$"), zero)
    small = pc.or_(part, pc.match_substring_regex(bare, r"^[+-]?0*1(?:[.,]0*)?$"))
    number = pc.match_substring_regex(bare, r"^[+-]?[.,]?[0-9]")
    large = pc.and_not(number, pc.or_(zero, small))
    return ShareTally(_count(signed), _count(large), _count(small), _count(part))


MONEY = pa.decimal128(38, 4)


def read_float(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """
    Read numbers. texts: n tidy strings. Returns n float64; amounts (``How.currency``) are
    decimal128(38, 4).
    """
    if parse_options.currency:
        return read_amounts(texts, parse_options, parse_options.currency)
    values = _finite(decimal_texts(plain(texts), parse_options.number_format))
    return Parsed(values, faults("not_a_number", refused(texts, values)))


def _finite(texts: pa.Array) -> pa.Array:
    values = pc.add(pc.cast(texts, pa.float64()), 0.0)  # there is one zero, without a sign
    return pc.if_else(pc.is_finite(values), values, None)


def read_int(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """
    Read whole numbers; ``3,0`` is one, ``3,5`` is not.

    texts: n tidy strings. Returns n int64; beyond 64 bits is ``out_of_range``.
    """
    small = pc.match_substring_regex(texts, r"^-?[0-9]{1,18}$")
    values = pc.cast(pc.if_else(small, texts, None), pa.int64())
    rest = refused(texts, values)
    if not len(rest):
        return Parsed(values)
    late, other, beyond = _read_other_ints(texts.take(pa.array(rest)), parse_options.number_format)
    return Parsed(
        replaced(values, rest, late),
        faults("not_a_whole_number", rest[other]) + faults("out_of_range", rest[beyond]),
    )


def _read_other_ints(texts: pa.Array, fmt: NumberFormat) -> tuple[pa.Array, Rows, Rows]:
    """Return values, the rows without a whole number, and those whose number is too large."""
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


def read_percentage(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """
    Read percentages as fractions: ``12,5 %`` is 0.125.

    texts: n tidy strings. Returns n float64. A number without a sign is per cent too, unless the
    whole column contains fractions (``How.bare_percent``).
    """
    signed = pc.match_substring_regex(texts, percent())
    digits = decimal_texts(plain(texts, signs=percent()), parse_options.number_format)
    hundredths = pc.binary_join_element_wise(digits, "e-2", "")
    simple = pc.invert(pc.match_substring(digits, "e", ignore_case=True))
    scaled = _finite(pc.if_else(simple, hundredths, None))
    kept = _finite(digits) if parse_options.bare_percent == "fraction" else scaled
    values = pc.if_else(signed, scaled, kept)
    return Parsed(values, faults("not_a_percentage", refused(texts, values)))


def read_currency_eur(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read amounts in euro. texts: n tidy strings. Returns n decimal128(38, 4)."""
    return _read_money(texts, parse_options, "EUR")


def read_currency_usd(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read amounts in US dollars. texts: n tidy strings. Returns n decimal128(38, 4)."""
    return _read_money(texts, parse_options, "USD")


def read_amounts(texts: pa.Array, parse_options: ParseOptions, currency: str) -> Parsed:
    """
    Read amounts in any currency. texts: n tidy strings. Returns n decimal128(38, 4).

    An amount with more decimals than the currency has keeps them, with the warning
    ``more_decimals``: unit prices have them.
    """
    read = _read_money(texts, parse_options, currency)
    finer = rf"\.[0-9]{{{decimals_of(currency)}}}0*[1-9]"
    rows = where(pc.match_substring_regex(pc.cast(read.values, pa.string()), finer))
    return Parsed(read.values, read.faults + faults("more_decimals", rows, "warning"))


def _read_money(texts: pa.Array, parse_options: ParseOptions, currency: str) -> Parsed:
    signs = signs_of(currency)
    digits = decimal_texts(
        plain(texts, signs=signs, currency=currency), parse_options.number_format
    )
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
