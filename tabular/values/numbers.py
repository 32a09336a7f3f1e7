"""Numbers as people write them, in one text and in columns of texts.

A number is digits with marks, an exponent, a sign before or after (or the accountant's brackets),
and a currency or percent sign on either side. The column determines which mark is the decimal one:
a format is given (``eu``: 1.234,56; ``us``: 1,234.56) or both readings are shown. One pattern
serves Python's ``re`` for single texts and RE2 for columns.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from tabular.values.arrays import replaced, where
from tabular.values.signs import any_currency, currency_of, is_code, percent, permille

NumberFormat = Literal["eu", "us"]
FORMATS: tuple[NumberFormat, ...] = ("eu", "us")
LONGEST = 80  # characters of a number with everything next to it

_SPACE = "[ \u00a0\u2007\u2009\u202f]*"
_GROUP = "[ '’\u00a0\u2007\u2009\u202f]"
_MINUS = r"\-−–‒"  # for a class of characters
_DIGITS = rf"[0-9.,]*[0-9]|[1-9][0-9]{{0,2}}(?:{_GROUP}[0-9]{{3}})+(?:[.,][0-9]+)?"
_EXPONENT = r"[eE][+-]?[0-9]{1,3}"
# Western groups of three, or the Indian lakh grouping for the comma.
_GRAMMAR: dict[NumberFormat, str] = {
    "eu": r"^[+-]?(?:(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[0-9]+)(?:,[0-9]+)?|,[0-9]+)"
    rf"(?:{_EXPONENT})?$",
    "us": r"^[+-]?(?:(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}|[0-9]+)"
    rf"(?:\.[0-9]+)?|\.[0-9]+)(?:{_EXPONENT})?$",
}
_FITS = {fmt: re.compile(pattern) for fmt, pattern in _GRAMMAR.items()}
_BARE = r"^[+-]?[0-9.,]+$"
_IS_BARE = re.compile(_BARE)


@cache
def _form(signs: str) -> str:
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
    return re.compile(_form(signs))


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
    if _is_twice(parts) or any(_is_stranger(sign) for sign in signs):
        return None
    marks = [parts[name] for name in ("before", "inner", "open", "behind", "last") if parts[name]]
    if len(marks) > 1 or bool(parts["open"]) != bool(parts["close"]):
        return None
    minus = "-" if marks and marks[0] != "+" else "+" if marks else ""
    digits = re.sub(_GROUP, "", parts["digits"])
    return Number(f"{minus}{digits}{parts['exponent']}", signs[0] if signs else "")


def _is_twice(parts: dict[str, str | None]) -> bool:
    return bool((parts["s1"] and parts["s2"]) or (parts["s3"] and parts["s4"]))


def _is_stranger(sign: str, known: str = "") -> bool:
    is_capitals = len(sign) == 3 and sign.isalpha() and sign.isupper()
    return is_capitals and sign != known and not is_code(sign)


def fits(texts: pa.Array, fmt: NumberFormat) -> pa.Array:
    """Return which plain texts follow the grammar of a format. texts: n strings. Returns n bool."""
    return pc.match_substring_regex(texts, _GRAMMAR[fmt])


def plain(
    texts: pa.Array, *, signs: str | None = None, whole: bool = False, currency: str = ""
) -> pa.Array:
    """
    Remove signs and decorations, leaving digits, separators, a leading sign and an exponent.

    texts: n tidy strings. signs: alternatives (RE2) of what may precede or follow a number; any
    currency if none are given. whole: a minus after the digits is refused (``12-`` is rather an
    unfinished range). currency: a code that counts, though it is a word as well (``ALL``). A text
    that is not a number is returned unchanged.
    """
    rest = where(pc.invert(pc.match_substring_regex(texts, _BARE)))
    rest = rest[where(pc.match_substring_regex(texts.take(pa.array(rest)), "[0-9]"))]
    if not len(rest):
        return texts
    some = texts.take(pa.array(rest))
    return replaced(texts, rest, _undecorated(some, signs or any_currency(), currency, whole=whole))


def _undecorated(texts: pa.Array, signs: str, currency: str, *, whole: bool) -> pa.Array:
    parts = pc.extract_regex(texts, _form(signs))
    before, inner, open_, close, behind, last = (
        pc.struct_field(parts, name)
        for name in ("before", "inner", "open", "close", "behind", "last")
    )
    trailing = pc.binary_join_element_wise(behind, last, "")
    marks = pc.binary_join_element_wise(before, inner, open_, trailing, "")
    good = pc.and_(
        pc.less_equal(pc.utf8_length(pc.utf8_trim(marks, " ")), 1),
        pc.equal(pc.binary_length(open_), pc.binary_length(close)),
    )
    if whole:
        good = pc.and_(good, pc.equal(pc.binary_length(trailing), 0))
    good = pc.and_(good, pc.invert(_with_a_stranger(parts, currency)))
    bare = pc.equal(pc.binary_length(marks), 0)
    minus = pc.if_else(bare, "", pc.if_else(pc.equal(marks, "+"), "+", "-"))
    digits = pc.replace_substring_regex(pc.struct_field(parts, "digits"), _GROUP, "")
    joined = pc.binary_join_element_wise(minus, digits, pc.struct_field(parts, "exponent"), "")
    return pc.coalesce(pc.if_else(good, joined, None), texts)


def _with_a_stranger(parts: pa.StructArray, known: str) -> pa.Array:
    """
    Return which numbers have a sign twice, or three adjacent capitals that are not a currency.
    """
    signs = [pc.struct_field(parts, name) for name in ("s1", "s2", "s3", "s4")]
    filled = [pc.greater(pc.binary_length(sign), 0) for sign in signs]
    strange = pc.or_(pc.and_(filled[0], filled[1]), pc.and_(filled[2], filled[3]))
    for sign in signs:
        texts = sign.unique().drop_null().to_pylist()
        unknown = [text for text in texts if _is_stranger(text, known)]
        if unknown:
            strange = pc.or_(strange, pc.is_in(sign, value_set=pa.array(unknown, pa.string())))
    return strange


def decimal_texts(texts: pa.Array, fmt: NumberFormat) -> pa.Array:
    """
    Normalise to ``-1234.56``.

    texts: n plain strings. Returns n strings, null if the grammar of ``fmt`` is broken.
    """
    good = pc.if_else(fits(texts, fmt), texts, None)
    group, mark = (".", ",") if fmt == "eu" else (",", ".")
    good = pc.replace_substring(good, group, "")
    if mark != ".":
        good = pc.replace_substring(good, mark, ".")
    if pc.any(pc.starts_with(good, "+")).as_py():
        good = pc.utf8_ltrim(good, characters="+")
    return good
