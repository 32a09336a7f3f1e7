"""Which tables of a file belong together, and the questions about tables and header rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from tabular.model.issue import Candidate, Question
from tabular.model.places import are_alike, fault, folded_name
from tabular.model.sentences import Sentence, counted, numbered
from tabular.model.table import Reading, Table

_DIGITS = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W\d_]+")
_EXTENSION = re.compile(r"\.\w{1,5}$")


def related_tables(tables: Sequence[Table]) -> tuple[int, ...]:
    """Return the numbers of the tables with the first one's header; () if no other table has it."""
    if not tables:
        return ()
    names = [frozenset(map(folded_name, table.columns)) for table in tables]
    related = tuple(
        number
        for number, table in enumerate(tables)
        if not number or (_fits(table, tables[0]) and are_alike(names[0], names[number]))
    )
    if len(related) < 2 or fault([tables[number] for number in related]):
        return ()
    return related


def _fits(table: Table, first: Table) -> bool:
    is_of_page = (table.page is None) == (first.page is None)
    return is_of_page and not table.is_hidden and table.row_count != 0


def are_one_table(tables: Sequence[Table]) -> bool:
    """Return whether tables that can be stacked are probably parts of one."""
    if len({frozenset(map(folded_name, table.columns)) for table in tables}) > 1:
        return False
    return _are_series(tables) and not share_rows(tables)


def share_rows(tables: Sequence[Table]) -> bool:
    """Return whether the first rows of one table are in another one, too."""
    seen: set[tuple[str | None, ...]] = set()
    for table in tables:
        rows = [row for row in table.preview if sum(map(bool, row)) > 1]
        if rows and 2 * sum(row in seen for row in rows) >= len(rows):
            return True
        seen.update(rows)
    return False


def _are_series(tables: Sequence[Table]) -> bool:
    """Return whether the sheets or files are named after days, months or years, or numbered."""
    files = {table.file for table in tables}
    places = [(table.sheet if len(files) == 1 else table.file) or "" for table in tables]
    stems = {_DIGITS.sub("0", place.casefold()) for place in places}
    if len(stems) == 1 and len(set(places)) == len(places):
        return True
    return all(_names_a_time(_EXTENSION.sub("", place)) for place in places)


def _names_a_time(place: str) -> bool:
    from tabular.values import Kind, judge
    from tabular.values.months import month_number

    return judge(place).kind in {Kind.DATE, Kind.PERIOD} or any(
        month_number(word) is not None for word in _WORDS.findall(place)
    )


MOST_JOINS = 3  # that a question names
SURE = 0.7  # a header with less confidence causes a question


def questions_of(reading: Reading) -> tuple[Question, ...]:
    """
    Ask where the bytes allow more than one answer; the default is what the reader chose.

    Nothing here blocks: each default is the best reading, and a user may choose another.
    """
    return (*_which_table(reading), *_which_header(reading.tables[0]))


def _which_table(reading: Reading) -> Iterator[Question]:
    tables = reading.tables
    rivals = [
        number for number, table in enumerate(tables) if number == 0 or _could_be_meant(table)
    ]
    if len(rivals) < 2:
        return
    stacks = [number for number in rivals if tables[number].stacked]
    candidates = tuple(
        Candidate(
            number,
            _label(tables[number]),
            round(tables[number].confidence * 100, 1),
            _imported(tables[number]),
        )
        for number in (*stacks, *(number for number in rivals if number not in stacks))
    )
    evidence: list[str] = [
        Sentence("the file holds {TABLES}", TABLES=counted(len(rivals) - len(stacks), "table"))
    ]
    for number in stacks:
        together = [tables[part] for part in tables[number].stacked]
        evidence.append(Sentence("{n1} of them have the same columns", n1=str(len(together))))
        if share_rows(together):
            evidence.append("some of them hold the same rows")
    evidence += islice(_joinable(reading), MOST_JOINS)
    default = reading.chosen if reading.chosen in rivals else 0
    evidence[:0] = doubts_of(tables, default)
    yield Question("table", candidates=candidates, evidence=tuple(evidence), default=default)


