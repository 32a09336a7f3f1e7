"""In which country phone numbers without one may be, by libphonenumber."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import phonenumbers

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


def likely_regions(bare: Sequence[str], whole: Sequence[str]) -> list[Region]:
    """
    List the countries in which numbers are valid, those that other numbers name first.

    bare: numbers without a country. whole: numbers of the same columns that name theirs.
    """
    named = Counter(region for text in whole if (region := _region_of(text)))
    counted = {code: sum(_is_valid(text, code) for text in bare) for code in _regions()}
    best = sorted(
        (code for code, valid in counted.items() if valid),
        key=lambda code: (-counted[code], -named[code], _rank(code), code),
    )
    return [
        Region(code, counted[code], round(100 * counted[code] / len(bare), 1), named[code] > 0)
        for code in best[:OFFERED]
    ]


def is_region(code: str) -> bool:
    """Whether phone numbers can be read in a country."""
    return code in phonenumbers.SUPPORTED_REGIONS


def _regions() -> list[str]:
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
