"""Stitched grids become tables: names, body rows, what was left out and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tabular.model.issue import Issue
from tabular.model.table import (
    Evidence,
    LeftOut,
    LeftOutReason,
    ReadingChoices,
    Skipped,
    Table,
)
from tabular.model.wording import counted
from tabular.reading.grid_body import left_out_cells
from tabular.reading.layout import Hints, Region, lay_out
from tabular.reading.layout.footer import is_total
from tabular.reading.layout.grid import Grid as TextGrid
from tabular.reading.layout.pairs import document_pairs
from tabular.reading.pdf.body import PdfBody
from tabular.reading.pdf.grid import Row
from tabular.reading.pdf.heading import set_apart, spans_of
from tabular.reading.pdf.joining import with_whole_words
from tabular.reading.pdf.leaving import LeftOutLines
from tabular.reading.pdf.page import Page
from tabular.reading.pdf.segments import text_lines, texts_of
from tabular.reading.pdf.stitching import Stitched, same_text

PREVIEW_ROWS = 50
LEFT_OUT_SHOWN = 50  # rows told with the table; all of them stand in the body


def body_of(
    stitched: Stitched, page: Page, rest: LeftOutLines, choices: ReadingChoices | None
) -> PdfBody:
    """
    Lay out one table.

    page: the page it begins on. rest: the lines beside it. choices: of a person, for this table.
    """
    choices = choices or ReadingChoices()
    rows = with_whole_words(stitched.rows, stitched.width)
    region = _region(stitched, rows, choices.header_rows)
    header = region.header_rows
    totals = _totals(rows, header, region)
    kept = _without_closing_rows(rows, header, region, sorted({*region.rows, *totals}))
    others = [*_other_rows(rows, header, region, kept), *rest.unmatched(len(rows))]
    taken = {other.row for other in others if other.row in choices.take_back}
    body = [(index, rows[index]) for index in sorted({*kept, *taken}) if index < len(rows)]
    body += rest.taken_back(taken, len(rows), stitched)
    left = tuple(other for other in others if other.row not in taken)
    picked = tuple((index, _picked(row, region.places)) for index, row in body)
    table = Table(
        columns=region.columns,
        header_rows=header,
        page=stitched.grids[0].page,
        range=stitched.range,
        row_count=len(picked),
        preview=tuple(
            tuple(cell or None for cell in row.cells) for _, row in picked[:PREVIEW_ROWS]
        ),
        confidence=stitched.confidence,
        skipped=Skipped.of(other.reason for other in left if other.reason != "unmatched"),
        evidence=(*_evidence(stitched, region, totals), *rest.evidence()),
        document=_pairs_above(page, stitched.grids[0].box.y0),
        left_out=left[:LEFT_OUT_SHOWN],
    )
    return PdfBody(table, picked, (*_issues(totals), *_doubts(picked), *rest.issues()), left)


def _region(stitched: Stitched, rows: Sequence[Row], settled: tuple[int, ...] | None) -> Region:
    hints = Hints(
        merged=spans_of(rows),
        shows_spans=True,
        header_rows=settled,
        set_apart=set_apart(rows, stitched.grids[0].parting_rules),
        one_table=True,
    )
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


def _other_rows(
    rows: Sequence[Row], header: tuple[int, ...], region: Region, kept: Sequence[int]
) -> Iterator[LeftOut]:
    """Give the rows that are neither titles nor data, each with its reason."""
    told = dict(region.left_out)
    for index in sorted(set(range(len(rows))) - {*header, *kept}):
        reason: LeftOutReason = told.get(index, "total")
        if reason == "subtotal" and index > max(kept, default=0):
            reason = "total"
        if _repeats(rows, index, header):
            reason = "repeated_header"
        yield LeftOut(index, reason, left_out_cells(rows[index].cells), rows[index].page)


def _picked(row: Row, places: Sequence[int]) -> Row:
    """Keep the cells of some columns, each with its box on the page."""
    ends = dict(row.spans)
    boxes = tuple(
        round(side, 1)
        for place in places
        for side in (row.edges[place], row.top, row.edges[ends.get(place, place) + 1], row.bottom)
    )
    return replace(row, cells=tuple(row.cells[place] for place in places), boxes=boxes)


def _evidence(stitched: Stitched, region: Region, totals: Sequence[int]) -> Iterator[Evidence]:
    for grid in stitched.grids:
        score = round(grid.score, 1)
        yield Evidence("table", f"{grid.method} cells on page {grid.page}", score)
    yield from (reason for reason in region.evidence if reason.decision == "header")
    if totals:
        yield Evidence("totals", f"{counted(len(totals), 'row')} in the body named as totals")


def _issues(totals: Sequence[int]) -> Iterator[Issue]:
    for index in totals:
        yield Issue(
            "total_row",
            severity="warning",
            row=index,
            message="This row calls itself a total; it is kept as data.",
            hint="Leave it out if the rows above already hold what it adds up.",
        )


def _doubts(rows: Sequence[tuple[int, Row]]) -> Iterator[Issue]:
    for index, row in rows:
        if row.doubtful:
            yield Issue(
                "lines_joined",
                severity="warning",
                row=index,
                message=f"Taken for the end of this row on page {row.page}: "
                f"{counted(row.doubtful, 'line')}. Each may be a row of its own.",
                value=" | ".join(cell for cell in row.cells if cell),
                hint="Compare the row with the page before you apply it.",
            )


def _pairs_above(page: Page, top: float) -> dict[str, str]:
    """Read ``key: value`` pairs from the text above the table on its first page."""
    words = [word for word in page.words if word.box.y1 <= top + 1]
    lines = [texts_of(line) for line in text_lines(words)]
    return document_pairs(TextGrid.whole(lines), range(len(lines))) if lines else {}
