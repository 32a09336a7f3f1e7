"""Workbooks: values as a person would type them, and what one does not see at a glance."""

import datetime as dt
import zipfile

import openpyxl
import pytest
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from tabular.model.places import ReadingChoices
from tabular.reading import read
from tabular.reading.batches import first_text
from tabular.reading.workbook import tables as workbook_tables


@pytest.fixture
def write(tmp_path):
    """Return a function that writes sheets to a workbook: ``write({name: rows}, change)``."""

    def _write(sheets, change=None, *, epoch=None):
        book = openpyxl.Workbook()
        book.remove(book.active)
        if epoch:
            book.epoch = epoch
        for name, rows in sheets.items():
            sheet = book.create_sheet(name)
            for row in rows:
                sheet.append(row)
        if change:
            change(book)
        book.save(tmp_path / "book")
        return tmp_path / "book"

    return _write


def rows_of(body):
    return [
        list(row)
        for batch in body.batches()
        for row in zip(
            *(column.to_pylist() for column in batch.columns[first_text(batch) :]), strict=True
        )
    ]


TABLE = [["id", "name"], [1, "bolt"], [2, "nut"], [3, "pin"]]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (69, "69"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1234567890123456, "1234567890123456"),
        ("00123", "00123"),
        ("12345678901234567890", "12345678901234567890"),
        ("  padded ", "  padded "),
        (True, "true"),
        (dt.date(2024, 5, 1), "2024-05-01"),
        (dt.datetime(2024, 5, 1, 12, 30), "2024-05-01 12:30:00"),  # noqa: DTZ001 -- sheets have no zone
        (dt.time(12, 30), "12:30:00"),
        (dt.timedelta(hours=30), "30:00:00"),
    ],
)
@pytest.mark.parametrize("epoch", [None, CALENDAR_MAC_1904])
def test_a_value_is_what_a_person_would_type(write, value, text, epoch):
    path = write({"a": [["id", "value"], [1, value], [2, value]]}, epoch=epoch)

    rows = rows_of(read(path).bodies[0])

    # openpyxl writes 15 digits, as spreadsheets do.
    assert rows[0][1] == ("0.3" if text.startswith("0.30000") else text)


def test_leading_zeros_of_a_number_format_are_kept(write):
    def pad(book):
        for row in book["a"].iter_rows(min_row=2, min_col=2, max_col=2):
            row[0].number_format = "00000"

    path = write({"a": [["city", "zip"], ["Dresden", 1067], ["Bonn", 53111]]}, pad)

    assert [row[1] for row in rows_of(read(path).bodies[0])] == ["01067", "53111"]


def test_a_merged_range_gives_its_value_to_each_of_its_rows(write):
    rows = [["group", "part", "qty"], ["A", "bolt", 1], [None, "nut", 2], ["B", "pin", 3]]
    path = write({"a": rows}, lambda book: book["a"].merge_cells("A2:A3"))

    reading = read(path)

    assert [row[0] for row in rows_of(reading.bodies[0])] == ["A", "A", "B"]
    assert "merged" in {reason.decision for reason in reading.tables[0].evidence}


def test_hidden_sheets_and_rows_and_empty_sheets_are_reported(write):
    def hide(book):
        book["first"].sheet_state = "hidden"
        book["second"].row_dimensions[3].hidden = True

    path = write({"first": TABLE, "second": TABLE, "third": []}, hide)

    reading = read(path)

    assert [table.sheet for table in reading.tables] == ["second", "first"]
    assert {issue.code for issue in reading.issues} == {
        "hidden_sheet",
        "hidden_rows",
        "empty_sheet",
    }


def test_every_sheet_is_a_table_and_the_reader_asks_which(write):
    path = write({"stock": TABLE, "orders": [["no", "day"], [7, "2024-05-01"], [8, "2024-05-02"]]})

    reading = read(path)

    assert [table.sheet for table in reading.tables] == ["stock", "orders"]
    assert [(q.kind, len(q.candidates), q.default) for q in reading.questions] == [("table", 2, 0)]


@pytest.mark.parametrize("whole_cells", [0, 300_000])
def test_a_chosen_header_holds_for_the_chosen_table_alone(write, monkeypatch, whole_cells):
    monkeypatch.setattr(workbook_tables, "WHOLE_CELLS", whole_cells)
    path = write({"stock": TABLE, "orders": [["kept", "by"], ["no", "day"], [7, "x"], [8, "y"]]})

    reading = read(path, choices=ReadingChoices(table=1, header_rows=(1,)))

    assert [table.columns for table in reading.tables] == [("id", "name"), ("no", "day")]
    assert rows_of(reading.bodies[1]) == [["7", "x"], ["8", "y"]]


def test_an_error_cell_is_an_issue_at_its_place(write):
    def fail(book):
        book["a"]["B3"] = "#DIV/0!"
        book["a"]["B3"].data_type = "e"

    body = read(write({"a": [["id", "ratio"], [1, 2.5], [2, None], [3, 4.5]]}, fail)).bodies[0]

    _, issues = body.outcome()

    assert [(i.code, i.row, i.column, i.value) for i in issues] == [
        ("error_cell", 2, "ratio", "#DIV/0!")
    ]


def test_a_table_away_from_the_corner_knows_its_range(write):
    def move(book):
        book["a"].move_range("A1:B4", rows=3, cols=2)

    table = read(write({"a": TABLE}, move)).tables[0]

    assert table.range == "C4:D7"
    assert table.header_rows == (3,)


