"""Numbers as people write them: the grammar, and what a single text means.

A number is digits with marks, an exponent, a sign before or after (or the accountant's brackets),
and a currency or percent sign on either side. The column determines which mark is the decimal one:
a format is given (``eu``: 1.234,56; ``us``: 1,234.56) or both readings are shown. One pattern
serves Python's ``re`` for single texts and RE2 for columns (``number_columns``).
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from typing import Literal

from tabular.values.signs import any_currency, currency_of, is_code, percent, permille

NumberFormat = Literal["eu", "us"]
FORMATS: tuple[NumberFormat, ...] = ("eu", "us")
LONGEST = 80  # characters of a number with everything next to it

_SPACE = "[ \u00a0\u2007\u2009\u202f]*"
GROUP = "[ '’\u00a0\u2007\u2009\u202f]"
_MINUS = r"\-−–‒"  # for a class of characters
_DIGITS = rf"[0-9.,]*[0-9]|[1-9][0-9]{{0,2}}(?:{GROUP}[0-9]{{3}})+(?:[.,][0-9]+)?"
_EXPONENT = r"[eE][+-]?[0-9]{1,3}"
# Western groups of three, or the Indian lakh grouping for the comma.
GRAMMAR: dict[NumberFormat, str] = {
    "eu": r"^[+-]?(?:(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[0-9]+)(?:,[0-9]+)?|,[0-9]+)"
    rf"(?:{_EXPONENT})?$",
    "us": r"^[+-]?(?:(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}|[0-9]+)"
    rf"(?:\.[0-9]+)?|\.[0-9]+)(?:{_EXPONENT})?$",
}
_FITS = {fmt: re.compile(pattern) for fmt, pattern in GRAMMAR.items()}
BARE = r"^[+-]?[0-9.,]+$"
_IS_BARE = re.compile(BARE)


@cache
def form(signs: str) -> str:
    """Return the pattern of a number with everything next to it. signs: alternatives."""
    sign = f"(?:{signs})"
    return (
        rf"^(?P<before>[+{_MINUS}]?){_SPACE}(?:(?P<s1>{sign}){_SPACE})?(?P<inner>[+{_MINUS}]?){_SPACE}"
        rf"(?P<open>\(?){_SPACE}(?:(?P<s2>{sign}){_SPACE})?(?P<digits>{_DIGITS})"
        rf"(?P<exponent>(?:{_EXPONENT})?)(?:[.,][\-–—]+)?"
        rf"(?P<behind>(?:[ ]?[\-−])?){_SPACE}(?P<s3>{sign})?{_SPACE}(?P<close>\)?)"
        rf"(?:{_SPACE}(?P<s4>{sign}))?(?P<last>[\-−]?)$"
    )


@dataclass(frozen=True, slots=True)
class Number:
    """
    A text that is a number.

    plain: sign, digits and marks, ``-1.234,50``. sign: the text next to it, as written.
    """

    plain: str
    sign: str = ""

    @property
    def is_percent(self) -> bool:
        """Whether it is a percentage."""
        return bool(self.sign) and re.fullmatch(percent(), self.sign) is not None

    @property
    def currency(self) -> str | None:
        """The code of its currency, if the sign means only one."""
        return currency_of(self.sign) if self.sign and not self.is_percent else None

    @property
    def formats(self) -> tuple[NumberFormat, ...]:
        """The formats whose grammar it follows: one, or both."""
        return tuple(fmt for fmt in FORMATS if _FITS[fmt].match(self.plain))

    def value(self, fmt: NumberFormat) -> Decimal | None:
        """Return the digits' exact value, or None if they break the grammar of the format."""
        if not _FITS[fmt].match(self.plain):
            return None
        group, mark = (".", ",") if fmt == "eu" else (",", ".")
        return Decimal(self.plain.replace(group, "").replace(mark, "."))


@lru_cache(maxsize=65536)
def number(text: str) -> Number | None:
    """
    Read a text as a number, without deciding which mark is the decimal one.

    >>> number("CHF 12.50"), number("(1.234,5) €"), number("TOP 10"), number("n/a")
    (Number(plain='12.50', sign='CHF'), Number(plain='-1.234,5', sign='€'), None, None)
    """
    text = text.strip()
    if len(text) > LONGEST:
        return None
    parsed = Number(text) if _IS_BARE.match(text) else _decorated(text)
    return parsed if parsed and parsed.formats else None


def read_number(text: str, fmt: NumberFormat) -> Decimal | None:
    """
    Read a number in a given format.

    >>> read_number("1.500 €", "eu"), read_number("1.500 €", "us"), read_number("1.5.0", "us")
    (Decimal('1500'), Decimal('1.500'), None)
    """
    parsed = number(text)
    return parsed.value(fmt) if parsed else None


@cache
def _scalar(signs: str) -> re.Pattern[str]:
    return re.compile(form(signs))


@cache
def every_sign() -> str:
    """Return alternatives of all signs next to a number: currencies, percent, permille."""
    return f"{any_currency()}|{percent()}|{permille()}"


@cache
def _words() -> frozenset[str]:
    letters = re.findall(r"[^\W\d_]+", every_sign().replace("(?i:", "").casefold())
    return frozenset({*letters, "e"})


def _may_be_one(text: str) -> bool:
    """
    Return whether the letters in a text allow for a number; much faster than the whole pattern.
    """
    return all(
        (len(word) == 3 and word.isupper()) or word.casefold() in _words()
        for word in re.findall(r"[^\W\d_]+", text)
    )


def _decorated(text: str) -> Number | None:
    if not _may_be_one(text):
        return None
    match = _scalar(every_sign()).match(text)
    if not match:
        return None
    parts = match.groupdict()
    signs = [parts[name] for name in ("s1", "s2", "s3", "s4") if parts[name]]
    if _is_twice(parts) or any(is_stranger(sign) for sign in signs):
        return None
    marks = [parts[name] for name in ("before", "inner", "open", "behind", "last") if parts[name]]
    if len(marks) > 1 or bool(parts["open"]) != bool(parts["close"]):
        return None
    minus = "-" if marks and marks[0] != "+" else "+" if marks else ""
    digits = re.sub(GROUP, "", parts["digits"])
    return Number(f"{minus}{digits}{parts['exponent']}", signs[0] if signs else "")


def _is_twice(parts: dict[str, str | None]) -> bool:
    return bool((parts["s1"] and parts["s2"]) or (parts["s3"] and parts["s4"]))


def is_stranger(sign: str, known: str = "") -> bool:
    """Return whether a sign is three capitals that are not a currency, nor the known one."""
    is_capitals = len(sign) == 3 and sign.isalpha() and sign.isupper()
    return is_capitals and sign != known and not is_code(sign)
