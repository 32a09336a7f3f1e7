"""Which decimal separator a column uses. Spec: field > numberFormat."""

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.how import BarePercent
from tabular.values import numbers
from tabular.values.numbers import NumberFormat

# Most numbers of most columns: they fit one grammar and surely not the other.
_CLEARLY_EU = r"^-?(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[0-9]+),(?:[0-9]{1,2}|[0-9]{4,})$"
_CLEARLY_US = r"^-?(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]+)\.(?:[0-9]{1,2}|[0-9]{4,})$"


@dataclass(frozen=True, slots=True)
class NumberTally:
    """How many texts can only be European, only American, or either (``1.234``)."""

    eu: int = 0
    us: int = 0
    either: int = 0

    def __add__(self, other: "NumberTally") -> "NumberTally":
        return NumberTally(self.eu + other.eu, self.us + other.us, self.either + other.either)

    @property
    def likelier(self) -> NumberFormat:
        """The format with more texts on its side."""
        return "eu" if self.eu > self.us else "us"

    @property
    def is_decided(self) -> bool:
        """Whether the column needs no question: one side prevails, or no text depends on it."""
        less, more = sorted((self.eu, self.us))
        if more == 0:
            return self.either == 0
        return less * 10 <= more


def tally_numbers(texts: pa.Array) -> NumberTally:
    """Count what the texts say. texts: n tidy strings."""
    separated = texts.filter(pc.match_substring_regex(texts, "[.,]"))
    clearly_eu = pc.match_substring_regex(separated, _CLEARLY_EU)
    rest = separated.filter(pc.invert(clearly_eu))
    clearly_us = pc.match_substring_regex(rest, _CLEARLY_US)
    rest = rest.filter(pc.invert(clearly_us))
    return NumberTally(eu=_count(clearly_eu), us=_count(clearly_us)) + _tally_rest(rest)


def _tally_rest(texts: pa.Array) -> NumberTally:
    bare = numbers.plain(texts, signs=numbers.every_sign())
    eu, us = numbers.fits(bare, "eu"), numbers.fits(bare, "us")
    separated = pc.match_substring_regex(bare, "[.,]")
    return NumberTally(
        eu=_count(pc.and_not(eu, us)),
        us=_count(pc.and_not(us, eu)),
        either=_count(pc.and_(pc.and_(eu, us), separated)),
    )


def _count(mask: pa.Array) -> int:
    return pc.sum(mask).as_py() or 0


@dataclass(frozen=True, slots=True)
class ShareTally:
    """
    How many percentages carry a sign, stand bare above one, and bare above zero up to one.

    parts: of the last, those below one, such as ``0.19``.
    """

    signed: int = 0
    above_one: int = 0
    up_to_one: int = 0
    parts: int = 0

    def __add__(self, other: "ShareTally") -> "ShareTally":
        return ShareTally(
            self.signed + other.signed,
            self.above_one + other.above_one,
            self.up_to_one + other.up_to_one,
            self.parts + other.parts,
        )

    @property
    def meaning(self) -> BarePercent:
        """Say what a bare number means: 0.19 with nothing above 1 is a fraction."""
        if not self.is_decided:
            return "fraction" if self.parts > self.above_one and not self.signed else "percent"
        return "fraction" if self.up_to_one and not self.above_one else "percent"

    @property
    def is_decided(self) -> bool:
        """Whether the column needs no question: 0.19 stands beside neither 1.5 nor 7 %."""
        if self.above_one:
            return not self.parts
        return not (self.up_to_one and self.signed)


def tally_shares(texts: pa.Array) -> ShareTally:
    """Count what the percentages say. texts: n tidy strings."""
    signed = pc.match_substring(texts, "%")
    bare = pc.if_else(signed, None, texts)
    zero = pc.match_substring_regex(bare, r"^[+-]?0*(?:[.,]0*)?$")
    part = pc.and_not(pc.match_substring_regex(bare, r"^[+-]?0*[.,][0-9]+$"), zero)
    small = pc.or_(part, pc.match_substring_regex(bare, r"^[+-]?0*1(?:[.,]0*)?$"))
    number = pc.match_substring_regex(bare, r"^[+-]?[.,]?[0-9]")
    large = pc.and_not(number, pc.or_(zero, small))
    return ShareTally(_count(signed), _count(large), _count(small), _count(part))
