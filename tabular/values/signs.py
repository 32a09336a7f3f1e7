"""The signs next to the digits of a number: currencies, percent, units."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from tabular.values.locales import words_of

_CODE = "[A-Z]{3}"  # a currency in capitals, checked against the list after the match


def _currencies() -> dict[str, Any]:
    currencies: dict[str, Any] = words_of("numbers")["currencies"]
    return currencies


@cache
def currency_codes() -> frozenset[str]:
    """Return the codes that are tender in some territory today, by the Unicode CLDR."""
    from babel.core import get_global

    current = {
        code
        for uses in get_global("territory_currencies").values()
        for code, _, end, tender in uses
        if end is None and tender
    }
    return frozenset(current) - frozenset(_currencies()["codes"]["former"])


@cache
def decimals_of(code: str) -> int:
    """
    Return how many decimals a currency has (ISO 4217, minor units); metals have the most.

    >>> decimals_of("CHF"), decimals_of("JPY"), decimals_of("KWD"), decimals_of("CLF")
    (2, 0, 3, 4)
    """
    listed = _currencies()["decimals"]
    return next((int(places) for places, codes in listed.items() if code in codes), 2)


def is_code(letters: str) -> bool:
    """
    Return whether three capitals next to a number are a currency.

    >>> is_code("CHF"), is_code("TOP"), is_code("ABC")
    (True, False, False)
    """
    codes = _currencies()["codes"]
    if letters in codes["small"]:
        return True  # without loading the CLDR
    return letters in currency_codes() and letters not in codes["words"]


@cache
def currency_signs() -> dict[str, str]:
    """Return the signs that mean one currency, each with its code."""
    return dict(_currencies()["signs"])


@cache
def currency_of(written: str) -> str | None:
    """
    Return the code of the sign next to an amount, if it means one currency.

    >>> currency_of("€"), currency_of("chf"), currency_of("Euro"), currency_of("$")
    ('EUR', 'CHF', 'EUR', None)
    """
    folded = written.casefold()
    listed = {**_currencies()["signs"], **_currencies()["words"]}
    known = {sign.casefold(): str(code) for sign, code in listed.items()}
    if folded in known:
        return known[folded]
    code = written.upper()
    return code if code in _currencies()["codes"]["small"] or is_code(written) else None


@cache
def currency_named(header: str) -> str | None:
    """
    Return the code of the only currency that a header names.

    >>> [currency_named(text) for text in ("Betrag (CHF)", "amount_gbp", "£", "EUR/USD", "All")]
    ['CHF', 'GBP', 'GBP', None, None]
    """
    small = _currencies()["codes"]["small"]
    capitals = re.findall(r"(?<![A-Z])[A-Z]{3}(?![A-Za-z])", header)
    codes = {letters for letters in capitals if is_code(letters)}
    codes |= {word.upper() for word in re.split(r"[\W_]+", header) if word.upper() in small}
    signs = {sign: code for sign, code in currency_signs().items() if not sign.isascii()}
    codes |= {code for sign, code in signs.items() if not sign[0].isalpha() and sign in header}
    return next(iter(codes)) if len(codes) == 1 else None


def is_in_other(sign: str, code: str) -> bool:
    """
    Return whether the sign next to an amount is of a currency other than the given one.

    >>> is_in_other("£", "CHF"), is_in_other("$", "CHF"), is_in_other("¥", "JPY")
    (True, True, False)
    """
    if not sign or re.fullmatch(signs_of(code), sign):
        return False
    return currency_of(sign) is not None or bool(currencies_sharing(sign))


@cache
def any_currency() -> str:
    """Return alternatives (RE2 and Python) of every sign, code and word of a currency."""
    known = _currencies()
    spelled = [*known["signs"], *known["shared"], *known["words"], *known["codes"]["small"]]
    return f"{_either(spelled)}|{_CODE}"


@cache
def signs_of(code: str) -> str:
    """Return alternatives of the signs next to an amount in one currency."""
    known = _currencies()
    spelled = [sign for sign, its in {**known["signs"], **known["words"]}.items() if its == code]
    several = {**known["own"], **known["shared"]}
    return _either([code, *spelled, *(sign for sign, its in several.items() if code in its)])


@cache
def currencies_sharing(sign: str) -> tuple[str, ...]:
    """
    Return the codes of the currencies that share a sign.

    >>> currencies_sharing("¥"), currencies_sharing("€")
    (('JPY', 'CNY'), ())
    """
    return tuple(_currencies()["shared"].get(sign, ()))


@cache
def percent() -> str:
    """Return alternatives of the signs of a percentage."""
    return _either(words_of("numbers")["percent"])


@cache
def permille() -> str:
    """Return alternatives of the signs of a share of a thousand."""
    return _either(words_of("numbers")["permille"])


@cache
def units() -> str:
    """Return alternatives of the units of measure."""
    return _either(words_of("numbers")["units"])


def _either(words: Iterable[str]) -> str:
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return f"(?i:{'|'.join(_escaped(word) for word in ordered)})"


def _escaped(word: str) -> str:
    return re.escape(word).replace("\\ ", "[ \u00a0]").replace("\\-", "-")
