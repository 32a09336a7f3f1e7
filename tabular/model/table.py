"""
What reading finds in a file: tables, the confidence in them, and the kinds of their cells.

A workbook, JSON and Parquet give the kind of a cell, text files do not. A reader returns such a
cell as a text of one of the classes of ``KIND_OF``. The text is the value in one fixed notation
(``-1234.5``, ``2024-05-01``, ``true``), regardless of how a program would show it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Literal, Protocol, get_args

from tabular.model.issue import Issue, Question
from tabular.model.places import Frame
from tabular.model.sentences import Text

if TYPE_CHECKING:
    import pyarrow as pa

ROW_COLUMN = "__row__"  # int64: physical 0-based row of the sheet, file or stitched PDF table
PAGE_COLUMN = "__page__"  # int32, PDF only: 1-based page of the row
BOXES_COLUMN = "__boxes__"  # [float32], PDF only: left, top, right, bottom of each cell, in points
KINDS_COLUMN = "__kinds__"  # struct of one int8 per column; absent if no cell has a kind
CONFIDENCE_COLUMN = "__confidence__"  # [int8], pictures only: of each cell's recognition, 0 to 100
BESIDE = frozenset({ROW_COLUMN, PAGE_COLUMN, BOXES_COLUMN, KINDS_COLUMN, CONFIDENCE_COLUMN})
SKIPPED_ROW_COLUMNS = (ROW_COLUMN, PAGE_COLUMN, "reason", "cells", "box")

Progress = Callable[[str, int, int | None], None]  # stage, done, total if known


def silent(stage: str, done: int, total: int | None) -> None:
    """Report no progress."""


SkipReason = Literal[
    "preamble",  # above the header: titles, notes, pairs
    "units",
    "repeated_header",
    "subtotal",  # inside the body, adds up rows above
    "total",  # below the body, adds up its rows
    "footer",  # below the body: notes, sources
    "comment",
    "blank",
    "unmatched",  # text of a page outside of any table
]
SKIP_REASONS: tuple[SkipReason, ...] = get_args(SkipReason)


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """
    One row of the file that is not in the table's body, and the reason.

    ``row`` is its number as ROW_COLUMN counts; ``ReadingChoices.take_back`` uses the same number.
    ``cells`` are all cells of the row as they are in the file, from its first column on (in a PDF:
    those of the stitched table), without blank ones at the end.
    """

    row: int
    reason: SkipReason
    cells: tuple[str | None, ...] = ()
    page: int | None = None  # PDF only
    box: tuple[float, ...] | None = None  # PDF only: left, top, right, bottom, in points


@dataclass(frozen=True, slots=True)
class Skipped:
    """How many rows of the table's area are not part of its body, by kind."""

    preamble: int = 0
    footer: int = 0
    repeated_headers: int = 0
    units: int = 0
    subtotals: int = 0
    blank: int = 0
    comments: int = 0

    @classmethod
    def of(cls, reasons: Iterable[SkipReason]) -> Skipped:
        """
        Count the reasons for which rows were skipped.

        >>> Skipped.of(["preamble", "total", "footer"]).footer
        2
        """
        counts = Counter(reasons)
        return cls(
            preamble=counts["preamble"],
            footer=counts["footer"] + counts["total"],
            repeated_headers=counts["repeated_header"],
            units=counts["units"],
            subtotals=counts["subtotal"],
            blank=counts["blank"],
            comments=counts["comment"],
        )


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason for a decision of the reader, in words and with its weight."""

    decision: str  # header, delimiter, encoding, footer, table...
    reason: Text
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Joined:
    """
    How the rows of two tables were joined.

    on: pairs of columns, of the child and of the parent. parent_columns: the names that the columns
    of the parent have now. matched: rows of the child with a match. child_only, parent_only: rows
    without. The rates are shares of the distinct keys of a table that the other one has.
    """

    child: int
    parent: int
    on: tuple[tuple[str, str], ...]
    parent_columns: tuple[str, ...]
    matched: int
    child_only: int
    parent_only: int
    child_rate: float
    parent_rate: float


@dataclass(frozen=True, slots=True)
class Related:
    """
    Two tables that may belong together, and what speaks for it.

    append: the columns that only one of them has; none if the headers are the same. join: ``first``
    is the child and ``other`` the parent, with the columns that match and how well.
    """

    kind: Literal["append", "join"]
    first: int
    other: int
    only_first: tuple[str, ...] = ()
    only_other: tuple[str, ...] = ()
    on: tuple[tuple[str, str], ...] = ()
    first_rate: float | None = None
    other_rate: float | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """One candidate table of a file, without its body."""

    columns: tuple[str, ...]  # unique, stable: "Amount (2)", "Column 5"
    header_rows: tuple[int, ...] = ()  # physical, 0-based; empty: the file names no columns
    sheet: str | None = None
    page: int | None = None
    range: str | None = None  # "A4:F120", or "p1:72,90,523,700" for a box on a page
    places: tuple[int, ...] = ()  # of each column in the sheet or file, 0-based; empty: unknown
    row_count: int | None = None  # exact once the body has been streamed
    preview: tuple[tuple[str | None, ...], ...] = ()
    encoding: str | None = None
    delimiter: str | None = None
    confidence: float = 1.0  # 0 to 1
    skipped: Skipped = Skipped()
    evidence: tuple[Evidence, ...] = ()
    document: dict[str, str] = field(default_factory=dict)  # pairs for document fields; see kinds
    left_out: tuple[SkippedRow, ...] = ()  # the first of them; ``Body.skipped_rows`` returns all
    file: str | None = None  # in an archive of several
    is_hidden: bool = False  # its sheet is hidden
    stacked: tuple[int, ...] = ()  # the tables that it is made of, in order
    join: Joined | None = None  # two tables, joined instead of one below the other
    frames: tuple[Frame, ...] = ()  # PDF and pictures: where it is on each of its pages
    recognised: int | None = None  # lowest confidence of a cell of a picture; None: no picture
    doubts: tuple[Text, ...] = ()  # why a person has to compare its rows with the page, if so


class Body(Protocol):
    """The rows of one table, read again at each call."""

    def batches(self) -> Iterator[pa.RecordBatch]:
        """
        Stream the body.

        Batches of a few MB: ROW_COLUMN first (then PAGE_COLUMN and BOXES_COLUMN for PDF,
        CONFIDENCE_COLUMN for pictures, KINDS_COLUMN if the file gives the kinds of cells), then one
        string column per name in ``Table.columns``. An empty cell is null, everything else is the
        file's text.
        """
        ...

    def outcome(self) -> tuple[Table, tuple[Issue, ...]]:
        """Return the table with exact counts, and the issues found, once a stream has ended."""
        ...

    def skipped_rows(self) -> Iterator[SkippedRow]:
        """
        Return every row that is not in the body, once a stream has ended.

        In the file's order. The job ``read`` writes them to ``out/left-out.arrow`` next to
        ``source.arrow``, with the columns of ``SKIPPED_ROW_COLUMNS`` (int64, int32, text, [text],
        [float32]).
        """
        ...


@dataclass(frozen=True, slots=True)
class Reading:
    """
    All that a reader found: candidate tables, best first, with their bodies.

    A stack of some of them comes last. ``chosen`` is the table chosen by a user or by the evidence.
    ``related``: pairs of tables that may be stacked or joined.
    """

    file_format: str  # csv, xlsx, pdf, ndjson...
    tables: tuple[Table, ...]
    bodies: tuple[Body, ...]  # parallel to tables
    questions: tuple[Question, ...] = ()
    issues: tuple[Issue, ...] = ()
    chosen: int = 0
    related: tuple[Related, ...] = ()


class Kind(IntEnum):
    """The kind of a cell; everything from NUMBER to MONEY is a number."""

    TEXT = 0
    NUMBER = 1
    PERCENT = 2  # a number that its format shows in hundredths; the text is the fraction
    EURO = 3
    DOLLAR = 4
    MONEY = 5  # an amount in an unknown currency
    BOOLEAN = 6
    DATE = 7
    TIME = 8
    DURATION = 9


# The currencies that a cell may be shown in: ISO 4217 besides euro and US dollar, funds and metals
# included, and signs that several currencies share. Their positions are stored with each file, so
# new ones go to the end.
CURRENCIES: tuple[str, ...] = (
    "AED", "AFN", "ALL", "AMD", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BGN",
    "BHD", "BIF", "BMD", "BND", "BOB", "BOV", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD",
    "CDF", "CHE", "CHF", "CHW", "CLF", "CLP", "CNY", "COP", "COU", "CRC", "CUC", "CUP", "CVE",
    "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "FJD", "FKP", "GBP", "GEL", "GHS",
    "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL", "HTG", "HUF", "IDR", "ILS", "INR", "IQD",
    "IRR", "ISK", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD",
    "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT",
    "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MXV", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK",
    "NPR", "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD",
    "RUB", "RWF", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SSP",
    "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TND", "TOP", "TRY", "TTD", "TWD", "TZS",
    "UAH", "UGX", "USN", "UYI", "UYU", "UYW", "UZS", "VED", "VES", "VND", "VUV", "WST", "XAD",
    "XAF", "XAG", "XAU", "XBA", "XBB", "XBC", "XBD", "XCD", "XCG", "XDR", "XOF", "XPD", "XPF",
    "XPT", "XSU", "XUA", "YER", "ZAR", "ZMW", "ZWG", "¥", "kr", "kr.", "₣",
)  # fmt: skip
FIRST_PLACE = 16
MONIES: dict[str, int] = {  # kinds of cells, as int8 holds them
    "EUR": Kind.EURO,
    "USD": Kind.DOLLAR,
    **{code: (place + 128) % 256 - 128 for place, code in enumerate(CURRENCIES, FIRST_PLACE)},
}
NUMBERS = frozenset({Kind.NUMBER, Kind.PERCENT, Kind.MONEY, *MONIES.values()})


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
    """A number that its format shows in another currency; each known one has a class below."""

    __slots__ = ()


class BooleanText(str):
    """``true`` or ``false``."""

    __slots__ = ()


class DateText(str):
    """A day, or an instant, in ISO 8601 format."""

    __slots__ = ()


class TimeText(str):
    """A time of day, in ISO 8601 format."""

    __slots__ = ()


class DurationText(str):
    """Hours, minutes and seconds: ``30:00:00``."""

    __slots__ = ()


KIND_OF: dict[type[str], int] = {
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
    **{
        type(f"MoneyText{kind % 256}", (MoneyText,), {"__slots__": ()}): kind
        for kind in MONIES.values()
        if kind not in (Kind.EURO, Kind.DOLLAR)
    },
}
TEXT_OF: dict[int, type[str]] = {kind: text for text, kind in KIND_OF.items()}


def kind_of(text: str | None) -> int:
    """Return the kind of a text of one of these classes."""
    return Kind.TEXT if text is None else KIND_OF[type(text)]


def kinds_of(texts: Mapping[str, str]) -> dict[str, int]:
    """
    Return the kinds of named texts that are more than text, because JSON keeps no classes.

    >>> kinds_of({"Total": NumberText("5.125"), "Note": "5.125"})
    {'Total': 1}
    """
    return {name: int(kind) for name, text in texts.items() if (kind := kind_of(text))}


def with_kinds(texts: Mapping[str, str], kinds: Mapping[str, int] | None) -> dict[str, str]:
    """Return named texts in the classes for the kinds from ``kinds_of``."""
    kinds = kinds or {}
    return {name: TEXT_OF[kinds.get(name, 0)](text) for name, text in texts.items()}
