"""The engine's locale data: the Unicode CLDR through Babel, and our own words in ``locale/``."""

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


@cache
def words_of(name: str) -> dict[str, Any]:
    """
    Read ``locale/<name>.toml``.

    >>> "oui" in words_of("booleans")["yes"]
    True
    """
    source = files("tabular.values").joinpath("locale", f"{name}.toml")
    return tomllib.loads(source.read_text("utf-8"))
