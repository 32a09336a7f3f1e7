"""What may stand beside the digits of a number: currencies, percent, units."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from tabular.values.locales import words_of

_CODE = "[A-Z]{3}"  # a currency in capitals, checked against the list after the match


def _currencies() -> dict[str, Any]:
    found: dict[str, Any] = words_of("numbers")["currencies"]
    return found


@cache
def currency_codes() -> frozenset[str]:
    """Give the codes that are tender in some territory today, by the Unicode CLDR."""
    from babel.core import get_global

    current = {
        code
        for uses in get_global("territory_currencies").values()
        for code, _, end, tender in uses
        if end is None and tender
    }
    return frozenset(current) - frozenset(_currencies()["codes"]["former"])


def is_code(letters: str) -> bool:
    """
    Say whether three capitals beside a number are a currency.

    >>> is_code("CHF"), is_code("TOP"), is_code("ABC")
    (True, False, False)
    """
    codes = _currencies()["codes"]
    if letters in codes["small"]:
        return True  # without loading the CLDR
    return letters in currency_codes() and letters not in codes["words"]


@cache
def currency_signs() -> dict[str, str]:
    """Give the signs that mean one currency, and its code."""
    return dict(_currencies()["signs"])


@cache
def currency_of(written: str) -> str | None:
    """
    Give the code of what stands beside an amount, if it means one currency.

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
def any_currency() -> str:
    """Give alternatives (RE2 and Python) of every sign, code and word of a currency."""
    known = _currencies()
    spelled = [*known["signs"], *known["shared"], *known["words"], *known["codes"]["small"]]
    return f"{_either(spelled)}|{_CODE}"


@cache
def signs_of(code: str) -> str:
    """Give alternatives of what may stand beside an amount in one currency."""
    known = _currencies()
    spelled = [sign for sign, its in {**known["signs"], **known["words"]}.items() if its == code]
    return _either([code, *spelled, *(s for s, its in known["shared"].items() if its[0] == code)])


@cache
def percent() -> str:
    """Give alternatives of the signs of a percentage."""
    return _either(words_of("numbers")["percent"])


@cache
def permille() -> str:
    """Give alternatives of the signs of a share of a thousand."""
    return _either(words_of("numbers")["permille"])


@cache
def units() -> str:
    """Give alternatives of the units of measure."""
    return _either(words_of("numbers")["units"])


def _either(words: Iterable[str]) -> str:
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return f"(?i:{'|'.join(_escaped(word) for word in ordered)})"


def _escaped(word: str) -> str:
    return re.escape(word).replace("\\ ", "[ \u00a0]").replace("\\-", "-")
