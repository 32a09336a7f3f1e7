"""Read a file, store its best table as text, find the entries it feeds, propose a mapping."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.job.known_headers import is_header_known, known_table, share_of
from tabular.matching import Learned, fingerprint, propose
from tabular.matching.asking.grouping import with_groups
from tabular.matching.asking.unpivoting import with_unpivot
from tabular.model.catalog import Catalog
from tabular.model.issue import Issue
from tabular.model.mapping import ColumnProposal, MappingProposal
from tabular.model.nesting import nestings
from tabular.model.places import ReadingChoices
from tabular.model.problem import LimitExceeded, Limits, UnreadableFile, UnusableRequest
from tabular.model.recognition import Recogniser
from tabular.model.sentences import Sentence
from tabular.model.table import (
    BESIDE,
    ROW_COLUMN,
    SKIPPED_ROW_COLUMNS,
    Body,
    Progress,
    Reading,
    SkippedRow,
    Table,
    kinds_of,
)
from tabular.protocol.requests import ReadRequest
from tabular.protocol.results import FoundTable, ReadResult
from tabular.reading import read as read_file
from tabular.reading.related_tables import comparison

_FEEDS = 0.5  # the share of a table's columns that an entry must know to be fed by it
_MOST = 30  # tables that are compared


def feeding(reading: Reading, catalog: Catalog, learned: Learned) -> dict[str, int]:
    """
    Return which table of a file feeds which entry; {} unless several tables do.

    Each entry gets the table of which it knows most, and each table gets one entry.
    """
    entries = [entry.id for entry in catalog.entries]
    tables = [n for n, table in enumerate(reading.tables[:_MOST]) if not table.stacked]
    if len(entries) < 2 or len(tables) < 2:
        return {}
    shares = {
        (entry, n): share_of(reading.tables[n], _only(catalog, [entry]), learned)
        for entry in entries
        for n in tables
    }
    table_of: dict[str, int] = {}
    for (entry, n), share in sorted(shares.items(), key=lambda pair: (-pair[1], pair[0][1])):
        if share >= _FEEDS and entry not in table_of and n not in table_of.values():
            table_of[entry] = n
    return (
        {entry: table_of[entry] for entry in entries if entry in table_of}
        if len(table_of) > 1
        else {}
    )


def propose_apart(
    sample: pa.Table,
    reading: Reading,
    entries: Mapping[str, int],
    catalog: Catalog,
    learned: Learned,
) -> MappingProposal:
    """
    Propose a mapping for each table of a file with the entries that it feeds.

    sample: rows of the tables side by side. entries: maps an entry to a table's number.
    """
    chosen = reading.tables[reading.chosen]
    numbers = chosen.stacked or (reading.chosen,)
    columns: list[ColumnProposal] = []
    questions = []
    if chosen.stacked:
        columns.append(
            ColumnProposal(chosen.columns[0], None, 0, "shows where each row comes from")
        )
    names = list(chosen.columns[1:] if chosen.stacked else chosen.columns)
    for number in numbers:
        own = reading.tables[number].columns
        here, names = names[: len(own)], names[len(own) :]
        rows = sample.select(here).rename_columns(list(own))
        filled = [pc.is_valid(column) for column in rows.columns]
        mine = rows.filter(_any(filled)) if filled else rows
        fed = [entry for entry, n in entries.items() if n == number]
        proposal = propose(own, mine, catalog=_only(catalog, fed), learned=learned)
        name_of = dict(zip(own, here, strict=True))
        columns += [replace(item, column=name_of[item.column]) for item in proposal.columns]
        questions += [
            replace(question, columns=tuple(name_of[name] for name in question.columns))
            for question in proposal.questions
        ]
    return MappingProposal(tuple(columns), tuple(questions))


def _any(masks: list[Any]) -> Any:
    any_mask = masks[0]
    for mask in masks[1:]:
        any_mask = pc.or_(any_mask, mask)
    return any_mask


def _only(catalog: Catalog, entries: list[str]) -> Catalog:
    """Return a catalog with some of its entries."""
    kept = tuple(entry for entry in catalog.entries if entry.id in entries)
    members = {name: getattr(catalog, name) for name in catalog.model_fields_set}
    return Catalog(**{**members, "entries": kept})


SAMPLE_ROWS = 5_000
SHOWN_SKIPPED_ROWS = 100  # skipped rows in the result; the file has all of them
_CHUNK = 10_000


def read(
    request: ReadRequest, folder: Path, progress: Progress, recogniser: Recogniser | None = None
) -> ReadResult:
    """
    Read a file and propose a mapping.

    Writes ``out/source.arrow`` (ROW_COLUMN, for PDF also PAGE_COLUMN and BOXES_COLUMN, KINDS_COLUMN
    if the file gives the kinds of cells, one text column per source column) and
    ``out/left-out.arrow`` (SKIPPED_ROW_COLUMNS: every row that is not in the other file).
    """
    limits, learned = request.limits, _learned(request)
    reading = _opened(request, learned, progress, recogniser)
    chosen = reading.chosen
    if chosen >= len(reading.tables):
        raise UnusableRequest(
            "unknown_table", Sentence("The file has no table number {n1}.", n1=str(chosen))
        )
    text = folder / "out" / "source.arrow"
    kept = _keep(reading.bodies[chosen], text, limits, progress, request.most_rows)
    table = replace(reading.tables[chosen], row_count=None)
    issues: tuple[Issue, ...] = ()
    counts = Counter[str]()
    if kept.is_whole:
        table, issues, counts = _ended(reading.bodies[chosen], folder / "out" / "left-out.arrow")
    entries, catalog = dict(request.choices.entries), request.catalog
    proposal: MappingProposal | None = None
    if catalog and entries:
        proposal = propose_apart(kept.sample, reading, entries, catalog, learned)
    elif catalog:
        proposal = _proposal(table, kept.sample, catalog, learned)
        entries = feeding(reading, catalog, learned)
    return ReadResult(
        format=reading.file_format,
        tables=_tables(reading, chosen, table),
        chosen=chosen,
        entries=entries,
        columns=table.columns,
        rows=table.row_count,
        left_out=dict(counts),
        fingerprint=fingerprint(table.columns),
        issues=(*reading.issues, *issues),
        questions=tuple(
            q for q in reading.questions if not is_header_known(q, table.columns, proposal)
        ),
        related=reading.related,
        proposal=proposal,
    )


def _ended(body: Body, path: Path) -> tuple[Table, tuple[Issue, ...], Counter[str]]:
    """Return what is known once a body has been streamed; write its skipped rows to ``path``."""
    table, issues = body.outcome()
    counts = _write_skipped_rows(body, path)
    shown = tuple(islice(body.skipped_rows(), SHOWN_SKIPPED_ROWS))
    return replace(table, left_out=tuple(map(_shortened, shown))), issues, counts


def _opened(
    request: ReadRequest, learned: Learned, progress: Progress, recogniser: Recogniser | None
) -> Reading:
    """Find the tables of the file; the catalog may tell which of them is meant."""
    nested = request.catalog is not None and bool(nestings(request.catalog))
    most = None if request.choices.tables else request.most_rows  # a join may have fewer rows
    choices = replace(request.choices, lists_as_rows=nested, most_rows=most)
    limits = request.limits

    def opened(choices: ReadingChoices) -> Reading:
        return read_file(
            Path(request.input),
            choices=choices,
            limits=limits,
            progress=progress,
            recogniser=recogniser,
        )

    reading = opened(choices)
    if not reading.tables:
        raise UnreadableFile("no_table_found", "No table was found in the file.")
    if request.catalog is None or choices.table is not None or choices.tables:
        return reading
    known = known_table(reading, request.catalog, learned)
    if known is None:
        return reading
    if known != reading.chosen:  # rows that a user chose are those of this table
        reading = opened(replace(choices, table=known))
    others = (question for question in reading.questions if question.kind != "table")
    return replace(reading, questions=(*comparison(reading.tables, known), *others))


def _tables(reading: Reading, chosen: int, counted: Table) -> tuple[FoundTable, ...]:
    tables = (counted if n == chosen else table for n, table in enumerate(reading.tables))
    return tuple(FoundTable.of(table, kinds_of(table.document)) for table in tables)


@dataclass(frozen=True, slots=True)
class _Kept:
    """What was written of a body. sample: its first rows. is_whole: reading did not end early."""

    sample: pa.Table
    is_whole: bool


def _keep(
    body: Body, path: Path, limits: Limits, progress: Progress, most_rows: int | None
) -> _Kept:
    """Write the body to ``path`` as it streams, until it has more than ``most_rows``."""
    writer: pa.RecordBatchFileWriter | None = None
    sample: list[pa.RecordBatch] = []
    sampled = rows = 0

    def is_beyond(rows: int) -> bool:
        return most_rows is not None and rows > most_rows

    try:
        for batch in body.batches():
            if writer is None:
                writer = pa.ipc.new_file(str(path), batch.schema)
            rows += batch.num_rows
            _check(rows, len(_named(batch.schema)), limits)
            batch = _without_nul(batch)
            writer.write_batch(batch)
            if sampled < SAMPLE_ROWS:
                sample.append(batch.slice(0, SAMPLE_ROWS - sampled))
                sampled += sample[-1].num_rows
            progress("reading", rows, None)
            if is_beyond(rows):
                break
        if writer is None:
            columns = body.outcome()[0].columns
            schema = pa.schema(
                [(ROW_COLUMN, pa.int64()), *((name, pa.string()) for name in columns)]
            )
            writer = pa.ipc.new_file(str(path), schema)
            sample = [pa.RecordBatch.from_pylist([], schema)]
    finally:
        if writer is not None:
            writer.close()
    return _Kept(pa.Table.from_batches(sample), not is_beyond(rows))


def _write_skipped_rows(body: Body, path: Path) -> Counter[str]:
    """Write the rows that are not in the body to ``path``. Return their counts by reason."""
    types = (
        pa.int64(), pa.int32(), pa.string(), pa.list_(pa.string()), pa.list_(pa.float32())
    )  # fmt: skip
    schema = pa.schema(list(zip(SKIPPED_ROW_COLUMNS, types, strict=True)))
    counts: Counter[str] = Counter()
    with pa.ipc.new_file(str(path), schema) as writer:
        for rows in _chunks(body.skipped_rows()):
            counts.update(left.reason for left in rows)
            cells = [[text and text.replace("\0", "") for text in left.cells] for left in rows]
            columns = ([left.row for left in rows], [left.page for left in rows],
                       [left.reason for left in rows], cells,
                       [left.box for left in rows])  # fmt: skip
            arrays = [pa.array(values, kind) for values, kind in zip(columns, types, strict=True)]
            writer.write_batch(pa.record_batch(arrays, schema=schema))
    return counts


def _chunks(rows: Iterator[SkippedRow]) -> Iterator[list[SkippedRow]]:
    while chunk := list(islice(rows, _CHUNK)):
        yield chunk


def _shortened(left: SkippedRow) -> SkippedRow:
    """Return the beginning of a row that may be of any size."""
    cells = tuple(text and text.replace("\0", "")[:200] for text in left.cells[:50])
    return replace(left, cells=cells)


def _named(schema: pa.Schema) -> list[str]:
    """Return the names of the file's columns."""
    return [name for name in schema.names if name not in BESIDE]


