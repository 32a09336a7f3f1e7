"""Closed vocabularies: countries, currencies, yes and no; their codes and every spelling.

A code counts as it is written, names without regard to accents and punctuation: ``n/a`` is not the
code NA, nor ``s. o.`` Somalia. A placeholder is never a value.
"""

import re
from functools import cache
from unicodedata import combining, normalize

from tabular.values.blanks import is_placeholder
from tabular.values.locales import LANGUAGES, currency_names, territory_names, words_of
from tabular.values.signs import currency_codes, currency_signs


def fold(text: str) -> str:
    """
    Strip case, accents, punctuation and blanks.

    >>> fold(" Büro-Bedarf "), fold("C++"), fold("C#")
    ('burobedarf', 'c++', 'c#')
    """
    letters = text.casefold()
    if not letters.isascii():
        letters = "".join(c for c in normalize("NFKD", letters) if not combining(c))
    return re.sub(r"[\s\-_.,;:/\\()\[\]{}'\"’`!?*|]+", "", letters)


@cache
def alpha_3_codes() -> dict[str, str]:
    """Return the alpha-3 code (ISO 3166-1) of every alpha-2 code."""
    return dict(words_of("countries")["alpha_3"])


def country(text: str) -> str | None:
    """
    Return the alpha-2 code of a code or a name in one of sixteen languages.

    >>> country("Österreich"), country("deu"), country("U.S.A."), country("Narnia"), country("n/a")
    ('AT', 'DE', 'US', None, None)
    """
    if code := _country_codes().get(text.strip().casefold()):
        return code
    return None if is_placeholder(text) else _country_names().get(fold(text))


def countries_named(part: str, language: str) -> tuple[str, ...]:
    """
    Return the alpha-2 codes of the countries whose name in a language contains a text, by code.

    >>> countries_named("reich", "de"), countries_named("germ", "en"), countries_named("germ", "de")
    (('AT', 'FR', 'GB'), ('DE',), ())
    """
    from babel import Locale

    sought, names = part.casefold(), Locale(language).territories
    return tuple(
        code for code in sorted(alpha_3_codes()) if sought in names.get(code, "").casefold()
    )


@cache
def _country_codes() -> dict[str, str]:
    codes = {alpha_3.casefold(): alpha_2 for alpha_2, alpha_3 in alpha_3_codes().items()}
    return codes | {alpha_2.casefold(): alpha_2 for alpha_2 in alpha_3_codes()}


@cache
def _country_names() -> dict[str, str]:
    names = {fold(name): alpha_2 for name, alpha_2 in words_of("countries")["names"].items()}
    for language in LANGUAGES:
        for alpha_2, name in territory_names(language).items():
            if alpha_2 in alpha_3_codes():
                names.setdefault(fold(name), alpha_2)
    return names


def currency(text: str) -> str | None:
    """
    Return the ISO 4217 code of a code, a name or an unambiguous sign.

    >>> currency("eur"), currency("US-Dollar"), currency("€"), currency("$"), currency("i. d. R.")
    ('EUR', 'USD', 'EUR', None, None)
    """
    code = text.strip().upper()
    if code in currency_codes():
        return code
    if is_placeholder(text):
        return None
    return _currency_names().get(fold(text) or text)


@cache
def _currency_names() -> dict[str, str]:
    names = {fold(sign) or sign: code for sign, code in currency_signs().items()}
    for language in LANGUAGES:
        for code, name in currency_names(language).items():
            if code in currency_codes():
                names.setdefault(fold(name), code)
    return names