def test_a_large_sheet_streams_what_it_holds_as_a_whole(write, monkeypatch):
    rows = [["id", "name", "day"], *([n, f"part {n}", dt.date(2024, 1, 1)] for n in range(1, 1300))]
    rows[700:700] = [[], ["id", "name", "day"]]
    path = write({"a": [["Stock"], [], *rows, [], ["Source: us"]]})
    whole = read(path).bodies[0]
    monkeypatch.setattr(workbook_tables, "WHOLE_CELLS", 0)

    streamed = read(path).bodies[0]

    assert rows_of(streamed) == rows_of(whole)
    assert len(rows_of(streamed)) == 1299
    assert streamed.outcome()[0].skipped == whole.outcome()[0].skipped
    assert streamed.outcome()[0].row_count == 1299


SPREADSHEET = """<office:document-content
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0">
<office:body><office:spreadsheet><table:table table:name="stock">{rows}</table:table>
</office:spreadsheet></office:body></office:document-content>"""


def ods_cell(kind, shown, note=""):
    return f"<table:table-cell {kind}>{note}<text:p>{shown}</text:p></table:table-cell>"


def ods_row(cells, more=""):
    written = "".join(cell if isinstance(cell, str) else ods_cell(*cell) for cell in cells)
    return f"<table:table-row {more}>{written}</table:table-row>"


def ods(path, rows):
    """Write an ods of one sheet."""
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        package.writestr("content.xml", SPREADSHEET.format(rows="".join(rows)))
        package.writestr("META-INF/manifest.xml", "<manifest/>")
    return path


TEXT = 'office:value-type="string"'


def number(value, more=""):
    return f'office:value-type="float" office:value="{value}" {more}'


@pytest.mark.parametrize(
    ("kind", "shown", "text"),
    [
        (number("1000"), "01000", "01000"),  # a postal code
        (number("1000"), "1,000", "1000"),
        (number("7"), "007.0", "7"),
        (number("1", 'table:formula="of:=TRUE()"'), "TRUE", "true"),
        (number("0", 'table:formula="of:=FALSE()"'), "FALSCH", "false"),
        (number("1", 'table:formula="of:=1=1"'), "1", "1"),
        ('office:value-type="time" office:time-value="PT26H14M00S"', "26:14:00", "26:14:00"),
        ('office:value-type="time" office:time-value="P2DT03H00M01S"', "51:00:01", "51:00:01"),
        (TEXT, "PT26H", "PT26H"),
        (TEXT, "two<text:tab/>words", "two\twords"),
        (TEXT, "two<text:s text:c='3'/>words", "two   words"),
        (TEXT, "a<text:tab/>b</text:p><text:p>c", "a\tb\nc"),
    ],
)
def test_a_cell_of_an_ods_has_the_text_of_the_same_cell_in_an_xlsx(tmp_path, kind, shown, text):
    note = "<office:annotation><text:p>a<text:tab/>note</text:p></office:annotation>"
    rows = [ods_row([(TEXT, f"k{n}"), (kind, shown, note)]) for n in range(4)]
    path = ods(tmp_path / "book", [ods_row([(TEXT, "id"), (TEXT, "value")]), *rows])

    body = read(path).bodies[0]

    assert next(body.batches()).column("value").to_pylist() == [text] * 4


def test_merged_ranges_of_an_ods_name_and_fill_as_in_an_xlsx(tmp_path):
    down, across = 'table:number-rows-spanned="2"', 'table:number-columns-spanned="2"'
    covered = "<table:covered-table-cell/>"
    stock, price = (f"{TEXT} {across}", "Stock"), (f"{TEXT} {across}", "Price")
    path = ods(
        tmp_path / "book",
        [
            ods_row([(f"{TEXT} {down}", "Group"), stock, covered, price, covered]),
            ods_row([covered, *((TEXT, name) for name in ("open", "sold", "open", "sold"))]),
            ods_row([(f"{TEXT} {down}", "A"), *((number(n), n) for n in (1, 2, 3.5, 4.5))]),
            ods_row([covered, *((number(n), n) for n in (5, 6, 7.5, 8.5))]),
        ],
    )

    body = read(path).bodies[0]

    table = body.outcome()[0]
    names = ("Group", "Stock open", "Stock sold", "Price open", "Price sold")
    assert table.columns == names
    assert next(body.batches()).column("Group").to_pylist() == ["A", "A"]


def test_errors_and_hidden_rows_of_an_ods_are_reported(tmp_path):
    text = 'office:value-type="string"'
    error = 'office:value-type="string" office:string-value="" calcext:value-type="error"'
    stale = 'office:value-type="float" office:value="0" calcext:value-type="error"'
    rows = [
        ods_row([(text, "id"), (text, "name"), (text, "unit")]),
        ods_row([(text, "a1"), (error, "#DIV/0!"), (text, "kg")], 'table:visibility="filter"'),
        ods_row([(text, "a2"), (text, "nut"), (stale, "#N/A")]),
        ods_row([(text, "a3"), (text, "bolt"), (text, "kg")]),
    ]

    reading = read(ods(tmp_path / "book", rows))

    issues = reading.bodies[0].outcome()[1]
    assert [(i.code, i.row, i.column, i.value) for i in issues] == [
        ("error_cell", 1, "name", "#DIV/0!"),
        ("error_cell", 2, "unit", "#N/A"),
    ]
    assert [issue.code for issue in reading.issues] == ["hidden_rows"]
    assert next(reading.bodies[0].batches()).column("unit").to_pylist() == ["kg", None, "kg"]
