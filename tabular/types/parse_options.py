"""How a column is read where its texts alone do not decide, and the spellings of its options."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

import pyarrow as pa

from tabular.model.catalog import Option
from tabular.model.i_json import MAX_SAFE_INTEGER
from tabular.types.distinct import Memory
from tabular.types.similarity import nearest
from tabular.values.blanks import is_placeholder
from tabular.values.dates import DateOrder
from tabular.values.doubt import is_doubted
from tabular.values.numbers import NumberFormat
from tabular.values.vocabularies import fold

MAX_INT_64 = 2**63 - 1
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL = re.compile(r"[+-]?[0-9]{1,300}(?:\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Found:
    """The option of one text: its value, and whether similarity had to decide."""

    value: Any
    guessed: bool = False


class OptionBook:
    """Every accepted spelling of the options of one field."""

    def __init__(self, options: Sequence[Option], *, exact: bool, custom: bool) -> None:
        self._exact = exact
        self._custom = custom
        self.type = option_type(options)
        self._literal: dict[str, Any] = {}
        self._folded: dict[str, Any] = {}
        for spelling, value in _spellings(options):
            value = self.typed(value)
            self._literal.setdefault(spelling, value)
            self._folded.setdefault(fold(spelling), value)

    @property
    def values(self) -> list[Any]:
        """The values of the options, as the type of the field holds them."""
        return list(dict.fromkeys(self._literal.values()))

    def typed(self, value: Any) -> Any:
        """
        Return the value of an option or an answer as the field holds it, or None if it cannot.

        >>> OptionBook([], exact=False, custom=False).typed(7)
        '7'
        """
        if pa.types.is_string(self.type):
            return None if value is None else str(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        if pa.types.is_integer(self.type):
            return int(value) if value == int(value) and abs(value) <= MAX_INT_64 else None
        return float(value)

    def find(self, text: str) -> Found | None:
        """
        Return the option of a text, or None.

        >>> from tabular.model.catalog import StringOption
        >>> book = OptionBook([StringOption(label="Books", type="string", value="b")],
        ...     exact=False, custom=False)
        >>> book.find("BOOKS"), book.find("Boosk"), book.find("Books?")
        (Found(value='b', guessed=False), Found(value='b', guessed=True), None)
        """
        if option := self.listed(text):
            return option
        if is_placeholder(text):
            return None
        if self._custom:
            return self._as_custom(text)
        folded = fold(text)
        if self._exact or not folded or is_doubted(text):
            return None
        near = nearest(folded, self._folded)
        return Found(self._folded[near], guessed=True) if near else None

    def listed(self, text: str) -> Found | None:
        """Return the option that a text spells without a typing error."""
        if text in self._literal:
            return Found(self._literal[text])
        if self._exact:
            return None
        if is_placeholder(text) or is_doubted(text):
            return self._spelled(text)
        return Found(self._folded[folded]) if (folded := fold(text)) in self._folded else None

    def _spelled(self, text: str) -> Found | None:
        """Return the option that is spelled like a text, ignoring case."""
        alike = (v for s, v in self._literal.items() if s.casefold() == text.casefold())
        return next((Found(value) for value in alike), None)

    def _as_custom(self, text: str) -> Found | None:
        if pa.types.is_string(self.type):
            return Found(text)
        if pa.types.is_integer(self.type):
            return Found(int(text)) if _WHOLE.fullmatch(text) else None
        return Found(float(text)) if _DECIMAL.fullmatch(text) else None


def _spellings(options: Sequence[Option]) -> list[tuple[str, Any]]:
    values = [(text, option.value) for option in options for text in _written(option.value)]
    labels = [(option.label, option.value) for option in options]
    others = [
        (other, option.value) for option in options for other in option.alternative_matches or ()
    ]
    return values + labels + others


def _written(value: str | float) -> tuple[str, ...]:
    """
    Return an option's value in the forms in which people write it.

    >>> _written(2.0), _written(0.5), _written("S")
    (('2.0', '2'), ('0.5',), ('S',))
    """
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) <= MAX_SAFE_INTEGER
    return (str(value), str(int(value))) if is_whole else (str(value),)


def option_type(options: Sequence[Option]) -> pa.DataType:
    """Return the Arrow type that can hold the values of some options."""
    kinds = {option.type for option in options}
    if kinds == {"int"}:
        return pa.int64()
    if kinds and kinds <= {"int", "float"}:
        return pa.float64()
    return pa.string()


BarePercent = Literal["percent", "fraction"]


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """The settings for reading one field."""

    number_format: NumberFormat = "us"
    date_order: DateOrder = "dmy"
    bare_percent: BarePercent = "percent"  # what "19" without a sign means
    today: date = date(2000, 1, 1)  # decides the century of a two-digit year
    currency: str | None = None  # ISO 4217, of amounts; a float with one is an amount
    region: str | None = None  # ISO 3166 alpha-2, for phone numbers without a country
    regions: pa.Array | None = None  # n alpha-2 codes, row by row, from the country field
    options: tuple[Option, ...] = ()
    exact_options: bool = False
    custom_options: bool = False
    multi_select: bool = False
    separator: str | None = None  # between the values of a multi-select cell
    answered: dict[str, Any] = field(default_factory=dict)  # option text to option value
    memory: Memory | None = field(default=None, compare=False, repr=False)
    book: OptionBook = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        book = OptionBook(self.options, exact=self.exact_options, custom=self.custom_options)
        object.__setattr__(self, "book", book)
