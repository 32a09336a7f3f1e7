"""What the writers of other libraries wrote reads back equal, or as an issue or a question."""

import csv
import datetime as dt
import math

import openpyxl
import pandas as pd
import pytest
import xlsxwriter
import xlwt
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P

from tabular.reading import read
from tabular.transforming.inference import infer
from tabular.transforming.reading_rows import transform
from tests.tabular.tables import plan_for
from tests.tries import tries

NAMES = ("id", "amount", "share", "day", "flag")
TYPES = ("string", "float", "percentage", "date", "boolean")
FORMATS = ("0", "General", "0.0%", "yyyy-mm-dd", "General")
FIELDS = [{"key": n, "columnType": t} for n, t in zip(NAMES, TYPES, strict=True)]
ROW = st.tuples(
    st.integers(10**5, 10**15 - 1),
    st.floats(-1e9, 1e9).map(lambda value: float(f"{value:.10g}")),
    st.integers(-2_000, 5_000).map(lambda value: value / 1000),
    st.dates(dt.date(1901, 1, 1), dt.date(2090, 12, 31)),
    st.booleans(),
)
UNFORMATTED = ("ods by pandas", "xlsx by pandas")


def write_xlsx(path, rows):
    book = openpyxl.Workbook()
    book.active.append(NAMES)
    for number, row in enumerate(rows, 2):
        book.active.append(row)
        for place, code in enumerate(FORMATS, 1):
            book.active.cell(number, place).number_format = code
    book.save(path)


def write_xlsx_by_xlsxwriter(path, rows):
    with xlsxwriter.Workbook(path) as book:
        sheet, styles = book.add_worksheet(), [book.add_format({"num_format": f}) for f in FORMATS]
        sheet.write_row(0, 0, NAMES)
        for number, row in enumerate(rows, 1):
            for place, (value, style) in enumerate(zip(row, styles, strict=True)):
                write = sheet.write_datetime if isinstance(value, dt.date) else sheet.write
                write(number, place, value, style)


def write_xls(path, rows):
    book = xlwt.Workbook()
    sheet = book.add_sheet("a")
    styles = [xlwt.easyxf(num_format_str=code) for code in FORMATS]
    for place, name in enumerate(NAMES):
        sheet.write(0, place, name)
    for number, row in enumerate(rows, 1):
        for place, value in enumerate(row):
            sheet.write(number, place, value, styles[place])
    book.save(str(path))


def write_ods(path, rows):
    kinds = ("float", "float", "percentage", "date", "boolean")
    book, table = OpenDocumentSpreadsheet(), Table(name="a")
    head = TableRow()
    for name in NAMES:
        cell = TableCell(valuetype="string")
        cell.addElement(P(text=name))
        head.addElement(cell)
    table.addElement(head)
    for row in rows:
        line = TableRow()
        for kind, value in zip(kinds, row, strict=True):
            written = {"date": "datevalue", "boolean": "booleanvalue"}.get(kind, "value")
            text = str(value).lower() if kind == "boolean" else str(value)
            line.addElement(TableCell(valuetype=kind, **{written: text}))
        table.addElement(line)
    book.spreadsheet.addElement(table)
    book.save(str(path))


def as_texts(row):
    id_, amount, share, day, flag = row
    return [str(id_), f"{amount:.15g}", f"{share * 100:.10g} %", day.isoformat(), str(flag).lower()]


def write_csv(path, rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([NAMES, *map(as_texts, rows)])


def write_html(path, rows):
    lines = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>"
        for row in (NAMES, *map(as_texts, rows))
    )
    path.write_text(f"<html><body><table>{lines}</table></body></html>")


def frame(rows):
    return pd.DataFrame(rows, columns=NAMES)


def write_html_by_pandas(path, rows):
    frame(list(map(as_texts, rows))).to_html(path, index=False)


def write_ods_by_pandas(path, rows):
    frame(rows).to_excel(path, engine="odf", index=False)


def write_xlsx_by_pandas(path, rows):
    frame(rows).to_excel(path, engine="openpyxl", index=False)


WRITERS = {
    "xlsx": write_xlsx,
    "xlsx by xlsxwriter": write_xlsx_by_xlsxwriter,
    "xls": write_xls,
    "ods": write_ods,
    "csv": write_csv,
    "html": write_html,
    "html by pandas": write_html_by_pandas,
    "ods by pandas": write_ods_by_pandas,
    "xlsx by pandas": write_xlsx_by_pandas,
}


def differing(path, rows):
    """Return the values that differ without an issue or a question."""
    reading = read(path)
    table, body = reading.tables[0], reading.bodies[0]
    if reading.questions or table.columns != NAMES or table.row_count not in {None, len(rows)}:
        return [] if reading.questions else [table.columns, table.row_count]
    plan = plan_for(FIELDS, {name: [] for name in NAMES})
    source = list(body.batches())
    inferred = infer(source, plan=plan)
    questioned = {question.field for question in inferred.questions}
    differences = []
    for typed in transform(source, plan=plan, inferred=inferred):
        excused = {(f.field, row) for f in typed.findings for row in f.rows.tolist()}
        for place, name in enumerate(NAMES):
            values = typed.values[f"e.{name}"].to_pylist()
            for row, value in enumerate(values, typed.first):
                expected = str(rows[row][0]) if place == 0 else rows[row][place]
                is_excused = f"e.{name}" in questioned or (f"e.{name}", row) in excused
                if not is_excused and not equal(value, expected):
                    differences.append((name, row, value, expected))
    return differences


def equal(value, expected):
    if isinstance(expected, float) and isinstance(value, float):
        return math.isclose(value, expected, rel_tol=1e-14, abs_tol=1e-300)
    return value == expected


@pytest.mark.parametrize("file_format", WRITERS)
@settings(
    max_examples=tries(15),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(rows=st.lists(ROW, min_size=3, max_size=12, unique_by=lambda row: row[0]))
def test_what_was_written_is_read(tmp_path, file_format, rows):
    path = tmp_path / "a"
    # Without a format, 1.5 and 7 alone are 1.5 % and 7 %, as anybody reads them.
    assume(file_format not in UNFORMATTED or any(0 < abs(row[2]) <= 1 for row in rows))
    WRITERS[file_format](path, rows)

    assert differing(path, rows) == []
