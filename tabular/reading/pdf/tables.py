"""Stitched grids become tables: names, body rows, what was left out and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tabular.model.issue import Issue
from tabular.model.table import Evidence, Skipped, Table
from tabular.reading.layout import Hints, Region, Span, lay_out
from tabular.reading.layout.footer import is_total
from tabular.reading.layout.grid import Grid as TextGrid
from tabular.reading.layout.naming import unique
from tabular.reading.layout.pairs import document_pairs
from tabular.reading.pdf.body import PdfBody
from tabular.reading.pdf.grid import Row
from tabular.reading.pdf.heading import header_height, joined_names
from tabular.reading.pdf.page import Page
from tabular.reading.pdf.segments import text_lines, texts_of
from tabular.reading.pdf.stitching import Stitched, same_text

PREVIEW_ROWS = 50


def body_of(stitched: Stitched, page: Page, settled: tuple[int, ...] | None) -> PdfBody:
    """
    Lay out one table.

    page: the page it begins on. settled: the header rows a person chose, () for none.
    """
    rows = stitched.rows
    header = settled
    if header is None:
        rules = stitched.grids[0].parting_rules
        header = tuple(range(header_height(rows, stitched.width, rules)))
    region = _region(rows, header)
    names = joined_names([rows[index] for index in header], stitched.width)
    totals = _totals(rows, header, region)
    kept = _without_closing_rows(rows, header, region, sorted({*region.rows, *totals}))
    body = tuple((index, _picked(rows[index], region.places)) for index in kept)
    table = Table(
        columns=unique([names[place] for place in region.places]),
        header_rows=header,
        page=stitched.grids[0].page,
        range=stitched.range,
        row_count=len(body),
        preview=tuple(tuple(cell or None for cell in row.cells) for _, row in body[:PREVIEW_ROWS]),
        confidence=stitched.confidence,
        skipped=_skipped(rows, header, region, kept),
        evidence=tuple(_evidence(stitched, header, totals, settled is not None)),
        document=_pairs_above(page, stitched.grids[0].box.y0),
    )
    return PdfBody(table, body, tuple(_issues(totals)))


def _region(rows: Sequence[Row], header: tuple[int, ...]) -> Region:
    merged = tuple(
        Span(index, first, index, last)
        for index, row in enumerate(rows)
        for first, last in row.spans
    )
    hints = Hints(merged=merged, header_rows=header, one_table=True)
    return lay_out([row.cells for row in rows], hints)[0]


def _totals(rows: Sequence[Row], header: tuple[int, ...], region: Region) -> list[int]:
    """
    Find the rows that look like totals but fill the table like any other row.

    They stay in the body and are reported: in a published table they are often asked for. A total
    that leaves most columns empty is a footer.
    """
    grid = TextGrid.whole([row.cells for row in rows])
    left_out = set(range(max(header, default=-1) + 1, len(rows))) - set(region.rows)
    return [
        index
        for index in sorted(left_out)
        if index != region.units_row
        and not _repeats(rows, index, header)
        and is_total(grid, index, region.places)
        and 2 * rows[index].filled > len(region.places)
    ]


def _without_closing_rows(
    rows: Sequence[Row], header: tuple[int, ...], region: Region, kept: Sequence[int]
) -> list[int]:
    """Leave out sparse rows below a sparse total: taxes, deposits, what remains to be paid."""
    full = [index for index in kept if 2 * rows[index].filled > len(region.places)]
    end = range(full[-1] + 1 if full else len(rows), len(rows))
    left_out = [i for i in end if i not in kept and not _repeats(rows, i, header)]
    return [index for index in kept if index < min(left_out, default=len(rows))]


def _repeats(rows: Sequence[Row], index: int, header: tuple[int, ...]) -> bool:
    return any(same_text(rows[index], rows[head]) for head in header)


def _skipped(
    rows: Sequence[Row], header: tuple[int, ...], region: Region, kept: Sequence[int]
) -> Skipped:
    repeated = sum(
        1 for index in range(len(rows)) if index not in header and _repeats(rows, index, header)
    )
    units = region.skipped.units
    footer = len(rows) - len(header) - len(kept) - repeated - units
    return replace(Skipped(), footer=max(footer, 0), repeated_headers=repeated, units=units)


def _picked(row: Row, places: Sequence[int]) -> Row:
    return replace(row, cells=tuple(row.cells[place] for place in places))


def _evidence(
    stitched: Stitched, header: tuple[int, ...], totals: Sequence[int], is_settled: bool
) -> Iterator[Evidence]:
    for grid in stitched.grids:
        score = round(grid.score, 1)
        yield Evidence("table", f"{grid.method} cells on page {grid.page}", score)
    if is_settled:
        yield Evidence("header", "a person chose it", 1.0)
    elif header:
        yield Evidence("header", f"{len(header)} rows above the first row of values")
    if totals:
        yield Evidence("totals", f"{len(totals)} rows in the body call themselves totals")


def _issues(totals: Sequence[int]) -> Iterator[Issue]:
    for index in totals:
        yield Issue(
            "total_row",
            severity="warning",
            row=index,
            message="This row calls itself a total; it is kept as data.",
            hint="Leave it out if the rows above already hold what it adds up.",
        )


def _pairs_above(page: Page, top: float) -> dict[str, str]:
    """Read ``key: value`` pairs from the text above the table on its first page."""
    words = [word for word in page.words if word.box.y1 <= top + 1]
    lines = [texts_of(line) for line in text_lines(words)]
    return document_pairs(TextGrid.whole(lines), range(len(lines))) if lines else {}
