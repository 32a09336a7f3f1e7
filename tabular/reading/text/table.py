"""The table of a text file, from its layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabular.model.problem import UnreadableFile
from tabular.model.table import Evidence, Table
from tabular.model.wording import counted
from tabular.reading.grid_body import preview_of
from tabular.reading.layout import Region
from tabular.reading.text.dialect import Scored
from tabular.reading.text.encoding import Encoding
from tabular.reading.text.records import Dialect

_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blank"}


def table_of(
    rows: Sequence[Sequence[str]],
    region: Region,
    encoding: Encoding,
    scored: Scored,
    *,
    is_complete: bool = True,
) -> Table:
    """Describe one region of a text file as a table."""
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
    others = f" (nearly as well: {', '.join(encoding.rivals)})" if encoding.rivals else ""
    yield Evidence("encoding", f"{encoding.reason}{others}", encoding.confidence)
    mark = scored.dialect.delimiter
    name = _NAMES.get(mark, repr(mark))
    if scored.dialect.cuts:
        places = ", ".join(map(str, scored.dialect.cuts))
        yield Evidence("delimiter", f"fixed width: cells start at {places}", 0.8)
        return
    reason = (
        f"{name}: rows of {counted(scored.width, 'cell')}"
        if mark
        else "no delimiter gives even rows"
    )
    yield Evidence("delimiter", reason, round(scored.score, 3))


def file_format_of(dialect: Dialect) -> str:
    """Name the format: csv, tsv or txt."""
    return {"\t": "tsv", "": "txt"}.get(dialect.delimiter, "csv")


def no_table() -> UnreadableFile:
    """Say that a file holds nothing but blanks."""
    return UnreadableFile("no_table_found", "The file holds nothing but blanks.")
