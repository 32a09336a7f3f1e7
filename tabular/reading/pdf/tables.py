"""Turn stitched grids into tables: whole words, names, body rows, skipped rows with reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tabular.model.issue import Issue
from tabular.model.places import ReadingChoices
from tabular.model.sentences import Sentence, counted, joined
from tabular.model.table import (
    BOXES_COLUMN,
    CONFIDENCE_COLUMN,
    PAGE_COLUMN,
    ROW_COLUMN,
    Evidence,
    Skipped,
    SkippedRow,
    SkipReason,
    Table,
)
from tabular.reading.batches import rows_per_batch
from tabular.reading.grid_body import skipped_cells
from tabular.reading.layout import Hints, Region, lay_out
from tabular.reading.layout.footer import is_total
from tabular.reading.layout.grid import Grid as TextGrid
from tabular.reading.layout.pairs import document_pairs
from tabular.reading.pdf.cohesion import Cohesion, Surroundings, cohesion_of
from tabular.reading.pdf.doubts import doubts
from tabular.reading.pdf.frames import frames_of
from tabular.reading.pdf.grids.columns import text_lines, texts_of
from tabular.reading.pdf.grids.grid import Row
from tabular.reading.pdf.heading import set_apart, spans_of
from tabular.reading.pdf.leftovers import SkippedLines
from tabular.reading.pdf.pages.page import Page
from tabular.reading.pdf.stitching import Stitched, same_text
from tabular.reading.pdf.whole_words import with_whole_words

if TYPE_CHECKING:
    import pyarrow as pa


SLACK = 1.0  # points around a row in which its words have their middle


@dataclass(frozen=True, slots=True)
class PdfBody:
    """Rows of one table with their physical numbers."""

    table: Table
    rows: tuple[tuple[int, Row], ...]
    issues: tuple[Issue, ...] = ()
    others: tuple[SkippedRow, ...] = ()  # what is not in the body
    cohesion: Cohesion | None = None

    def batches(self) -> Iterator[pa.RecordBatch]:
        """
        Yield batches of ROW_COLUMN, PAGE_COLUMN, BOXES_COLUMN, then a string column per name.

        Of pictures, CONFIDENCE_COLUMN is before those.
        """
        import pyarrow as pa

        size = rows_per_batch(len(self.table.columns))
        is_picture = self.table.recognised is not None
        beside = [ROW_COLUMN, PAGE_COLUMN, BOXES_COLUMN]
        names = [*beside, *([CONFIDENCE_COLUMN] * is_picture), *self.table.columns]
        for start in range(0, len(self.rows), size):
            part = self.rows[start : start + size]
            arrays: list[pa.Array[Any]] = [
                pa.array([number for number, _ in part], pa.int64()),
                pa.array([row.page for _, row in part], pa.int32()),
                pa.array([row.boxes for _, row in part], pa.list_(pa.float32())),
            ]
            if is_picture:
                sure = [row.confidences or None for _, row in part]
                arrays.append(pa.array(sure, pa.list_(pa.int8())))
            for column in range(len(self.table.columns)):
                cells = [row.cells[column] or None for _, row in part]
                arrays.append(pa.array(cells, pa.string()))
            yield pa.RecordBatch.from_arrays(arrays, names=names)

    def outcome(self) -> tuple[Table, tuple[Issue, ...]]:
        """Return the table with its exact row count, and the issues found."""
        return replace(self.table, row_count=len(self.rows)), self.issues

    def skipped_rows(self) -> Iterator[SkippedRow]:
        """Return every row that is not in the body."""
        return iter(self.others)


PREVIEW_ROWS = 50
SHOWN_SKIPPED_ROWS = 50  # rows shown with the table; all of them are in the body


def body_of(
    stitched: Stitched, pages: Sequence[Page], rest: SkippedLines, choices: ReadingChoices | None
) -> PdfBody:
    """
    Lay out one table.

    pages: of the document. rest: the lines next to it. choices: a user's, for this table.
    """
    page = pages[stitched.grids[0].page - 1]
    choices = choices or ReadingChoices()
    rows = stitched.rows
    if choices.joined_lines == "apart":
        rows = [part for row in rows for part in row.taken_apart]
    rows = with_whole_words(rows, stitched.width)
    region = _region(stitched, rows, choices.header_rows)
    header = region.header_rows
    totals = _totals(rows, header, region)
    kept = _without_closing_rows(rows, header, region, sorted({*region.rows, *totals}))
    others = [*_other_rows(rows, header, region, kept), *rest.unmatched(len(rows))]
    taken = {other.row for other in others if other.row in choices.restored}
    body = [(index, rows[index]) for index in sorted({*kept, *taken}) if index < len(rows)]
    body += rest.restored(taken, len(rows), stitched)
    left = tuple(_as_shown(other, pages) for other in others if other.row not in taken)
    picked = tuple((index, _picked(row, region.places, pages)) for index, row in body)
    cohesion = _cohesion(stitched, region, picked, rest)
    table = Table(
        columns=region.columns,
        header_rows=header,
        page=stitched.grids[0].page,
        range=stitched.range(pages),
        row_count=len(picked),
        preview=tuple(
            tuple(cell or None for cell in row.cells) for _, row in picked[:PREVIEW_ROWS]
        ),
        confidence=cohesion.confidence,
        doubts=_doubts(cohesion, choices, page),
        frames=frames_of(stitched, pages),
        recognised=_least_sure([row for _, row in picked]),
        skipped=Skipped.of(other.reason for other in left if other.reason != "unmatched"),
        evidence=(*_evidence(stitched, region, totals), *rest.evidence()),
        document=_pairs_above(page, stitched.grids[0].box.y0),
        left_out=left[:SHOWN_SKIPPED_ROWS],
    )
    doubtful = picked if choices.joined_lines is None else ()
    doubt_issues = (*_join_issues(doubtful), *doubts(region.columns, doubtful))
    around = () if choices.frames else tuple(rest.issues())
    named = (*doubt_issues, *around)  # what they name is in the question, too
    issues = (*_issues(totals), *(named or _doubtful_rows(table)))
    return PdfBody(table, picked, issues, left, cohesion)


def _cohesion(
    stitched: Stitched, region: Region, rows: Sequence[tuple[int, Row]], rest: SkippedLines
) -> Cohesion:
    around = Surroundings(
        is_titled=bool(region.header_rows),
        left_out=rest.sizes,
        left_inside=rest.doubtful,
        drawn=sum(grid.method == "ruled" for grid in stitched.grids) / len(stitched.grids),
        score=stitched.confidence,
    )
    return cohesion_of(region.columns, [row for _, row in rows], around)


def _region(stitched: Stitched, rows: Sequence[Row], header_rows: tuple[int, ...] | None) -> Region:
    hints = Hints(
        merged=spans_of(rows),
        shows_spans=True,
        header_rows=header_rows,
        set_apart=set_apart(rows, stitched.grids[0].parting_rules),
        one_table=True,
    )
    return lay_out([row.cells for row in rows], hints)[0]


def _totals(rows: Sequence[Row], header: tuple[int, ...], region: Region) -> list[int]:
    """
    Return the rows that look like totals but fill the table like any other row.

    They stay in the body and are reported: in a published table they are often wanted. A total that
    leaves most columns empty is a footer.
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
    """Return the rows without sparse ones below a sparse total: taxes, deposits, amount due."""
    full = [index for index in kept if 2 * rows[index].filled > len(region.places)]
    end = range(full[-1] + 1 if full else len(rows), len(rows))
    left_out = [i for i in end if i not in kept and not _repeats(rows, i, header)]
    return [index for index in kept if index < min(left_out, default=len(rows))]


