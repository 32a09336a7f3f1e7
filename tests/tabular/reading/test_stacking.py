"""Tables with the same header are offered as one, one below the other, and no row is read twice."""

import zipfile

import openpyxl
import pytest

from tabular.model.places import PART_ROWS, ReadingChoices
from tabular.model.problem import UnreadableFile, UnusableRequest
from tabular.model.sentences import translated
from tabular.model.table import ROW_COLUMN
from tabular.reading import read

HEAD = ["Day", "Amount", "Shop"]
JAN = [HEAD, ["2024-01-05", 10.5, "Bonn"], ["2024-01-06", 3, "Ulm"], ["Total", 13.5]]
FEB = [HEAD, ["2024-02-05", 7, "Bonn"], ["2024-02-06", 1.25, "Kiel"]]
MAR = [["Shop", "AMOUNT", "Day"], ["Ulm", 5, "2024-03-01"], ["Kiel", 6, "2024-03-02"]]
MONTHS = {"Jan": JAN, "Feb": FEB, "Mar": MAR}


@pytest.fixture
def book(tmp_path):
    """Return a function that writes a workbook; sheet names ending with an asterisk are hidden."""

    def write(sheets):
        book = openpyxl.Workbook()
        book.remove(book.active)
        for name, rows in sheets.items():
            sheet = book.create_sheet(name.rstrip("*"))
            sheet.sheet_state = "hidden" if name.endswith("*") else "visible"
            for row in rows:
                sheet.append(row)
        book.save(tmp_path / "book.xlsx")
        return tmp_path / "book.xlsx"

    return write


@pytest.fixture
def archive(tmp_path):
    def write(files):
        with zipfile.ZipFile(tmp_path / "files.zip", "w") as target:
            for name, content in files.items():
                target.writestr(name, content)
        return tmp_path / "files.zip"

    return write


def rows_of(reading):
    body = reading.bodies[reading.chosen]
    batches = list(body.batches())
    names = reading.tables[reading.chosen].columns
    return [
        (row[ROW_COLUMN], *(row[name] for name in names))
        for batch in batches
        for row in batch.to_pylist()
    ]


def stacking_question(reading):
    (question,) = [item for item in reading.questions if item.kind == "table"]
    return question


def test_sheets_of_months_are_one_table_by_default_and_it_is_asked(book):
    reading = read(book(MONTHS))

    table = reading.tables[reading.chosen]
    assert table.stacked == (0, 1, 2)
    assert table.columns == ("Sheet", *HEAD)
    assert table.row_count == 6
    assert stacking_question(reading).default == reading.chosen == 3
    assert stacking_question(reading).candidates[0].effect == "6 rows with Sheet, Day, Amount, Shop"


def test_each_row_is_numbered_by_its_sheet_and_its_own_row(book):
    rows = rows_of(read(book(MONTHS)))

    assert rows == [
        (1, "Jan", "2024-01-05", "10.5", "Bonn"),
        (2, "Jan", "2024-01-06", "3", "Ulm"),
        (PART_ROWS + 1, "Feb", "2024-02-05", "7", "Bonn"),
        (PART_ROWS + 2, "Feb", "2024-02-06", "1.25", "Kiel"),
        (2 * PART_ROWS + 1, "Mar", "2024-03-01", "5", "Ulm"),
        (2 * PART_ROWS + 2, "Mar", "2024-03-02", "6", "Kiel"),
    ]


def test_rows_left_out_are_those_of_all_sheets_and_can_be_taken_back(book):
    path = book({"Jan": FEB, "Feb": JAN})
    reading = read(path)
    list(reading.bodies[reading.chosen].batches())
    (left,) = reading.bodies[reading.chosen].skipped_rows()

    again = read(path, choices=ReadingChoices(restored=(left.row,)))

    assert (left.row, left.reason) == (PART_ROWS + 3, "total")
    assert rows_of(again)[-1] == (PART_ROWS + 3, "Feb", "Total", "13.5", None)
    assert len(rows_of(again)) == 5


@pytest.mark.parametrize(
    ("what", "sheets"),
    [
        ("names that are no series", {"North": JAN, "South": FEB}),
        ("a column more", {"Jan": JAN, "Feb": [[*HEAD, "Note"], ["2024-02-05", 7, "Bonn", "x"]]}),
        ("the same rows again", {"2023": FEB, "2024": FEB}),
        ("a sheet with all rows", {"Q1": FEB, "Q2": [HEAD, *FEB[1:], ["2024-09-09", 1, "Ulm"]]}),
    ],
)  # fmt: skip
def test_without_the_evidence_the_first_sheet_is_the_default_and_the_stack_is_offered(
    book, what, sheets
):
    reading = read(book(sheets))

    assert reading.chosen == 0, what
    assert (stacking_question(reading).default, stacking_question(reading).candidates[0].value) == (
        0,
        2,
    )


