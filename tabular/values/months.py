"""Month names, full and short, from the Unicode CLDR (``scripts/make_months.py``) and our own."""

import json
from functools import cache
from importlib.resources import files
from unicodedata import combining, normalize

from tabular.values.locales import words_of


def month_number(name: str) -> int | None:
    """
    Return 1 to 12 for a month's name.

    >>> month_number("März"), month_number("DEC."), month_number("styczeń"), month_number("Foo")
    (3, 12, 1, None)
    """
    return _numbers().get(plain(name))


@cache
def _numbers() -> dict[str, int]:
    source = files("tabular.values").joinpath("locale", "months.json")
    ours = {name: int(number) for name, number in words_of("dates")["months"].items()}
    known: dict[str, int] = json.loads(source.read_text("utf-8"))
    return known | ours


def plain(name: str) -> str:
    """Strip accents, dots and case."""
    letters = normalize("NFKD", name.casefold())
    return "".join(c for c in letters if not combining(c)).strip(". ")
