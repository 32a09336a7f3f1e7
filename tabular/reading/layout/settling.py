"""Lay out one table anew, with the header a person chose and the rows they took back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from tabular.model.problem import UnusableRequest
from tabular.model.table import ReadingChoices
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
    choices: ReadingChoices,
    hints: Hints,
) -> tuple[Region, ...]:
    """Give the regions, the chosen ones with the header rows and rows that a person chose."""
    return tuple(
        region if (own := choices.of_table(place)) is None else _chosen(rows, region, own, hints)
        for place, region in enumerate(regions)
    )


def _chosen(
    rows: Sequence[Sequence[str]], region: Region, choices: ReadingChoices, hints: Hints
) -> Region:
    if choices.header_rows is not None:
        region = settle(rows, region, choices.header_rows, hints)
    return with_rows(region, choices.take_back)


def with_rows(region: Region, take_back: Collection[int]) -> Region:
    """Give the region with rows that were left out as rows of its body."""
    taken = {row for row, _ in region.left_out if row in take_back}
    return replace(
        region,
        rows=tuple(sorted({*region.rows, *taken})),
        left_out=tuple((row, reason) for row, reason in region.left_out if row not in taken),
    )
