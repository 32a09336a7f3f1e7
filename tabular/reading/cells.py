"""
How a single cell looks to the choice of a dialect and to the layout stage.

``tabular.values`` decides what a text is; a look is the coarser class that those two compare.
"""

from enum import Enum
from functools import lru_cache

from tabular.values import Kind, is_placeholder, judge


class Look(Enum):
    """How a cell looks."""

    EMPTY = "empty"
    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    ADDRESS = "address"  # e-mail, URL, IP, telephone
    FLAG = "flag"  # true, ja, x
    CODE = "code"  # letters and digits without a blank: AB-12
    WORD = "word"  # short text
    PROSE = "prose"  # a sentence


VALUES = frozenset({Look.NUMBER, Look.DATE, Look.TIME, Look.ADDRESS, Look.FLAG})
_LOOKS = {
    Kind.BLANK: Look.EMPTY,
    Kind.PLACEHOLDER: Look.WORD,
    Kind.ERROR: Look.WORD,
    Kind.NUMBER: Look.NUMBER,
    Kind.QUANTITY: Look.NUMBER,
    Kind.DATE: Look.DATE,
    Kind.PERIOD: Look.DATE,
    Kind.TIME: Look.TIME,
    Kind.EMAIL: Look.ADDRESS,
    Kind.URL: Look.ADDRESS,
    Kind.IP: Look.ADDRESS,
    Kind.PHONE: Look.ADDRESS,
    Kind.BOOLEAN: Look.FLAG,
    Kind.CODE: Look.CODE,
    Kind.WORD: Look.WORD,
    Kind.PROSE: Look.PROSE,
}


@lru_cache(maxsize=65536)
def look(text: str) -> Look:
    """
    Return how one cell looks.

    >>> look("1.234,50 €"), look("3-Nov-23"), look("AB-12"), look("")
    (<Look.NUMBER: 'number'>, <Look.DATE: 'date'>, <Look.CODE: 'code'>, <Look.EMPTY: 'empty'>)
    """
    return _LOOKS[judge(text).kind]


@lru_cache(maxsize=65536)
def value_look(text: str) -> Look:
    """Return how a cell looks; a cell that only says "no value" looks empty."""
    return Look.EMPTY if is_nothing(text) else look(text)


def is_nothing(text: str) -> bool:
    """Return whether a cell only marks a missing value: ``-``, ``n/a``."""
    return is_placeholder(text)