def _repeats(rows: Sequence[Row], index: int, header: tuple[int, ...]) -> bool:
    return any(same_text(rows[index], rows[head]) for head in header)


def _other_rows(
    rows: Sequence[Row], header: tuple[int, ...], region: Region, kept: Sequence[int]
) -> Iterator[SkippedRow]:
    """Yield the rows that are neither titles nor data, each with its reason."""
    reasons = dict(region.left_out)
    for index in sorted(set(range(len(rows))) - {*header, *kept}):
        reason: SkipReason = reasons.get(index, "total")
        if reason == "subtotal" and index > max(kept, default=0):
            reason = "total"
        if _repeats(rows, index, header):
            reason = "repeated_header"
        row = rows[index]
        yield SkippedRow(index, reason, skipped_cells(row.cells), row.page, _box_of(row))


def _box_of(row: Row) -> tuple[float, ...]:
    sides = (row.edges[0], row.top, row.edges[-1], row.bottom)
    return tuple(round(side, 1) for side in sides)


def _as_shown(other: SkippedRow, pages: Sequence[Page]) -> SkippedRow:
    if other.page is None or other.box is None:
        return other
    return replace(other, box=pages[other.page - 1].shown(other.box))


def _picked(row: Row, places: Sequence[int], pages: Sequence[Page]) -> Row:
    """Return a row with the cells of some columns, each with its box on the page."""
    ends = dict(row.spans)
    boxes = tuple(
        round(side, 1)
        for place in places
        for side in (row.edges[place], row.top, row.edges[ends.get(place, place) + 1], row.bottom)
    )
    confidences = _confidences(row, boxes, places, pages[row.page - 1])
    boxes = pages[row.page - 1].shown(boxes)
    pieces = tuple(_picked(piece, places, pages) for piece in row.taken_apart) if row.pieces else ()
    cells = tuple(row.cells[place] for place in places)
    ends_by_place = dict(row.breaks)
    breaks = tuple(
        (column, ends_by_place[place])
        for column, place in enumerate(places)
        if place in ends_by_place
    )
    return replace(
        row, cells=cells, boxes=boxes, pieces=pieces, confidences=confidences, breaks=breaks
    )


