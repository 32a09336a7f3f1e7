"""The column type of some texts, if it is beyond doubt."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.model.amounts import CURRENCY_OF
from tabular.model.catalog import ColumnType
from tabular.types.families.dates import tally_dates
from tabular.types.families.numbers import tally_numbers
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import read_column
from tabular.values import FORMATS, Kind, judge
from tabular.values.numbers import number
from tabular.values.signs import is_in_other

LEAST = 0.99  # share of the filled cells that must be of a type
MOSTLY = 0.9  # the same for a form that nothing else has: an address, a day; the rest is wrong
MANY = 10  # cells from which most of them say what the others should be
ENOUGH = 5  # different values from which check digits cannot all be right by chance
LONGEST_INT = 15  # digits; longer numbers are names, and no JSON reader keeps them exactly
WORDS_OF_TYPE: dict[ColumnType, frozenset[str]] = {
    "currency_eur": frozenset({"eur", "euro"}),
    "currency_usd": frozenset({"usd", "dollar"}),
}
SIGNS: dict[ColumnType, re.Pattern[str]] = {
    "currency_eur": re.compile(r"€|\bEUR\b"),
    "currency_usd": re.compile(r"\$|\bUSD\b"),
}
WHOLE = re.compile(r"[+-]?(?:0|[1-9]\d*)")
ZEROS = re.compile(r"[+-]?0\d")
CLOCK = re.compile(r"[0-2]?\d:[0-5]\d")
CLOCK_WITH_SECONDS = re.compile(r"[0-2]?\d:[0-5]\d:[0-5]\d")
ALPHA_2, ALPHA_3 = re.compile(r"[A-Z]{2}"), re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class Texts:
    """The different texts of a column that are examined, and their counts."""

    values: tuple[str, ...]
    counts: NDArray[np.int64]
    header_kinds: frozenset[str]  # kinds of values that the header means: date, code, price
    words: frozenset[str]  # of the header
    languages: tuple[str, ...] = ()
    named: str = ""  # the currency (ISO 4217) that the header names

    def share(self, is_one: Callable[[str], bool]) -> float:
        """Return the share of cells whose text passes a test."""
        return self._weighed(np.fromiter(map(is_one, self.values), bool, len(self.values)))

    def holding(self, sign: re.Pattern[str]) -> float:
        """Return the share of cells whose text contains a sign."""
        return self.share(lambda text: sign.search(text) is not None)

    def fits(self, column_type: ColumnType, parse_options: ParseOptions | None = None) -> float:
        """Return the share of cells that a type accepts without a finding."""
        parsed = read_column(
            pa.array(self.values, pa.string()), column_type, parse_options or ParseOptions()
        )
        good = parsed.values.is_valid().to_numpy(zero_copy_only=False).copy()
        for fault in parsed.faults:
            good[fault.rows] = False
        return self._weighed(good)

    @property
    def least(self) -> float:
        """The share that must be of a type whose form nothing else has."""
        return MOSTLY if self.counts.sum() >= MANY else LEAST

    def _weighed(self, good: NDArray[np.bool_]) -> float:
        return float(self.counts[good].sum() / self.counts.sum())


@dataclass(frozen=True, slots=True)
class Found:
    """A type, its share of the cells, and what else is known of their notation."""

    column_type: ColumnType
    share: float = 1.0
    note: str = ""
    currency: str = ""  # ISO 4217, of amounts whose type names none


def kind_of(texts: Texts) -> Found:
    """
    Determine the type of a column's texts, ``string`` if in doubt.

    Forms that nothing else has come first; numbers come last, because many names are numbers.
    """
    for find, least in (
        (_addresses, texts.least), (_codes, LEAST), (_times, texts.least), (_flags, LEAST),
        (_numbers, LEAST),
    ):  # fmt: skip
        for kind in find(texts):
            if kind.share >= least:
                return kind
    return Found("string")


def _addresses(texts: Texts) -> Iterator[Found]:
    if texts.share(lambda text: "@" in text) >= texts.least:
        yield Found("email", texts.fits("email"))
    if texts.share(lambda text: judge(text).kind is Kind.URL) >= texts.least:
        yield Found("url", texts.fits("url"))
    if texts.share(lambda text: text.lstrip()[:1] == "+") >= texts.least:
        yield Found("phone", texts.fits("phone"))


def _codes(texts: Texts) -> Iterator[Found]:
    """Yield codes that are recognised by form or check digits, without the header."""
    many = len(texts.values) >= ENOUGH
    if texts.share(lambda text: text[:2].isalpha() and any(map(str.isdigit, text))) >= LEAST:
        yield Found("iban", texts.fits("iban"))
        yield Found("vat_eu", texts.fits("vat_eu"))
    if many or "gtin" in texts.header_kinds:
        yield from _if_looks(texts, "gtin", re.compile(r"\d{8}|\d{12,14}"))
    if "bic" in texts.header_kinds:
        yield Found("bic", texts.fits("bic"))
    if "postcode" in texts.header_kinds and texts.languages[:1] == ("de",):
        yield from _if_looks(texts, "zip_code_de", re.compile(r"\d{5}"))
    if many or "country" in texts.header_kinds:
        yield from _if_looks(texts, "country_code_alpha_2", ALPHA_2)
        if "country" in texts.header_kinds:
            yield from _if_looks(texts, "country_code_alpha_3", ALPHA_3)
    if "currency" in texts.header_kinds:
        yield from _if_looks(texts, "currency_code", ALPHA_3)


def _if_looks(texts: Texts, column_type: ColumnType, form: re.Pattern[str]) -> Iterator[Found]:
    if texts.share(lambda text: form.fullmatch(text.strip()) is not None) >= LEAST:
        yield Found(column_type, texts.fits(column_type))


def _times(texts: Texts) -> Iterator[Found]:
    yield from _if_looks(texts, "time_hm", CLOCK)
    yield from _if_looks(texts, "time_hms", CLOCK_WITH_SECONDS)
    if texts.share(_is_day) < texts.least:
        return
    with_time = texts.share(lambda text: ":" in text)
    if with_time >= LEAST:
        yield Found(
            "datetime", max(texts.fits("datetime", parse_options) for parse_options in _orders())
        )
        return
    if with_time:  # some have a time and some have none: neither type accepts all
        return
    tally = tally_dates(pa.array(texts.values, pa.string()), texts.counts)
    fits = max(texts.fits("date", parse_options) for parse_options in _orders())
    if tally.is_decided and tally.dmy + tally.dotted and not tally.mdy:
        yield Found("date_dmy", texts.fits("date_dmy"), "day first")
    elif tally.is_decided and tally.mdy and not tally.dmy:
        yield Found("date_mdy", texts.fits("date_mdy", _orders()[1]), "month first")
    yield Found("date", fits)


def _orders() -> tuple[ParseOptions, ParseOptions]:
    return ParseOptions(date_order="dmy"), ParseOptions(date_order="mdy")


def _is_day(text: str) -> bool:
    return judge(text).kind is Kind.DATE and not text.strip().isdigit()


def _flags(texts: Texts) -> Iterator[Found]:
    both = {judge(text).boolean for text in texts.values}
    if both == {True, False} and len(texts.values) <= 4:
        is_digits = all(text.strip().isdigit() for text in texts.values)
        if "boolean" in texts.header_kinds or not is_digits:
            yield Found("boolean", texts.fits("boolean"))


def _numbers(texts: Texts) -> Iterator[Found]:
    if texts.header_kinds & {
        "code",
        "phone",
        "postcode",
        "date",
    }:  # its digits are a name, not a number
        return
    if texts.share(_is_number) < LEAST or any(map(ZEROS.match, texts.values)):
        return
    if texts.share(lambda text: "%" in text) >= LEAST:
        yield Found("percentage", max(texts.fits("percentage", ParseOptions(f)) for f in FORMATS))
        return
    whole = texts.share(lambda text: WHOLE.fullmatch(text.strip()) is not None)
    if whole >= LEAST:
        if texts.share(lambda text: len(text.strip("+- ")) <= LONGEST_INT) == 1.0:
            yield Found("int", whole)
        return
    tally = tally_numbers(pc.utf8_trim_whitespace(pa.array(texts.values, pa.string())))
    note = {"eu": "decimal comma", "us": "decimal point"}[tally.likelier]
    note = note if tally.is_decided and tally.eu + tally.us else ""
    for column_type, sign in SIGNS.items():
        if texts.holding(sign) >= LEAST or texts.words & WORDS_OF_TYPE[column_type]:
            fits = max(texts.fits(column_type, ParseOptions(f)) for f in FORMATS)
            yield Found(column_type, fits, note)
    if code := _currency(texts):
        fits = max(texts.fits("float", ParseOptions(f, currency=code)) for f in FORMATS)
        yield Found("float", fits, note, code)
    yield Found("float", max(texts.fits("float", ParseOptions(f)) for f in FORMATS), note)


def _currency(texts: Texts) -> str:
    """Return the only currency that the texts have or the header names; "" for none."""
    read = (number(text) for text in texts.values)
    currencies = {item.currency or item.sign for item in read if item is not None and item.sign}
    if texts.named in CURRENCY_OF.values():  # whose types have been tried
        return ""
    if texts.named:
        alien = any(is_in_other(sign, texts.named) for sign in currencies)
        return "" if alien else texts.named
    (code, *others) = currencies or {""}
    carrying = texts.share(
        lambda text: (amount := number(text)) is not None and amount.currency == code
    )
    return code if not others and carrying >= LEAST else ""


def _is_number(text: str) -> bool:
    return judge(text).kind is Kind.NUMBER
