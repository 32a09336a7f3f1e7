"""The text of a workbook's cells: each value in one notation, in the class of its kind."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from tabular.model.table import (
    BooleanText,
    DateText,
    DurationText,
    NumberText,
    TimeText,
)

_EXACT = 2**53  # beyond it, a double cannot hold every whole number
_LONGEST = 16  # of a repr that can have no more than 15 digits: a point, "0.12"
_PLAIN = 22  # digits before the point that are written without an exponent


def text_of(cell: Any) -> str:
    """
    Return one cell as text.

    >>> text_of(69.0), text_of(True), text_of(0.1), text_of("007")
    ('69', 'true', '0.1', '007')
    """
    if isinstance(cell, str):
        return cell
    if isinstance(cell, float):
        return number_text(cell)
    if isinstance(cell, bool):
        return BooleanText("true" if cell else "false")
    if isinstance(cell, int):
        return NumberText(cell)
    return _text_of_time(cell)


def number_text(value: float) -> NumberText:
    """
    Format a number with the 15 digits that spreadsheets show, a whole one with all its digits.

    >>> number_text(0.57 * 100), number_text(1e16), number_text(1.5e-7), number_text(-2.0)
    ('57', '10000000000000000', '0.00000015', '-2')
    """
    text = repr(value)
    if text.endswith(".0"):
        return NumberText(text[:-2] if text != "-0.0" else "0")
    if len(text) <= _LONGEST and "e" not in text:
        return NumberText(text)
    if value.is_integer() and abs(value) < _EXACT:
        return NumberText(int(value))
    digits = text if value.is_integer() else f"{value:.15g}"
    return plain_text(digits)


def plain_text(digits: str) -> NumberText:
    """
    Format a decimal number without an exponent, unless that is longer than people write.

    >>> plain_text("1.234567890123457e+19"), plain_text("57.00"), plain_text("1e300")
    ('12345678901234570000', '57', '1e300')
    """
    try:
        number = Decimal(digits)
    except ArithmeticError:  # "inf", "nan": not numbers of a spreadsheet
        return NumberText(digits)
    if not -_PLAIN < number.adjusted() < _PLAIN:
        return NumberText(digits)
    text = f"{number:f}"
    return NumberText(text.rstrip("0").rstrip(".") if "." in text else text)


def _text_of_time(cell: Any) -> str:
    if isinstance(cell, dt.datetime):
        is_day = cell.time() == dt.time()
        return DateText(cell.date().isoformat() if is_day else cell.isoformat(" "))
    if isinstance(cell, dt.date):
        return DateText(cell.isoformat())
    if isinstance(cell, dt.time):
        return TimeText(cell.isoformat())
    if isinstance(cell, dt.timedelta):
        return DurationText(_duration(cell))
    return str(cell)


def _duration(length: dt.timedelta) -> str:
    seconds = int(length.total_seconds())
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def texts_of(cells: Sequence[Any]) -> Sequence[str]:
    """Return the cells of one column as text."""
    if set(map(type, cells)) == {str}:
        return cells
    return [
        cell if type(cell) is str else number_text(cell) if type(cell) is float else text_of(cell)
        for cell in cells
    ]
