"""The text of a workbook's cells: what a person would type to get the same value."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

_WHOLE = 10**16  # above it a double's text has an exponent


def text_of(cell: Any) -> str:
    """
    Write one cell as text.

    >>> text_of(69.0), text_of(True), text_of(0.1), text_of("007")
    ('69', 'true', '0.1', '007')
    """
    if isinstance(cell, str):
        return cell
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < _WHOLE else repr(cell)
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return _text_of_time(cell)


def _text_of_time(cell: Any) -> str:
    if isinstance(cell, dt.datetime):
        return cell.date().isoformat() if cell.time() == dt.time() else cell.isoformat(" ")
    if isinstance(cell, dt.date | dt.time):
        return cell.isoformat()
    if isinstance(cell, dt.timedelta):
        return _duration(cell)
    return str(cell)


def _duration(length: dt.timedelta) -> str:
    seconds = int(length.total_seconds())
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def texts_of(cells: Sequence[Any], *, digits: int = 0) -> Sequence[str]:
    """Write the cells of one column as text; whole numbers get leading zeros up to ``digits``."""
    if set(map(type, cells)) == {str}:
        return cells
    texts = [cell if type(cell) is str else text_of(cell) for cell in cells]
    if not digits:
        return texts
    return [
        text.zfill(digits) if type(cell) is float and text.isdigit() else text
        for cell, text in zip(cells, texts, strict=True)
    ]