def test_a_column_that_a_sheet_lacks_is_empty_there(book):
    more = [[*HEAD, "Note"], ["2024-02-05", 7, "Bonn", "late"]]

    reading = read(book({"Jan": FEB, "Feb": more}), choices=ReadingChoices(tables=(0, 1)))

    assert [row[-1] for row in rows_of(reading)] == [None, None, "late"]
    assert "Jan has no column Note" in [item.reason for item in reading.tables[2].evidence]


def test_hidden_and_empty_sheets_are_not_offered(book):
    reading = read(book({"Jan": FEB, "Feb*": JAN, "Mar": [HEAD]}))

    assert all(not table.stacked for table in reading.tables)


@pytest.mark.parametrize(
    ("sheets", "numbers", "code"),
    [
        ({"a": JAN, "b": [["Day", "Net", "VAT"], ["2024-01-01", 1, 2]]}, (0, 1), "unlike_headers"),
        ({"a": JAN, "b": FEB}, (0, 7), "unknown_table"),
        ({"a": [["Id", "ID", "x"], [1, 2, "a"]], "b": FEB}, (0, 1), "unstackable_tables"),
    ],
)  # fmt: skip
def test_what_cannot_be_stacked_is_refused_by_its_code(book, sheets, numbers, code):
    with pytest.raises(UnusableRequest) as raised:
        read(book(sheets), choices=ReadingChoices(tables=numbers))

    assert raised.value.code == code


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "The table of b does not have the same columns as the table of a; "),
        ("de", "Die Tabelle von b hat nicht dieselben Spalten wie die Tabelle von a; "),
        ("fr", "Le tableau de b n’a pas les mêmes colonnes que le tableau de a\u202f; "),
        ("es", "La tabla de b no tiene las mismas columnas que la tabla de a; "),
    ],
)
def test_a_table_is_named_within_a_sentence(book, language, expected):
    other = [["Day", "Net", "VAT"], ["2024-01-01", 1, 2]]
    with pytest.raises(UnusableRequest) as raised:
        read(book({"a": JAN, "b": other}), choices=ReadingChoices(tables=(0, 1)))

    assert translated(raised.value.sentence, language).startswith(expected)


def test_the_column_of_places_never_takes_a_name_that_is_there(book):
    rows = [["Sheet", "Amount"], ["x", 1], ["y", 2]]
    others = [["Sheet", "Amount"], ["z", 3], ["w", 4]]

    reading = read(book({"Jan": rows, "Feb": others}))

    assert reading.tables[-1].columns == ("Sheet (2)", "Sheet", "Amount")


def test_the_files_of_an_archive_are_one_table_whatever_parts_their_cells(archive):
    path = archive(
        {
            "orders-01.csv": "id;name;day\n1;bolt;2024-01-02\n2;nut;2024-01-03\n",
            "orders-02.csv": "name,id,day\nscrew,3,2024-02-02\nwire,4,2024-02-03\n",
            "__MACOSX/orders-01.csv": "x",
        }
    )

    reading = read(path)

    assert reading.tables[reading.chosen].columns == ("File", "id", "name", "day")
    assert rows_of(reading)[2] == (PART_ROWS + 1, "orders-02.csv", "3", "screw", "2024-02-02")


def test_a_file_of_an_archive_that_holds_no_table_is_left_out_with_an_issue(archive):
    path = archive(
        {"a.csv": "id,name\n1,bolt\n2,nut\n", "empty.csv": "", "p.png": b"\x89PNG\r\n\x1a\n"}
    )

    reading = read(path)

    assert [table.file for table in reading.tables] == ["a.csv"]
    assert reading.bodies[0].outcome()[0].file == "a.csv"
    assert [issue.value for issue in reading.issues] == ["empty.csv", "p.png"]


def test_an_archive_without_any_table_is_refused(archive):
    with pytest.raises(UnreadableFile) as raised:
        read(archive({"a.csv": "", "b.csv": ""}))

    assert raised.value.code == "no_table_found"


def test_rows_of_one_file_of_an_archive_can_be_taken_back(archive):
    path = archive(
        {"a.csv": "id,net,name\n1,2,x\n2,3,y\n", "b.csv": "id,net,name\n3,2,z\n4,3,w\nTotal,5,\n"}
    )

    alone = read(path, choices=ReadingChoices(table=1, restored=(3,)))
    together = read(path, choices=ReadingChoices(tables=(0, 1), restored=(PART_ROWS + 3,)))

    assert rows_of(alone)[-1] == (3, "Total", "5", None)
    assert rows_of(together)[-1] == (PART_ROWS + 3, "b.csv", "Total", "5", None)


def test_a_large_file_of_an_archive_is_streamed_into_the_stack(archive):
    rows = "".join(f"{n},part {n},{'x' * 60}\n" for n in range(60_000))
    path = archive({"1.csv": f"id,name,text\n{rows}", "2.csv": "id,name,text\n7,a,b\n8,c,d\n"})

    reading = read(path)
    seen = rows_of(reading)

    assert len(seen) == 60_002
    assert len({row[0] for row in seen}) == 60_002
    assert reading.bodies[reading.chosen].outcome()[0].row_count == 60_002
