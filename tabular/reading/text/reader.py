"""Read a text file: its encoding, its dialect, its layout, and its body."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tabular.model.issue import Candidate, Issue, Question
from tabular.model.places import ReadingChoices
from tabular.model.problem import Limits, UnreadableFile
from tabular.model.sentences import Sentence, counted
from tabular.model.table import Body, Evidence, Progress, Reading, Table, silent
from tabular.reading.grid_body import GridBody, preview_of, repeating_rows, skipped_rows_of
from tabular.reading.layout import Hints, Region, chosen_regions, end_of_data, lay_out
from tabular.reading.limiting import check_counts, check_shape
from tabular.reading.text import dialect as dialects
from tabular.reading.text.bulk import Bulk
from tabular.reading.text.dialect import Scored
from tabular.reading.text.encoding import Encoding, detect
from tabular.reading.text.fitting import Fitting, capped, fit_header, fit_records, odd_row
from tabular.reading.text.lines import head_lines, open_lines
from tabular.reading.text.records import Dialect, Record, parse_lines
from tabular.reading.text.source import place_after
from tabular.reading.text.stream import StreamBody


def which_encoding(encoding: Encoding) -> tuple[Question, ...]:
    """Ask for a text file's encoding if others fit as well, showing lines as each reads them."""
    if not encoding.rivals:
        return ()
    names = (encoding.name, *encoding.rivals)
    candidates = tuple(
        Candidate(name, f"{name}: {_read_as(encoding.sample, name)}", score=None) for name in names
    )
    evidence = tuple(f"{name}: {_read_as(encoding.sample, name, lines=3)}" for name in names)
    return (Question("encoding", (), candidates, evidence, default=encoding.name),)


def _read_as(sample: bytes, name: str, lines: int = 1) -> str:
    texts = sample.decode(name, "replace").splitlines()[:lines]
    return " / ".join(text.replace("\0", "")[:80] for text in texts)


_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blank"}


def table_of(
    rows: Sequence[Sequence[str]],
    region: Region,
    encoding: Encoding,
    scored: Scored,
    *,
    is_complete: bool = True,
) -> Table:
    """Return one region of a text file as a table."""
    return Table(
        columns=region.columns,
        header_rows=region.header_rows,
        places=region.places,
        row_count=len(region.rows) if is_complete else None,
        preview=preview_of(rows, region),
        encoding=encoding.name,
        delimiter=scored.dialect.delimiter or None,
        confidence=round(region.confidence * (0.5 + 0.5 * encoding.confidence), 2),
        skipped=region.skipped,
        evidence=(*_evidence(encoding, scored), *region.evidence),
        document=region.document,
    )


def _evidence(encoding: Encoding, scored: Scored) -> Iterator[Evidence]:
    reason = encoding.reason
    if encoding.rivals:
        names = ", ".join(encoding.rivals)
        reason = Sentence("{A} (nearly as well: {names})", A=reason, names=names)
    yield Evidence("encoding", reason, encoding.confidence)
    mark = scored.dialect.delimiter
    name = _NAMES.get(mark, repr(mark))
    if scored.dialect.cuts:
        places = ", ".join(map(str, scored.dialect.cuts))
        yield Evidence(
            "delimiter", Sentence("fixed width: cells start at {places}", places=places), 0.8
        )
        return
    reason = (
        Sentence("{name}: rows of {CELLS}", name=name, CELLS=counted(scored.width, "cell"))
        if mark
        else "no delimiter gives rows of equal length"
    )
    yield Evidence("delimiter", reason, round(scored.score, 3))


def file_format_of(dialect: Dialect) -> str:
    """Return the format: csv, tsv or txt."""
    return {"\t": "tsv", "": "txt"}.get(dialect.delimiter, "csv")


def no_table() -> UnreadableFile:
    """Return the error for a file of nothing but blanks."""
    return UnreadableFile("no_table_found", "This file contains only blanks.")


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
    return chosen_regions(rows, regions, choices, Hints())


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


_TAIL_BYTES = 1 << 16
_TAIL_RECORDS = 60


def footer_length(path: Path, encoding: Encoding, scored: Scored, region: Region) -> int:
    """
    Return the number of records after the last row of data, blank ones included.

    0 if the end looks like data, or cannot be recognised.
    """
    lines = _last_lines(path, encoding)[1:]  # the first one is cut
    rows = [record.cells for record in parse_lines(lines, scored.dialect)][-_TAIL_RECORDS:]
    return len(rows) - end_of_data(rows, region)


def _last_lines(path: Path, encoding: Encoding) -> list[str]:
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _TAIL_BYTES) // 4 * 4)  # UTF-16 and UTF-32 stay aligned
        text = file.read().decode(_without_mark(encoding, path), "replace")
    return text.splitlines(keepends=True)


def _without_mark(encoding: Encoding, path: Path) -> str:
    """Return the codec for bytes from the middle of the file, which have no byte order mark."""
    if encoding.name not in {"utf-16", "utf-32"}:
        return encoding.name
    with path.open("rb") as file:
        is_little = file.read(1) == b"\xff"
    return f"{encoding.name}-{'le' if is_little else 'be'}"


@dataclass(frozen=True, slots=True)
class Head:
    """The first lines and records of a file, and its dialect."""

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
    """Lay out the head of the file; the last table found there continues to the file's end."""
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
    regions = chosen_regions(rows, regions, choices, hints)
    last = max(regions, key=lambda region: region.bottom)
    tables: list[Table] = []
    bodies: list[Body] = []
    for place, region in enumerate(regions):
        table = table_of(rows, region, encoding, scored, is_complete=region is not last)
        tables.append(table)
        taken = frozenset(choices.restored_in(place))
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
    return StreamBody(
        bulk=Bulk(head.path, head.encoding, head.scored.dialect, place, width),
        region=region,
        table=table,
        first=first,
        footer=footer_length(head.path, head.encoding, head.scored, region),
        headers=tuple(tuple(map(str.strip, row)) for row in repeating_rows(head.rows, region)),
        dropped=frozenset(below - blank - set(region.rows)),
        fitting=Fitting.of(head.rows, width),
        limits=limits,
        progress=silent,
        head=tuple(skipped_rows_of(head.rows, region)),
        above=tuple((row, head.rows[row]) for row in region.rows if row < first),
        taken=taken,
    )


WHOLE_BYTES = 4 << 20  # a file up to this size is held and laid out as a whole


def read_text(
    path: Path,
    *,
    choices: ReadingChoices,
    limits: Limits,
    progress: Progress,
    whole_bytes: int = WHOLE_BYTES,
) -> Reading:
    """
    Read a delimited, fixed width or one-column text file.

    whole_bytes: up to this size the file is laid out as a whole; a larger one is streamed. Raises
    UnreadableFile (binary_file, no_table_found), UnusableRequest, LimitExceeded.
    """
    progress("encoding", 0, None)
    encoding = detect(path, chosen=choices.encoding)
    progress("dialect", 0, None)
    head = head_lines(path, encoding)
    scored = dialects.choose(head, delimiter=choices.delimiter, quote=choices.quote)[0]
    if path.stat().st_size <= whole_bytes:
        reading = read_small(path, encoding, scored, choices=choices, limits=limits)
    else:
        reading = read_large(
            path, encoding, scored, choices=choices, limits=limits, progress=progress
        )
    return replace(reading, questions=which_encoding(encoding))
