"""How a column is to be read, where its texts alone do not say."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

import pyarrow as pa

from tabular.model.catalog import Option
from tabular.types.distinct import Memory
from tabular.types.option_book import OptionBook
from tabular.values.dates import DateOrder
from tabular.values.numbers import NumberFormat

BarePercent = Literal["percent", "fraction"]


@dataclass(frozen=True, slots=True)
class How:
    """Settled choices for one field."""

    number_format: NumberFormat = "us"
    date_order: DateOrder = "dmy"
    bare_percent: BarePercent = "percent"  # what "19" without a sign means
    today: date = date(2000, 1, 1)  # decides the century of a two-digit year
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
