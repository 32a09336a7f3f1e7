"""A header printed again is left out with every line of it: names, groups, and the title above."""

import openpyxl
import pytest

from tabular.model.places import ReadingChoices
from tabular.model.problem import Limits
from tabular.model.table import silent
from tabular.reading import read
from tabular.reading.layout import lay_out
from tabular.reading.text.reader import read_text
from tabular.reading.workbook import tables as workbook_tables

YEARS = ["", "2022", "", "2023", ""]
QUARTERS = ["Product", "Q1", "Q2", "Q1", "Q2"]
COLUMNS = ("Product", "2022 Q1", "2022 Q2", "2023 Q1", "2023 Q2")


def items(block):
    return [[f"Item {block}{n}", *(str(block * 10 + n * k) for k in range(4))] for n in range(4)]


def printed(*captions, gap=0):
    """Return the rows of a list whose header comes again, below a caption each time."""
    return [
        row
        for block, caption in enumerate(captions, 1)
        for row in [
            *([caption] if caption else []),
            YEARS,
            QUARTERS,
            *items(block),
            *[[""] * 5] * gap,
        ]
    ]


NORTH, SOUTH = ["North", "", "", "", ""], ["South", "", "", "", ""]
SALES = ["", "Sales", "", "Costs", ""]


@pytest.mark.parametrize("gap", [0, 1])
@pytest.mark.parametrize(
    "captions",
    [(NORTH, NORTH), (NORTH, SOUTH), (SALES, SALES), (None, None)],
    ids=["the same title", "another title", "groups", "no title"],
)
def test_the_title_of_a_repeated_header_is_not_a_row(captions, gap):
    rows = printed(*captions, gap=gap)

    (region,) = lay_out(rows)

    assert region.columns == COLUMNS
    assert [rows[row] for row in region.rows] == items(1) + items(2)
    repeated = [rows[row] for row, why in region.left_out if why == "repeated_header"]
    assert repeated == [*([captions[1]] if captions[1] else []), YEARS, QUARTERS]


def test_a_title_of_two_lines_is_left_out_where_both_come_again():
    rows = [["List of stock"], *printed(NORTH), ["List of stock"], *printed(SOUTH)]

    (region,) = lay_out(rows)

    assert [rows[row] for row in region.rows] == items(1) + items(1)


@pytest.mark.parametrize(
    "last",
    [["Item 19", "", "", "", ""], ["Item 19", "3", "", "", ""]],
    ids=["a row like others of the body", "more cells than the title"],
)
def test_a_row_of_data_above_a_repeated_header_stays(last):
    rows = [NORTH, YEARS, QUARTERS, ["Item 10", "", "", "", ""], *items(1), last, *printed(None)]

    (region,) = lay_out(rows)

    assert last in [rows[row] for row in region.rows]


def test_a_streamed_sheet_leaves_out_every_line_of_a_repeated_header(tmp_path, monkeypatch):
    monkeypatch.setattr(workbook_tables, "WHOLE_CELLS", 0)
    monkeypatch.setattr(workbook_tables, "_HEAD_ROWS", 10)
    book = openpyxl.Workbook()
    for row in printed(*[SALES] * 300):
        book.active.append([cell or None for cell in row])
    book.save(tmp_path / "book")

    body = read(tmp_path / "book").bodies[0]

    assert sum(batch.num_rows for batch in body.batches()) == 300 * 4
    lines = [left.cells for left in body.skipped_rows() if left.reason == "repeated_header"]
    assert [[text or "" for text in cells] for cells in lines[-3:]] == [
        [text or "" for text in line] for line in (SALES, YEARS, QUARTERS)
    ]


@pytest.mark.parametrize("odd", ["", "Item 99;1;2\n"], ids=["in bulk", "tolerant"])
def test_a_streamed_text_leaves_out_every_line_of_a_repeated_header(tmp_path, odd):
    path = tmp_path / "list.csv"
    lines = "".join(";".join(row) + "\n" for row in printed(*[SALES] * 2000))
    path.write_text(lines + odd)

    reading = read_text(
        path, choices=ReadingChoices(), limits=Limits(), progress=silent, whole_bytes=0
    )

    body = reading.bodies[0]
    assert sum(batch.num_rows for batch in body.batches()) == 2000 * 4 + bool(odd)
    assert body.outcome()[0].skipped.repeated_headers == 3 * 1999
