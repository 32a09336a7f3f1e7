"""Rows that add up other rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from tabular.reading.cells import Look
from tabular.reading.layout.grid import Grid

_KEEP = re.compile(r"[^\d.,+\-−–]")
_TOLERANCE = Decimal("0.001")


def amount(text: str) -> Decimal | None:
    """
    Read a number in any usual notation, good enough to check a sum.

    >>> amount("1.234,50 €"), amount("(12)"), amount("1,234"), amount("n/a")
    (Decimal('1234.50'), Decimal('-12'), Decimal('1234'), None)
    """
    negative = text.strip().startswith("(") or text.strip().endswith("-")
    digits = _KEEP.sub("", text).replace("−", "-").replace("–", "-").rstrip("-")
    comma, point = digits.rfind(","), digits.rfind(".")
    if comma > point:
        is_decimal = digits.count(",") == 1 and (point >= 0 or len(digits) - comma != 4)
        digits = digits.replace(".", "").replace(",", "." if is_decimal else "")
    else:
        is_decimal = digits.count(".") == 1
        digits = digits.replace(",", "")
        digits = digits if is_decimal else digits.replace(".", "")
    try:
        number = Decimal(digits)
    except InvalidOperation:
        return None
    return -number if negative else number


def is_sum(grid: Grid, row: int, others: Sequence[int], columns: Sequence[int]) -> bool:
    """Say whether most numbers of a row are the sums of the other rows in their columns."""
    if len(others) < 2:
        return False
    checked = right = 0
    for column in columns:
        if grid.look(row, column) is not Look.NUMBER:
            continue
        claimed = amount(grid.cell(row, column))
        parts = [amount(grid.cell(other, column)) for other in others]
        known = [part for part in parts if part is not None]
        if claimed is None or len(known) < 2:
            continue
        checked += 1
        right += abs(sum(known) - claimed) <= max(abs(claimed) * _TOLERANCE, Decimal("0.011"))
    return checked > 0 and right * 2 >= checked
