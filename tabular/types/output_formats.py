"""How a delivered value is written. Spec: field > outputFormat.

With an output format a value is delivered as a string:
    dates, datetime, times   ``YYYY YY MM M DD D HH H hh h mm ss A``, other characters as they are
    numbers                  ``0``, ``0.00``, ``#,##0.00``, ``#.##0,00``; percentages also ``0.0 %``
    amounts                  the same with the code of their currency: ``CHF 0.00``, ``0.00 CHF``
    boolean                  ``yes/no``: the word for true, a slash, the word for false
    phone                    ``e164``, ``international``, ``national``
    iban                     ``grouped``
"""

import re
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.amounts import amount_format, is_amount_format, is_currency_alone
from tabular.model.catalog import ColumnType, Field
from tabular.types.parsed import per_distinct

DATES = frozenset({"date", "date_dmy", "date_mdy", "date_iso"})
TIMES = frozenset({"time_hms", "time_hms_24", "time_hm", "time_hm_24"})
NUMBERS = frozenset({"int", "float", "percentage", "currency_eur", "currency_usd"})
_TOKENS = {
    "YYYY": "%Y", "YY": "%y", "MM": "%m", "DD": "%d", "HH": "%H", "hh": "%I", "mm": "%M",
    "ss": "%S", "A": "%p",
}  # fmt: skip
_TOKEN = re.compile(r"YYYY|YY|MM|M|DD|D|HH|H|hh|h|mm|ss|A|[A-Za-z]")
_NUMBER = re.compile(r"^(?:#(?P<group>[.,' ])##)?0(?:(?P<point>[.,])(?P<places>0{1,10}))?( ?%)?$")
_SINGLE = {"M": "%-m", "D": "%-d", "H": "%-H", "h": "%-I"}
_EXACT = Context(prec=400)  # a float has up to 309 digits before the point
_PHONES = ("e164", "international", "national")  # in lower case, names of libphonenumber


def output_format_of(field: Field) -> str | None:
    """
    Return the format in which a field's values are written, if it has an effective one.

    A currency alone (``CHF``) says what the amounts are, not how they are written.
    """
    pattern = field.output_format
    if pattern is None or not has_effect(field):
        return None
    return None if is_currency_alone(field) else pattern


def has_effect(field: Field) -> bool:
    """Return whether the output format of a field can be followed."""
    pattern = field.output_format
    takes_one = pattern is not None and not field.dropdown_options
    return takes_one and is_output_format(field.column_type, pattern or "")


def is_output_format(column_type: ColumnType, pattern: str) -> bool:
    """
    Return whether a type can be written by a pattern.

    >>> is_output_format("date", "DD.MM.YYYY"), is_output_format("date", "Qx")
    (True, False)
    """
    if column_type in DATES:
        return _is_calendar(pattern, "YMD")
    if column_type in TIMES:
        return _is_calendar(pattern, "HhmsA")
    if column_type == "datetime":
        return _is_calendar(pattern, "YMDHhmsA")
    if is_amount_format(column_type, pattern):
        named = amount_format(pattern)
        return named is not None and (not named.number or is_output_format("int", named.number))
    if column_type in NUMBERS:
        match = _NUMBER.match(pattern)
        return bool(match) and (column_type == "percentage" or "%" not in pattern)
    if column_type == "boolean":
        return re.fullmatch(r"[^/]+/[^/]+", pattern) is not None
    return pattern in {"phone": set(_PHONES), "iban": {"grouped"}}.get(column_type, set())


def _is_calendar(pattern: str, letters: str) -> bool:
    tokens = _TOKEN.findall(pattern)
    known = all((t in _TOKENS or t in _SINGLE) and t[0] in letters for t in tokens)
    return bool(tokens) and known


def formatted(values: pa.Array, column_type: ColumnType, pattern: str) -> pa.Array:
    """Format values by a pattern. values: n canonical values. Returns n strings."""
    if column_type in DATES | TIMES:
        return _calendar(values, column_type, pattern)
    if column_type == "datetime":
        wall = pc.cast(pc.utf8_slice_codeunits(values, 0, 19), pa.timestamp("s"))
        return _calendar(wall, column_type, pattern)
    if column_type == "boolean":
        true, false = pattern.split("/")
        return pc.if_else(values, true, false)
    texts = pc.cast(values, pa.string())
    return per_distinct(texts, _writer(column_type, pattern), pa.string())


def _calendar(values: pa.Array, column_type: ColumnType, pattern: str) -> pa.Array:
    encoded = values.dictionary_encode()
    moments = encoded.dictionary
    if column_type in TIMES:
        moments = pc.cast(pc.cast(moments, pa.int32()), pa.int64()).cast(pa.timestamp("s"))
    directives = calendar_directives(pattern)
    written = [None if m is None else m.strftime(directives) for m in moments.to_pylist()]
    return pa.array(written, pa.string()).take(encoded.indices)


def calendar_directives(pattern: str) -> str:
    """
    Return a pattern of dates or times in the directives of strftime.

    >>> calendar_directives("D.MM.YYYY")
    '%-d.%m.%Y'
    """
    return _TOKEN.sub(lambda match: _directive(match.group()), pattern.replace("%", "%%"))


def _directive(token: str) -> str:
    return _TOKENS.get(token) or _SINGLE[token]


def _writer(column_type: ColumnType, pattern: str) -> Callable[[str], Any]:
    if column_type == "phone":
        import phonenumbers  # loaded for phone numbers alone

        form = getattr(phonenumbers.PhoneNumberFormat, pattern.upper())
        return lambda text: phonenumbers.format_number(phonenumbers.parse(text), form)
    if column_type == "iban":
        return lambda text: " ".join(text[i : i + 4] for i in range(0, len(text), 4))
    return lambda text: write_number(text, pattern)


def rounds(text: str, pattern: str) -> bool:
    """
    Return whether a pattern writes less than a canonical number has.

    >>> rounds("12.4", "0"), rounds("12.40", "0.0"), rounds("0.125", "0.0 %")
    (True, False, False)
    """
    if named := amount_format(pattern):
        return rounds(text, named.number)
    match = _NUMBER.match(pattern)
    places, percent = (match["places"], match.group(4)) if match else (None, None)
    number = _EXACT.multiply(Decimal(text), Decimal(100 if percent else 1))
    step = Decimal(1).scaleb(-len(places or ""))
    return number != number.quantize(step, ROUND_HALF_EVEN, _EXACT)


def write_number(text: str, pattern: str) -> str:
    """
    Format a canonical number by a pattern, rounding halves to even.

    >>> write_number("-1234567.125", "#.##0,00"), write_number("0.125", "0.0 %")
    ('-1.234.567,12', '12.5 %')
    >>> write_number("1234.5", "CHF #'##0.00")
    "CHF 1'234.50"
    """
    if named := amount_format(pattern):
        return named.written(write_number(text, named.number))
    match = _NUMBER.match(pattern)
    group, point, places, percent = match.groups() if match else (None, None, None, None)
    number = _EXACT.multiply(Decimal(text), Decimal(100 if percent else 1))
    step = Decimal(1).scaleb(-len(places or ""))
    whole, _, rest = f"{number.quantize(step, ROUND_HALF_EVEN, _EXACT):,f}".partition(".")
    return whole.replace(",", group or "") + (f"{point}{rest}" if rest else "") + (percent or "")
