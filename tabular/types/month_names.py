"""Month names, full and short, from the Unicode CLDR (babel)."""

from functools import cache
from unicodedata import combining, normalize

LANGUAGES = (
    "en",
    "de",
    "fr",
    "es",
    "it",
    "nl",
    "pt",
    "pl",
    "sv",
    "da",
    "nb",
    "fi",
    "cs",
    "hu",
    "tr",
    "ro",
)
_MORE = {"maerz": 3, "mrz": 3, "sept": 9, "agos": 8, "jaenner": 1, "janner": 1, "feber": 2}


@cache
def _numbers() -> dict[str, int]:
    from babel import Locale

    numbers = dict(_MORE)
    for language in LANGUAGES:
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


def month_number(name: str) -> int | None:
    """
    Give 1 to 12 for a month's name.

    >>> month_number("März"), month_number("DEC."), month_number("styczeń"), month_number("Foo")
    (3, 12, 1, None)
    """
    return _numbers().get(_plain(name))
