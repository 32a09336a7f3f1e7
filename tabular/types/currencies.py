"""ISO 4217 codes, from codes, names or unmistakable signs. Spec: columnType currency_code."""

from functools import cache

import pyarrow as pa

from tabular.types.distinct import on_distinct
from tabular.types.how import How
from tabular.types.month_names import LANGUAGES
from tabular.types.option_book import fold
from tabular.types.parsed import Parsed, faults, per_distinct, refused

# A sign that several currencies share ($, kr, ¥, £ in colloquial use) says nothing; these do.
SIGNS = {
    "€": "EUR",
    "£": "GBP",
    "₺": "TRY",
    "₹": "INR",
    "₩": "KRW",
    "₪": "ILS",
    "₫": "VND",
    "₴": "UAH",
    "₽": "RUB",
    "zł": "PLN",
    "Kč": "CZK",
    "Fr.": "CHF",
    "SFr.": "CHF",
    "Ft": "HUF",
    "US$": "USD",
    "A$": "AUD",
    "C$": "CAD",
    "NZ$": "NZD",
    "HK$": "HKD",
    "R$": "BRL",
}
NO_LONGER = frozenset(("DEM", "FRF", "ITL", "ATS", "BEF", "NLG", "ESP", "PTE", "IEP", "FIM", "GRD"))


@cache
def codes() -> frozenset[str]:
    """Give the codes that are tender in some territory today, by the Unicode CLDR."""
    from babel.core import get_global

    current = {
        code
        for uses in get_global("territory_currencies").values()
        for code, _, end, tender in uses
        if end is None and tender
    }
    return frozenset(current) - NO_LONGER


@cache
def _spellings() -> dict[str, str]:
    from babel import Locale

    spellings = {fold(sign) or sign: code for sign, code in SIGNS.items()}
    for language in LANGUAGES:
        for code, name in Locale(language).currencies.items():
            if code in codes():
                spellings.setdefault(fold(name), code)
    return spellings | {code.casefold(): code for code in codes()}


def read_currency_code(texts: pa.Array, how: How) -> Parsed:
    """Read currencies. texts: n tidy strings. Returns n ISO 4217 codes."""
    return on_distinct(texts, _read, how.memory)


def _read(texts: pa.Array) -> Parsed:
    values = per_distinct(texts, _one, pa.string())
    return Parsed(values, faults("not_a_currency", refused(texts, values)))


def _one(text: str) -> str | None:
    """
    Read one currency.

    >>> _one("eur"), _one("US-Dollar"), _one("$"), _one("DEM")
    ('EUR', 'USD', None, None)
    """
    return _spellings().get(fold(text) or text)
