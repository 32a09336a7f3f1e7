"""Tables of web pages, SpreadsheetML, Parquet and Feather."""

import datetime as dt
import decimal

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from tabular.model.problem import LimitExceeded, Limits, UnreadableFile
from tabular.model.table import Kind
from tabular.reading import read
from tabular.reading.batches import first_text

NAMESPACE = "urn:schemas-microsoft-com:office:spreadsheet"


def saved(tmp_path, content):
    path = tmp_path / "list.xls"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def rows_of(reading, table=0):
    return [
        list(row)
        for batch in reading.bodies[table].batches()
        for row in zip(*(c.to_pylist() for c in batch.columns[first_text(batch) :]), strict=True)
    ]


def kinds_of(reading):
    (batch,) = reading.bodies[0].batches()
    kinds = batch["__kinds__"]
    return {f.name: Kind(kinds.field(i)[0].as_py()) for i, f in enumerate(kinds.type)}


def page(*rows, head="", before=""):
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<html><head>{head}</head><body>{before}<table>{body}</table></body></html>"


def test_a_table_of_a_page_is_read_as_it_is_shown(tmp_path):
    rows = ("<th>id<th>amount<th>note", "<td>007<td>1.234,50 €<td>a&amp;b<br>c", "<td>8<td>2 %<td>")

    reading = read(saved(tmp_path, page(*rows)))

    assert (reading.file_format, reading.tables[0].columns) == ("html", ("id", "amount", "note"))
    assert rows_of(reading) == [["007", "1.234,50 €", "a&b c"], ["8", "2 %", None]]


def test_spans_are_laid_out_like_merged_ranges(tmp_path):
    rows = (
        "<th>group</th><th>part</th><th>qty</th>",
        "<td rowspan=2>A</td><td>bolt</td><td>1</td>",
        "<td>nut</td><td>2</td>",
        "<td>B</td><td colspan=2>3</td>",
    )

    reading = read(saved(tmp_path, page(*rows)))

    assert rows_of(reading) == [["A", "bolt", "1"], ["A", "nut", "2"], ["B", "3", None]]
    assert "merged" in {reason.decision for reason in reading.tables[0].evidence}


def test_several_tables_of_a_page_are_all_given(tmp_path):
    menu = "<table><caption>Menu</caption><tr><td>Home</table>"
    rows = ("<th>id<th>name", "<td>1<td>Ada", "<td>2<td>Bob")

    reading = read(saved(tmp_path, page(*rows, before=menu)))

    assert [table.sheet for table in reading.tables] == ["Table 2", "Menu"]
    assert rows_of(reading) == [["1", "Ada"], ["2", "Bob"]]


def test_a_table_inside_a_table_is_a_table_of_its_own(tmp_path):
    inner = "<table><tr><th>id<th>name<tr><td>1<td>Ada<tr><td>2<td>Bob</table>"

    reading = read(saved(tmp_path, page(f"<td>left</td><td>{inner}</td>")))

    assert rows_of(reading) == [["1", "Ada"], ["2", "Bob"]]


@pytest.mark.parametrize(
    ("encoding", "head"),
    [
        ("utf-8", ""),
        ("cp1252", '<meta charset="windows-1252">'),
        ("utf-16", ""),
        ("utf-8", '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">'),
    ],
)
def test_a_page_says_its_encoding(tmp_path, encoding, head):
    content = page("<th>name<th>n", "<td>Jörg Müßig<td>1", "<td>Zoë<td>2", head=head)

    reading = read(saved(tmp_path, content.encode(encoding)))

    assert rows_of(reading)[0] == ["Jörg Müßig", "1"]


@pytest.mark.parametrize(
    "row",
    [
        "<td colspan=1000000>x</td>" * 50,
        "<td>x</td>" * 6_000,
        "<td colspan=999 rowspan=60000>x</td>" * 6,
    ],
)
def test_wide_spans_are_refused_by_their_limit(tmp_path, row):
    with pytest.raises(LimitExceeded) as refused:
        read(saved(tmp_path, page(row, "<td>y</td>")))

    assert refused.value.details["limit"] == "columns"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("<html><body><p>no table</p></body></html>", "no_table_found"),
        ("<html><body><table></table></body></html>", "no_table_found"),
        ("<table>" * 5_000, "no_table_found"),
        ('<!DOCTYPE html [<!ENTITY a "b">]><table><tr><td>&a;</table>', None),
    ],
)
def test_an_odd_page_is_a_problem_or_a_table_and_no_crash(tmp_path, content, code):
    if code is None:
        assert read(saved(tmp_path, content)).file_format == "html"
        return
    with pytest.raises(UnreadableFile) as refused:
        read(saved(tmp_path, content))

    assert refused.value.code == code


def spreadsheetml(rows, *, table="", prolog='<?xml version="1.0"?>'):
    cells = "".join(f"<Row>{row}</Row>" for row in rows)
    return f"""{prolog}<?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="{NAMESPACE}" xmlns:ss="{NAMESPACE}">
<Styles><Style ss:ID="p"><NumberFormat ss:Format="Percent"/></Style>
<Style ss:ID="d"><NumberFormat ss:Format="[h]:mm"/></Style></Styles>
<Worksheet ss:Name="Stock"><Table{table}>{cells}</Table></Worksheet></Workbook>"""


