"""The engine's locale data: the Unicode CLDR through Babel, and our own words in ``locale/``."""

import pickle
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = (
    "en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da", "nb", "fi", "cs", "hu", "tr", "ro",
)  # fmt: skip


@cache
def decimal_mark(territory: str) -> str | None:
    """
    Return the decimal separator in a country (ISO 3166 alpha-2), by the Unicode CLDR.

    >>> decimal_mark("DE"), decimal_mark("US"), decimal_mark("CH"), decimal_mark("XX")
    (',', '.', '.', None)
    """
    from babel import Locale, UnknownLocaleError

    try:
        symbols = Locale.parse(f"und_{territory}").number_symbols
    except (UnknownLocaleError, ValueError):
        return None
    return str(symbols.get("latn", {}).get("decimal", "")) or None


@cache
def is_month_first(territory: str) -> bool:
    """
    Return whether a country (ISO 3166 alpha-2) writes the month first, by the Unicode CLDR.

    >>> is_month_first("US"), is_month_first("GB"), is_month_first("SE"), is_month_first("XX")
    (True, False, False, False)
    """
    from babel import Locale, UnknownLocaleError

    try:
        return str(Locale.parse(f"und_{territory}").date_formats["short"].pattern).startswith("M")
    except (UnknownLocaleError, ValueError):
        return False


def territory_names(language: str) -> dict[str, str]:
    """Return the names of territories in a language, by the Unicode CLDR."""
    return _names(language, "territories")


def currency_names(language: str) -> dict[str, str]:
    """Return the names of currencies in a language, by the Unicode CLDR."""
    return _names(language, "currency_names")


def _names(language: str, member: str) -> dict[str, str]:
    # Babel's Locale would keep all that it has about each language, a megabyte.
    from babel.core import get_global
    from babel.localedata import resolve_locale_filename

    inherited = get_global("parent_exceptions").get(language)
    names = _names(inherited, member) if inherited else {}
    with open(resolve_locale_filename(language), "rb") as file:
        own: dict[str, str] = pickle.load(file)[member]  # noqa: S301  (a file of the library)
    return names | own


@cache
def words_of(name: str) -> dict[str, Any]:
    """
    Read ``locale/<name>.toml``.

    >>> "oui" in words_of("booleans")["yes"]
    True
    """
    source = files("tabular.values").joinpath("locale", f"{name}.toml")
    return tomllib.loads(source.read_text("utf-8"))
