"""Text files too large to be held: the head is laid out, the rest is streamed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tabular.model.limits import Limits
from tabular.model.table import Body, Progress, Reading, ReadingChoices, Table, silent
from tabular.reading.grid_body import GridBody, left_out_of
from tabular.reading.layout import Hints, Region, lay_out, settled
from tabular.reading.limiting import check_counts
from tabular.reading.text.bulk import Bulk
from tabular.reading.text.dialect import Scored
from tabular.reading.text.encoding import Encoding
from tabular.reading.text.ending import footer_length
from tabular.reading.text.fitting import Fitting
from tabular.reading.text.lines import head_lines
from tabular.reading.text.records import Record, parse_lines
from tabular.reading.text.source import place_after
from tabular.reading.text.stream import StreamBody
from tabular.reading.text.table import file_format_of, no_table, table_of


@dataclass(frozen=True, slots=True)
class Head:
    """The first lines and records of a file, and how it is written."""

    path: Path
    encoding: Encoding
    scored: Scored
    lines: list[str]
    records: Sequence[Record]

    @property
    def rows(self) -> list[list[str]]:
        """The cells of the records."""
        return [record.cells for record in self.records]


def read_large(
    path: Path,
    encoding: Encoding,
    scored: Scored,
    *,
    choices: ReadingChoices,
    limits: Limits,
    progress: Progress,
) -> Reading:
    """Lay out the head of the file; the last table found there goes on to the file's end."""
    lines = head_lines(path, encoding)
    # The last record may be cut off inside a quoted cell.
    records = list(parse_lines(lines, scored.dialect, width=scored.width))[:-1]
    head = Head(path, encoding, scored, lines, records)
    rows = head.rows
    check_counts(0, max(map(len, rows), default=0), limits)
    hints = Hints(is_complete=False)
    regions = lay_out(rows, hints)
    if not regions:
        raise no_table()
    regions = settled(rows, regions, choices, hints)
    last = max(regions, key=lambda region: region.bottom)
    tables: list[Table] = []
    bodies: list[Body] = []
    for place, region in enumerate(regions):
        table = table_of(rows, region, encoding, scored, is_complete=region is not last)
        tables.append(table)
        taken = frozenset(choices.rows_taken_back(place))
        bodies.append(
            replace(_stream(head, region, table, limits, taken), progress=progress)
            if region is last
            else GridBody(rows, region, table)
        )
    return Reading(file_format_of(scored.dialect), tuple(tables), tuple(bodies))


def _stream(
    head: Head, region: Region, table: Table, limits: Limits, taken: frozenset[int]
) -> StreamBody:
    first = max(region.header_rows, default=min(region.rows, default=0) - 1) + 1
    place = place_after(head.lines, sum(record.lines for record in head.records[:first]))
    width = len(region.places)
    below = set(range(first, len(head.records)))
    blank = {row for row in below if not any(head.records[row].cells)}
    header = region.header_rows[-1:]
    return StreamBody(
        bulk=Bulk(head.path, head.encoding, head.scored.dialect, place, width),
        region=region,
        table=table,
        first=first,
        footer=footer_length(head.path, head.encoding, head.scored, region),
        header=tuple(text.strip() for row in header for text in head.records[row].cells),
        dropped=frozenset(below - blank - set(region.rows)),
        fitting=Fitting.of(head.rows, width),
        limits=limits,
        progress=silent,
        head=tuple(left_out_of(head.rows, region)),
        above=tuple((row, head.rows[row]) for row in region.rows if row < first),
        taken=taken,
    )