def _without_nul(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Remove NULs from texts: no cell's text contains them, and PostgreSQL cannot store them."""
    for place, column in enumerate(batch.columns):
        texts = column.buffers()[2] if pa.types.is_string(column.type) else None
        if texts is not None and np.frombuffer(texts, np.uint8).min(initial=1) == 0:
            plain = pc.replace_substring(column, "\0", "")
            plain = pc.if_else(pc.equal(plain, ""), pa.scalar(None, pa.string()), plain)
            batch = batch.set_column(place, batch.schema.field(place), plain)
    return batch


def _check(rows: int, columns: int, limits: Limits) -> None:
    for limit, number in (("rows", rows), ("columns", columns), ("cells", rows * columns)):
        allowed = getattr(limits, limit)
        if number > allowed:
            raise LimitExceeded(
                Sentence(
                    "The table has more than {n1} {limit}. Split the file, or ask the operator.",
                    n1=allowed,
                    limit=limit,
                ),
                limit=limit,
                allowed=allowed,
            )


def _learned(request: ReadRequest) -> Learned:
    return Learned(request.learned.fields, request.learned.sources)


def _proposal(
    table: Table, sample: pa.Table, catalog: Catalog, learned: Learned
) -> MappingProposal:
    text = sample.select(_named(sample.schema))
    proposal = propose(table.columns, text, catalog=catalog, learned=learned)
    text = text.rename_columns(list(table.columns))
    rows = table.row_count
    grouped = with_groups(proposal, text, catalog=catalog, learned=learned, rows=rows)
    return grouped or with_unpivot(proposal, text, catalog=catalog, rows=rows)
