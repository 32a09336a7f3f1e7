"""Lay out one table anew, with the header a person chose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tabular.model.problem import UnusableRequest
from tabular.reading.layout.region import Hints, Region
from tabular.reading.layout.tables import lay_out_window


def settle(
    rows: Sequence[Sequence[str]], region: Region, header_rows: tuple[int, ...], hints: Hints
) -> Region:
    """
    Give the region with these header rows; () makes its first row data.

    rows, hints: what the region was found with. Raises UnusableRequest (unknown_row).
    """
    if any(not 0 <= row < len(rows) for row in header_rows):
        sentence = f"The file has no row {max(header_rows)} that could be the header."
        raise UnusableRequest("unknown_row", sentence, rows=list(header_rows))
    bottom = max((region.bottom, *region.footers)) + 1 if hints.is_complete else len(rows)
    return lay_out_window(
        rows,
        replace(hints, header_rows=header_rows, one_table=True),
        top=0 if header_rows else region.top,
        bottom=max(bottom, max(header_rows, default=-1) + 1),
        columns=range(min(region.places), max(region.places) + 1),
    )


def settled(
    rows: Sequence[Sequence[str]],
    regions: tuple[Region, ...],
    header_rows: tuple[int, ...] | None,
    hints: Hints,
    *,
    table: int | None,
) -> tuple[Region, ...]:
    """Give the regions, the chosen one with the header rows a person chose, if they did."""
    place = table or 0
    if header_rows is None or place >= len(regions):
        return regions
    anew = settle(rows, regions[place], header_rows, hints)
    return (*regions[:place], anew, *regions[place + 1 :])
