"""Turn stitched grids into tables: whole words, names, body rows, skipped rows with reasons."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

from tabular.model.issue import Issue
from tabular.model.places import ReadingChoices
from tabular.model.sentences import counted
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
from tabular.reading.pdf.doubts import doubts
from tabular.reading.pdf.frames import frames_of
from tabular.reading.pdf.grids.columns import text_lines, texts_of
from tabular.reading.pdf.grids.grid import Row
from tabular.reading.pdf.heading import MOST_HEADER_ROWS, set_apart, spans_of
from tabular.reading.pdf.leftovers import SkippedLines
from tabular.reading.pdf.pages.page import Page
from tabular.reading.pdf.stitching import Stitched, same_text
from tabular.types.families.codes import structures
from tabular.values import Kind, judge
from tabular.vocabulary.names import share_understood

if TYPE_CHECKING:
    import pyarrow as pa


SLACK = 1.0  # points around a row in which its words have their middle
LEAST_ALIKE = 3  # whole cells of a column that show how its values look
ALIKE = 0.6  # share of these that a joined word must resemble
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
ADDRESS = {Kind.EMAIL, Kind.URL}


def with_whole_words(rows: Sequence[Row], width: int) -> list[Row]:
    """
    Join the lines of cells that hold one broken word.

    An address, an IBAN or a UUID is recognised by itself, a title by the vocabulary; any other word
    only if the column's whole cells have exactly its pattern of letters, digits and signs.
    """
    joined_rows = list(rows)
    whole_words: dict[int, set[int]] = defaultdict(set)  # columns of a row
    for column in range(width):
        broken = [index for index, row in enumerate(rows) if column in dict(row.breaks)]
        if not broken:
            continue
        whole = [row.cells[column] for row in rows if column not in dict(row.breaks)]
        patterns = [pattern_of(cell) for cell in whole if cell]
        for index in broken:
            is_title = index < MOST_HEADER_ROWS
            text = _joined(joined_rows[index], column, patterns, is_title=is_title)
            cells = joined_rows[index].cells
            if text != cells[column]:
                whole_words[index].add(column)
            joined_rows[index] = replace(
                joined_rows[index], cells=(*cells[:column], text, *cells[column + 1 :])
            )
    for index, columns in whole_words.items():
        if _ends_within(joined_rows[index], columns):
            joined_rows[index] = replace(joined_rows[index], pieces=())
    return joined_rows


def _ends_within(row: Row, columns: set[int]) -> bool:
    """Return whether every doubtful line of a row is the end of a word in one of some columns."""
    ends = [column for piece in row.pieces[1:] for column, cell in enumerate(piece.cells) if cell]
    return bool(ends) and columns.issuperset(ends)


def _joined(row: Row, column: int, patterns: Sequence[str], *, is_title: bool) -> str:
    text = row.cells[column]
    places = [0, *dict(row.breaks)[column], len(text)]
    pieces = [text[start:end].strip() for start, end in pairwise(places)]
    if any(" " in piece for piece in pieces):
        return text
    word = "".join(pieces)
    is_whole = _is_one(word, pieces) or _is_like(word, pieces, patterns)
    return word if is_whole or (is_title and _is_named(word, pieces)) else text


def _is_named(word: str, pieces: Sequence[str]) -> bool:
    """Return whether pieces are a title's word that is too long for its column: Meng, e."""
    if not word.isalpha() or not all(piece.islower() for piece in pieces[1:]):
        return False
    return share_understood([word]) > 0 and share_understood(pieces[:1]) == 0


def _is_one(word: str, pieces: Sequence[str]) -> bool:
    if judge(word).kind in ADDRESS:
        whole = [piece for piece in pieces if judge(piece).kind in ADDRESS]
        return len(whole) < 2 and not (whole and whole[0] == pieces[0] and _ends(pieces))
    form = structures().get(word[:2].upper(), "")
    return bool(UUID.fullmatch(word) or (form and re.fullmatch(form, word.upper())))


def _ends(pieces: Sequence[str]) -> bool:
    """Return whether the text after a whole address begins like a separate word."""
    return pieces[1][0].isupper()


def _is_like(word: str, pieces: Sequence[str], patterns: Sequence[str]) -> bool:
    pattern = pattern_of(word)
    like = sum(other == pattern for other in patterns)
    alone = all(pattern_of(piece) in patterns for piece in pieces)
    known = len(patterns) >= LEAST_ALIKE and like > ALIKE * len(patterns)
    return known and not alone and pattern.strip("a") != ""


def pattern_of(text: str) -> str:
    """
    Return a text with letters as a, digits as 9, and the number of digits after a point.

    >>> pattern_of("K-85179"), pattern_of("1,234.50"), pattern_of("12.03.2026")
    ('a-9', '9.99', '9.9.9999')
    """
    marks = [
        "a" if mark.isalpha() else "9" if mark.isdigit() else mark
        for mark in re.sub(r"(?<=\d)[,'’](?=\d{3})|(?<=\d)\.(?=\d{3}(?:,|$))", "", text)
    ]
    runs = ["".join(run) for _, run in groupby(marks)]
    last = len(runs) - 1
    return "".join(
        run if place == last and place > 0 and runs[place - 1] in ".," else run[0]
        for place, run in enumerate(runs)
    )


@dataclass(frozen=True, slots=True)
class PdfBody:
    """Rows of one table with their physical numbers."""

    table: Table
    rows: tuple[tuple[int, Row], ...]
    issues: tuple[Issue, ...] = ()
    others: tuple[SkippedRow, ...] = ()  # what is not in the body

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
    table = Table(
        columns=region.columns,
        header_rows=header,
        page=stitched.grids[0].page,
        range=stitched.range(pages),
        row_count=len(picked),
        preview=tuple(
            tuple(cell or None for cell in row.cells) for _, row in picked[:PREVIEW_ROWS]
        ),
        confidence=stitched.confidence,
        frames=frames_of(stitched, pages),
        recognised=_least_sure([row for _, row in picked]),
        skipped=Skipped.of(other.reason for other in left if other.reason != "unmatched"),
        evidence=(*_evidence(stitched, region, totals), *rest.evidence()),
        document=_pairs_above(page, stitched.grids[0].box.y0),
        left_out=left[:SHOWN_SKIPPED_ROWS],
    )
    # A user who chose where rows end, or drew the table, has compared them with the page.
    doubtful = picked if choices.joined_lines is None else ()
    doubt_issues = (*_join_issues(doubtful), *doubts(region.columns, doubtful))
    around = () if choices.frames else rest.issues()
    issues = (*_issues(totals), *doubt_issues, *around)
    return PdfBody(table, picked, issues, left)


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
    return replace(row, cells=cells, boxes=boxes, pieces=pieces, confidences=confidences)


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
        yield Evidence("table", f"{grid.method} cells on page {grid.page}", score)
    yield from (reason for reason in region.evidence if reason.decision == "header")
    if totals:
        yield Evidence("totals", f"{counted(len(totals), 'row')} in the body labeled as totals")


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
                message=f"Read as the end of this row on page {row.page}: "
                f"{counted(len(row.pieces) - 1, 'line')}. Each may be a separate row.",
                value=" | ".join(cell for cell in row.cells if cell),
                hint="Compare the row with the page, and answer the question joined_lines.",
            )


def _pairs_above(page: Page, top: float) -> dict[str, str]:
    """Return the ``key: value`` pairs in the text above the table on its first page."""
    words = [word for word in page.words if word.box.y1 <= top + 1]
    lines = [texts_of(line) for line in text_lines(words)]
    return document_pairs(TextGrid.whole(lines), range(len(lines))) if lines else {}