def cell(kind, text, more=""):
    return f'<Cell{more}><Data ss:Type="{kind}">{text}</Data></Cell>'


HEAD = "".join(cell("String", name) for name in ("id", "rate", "day", "span", "ok", "sum"))


def test_spreadsheetml_is_a_workbook(tmp_path):
    row = (
        cell("Number", "12345678901234567890")
        + cell("Number", "0.19", ' ss:StyleID="p"')
        + cell("DateTime", "2024-05-01T00:00:00.000")
        + cell("DateTime", "1900-01-01T06:30:00.000", ' ss:StyleID="d"')
        + cell("Boolean", "1")
        + cell("Error", "#DIV/0!")
    )

    reading = read(saved(tmp_path, spreadsheetml([HEAD, row, row])))

    assert (reading.file_format, reading.tables[0].sheet) == ("spreadsheetml", "Stock")
    expected = ["12345678901234567890", "0.19", "2024-05-01", "30:30:00", "true", None]
    assert rows_of(reading) == [expected, expected]
    kinds = [Kind.NUMBER, Kind.PERCENT, Kind.DATE, Kind.DURATION, Kind.BOOLEAN, Kind.TEXT]
    assert list(kinds_of(reading).values()) == kinds
    assert [issue.code for issue in reading.bodies[0].outcome()[1]] == ["error_cell"] * 2


def test_spreadsheetml_may_leave_cells_and_rows_out(tmp_path):
    rows = [
        cell("String", "id") + cell("String", "name"),
        cell("Number", "1"),
        cell("String", "Bob", ' ss:Index="2"'),
    ]

    assert rows_of(read(saved(tmp_path, spreadsheetml(rows)))) == [["1", None], [None, "Bob"]]


@pytest.mark.parametrize(
    ("rows", "prolog", "code"),
    [
        ([cell("String", "x", ' ss:Index="99999"')], "", "too_large"),
        ([cell("String", "x", ' ss:MergeAcross="999999"')], "", "too_large"),
        ([cell("String", "x", ' ss:Index="-5"')], "", "damaged_file"),
        ([cell("String", "x", ' ss:Index="one"')], "", "damaged_file"),
        ([HEAD], '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]>', "unsafe_file"),
    ],
)
def test_a_hostile_spreadsheetml_is_refused(tmp_path, rows, prolog, code):
    content = spreadsheetml(rows, prolog=f'<?xml version="1.0"?>{prolog}')

    with pytest.raises((UnreadableFile, LimitExceeded)) as refused:
        read(saved(tmp_path, content))

    assert refused.value.code == code


TYPED = pa.table(
    {
        "id": [12345678901234567, 2],
        "name": ["Ada", None],
        "x": [0.57 * 100, float("nan")],
        "price": [decimal.Decimal("1.50"), None],
        "when": pa.array([1714566600000000001, None], pa.timestamp("ns")),
        "day": [dt.date(2024, 5, 1), None],
        "ok": [True, None],
        "at": pa.array([{"city": "Ulm", "zip": 1}, None]),
        "tags": [["a", "b"], None],
        "kind": pa.array(["q", "q"]).dictionary_encode(),
    }
)
WRITERS = {
    "parquet": pyarrow.parquet.write_table,
    "feather": pyarrow.feather.write_feather,
}


@pytest.mark.parametrize("file_format", WRITERS)
def test_typed_columns_keep_their_kinds(tmp_path, file_format):
    WRITERS[file_format](TYPED, tmp_path / "a")

    reading = read(tmp_path / "a")

    assert reading.file_format == file_format
    first = dict(zip(reading.tables[0].columns, rows_of(reading)[0], strict=True))
    assert first == {
        "id": "12345678901234567",
        "name": "Ada",
        "x": "57",
        "price": "1.5",
        "when": "2024-05-01 12:30:00",
        "day": "2024-05-01",
        "ok": "true",
        "at.city": "Ulm",
        "at.zip": "1",
        "tags": '["a", "b"]',
        "kind": "q",
    }
    kinds = kinds_of(reading)
    assert (kinds["id"], kinds["when"], kinds["ok"]) == (Kind.NUMBER, Kind.DATE, Kind.BOOLEAN)
    assert set(rows_of(reading)[1][1:-1]) == {None}


@pytest.mark.parametrize("file_format", WRITERS)
def test_a_file_that_unfolds_is_refused(tmp_path, file_format):
    bomb = pa.table({"a": ["x" * 100] * 100_000})
    WRITERS[file_format](bomb, tmp_path / "a", compression="zstd")

    with pytest.raises(LimitExceeded):
        list(read(tmp_path / "a", limits=Limits(expanded_bytes=1_000_000)).bodies[0].batches())


@pytest.mark.parametrize("file_format", WRITERS)
@pytest.mark.parametrize("place", [0.3, 0.6, 0.9])
def test_broken_bytes_are_a_problem(tmp_path, file_format, place):
    WRITERS[file_format](TYPED, tmp_path / "a")
    content = bytearray((tmp_path / "a").read_bytes())
    at = int(len(content) * place)
    content[at : at + 40] = bytes(reversed(content[at : at + 40]))
    del content[at + 60 : at + 90]
    (tmp_path / "a").write_bytes(content)

    with pytest.raises(UnreadableFile):
        list(read(tmp_path / "a").bodies[0].batches())
