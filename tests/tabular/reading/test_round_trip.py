"""Any table we write reads back as it was, whatever the dialect, encoding or format."""

import csv
import io

import openpyxl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tabular.reading import read
from tabular.reading.batches import first_text
from tabular.reading.text.records import Dialect, parse_lines
from tests.tries import tries

WORDS = [
    "Müller",
    "bolt M8",
    "O'Brien",
    'a "quoted" word',
    "one, two",
    "x;y",
    "line\nbreak",
    "Ärger",
]
KINDS = {
    "id": st.integers(1, 99_999).map(lambda number: f"K{number:05}"),
    "amount": st.decimals(0, 9999, places=2).map(lambda number: f"{number}"),
    "day": st.dates().map(lambda day: day.isoformat()),
    "name": st.sampled_from(WORDS),
    "note": st.sampled_from(["", "", "ok", "see above", "n/a"]),
}
SAFE_TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)


@st.composite
def tables(draw):
    """Return drawn names and rows of a table as people make them: an id, then typed columns."""
    kinds = ["id", *draw(st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=5))]
    names = [f"{kind} {letter}" for kind, letter in zip(kinds, "abcdef", strict=False)]
    row = st.tuples(*(KINDS[kind] for kind in kinds)).map(list)
    return names, draw(st.lists(row, min_size=2, max_size=12))


def rows_of(reading):
    return [
        [text or "" for text in row]
        for batch in reading.bodies[0].batches()
        for row in zip(
            *(column.to_pylist() for column in batch.columns[first_text(batch) :]), strict=True
        )
    ]


def quiet(test):
    return settings(
        max_examples=tries(60),
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )(test)


@quiet
@given(
    table=tables(),
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    line_end=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
)
def test_a_delimited_table_reads_back_in_every_dialect(
    tmp_path, table, delimiter, line_end, quoting, encoding
):
    names, rows = table
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator=line_end, quoting=quoting)
    writer.writerows([names, *rows])
    path = tmp_path / "table"
    path.write_bytes(text.getvalue().encode(encoding))

    reading = read(path)

    assert reading.tables[0].columns == tuple(names)
    assert rows_of(reading) == rows


@quiet
@given(table=tables())
def test_a_workbook_reads_back(tmp_path, table):
    names, rows = table
    book = openpyxl.Workbook()
    for row in (names, *rows):
        book.active.append([cell or None for cell in row])
    book.save(tmp_path / "table")

    reading = read(tmp_path / "table")

    assert reading.tables[0].columns == tuple(names)
    assert rows_of(reading) == rows


@given(
    rows=st.lists(st.lists(SAFE_TEXT, min_size=2, max_size=4), min_size=1, max_size=6),
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    quote=st.sampled_from(['"', "'"]),
    line_end=st.sampled_from(["\n", "\r\n"]),
)
@example(rows=[['"', "a\r\nb"]], delimiter=",", quote='"', line_end="\n")
def test_records_of_any_text_parse_back(rows, delimiter, quote, line_end):
    text = io.StringIO()
    csv.writer(
        text, delimiter=delimiter, quotechar=quote, lineterminator=line_end, quoting=csv.QUOTE_ALL
    ).writerows(rows)
    lines = io.StringIO(text.getvalue(), newline="")

    records = list(parse_lines(lines, Dialect(delimiter, quote)))

    assert [record.cells for record in records] == rows
    assert not any(record.oddity for record in records)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_quoted_line_break_keeps_its_own_line_end(tmp_path, line_end):
    path = tmp_path / "table.csv"
    path.write_bytes(f'id,note{line_end}1,"a\nb"{line_end}2,"c\r\nd"{line_end}'.encode())

    reading = read(path)

    assert rows_of(reading) == [["1", "a\nb"], ["2", "c\r\nd"]]
