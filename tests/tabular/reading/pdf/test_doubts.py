"""Warnings about tables of a PDF that may have been read wrongly."""

import pytest

from tabular.reading.pdf.doubts import doubts
from tabular.reading.pdf.grids.grid import Row

NAMES = ("Item", "Qty", "Price", "Total")
FULL = ("K-1", "2", "3.50", "7.00")


def issues_of(names, rows):
    numbered = [(number, Row(cells, 0, 0, 1)) for number, cells in enumerate(rows, start=3)]
    return [(issue.code, issue.row, issue.value) for issue in doubts(names, numbered)]


def test_an_ordinary_table_has_no_warning():
    assert issues_of(NAMES, [FULL] * 5) == []


def test_rows_with_one_cell_are_told_together_with_the_first_of_them():
    rows = [FULL, ("Spare parts", "", "", ""), FULL, FULL, ("", "", "", "see below"), FULL]

    assert issues_of(NAMES, rows) == [("lone_cells", 4, "Spare parts")]


def test_characters_that_the_file_does_not_define_are_told_with_the_first_of_them():
    rows = [FULL, ("K-2", "2", "3.\ufffd0", "7.00"), ("K\ufffd", "2", "3.50", "7.00")]

    assert issues_of(NAMES, rows) == [("unreadable_characters", 4, "3.\ufffd0")]


def test_a_table_of_mostly_one_column_has_no_warning_for_each_row():
    assert issues_of(NAMES, [("K-1", "", "", "")] * 4 + [FULL]) == []


def test_rows_of_two_columns_may_have_one_cell():
    assert issues_of(("Name", "Note"), [("Ann", ""), ("Bo", "new")]) == []


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (("Name", "Qty", "Qty (2)"), "repeated_titles"),
        (("Name", "ann@example.com Status"), "doubtful_titles"),
        (("Name", "1,250.00"), "doubtful_titles"),
        (("Smith and Sons",), "doubtful_titles"),
    ],
)
def test_titles_that_may_be_wrong_are_told(names, code):
    rows = [tuple("x" for _ in names)] * 3

    assert [issue[0] for issue in issues_of(names, rows)] == [code]


def test_years_and_numbered_titles_are_titles():
    assert (
        issues_of(("Name", "2024", "2025", "Address (1)", "Q1"), [("a", "1", "2", "b", "3")]) == []
    )
