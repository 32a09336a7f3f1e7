"""Text files small enough to be laid out as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tabular.model.issue import Issue
from tabular.model.limits import Limits
from tabular.model.table import Reading, ReadingChoices
from tabular.reading.grid_body import GridBody
from tabular.reading.layout import Hints, Region, lay_out, settled
from tabular.reading.limiting import check_shape
from tabular.reading.text.dialect import Scored
from tabular.reading.text.encoding import Encoding
from tabular.reading.text.fitting import capped, fit_header, fit_records, odd_row
from tabular.reading.text.lines import open_lines
from tabular.reading.text.records import Record, parse_lines
from tabular.reading.text.table import file_format_of, no_table, table_of


def read_small(
    path: Path,
    encoding: Encoding,
    scored: Scored,
    *,
    choices: ReadingChoices,
    limits: Limits,
) -> Reading:
    """Parse the whole file and lay it out."""
    with open_lines(path, encoding) as file:
        records = list(parse_lines(file, scored.dialect, width=scored.width))
    issues = fit_records(records, scored.width, is_valid=encoding.is_valid)
    regions = _regions(records, choices)
    if regions and regions[0].header_rows and choices.header_rows is None:
        header = regions[0].header_rows[-1]
        if fit_header(records, header, scored.width):
            issues.append(odd_row("row_realigned", header))
            regions = _regions(records, choices)
    if not regions:
        raise no_table()
    rows = [record.cells for record in records]
    check_shape(rows, limits)
    tables = tuple(table_of(rows, region, encoding, scored) for region in regions)
    bodies = []
    for region, table in zip(regions, tables, strict=True):
        odd = (*(i for i in issues if _is_inside(i, region)), *_uneven(records, region))
        bodies.append(GridBody(rows, region, table, capped(list(odd))))
    return Reading(file_format_of(scored.dialect), tables, tuple(bodies))


def _regions(records: Sequence[Record], choices: ReadingChoices) -> tuple[Region, ...]:
    rows = [record.cells for record in records]
    regions = lay_out(rows)
    return settled(rows, regions, choices, Hints())


def _is_inside(issue: Issue, region: Region) -> bool:
    return issue.row is not None and region.top <= issue.row <= region.bottom


def _uneven(records: Sequence[Record], region: Region) -> Iterator[Issue]:
    """Report the body's rows that are shorter or longer than the header, or than most rows."""
    reference = region.header_rows[-1:] or region.rows[:1]
    width = len(records[reference[0]].cells) if reference else 0
    for row in region.rows:
        cells = records[row].cells
        if len(cells) < width:
            yield odd_row("short_row", row)
        elif len(cells) > width and any(text.strip() for text in cells[width:]):
            yield odd_row("long_row", row, value="|".join(cells[width:])[:200])
