"""
Find the tables in a grid of text cells from any source. Spec: What the service does, 1.

1. ``tables``: split the grid into tables side by side and stacked.
2. ``header``: find the rows that name the columns, and the units row.
3. ``footer``, ``totals``: find where the body ends, and the rows inside that are not data.
4. ``naming``, ``pairs``: name the columns, read the pairs above.
"""

from tabular.reading.layout.footer import end_of_data, reason_below, says_total
from tabular.reading.layout.grid import Span
from tabular.reading.layout.header import header_of
from tabular.reading.layout.region import Hints, Region, SetApart
from tabular.reading.layout.tables import (
    chosen_regions,
    lay_out,
    with_header_rows,
    with_rows,
    without_totals,
)

__all__ = [
    "Hints",
    "Region",
    "SetApart",
    "Span",
    "chosen_regions",
    "end_of_data",
    "header_of",
    "lay_out",
    "reason_below",
    "says_total",
    "with_header_rows",
    "with_rows",
    "without_totals",
]
