"""Month names, full and short, from the Unicode CLDR (babel)."""

from functools import cache
from unicodedata import combining, normalize

from tabular.values.locales import LANGUAGES, words_of


def month_number(name: str) -> int | None:
    """
    Give 1 to 12 for a month's name.

    >>> month_number("März"), month_number("DEC."), month_number("styczeń"), month_number("Foo")
    (3, 12, 1, None)
    """
    plain = _plain(name)
    ours = words_of("dates")["months"]
    if plain in ours:
        return int(ours[plain])
    # One language at a time: most names are found in the first, and each takes a while to load.
    return next((found for language in LANGUAGES if (found := _months(language).get(plain))), None)


@cache
def _months(language: str) -> dict[str, int]:
    from babel import Locale

    numbers: dict[str, int] = {}
    months = Locale(language).months
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for number, name in months[context][width].items():
                numbers.setdefault(_plain(name), int(number))
    return numbers


def _plain(name: str) -> str:
    """Strip accents, dots and case."""
    letters = normalize("NFKD", name.casefold())
    return "".join(c for c in letters if not combining(c)).strip(". ")
