"""Small word lists: countries, given names, forms of address. A hint, never proof."""

from functools import lru_cache
from importlib.resources import files

from tabular.values.locales import territory_names

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl")


@lru_cache(maxsize=16)
def words(name: str) -> frozenset[str]:
    """
    Read a list from ``words/<name>.txt``; lines that begin with ``#`` are comments.

    >>> "anna" in words("first_names")
    True
    """
    text = files("tabular.detecting").joinpath("words", f"{name}.txt").read_text("utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(word for line in lines for word in line.split())


@lru_cache(maxsize=1)
def country_codes() -> frozenset[str]:
    """Return the two- and three-letter ISO 3166 codes."""
    from babel.core import get_global

    aliases = get_global("territory_aliases")
    two = {code for code in territory_names("en") if len(code) == 2 and code.isalpha()}
    three = {code for code, names in aliases.items() if len(code) == 3 and names[0] in two}
    return frozenset(two | three | {"UK"})


@lru_cache(maxsize=1)
def countries() -> frozenset[str]:
    """Return country names in the vocabulary's languages, case-folded."""
    codes = country_codes()
    names = (territory_names(language).items() for language in LANGUAGES)
    countries_found = {name.casefold() for pairs in names for code, name in pairs if code in codes}
    return frozenset(countries_found | {"usa", "u.s.a.", "england", "scotland", "holland", "brd"})