def _joinable(reading: Reading) -> Iterator[str]:
    """Yield which tables have a key in common, and how well it matches."""
    for item in reading.related:
        if item.kind == "join":
            child, parent = (_place(reading.tables[n])[:200] for n in (item.first, item.other))
            rate = f"{item.first_rate or 0:.0%}"
            yield Sentence(
                "rows of {place} with the columns of {other}: {rate} of the keys match",
                place=child,
                other=parent,
                rate=rate,
            )


def doubts_of(tables: Sequence[Table], number: int) -> tuple[str, ...]:
    """Return why a person has to compare a table, or the parts of a stack, with the page."""
    parts = [tables[part] for part in tables[number].stacked] or [tables[number]]
    return tuple(dict.fromkeys(doubt for table in parts for doubt in table.doubts))


def comparison(tables: Sequence[Table], number: int) -> tuple[Question, ...]:
    """Ask a person to compare a table with the page, if its rows hardly hold together."""
    doubts = doubts_of(tables, number)
    if not doubts:
        return ()
    table = tables[number]
    confidence = round(table.confidence * 100, 1)
    as_read = Candidate(number, _label(table), confidence, _imported(table))
    return (Question("table", candidates=(as_read,), evidence=doubts, default=number),)


def _could_be_meant(table: Table) -> bool:
    rows = 2 if table.row_count is None else table.row_count
    return len(table.columns) > 1 and rows > 1


def _place(table: Table) -> str:
    sheet = table.sheet or (f"page {table.page}" if table.page else None)
    return " / ".join(filter(None, (table.file, sheet))) or table.range or "table"


def _label(table: Table) -> str:
    columns = len(table.columns)
    if table.row_count is None:
        rows, values = "", {}
    else:
        rows, values = ", {ROWS}", {"ROWS": counted(table.row_count, "row")}
    if table.stacked:
        template = "{TABLES}, one below the other: {COLUMNS}" + rows
        tables = counted(len(table.stacked), "table")
        return Sentence(template, TABLES=tables, COLUMNS=counted(columns, "column"), **values)
    single, many = "{sheet}: 1 column" + rows, "{sheet}: {n1} columns" + rows
    return numbered(columns, single, many, sheet=_place(table), **values)


def _imported(table: Table) -> str:
    """Return what choosing a table would import."""
    columns = ", ".join(table.columns)[:80]
    if table.row_count is None:
        return Sentence("Its rows with {columns}", columns=columns)
    single, many = "1 row with {columns}", "{n1} rows with {columns}"
    return numbered(table.row_count, single, many, columns=columns)


def _which_header(table: Table) -> Iterator[Question]:
    reasons = [reason for reason in table.evidence if reason.decision == "header"]
    if not reasons or not table.preview or (reasons[0].score or 0) >= SURE:
        return
    score = round((reasons[0].score or 0.5) * 100, 1)
    rows = list(table.header_rows)
    names = ", ".join(table.columns)[:80]
    taken = "The columns get these names" if rows else "Every row is data"
    candidate = Candidate(
        rows,
        Sentence("row {n1}: {names}", n1=str(rows[-1] + 1), names=names) if rows else "no header",
        score,
        taken,
    )
    number_of_rows = counted(max(len(rows), 1), "row")
    more = Sentence(
        "adds {ROWS} of data; the columns are called Column 1, Column 2", ROWS=number_of_rows
    )
    other = Candidate([], "no header: every row is data", 100 - score, more)
    if not rows:
        first = ", ".join(text or "" for text in table.preview[0])[:80]
        fewer = "one fewer row of data: it names the columns"
        other = Candidate([0], Sentence("the first row: {names}", names=first), 100 - score, fewer)
    evidence = tuple(reason.reason for reason in reasons)
    yield Question("header_row", candidates=(candidate, other), evidence=evidence, default=rows)