def _confidences(
    row: Row, boxes: Sequence[float], places: Sequence[int], page: Page
) -> tuple[int | None, ...]:
    """Return how sure the recognition of each cell is: of its least sure word, 0 if unknown."""
    if page.confidence is None:
        return ()
    near = [w for w in page.words if row.top - SLACK <= w.box.middle[1] <= row.bottom + SLACK]
    confidences: list[int | None] = []
    for place, sides in zip(places, zip(*[iter(boxes)] * 4, strict=True), strict=True):
        x0, _, x1, _ = sides
        mine = [w for w in near if x0 <= w.box.middle[0] <= x1 or w.text in row.cells[place]]
        mine = [w for w in mine if w.box.x1 > x0 and w.box.x0 < x1]
        least = min((word.confidence or 0 for word in mine), default=0)
        confidences.append(least if row.cells[place] else None)
    return tuple(confidences)


def _least_sure(rows: Sequence[Row]) -> int | None:
    """Return the lowest confidence of a cell; None if no row is from a picture."""
    if not any(row.confidences for row in rows):
        return None
    return min((c for row in rows for c in row.confidences if c is not None), default=100)


def _evidence(stitched: Stitched, region: Region, totals: Sequence[int]) -> Iterator[Evidence]:
    for grid in stitched.grids:
        score = round(grid.score, 1)
        yield Evidence(
            "table",
            Sentence("{method} cells on page {n1}", method=grid.method, n1=str(grid.page)),
            score,
        )
    yield from (reason for reason in region.evidence if reason.decision == "header")
    if totals:
        yield Evidence(
            "totals",
            Sentence("{ROWS} in the body labeled as totals", ROWS=counted(len(totals), "row")),
        )


def _issues(totals: Sequence[int]) -> Iterator[Issue]:
    for index in totals:
        yield Issue(
            "total_row",
            severity="warning",
            row=index,
            message="This row is labeled as a total; it is kept as data.",
            hint="Exclude it if the rows above already contain these amounts.",
        )


def _join_issues(rows: Sequence[tuple[int, Row]]) -> Iterator[Issue]:
    for index, row in rows:
        if row.pieces:
            yield Issue(
                "lines_joined",
                severity="warning",
                row=index,
                message=Sentence(
                    "Read as the end of this row on page {n1}: {LINES}. Each may be a "
                    "separate row.",
                    n1=str(row.page),
                    LINES=counted(len(row.pieces) - 1, "line"),
                ),
                value=" | ".join(cell for cell in row.cells if cell),
                hint="Compare the row with the page, and answer the question joined_lines.",
            )


def _doubts(cohesion: Cohesion, choices: ReadingChoices, page: Page) -> tuple[str, ...]:
    """
    Return why a person has to compare the rows with the page, if so.

    A user who chose where rows begin and end, or drew the table, has compared them; and every
    recognised page is asked about.
    """
    is_compared = choices.frames or choices.joined_lines or choices.header_rows is not None
    if is_compared or choices.restored or page.confidence is not None:
        return ()
    return cohesion.reasons if cohesion.is_doubtful else ()


def _doubtful_rows(table: Table) -> Iterator[Issue]:
    if table.doubts:
        yield Issue(
            "doubtful_rows",
            severity="warning",
            message=Sentence(
                "The rows may differ from the page: {DOUBTS}.", DOUBTS=joined(*table.doubts)
            ),
            hint="Compare the rows with the page, and answer the question which table is imported.",
        )


def _pairs_above(page: Page, top: float) -> dict[str, str]:
    """Return the ``key: value`` pairs in the text above the table on its first page."""
    words = [word for word in page.words if word.box.y1 <= top + 1]
    lines = [texts_of(line) for line in text_lines(words)]
    return document_pairs(TextGrid.whole(lines), range(len(lines))) if lines else {}
