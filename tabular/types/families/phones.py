"""Phone numbers to E.164 (ITU), by libphonenumber, and their regions. Spec: columnType phone."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import phonenumbers
import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.families.phone_patterns import (
    Mask,
    Regions,
    Written,
    in_country,
    international,
    with_plus,
    written,
)
from tabular.types.parse_options import ParseOptions
from tabular.types.parsed import Parsed, faults, per_distinct, refused
from tabular.values.arrays import Rows, replaced, where

OFFERED = 5
# Of countries in which the numbers are equally valid, the one with more lines comes first.
COMMON = ("US", "DE", "FR", "GB", "IT", "ES", "PL", "NL", "BE", "AT", "CH", "SE", "PT", "DK", "CZ")


@dataclass(frozen=True, slots=True)
class Region:
    """A country, how many of the numbers are valid there, and whether other numbers name it."""

    code: str  # ISO 3166 alpha-2
    valid: int
    score: float  # 0 to 100: the share of valid numbers
    is_named: bool


def likely_regions(
    bare: Sequence[str], whole: Sequence[str], spoken: Sequence[str] = ()
) -> list[Region]:
    """
    Return the countries in which numbers are valid, those that other numbers name first.

    bare: numbers without a country. whole: numbers of the same columns that name theirs. spoken:
    countries that other columns name. A short number supports no country that is not named, because
    almost any short number is valid in some country.
    """
    named = Counter([*spoken, *_regions_of(whole)])
    long = where(pc.invert(_is_short(pa.array(bare, pa.string()))))
    counted = {
        code: sum(_is_valid(bare[n], code) for n in (range(len(bare)) if named[code] else long))
        for code in _every_region()
    }
    best = sorted(
        (code for code, valid in counted.items() if valid),
        key=lambda code: (-counted[code], -named[code], _rank(code), code),
    )
    return [
        Region(code, counted[code], round(100 * counted[code] / len(bare), 1), named[code] > 0)
        for code in best[:OFFERED]
    ]


def named_regions(whole: Sequence[str]) -> set[str]:
    """Return the countries of numbers that name one."""
    return set(_regions_of(whole))


def _regions_of(whole: Sequence[str]) -> list[str]:
    return [region for text in whole if (region := _region_of(text))]


def is_region(code: str) -> bool:
    """Return whether phone numbers can be read in a country."""
    return code in phonenumbers.SUPPORTED_REGIONS


def _every_region() -> list[str]:
    return sorted(phonenumbers.SUPPORTED_REGIONS)


def _rank(code: str) -> int:
    return COMMON.index(code) if code in COMMON else len(COMMON)


def _is_valid(text: str, region: str) -> bool:
    try:
        return phonenumbers.is_valid_number_for_region(phonenumbers.parse(text, region), region)
    except phonenumbers.NumberParseException:
        return False


def _region_of(text: str) -> str | None:
    dialled = f"+{text.strip()[2:]}" if text.strip().startswith("00") else text
    try:
        return phonenumbers.region_code_for_number(phonenumbers.parse(dialled, None))
    except phonenumbers.NumberParseException:
        return None


# No country has a number of fewer than four digits; other scripts have their own digits.
_HOPEFUL = r"[^\x00-\x7f]|(?:[0-9][^0-9]*){4}"
_LONGEST = 60  # characters; no phone number with its words is longer
# Fewer than seven digits from the first one on, with no letters among them; then an extension.
# Switchboards have seven, their zero included: 0621 60-0.
_SHORT = r"^\P{Nd}*(?:\p{Nd}[^\p{Nd}\p{L}]*){1,6}(?:(?i:[x#;]|ext).*)?$"
_ORDINARY = 7  # digits


def read_phone(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """
    Read phone numbers.

    texts: n tidy strings. Returns n numbers as ``+4930123456``. A number without its country is
    read in the row's country (``How.regions``), and if that fails, or there is none, in the default
    region; the former is the warning ``region_assumed``. An extension is dropped with the warning
    ``extension_dropped``: E.164 has none. One of fewer than seven digits is the warning
    ``short_phone_number``, unless whole countries have such numbers.
    """
    regions = _regions(parse_options, len(texts))
    numbers = with_plus(written(texts), regions)
    values, left = international(numbers)
    read = _read_in_regions(numbers, left, regions)
    lost = left[_is_null(read) & (regions.codes[left] != regions.default)]
    again = _read_again(texts.take(pa.array(lost)), parse_options.region)
    values = replaced(replaced(values, left, read), lost, again)
    assumed = lost[where(pc.is_valid(again))]
    extended = where(pc.match_substring(values, ";"))
    short = where(pc.and_(pc.is_valid(values), _is_short(texts)))
    odd = short[~_has_short_numbers(regions, short, assumed)]
    return Parsed(
        pc.replace_substring_regex(values, ";.*$", "") if len(extended) else values,
        faults("not_a_phone_number", refused(texts, values))
        + faults("region_assumed", assumed, "warning")
        + faults("extension_dropped", extended, "warning")
        + faults("short_phone_number", odd, "warning"),
    )


def _is_short(texts: pa.Array) -> pa.Array:
    return pc.match_substring_regex(texts, _SHORT)


def _has_short_numbers(regions: Regions, rows: Rows, assumed: Rows) -> Mask:
    """Return which rows were read in a country where subscribers have short numbers."""
    codes = regions.codes[rows].copy()
    codes[np.isin(rows, assumed)] = regions.default
    return np.array([_is_short_there(name) for name in regions.names], dtype=bool)[codes]


@cache
def _is_short_there(region: str | None) -> bool:
    """
    Return whether a country's telephones have fewer than seven digits in libphonenumber's examples.

    >>> _is_short_there("FO"), _is_short_there("IT"), _is_short_there(None)
    (True, False, False)
    """
    kinds = (phonenumbers.PhoneNumberType.FIXED_LINE, phonenumbers.PhoneNumberType.MOBILE)
    examples = [phonenumbers.example_number_for_type(region, kind) for kind in kinds if region]
    lengths = [len(phonenumbers.national_significant_number(item)) for item in examples if item]
    return any(length < _ORDINARY for length in lengths)


def _regions(parse_options: ParseOptions, size: int) -> Regions:
    """Return each row's country, or the default one; the default comes first."""
    names = [parse_options.region]
    codes = np.zeros(size, np.int64)
    if parse_options.regions is not None:
        encoded = parse_options.regions.dictionary_encode()
        names += encoded.dictionary.to_pylist()
        codes = pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False) + 1
        codes[codes == _place(names[1:], parse_options.region)] = 0
    return Regions(tuple(names), codes)


