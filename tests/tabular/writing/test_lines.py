"""A block of rows is written as its lines are, one by one."""

import csv
from io import StringIO

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from tabular.writing.cells import written
from tabular.writing.export import (
    Block,
    Line,
    RowKey,
    csv_chunks,
    csv_line,
    fingerprint,
    write_workbook,
)

CELLS = st.none() | st.text('",;\r\n=-a ') | st.text(st.characters(exclude_categories=["Cs"]))
ROWS = st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6)


def block(rows: list[tuple], reasons: dict[int, str]) -> Block:
    columns = [pa.array([row[n] for row in rows], pa.string()) for n in range(2)]
    return Block("rec_1", list(range(7, 7 + len(rows))), columns, reasons)


@given(ROWS, st.text('a";=', min_size=1))
def test_a_block_is_the_lines_of_its_rows(rows, reason):
    content = b"".join(csv_chunks(["A", "=B"], [block(rows, {0: reason})])).decode("utf-8-sig")

    lines = [csv_line(["A", "=B", "Reasons", "Row key"])]
    for number, row in enumerate(rows):
        key = str(RowKey("rec_1", 7 + number, fingerprint(row)))
        lines.append(csv_line([*row, "" if number else reason, key]))
    assert content == "".join(line + "\r\n" for line in lines)


@given(ROWS)
def test_a_reader_of_csv_finds_every_cell(rows):
    content = b"".join(csv_chunks(["A", "B"], [block(rows, {})])).decode("utf-8-sig")
    cells = list(csv.reader(StringIO(content, newline="")))

    assert [line[:2] for line in cells[1:]] == [[written(cell) for cell in row] for row in rows]


def test_a_block_without_rows_adds_nothing():
    nothing = Block("rec_1", [], [pa.array([], pa.string())], {})

    assert len(list(csv_chunks(["A"], [nothing]))) == 1


def test_a_note_in_a_workbook_leaves_out_what_xml_refuses(tmp_path):
    note = "“a\x01\x0b\ud800\uffff” is wrong."
    line = Line(["a\x01"], "rec_1/0/ab", notes={0: note}, reasons="\x02")

    write_workbook(tmp_path / "rows.xlsx", "Rows", ["A\x03"], [line])

    sheet = load_workbook(tmp_path / "rows.xlsx").active
    assert sheet["A2"].comment.text == "“a\ufffd\ufffd\ufffd\ufffd” is wrong."
    assert [sheet["A1"].value, sheet["A2"].value] == ["A\ufffd", "a\ufffd"]
