"""Rows that add up other rows."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from tabular.reading.cells import Look
from tabular.reading.layout.grid import Grid
from tabular.values import amount

_TOLERANCE = Decimal("0.001")


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
