"""
What a cell is where its file says so: a workbook, JSON and Parquet do, text files do not.

A reader gives such a cell as a text of one of these classes; the text is the value in one fixed
spelling (``-1234.5``, ``2024-05-01``, ``true``), whatever a program would show.
"""

from collections.abc import Mapping
from enum import IntEnum

KINDS_COLUMN = "__kinds__"  # struct of one int8 a column; absent where no cell has a kind


class Kind(IntEnum):
    """What a cell is; everything from NUMBER to MONEY is a number."""

    TEXT = 0
    NUMBER = 1
    PERCENT = 2  # a number that its format shows in hundredths; the text is the fraction
    EURO = 3
    DOLLAR = 4
    MONEY = 5  # an amount of another currency
    BOOLEAN = 6
    DATE = 7
    TIME = 8
    DURATION = 9


NUMBERS = (Kind.NUMBER, Kind.PERCENT, Kind.EURO, Kind.DOLLAR, Kind.MONEY)


class NumberText(str):
    """A number."""

    __slots__ = ()


class PercentText(str):
    """A fraction that its format shows as a percentage."""

    __slots__ = ()


class EuroText(str):
    """A number that its format shows in euro."""

    __slots__ = ()


class DollarText(str):
    """A number that its format shows in US dollars."""

    __slots__ = ()


class MoneyText(str):
    """A number that its format shows in another currency."""

    __slots__ = ()


class BooleanText(str):
    """``true`` or ``false``."""

    __slots__ = ()


class DateText(str):
    """A day, or an instant, as ISO 8601 writes it."""

    __slots__ = ()


class TimeText(str):
    """A time of day, as ISO 8601 writes it."""

    __slots__ = ()


class DurationText(str):
    """Hours, minutes and seconds: ``30:00:00``."""

    __slots__ = ()


KIND_OF: dict[type[str], Kind] = {
    str: Kind.TEXT,
    NumberText: Kind.NUMBER,
    PercentText: Kind.PERCENT,
    EuroText: Kind.EURO,
    DollarText: Kind.DOLLAR,
    MoneyText: Kind.MONEY,
    BooleanText: Kind.BOOLEAN,
    DateText: Kind.DATE,
    TimeText: Kind.TIME,
    DurationText: Kind.DURATION,
}
TEXT_OF: dict[Kind, type[str]] = {kind: text for text, kind in KIND_OF.items()}


def kind_of(text: str | None) -> Kind:
    """Say what a text of one of these classes is."""
    return Kind.TEXT if text is None else KIND_OF[type(text)]


def kinds_of(texts: Mapping[str, str]) -> dict[str, int]:
    """
    Give what named texts are, where they are more than text: JSON keeps no classes.

    >>> kinds_of({"Total": NumberText("5.125"), "Note": "5.125"})
    {'Total': 1}
    """
    return {name: int(kind) for name, text in texts.items() if (kind := kind_of(text))}


def with_kinds(texts: Mapping[str, str], kinds: Mapping[str, int] | None) -> dict[str, str]:
    """Give named texts the classes again that ``kinds_of`` told."""
    kinds = kinds or {}
    return {name: TEXT_OF[Kind(kinds.get(name, 0))](text) for name, text in texts.items()}
