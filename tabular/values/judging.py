"""Judge one text: the kinds it can be, the main one first."""

import re
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property, lru_cache
from ipaddress import ip_address

from tabular.values.blanks import BLANKS, is_error, is_placeholder
from tabular.values.dates import Day, day, is_period, is_time
from tabular.values.locales import words_of
from tabular.values.numbers import Number, number
from tabular.values.quantities import quantity


class Kind(Enum):
    """What a text is at first sight."""

    BLANK = "blank"
    PLACEHOLDER = "placeholder"  # n/a
    ERROR = "error"  # #DIV/0!
    NUMBER = "number"  # with sign, marks, currency or percent
    QUANTITY = "quantity"  # a number with a unit, a bound or a footnote's mark: 12 kg, <5, 7*
    DATE = "date"  # with or without a time
    PERIOD = "period"  # March 2024, Q1 2024, 12 May
    TIME = "time"
    EMAIL = "email"
    URL = "url"
    IP = "ip"
    PHONE = "phone"
    BOOLEAN = "boolean"  # ja, true, x
    CODE = "code"  # letters and digits without a blank: AB-12
    WORD = "word"  # short text
    PROSE = "prose"  # a sentence


_PROSE_LENGTH = 60
_EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_URL = re.compile(r"(?:https?|ftp)://\S+|www\.\S+\.\S+", re.IGNORECASE)
_EXTENSION = r"(?: ?(?:x|ext\.?) ?\d{1,5})?"
_PHONE = re.compile(
    r"(?:(?=(?:\D*\d){7})[+(0][\d ()/.–-]{6,20}\d|\d{3}[-. ]\d{3}[-. ]\d{4})" + _EXTENSION,
    re.IGNORECASE,
)
_DIALLED = re.compile(  # 31.02.2024 is an invalid date rather than a telephone number
    r"(?!\d{1,4}([./-])\d{1,2}\1\d{1,4}$)(?=(?:\D*\d){6})"
    r"(?:\+|00)?[\d(][\d()/ .–-]{5,22}\d" + _EXTENSION,
    re.IGNORECASE,
)
_IP = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}|(?=(?:[^:]*:){2})[\da-f:]{3,39}", re.IGNORECASE)
_CODE = re.compile(r"(?=.*\d)[\w./#+*:-]*")


@dataclass(frozen=True)
class Judgement:
    """What a text is, and what it means if it has a meaning."""

    text: str
    kind: Kind

    @cached_property
    def number(self) -> Number | None:
        """The number it is, or can be read as."""
        return number(self.text)

    @cached_property
    def day(self) -> Day | None:
        """The date it is, or can be read as."""
        return day(self.text)

    @cached_property
    def boolean(self) -> bool | None:
        """Its meaning as a yes or a no."""
        return boolean(self.text)

    @cached_property
    def may_be_dialled(self) -> bool:
        """
        Whether a column of telephone numbers could contain it: enough digits, and little else.
        """
        return _DIALLED.fullmatch(self.text) is not None

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        """Every kind it can be: ``20240131`` is a number and a date."""
        kinds_found = {self.kind}
        if self.kind in {Kind.BLANK, Kind.PLACEHOLDER, Kind.PROSE}:
            return frozenset(kinds_found)
        others = (
            (Kind.NUMBER, self.number), (Kind.DATE, self.day), (Kind.TIME, is_time(self.text)),
            (Kind.BOOLEAN, self.boolean is not None), (Kind.PHONE, _PHONE.fullmatch(self.text)),
            (Kind.IP, _is_ip(self.text)), (Kind.CODE, _CODE.fullmatch(self.text)),
        )  # fmt: skip
        return frozenset(kinds_found | {kind for kind, is_one in others if is_one})


@lru_cache(maxsize=65536)
def judge(text: str) -> Judgement:
    """
    Judge a text.

    >>> [judge(text).kind.value for text in ("CHF 12.50", "3-Nov-23", "AB-12", "k. A.", "12 kg")]
    ['number', 'date', 'code', 'placeholder', 'quantity']
    """
    text = text.strip(BLANKS)
    return Judgement(text, _kind(text))


def _kind(text: str) -> Kind:
    if not text:
        return Kind.BLANK
    if is_placeholder(text):
        return Kind.PLACEHOLDER
    if is_error(text):
        return Kind.ERROR
    if len(text) > _PROSE_LENGTH:
        return _address(text) or Kind.PROSE
    if any(c.isdigit() for c in text):
        return _with_digits(text)
    return _address(text) or _of_letters(text)


def _with_digits(text: str) -> Kind:
    if number(text):
        return Kind.NUMBER
    if day(text):
        return Kind.DATE
    if is_time(text):
        return Kind.TIME
    if address := _address(text):
        return address
    if is_period(text):
        return Kind.PERIOD
    if quantity(text):
        return Kind.QUANTITY
    return Kind.CODE if _CODE.fullmatch(text) else Kind.WORD


def _address(text: str) -> Kind | None:
    if "@" in text and _EMAIL.fullmatch(text):
        return Kind.EMAIL
    if _URL.fullmatch(text):
        return Kind.URL
    if _is_ip(text):
        return Kind.IP
    return Kind.PHONE if _PHONE.fullmatch(text) else None


def _is_ip(text: str) -> bool:
    if not _IP.fullmatch(text):
        return False
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _of_letters(text: str) -> Kind:
    if boolean(text) is not None and text.casefold() not in _weak():
        return Kind.BOOLEAN
    return Kind.WORD


def boolean(text: str) -> bool | None:
    """
    Read a yes or a no, in the languages of our users.

    >>> boolean("Ja"), boolean("no"), boolean("-"), boolean("maybe")
    (True, False, None, None)
    """
    lowered = text.strip(BLANKS).lower()
    return True if lowered in yes() else False if lowered in no() else None


@cache
def yes() -> frozenset[str]:
    """Return the spellings of yes, in lower case."""
    return frozenset(words_of("booleans")["yes"])


@cache
def no() -> frozenset[str]:
    """Return the spellings of no, in lower case."""
    return frozenset(words_of("booleans")["no"])


@cache
def _weak() -> frozenset[str]:
    return frozenset(words_of("booleans")["weak"])
