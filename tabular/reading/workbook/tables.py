"""The tables of one sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from tabular.model.issue import Issue
from tabular.model.limits import Limits
from tabular.model.places import letters
from tabular.model.table import Evidence, Progress, ReadingChoices, Table
from tabular.reading.grid_body import GridBody, left_out_of, preview_of
from tabular.reading.layout import Hints, Region, lay_out, settle, with_rows
from tabular.reading.workbook.body import SheetBody
from tabular.reading.workbook.sheet import Sheet

WHOLE_CELLS = 300_000  # a sheet up to this size is held as text and laid out as a whole
_HEAD_ROWS = 2_000
Rows: TypeAlias = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Found:
    """A table of a sheet with its body, its place, and what it was found in."""

    table: Table
    body: GridBody | SheetBody
    region: Region
    sheet: Sheet
    rows: Rows
    hints: Hints
    is_streamed: bool


def tables_of(sheet: Sheet, *, limits: Limits, progress: Progress) -> Iterator[Found]:
    """Lay out a sheet; a large one by its head."""
    is_whole = sheet.rows * sheet.columns <= WHOLE_CELLS
    rows: Rows = sheet.grid() if is_whole else sheet.head(_HEAD_ROWS)
    hints = Hints(sheet.spans, is_complete=is_whole)
    regions = lay_out(rows, hints)
    last = max((region.bottom for region in regions), default=0)
    for region in regions:
        is_streamed = not is_whole and region.bottom == last
        found = _found(sheet, rows, region, hints, is_streamed=is_streamed)
        if isinstance(found.body, SheetBody):
            found = replace(found, body=replace(found.body, limits=limits, progress=progress))
        yield found


def with_choices(found: Found, choices: ReadingChoices) -> Found:
    """Lay out a table anew with the header rows a person chose and the rows they took back."""
    region = found.region
    if choices.header_rows is not None:
        region = settle(found.rows, region, choices.header_rows, found.hints)
    region = with_rows(region, choices.take_back)
    anew = _found(found.sheet, found.rows, region, found.hints, is_streamed=found.is_streamed)
    if isinstance(anew.body, SheetBody) and isinstance(found.body, SheetBody):
        known = found.body
        taken = frozenset(choices.take_back)
        body = replace(anew.body, limits=known.limits, progress=known.progress, taken=taken)
        anew = replace(anew, body=body)
    return anew


def _found(sheet: Sheet, rows: Rows, region: Region, hints: Hints, *, is_streamed: bool) -> Found:
    issues = tuple(_error_cells(sheet, region, is_bounded=not is_streamed))
    if is_streamed:
        body: GridBody | SheetBody = _streamed(sheet, rows, region, issues)
    else:
        body = GridBody(rows, region, _table(sheet, rows, region), issues, has_kinds=True)
    return Found(body.table, body, region, sheet, rows, hints, is_streamed)


def _streamed(sheet: Sheet, rows: Rows, region: Region, issues: tuple[Issue, ...]) -> SheetBody:
    first = max(region.header_rows, default=min(region.rows, default=0) - 1) + 1
    below = set(range(first, len(rows)))
    blank = {row for row in below if not any(rows[row])}
    header = [rows[row] for row in region.header_rows[-1:]]
    table = _table(sheet, rows, region)
    return SheetBody(
        sheet=sheet,
        region=region,
        table=replace(table, row_count=None),
        first=first,
        header=tuple(cells[place] for cells in header for place in region.places),
        dropped=frozenset(below - blank - set(region.rows)),
        issues=issues,
        head=tuple(left_out_of(rows, region)),
        above=tuple(
            (row, tuple(rows[row][place] for place in region.places))
            for row in region.rows
            if row < first
        ),
    )


def _table(sheet: Sheet, rows: Rows, region: Region) -> Table:
    evidence = list(region.evidence)
    if sheet.merged_down:
        reason = f"{sheet.merged_down} merged ranges give their value to each of their rows"
        evidence.append(Evidence("merged", reason, 1.0))
    return Table(
        columns=region.columns,
        header_rows=region.header_rows,
        sheet=sheet.name,
        is_hidden=sheet.is_hidden,
        range=_range(region),
        places=region.places,
        row_count=len(region.rows),
        preview=preview_of(rows, region),
        confidence=region.confidence,
        skipped=region.skipped,
        evidence=tuple(evidence),
        document=region.document,
    )


def _range(region: Region) -> str:
    left, right = min(region.places, default=0), max(region.places, default=0)
    return f"{letters(left)}{region.top + 1}:{letters(right)}{region.bottom + 1}"


def _error_cells(sheet: Sheet, region: Region, *, is_bounded: bool) -> Iterator[Issue]:
    names = dict(zip(region.places, region.columns, strict=True))
    for (row, column), error in sorted(sheet.parts.errors.items()):
        is_below = row <= region.bottom or not is_bounded
        if column in names and region.top <= row and is_below:
            yield Issue(
                "error_cell",
                "warning",
                row=row,
                column=names[column],
                message=f"The cell holds the error {error} instead of a value.",
                value=error,
                hint="Correct the formula in the workbook, or fill in the value.",
            )