def _place(names: list[str | None], region: str | None) -> int:
    return names.index(region) + 1 if region in names else 0


def _is_null(values: pa.Array) -> Mask:
    missing: Mask = values.is_null().to_numpy(zero_copy_only=False)
    return missing


def _read_again(texts: pa.Array, region: str | None) -> pa.Array:
    """Read texts again as if all rows were of one country. Returns m strings."""
    regions = Regions((region,), np.zeros(len(texts), np.int64))
    numbers = with_plus(written(texts), regions)
    values, left = international(numbers)
    return replaced(values, left, _read_in(numbers, left, region))


def _read_in_regions(numbers: Written, rows: Rows, regions: Regions) -> pa.Array:
    """Read each row in its own country. rows: m. Returns m strings."""
    codes = regions.codes[rows]
    parts = [np.flatnonzero(codes == code) for code in range(len(regions.names))]
    by_region = [
        _read_in(numbers, rows[part], region)
        for part, region in zip(parts, regions.names, strict=True)
    ]
    order = np.argsort(np.concatenate(parts), kind="stable")
    return pa.concat_arrays(by_region).take(pa.array(order))


def _read_in(numbers: Written, rows: Rows, region: str | None) -> pa.Array:
    """Read some rows in one country. rows: m. Returns m strings."""
    read, undecided = in_country(numbers.digits.take(pa.array(rows)), region)
    hopeful = pc.match_substring_regex(numbers.texts.take(pa.array(rows)), _HOPEFUL)
    open_ = where(pc.and_(undecided, hopeful))
    if not len(open_):
        return read
    late = per_distinct(
        numbers.texts.take(pa.array(rows[open_])),
        lambda text: _one(text, region),
        pa.string(),
        longest=_LONGEST,
    )
    return replaced(read, open_, late)


def _one(text: str, region: str | None) -> str | None:
    """
    Read one number.

    >>> _one("0171 1234567", "DE"), _one("+1 650 253 0000 ext. 12", None), _one("123", "DE")
    ('+491711234567', '+16502530000;ext=12', None)
    """
    try:
        number = phonenumbers.parse(text, region or None)
    except phonenumbers.NumberParseException:
        return None
    if not phonenumbers.is_valid_number(number):
        return None
    e164 = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    return f"{e164};ext={number.extension}" if number.extension else e164
