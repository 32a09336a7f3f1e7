"""No line of a table is dropped in silence: it is a row, a running header, or reported."""

import pytest

from .papers import Sheet, columns, ruled
from .test_reader import PRICES, XS

LAST = ["C111-11", "Oak shelf", "9.90", "7"]


def first_page(draw=columns):
    sheet = Sheet()
    sheet.write(60, 40, "Nordbau GmbH", size=14)
    sheet.write(60, 60, "Harbour Street 5, 20457 Hamburg")
    sheet.write(380, 60, "Statement 4711")
    sheet.write(380, 74, "Printed 10:32:07")
    draw(sheet, PRICES * 3, xs=XS, top=120)
    return sheet


def letterhead_of_other_words(sheet):
    sheet.write(60, 40, "Customer account 12-990")
    sheet.write(400, 40, "Sheet two")
    sheet.write(60, 54, "continued overleaf if needed")


def letterhead_with_its_own_time(sheet):
    sheet.write(60, 40, "Nordbau GmbH", size=14)
    sheet.write(380, 74, "Printed 10:32:09")


def letterhead_shorter_than_the_first(sheet):
    sheet.write(60, 50, "Nordbau GmbH, Statement 4711, Page 2 of 2")


def large_letterhead(sheet):
    for line in range(9):
        sheet.write(60, 40 + 14 * line, f"Line {line} of an address block that only page two has")


HEADS = [
    letterhead_of_other_words,
    letterhead_with_its_own_time,
    letterhead_shorter_than_the_first,
    large_letterhead,
]


@pytest.mark.parametrize("has_footer", [True, False], ids=["footer", "no footer"])
@pytest.mark.parametrize("draw", [ruled, columns], ids=["with borders", "without borders"])
@pytest.mark.parametrize("head", HEADS, ids=lambda head: head.__name__)
def test_a_last_row_below_an_unknown_letterhead_is_a_row(read, rows_of, head, draw, has_footer):
    second = Sheet()
    head(second)
    draw(second, [LAST], xs=XS, top=200)
    if has_footer:
        second.write(60, 800, "Bank: DE02 1203 0000 0000 2020 51, managing director: A. Ohm")

    assert rows_of(read(first_page(draw), second))[-1] == LAST


@pytest.mark.parametrize("head", HEADS[1:3], ids=lambda head: head.__name__)
def test_a_page_with_titles_repeated_below_a_letterhead_of_known_words_goes_on(read, rows_of, head):
    second = Sheet()
    head(second)
    columns(second, [PRICES[0], LAST], xs=XS, top=120)

    assert rows_of(read(first_page(), second))[-1] == LAST


def test_a_row_that_is_too_low_to_be_sure_is_reported(read, rows_of):
    second = Sheet()
    second.write(60, 50, "About us")
    columns(second, [LAST], xs=XS, top=600)

    (issue,) = read(first_page(), second).bodies[0].outcome()[1]

    assert (issue.code, issue.value) == ("row_left_out", "C111-11 | Oak shelf | 9.90 | 7")
    assert "page 2" in issue.message


def test_a_line_of_unusual_values_between_two_pages_of_a_table_is_reported(read):
    second = Sheet()
    second.write(140, 60, "of the Hamburg store")
    columns(second, PRICES[1:], xs=XS, top=120)

    issues = read(first_page(), second).bodies[0].outcome()[1]

    assert [(issue.code, issue.value) for issue in issues] == [
        ("text_left_out", "of the Hamburg store")
    ]


def test_a_table_of_the_same_columns_with_a_title_of_its_own_is_reported(read):
    second = Sheet()
    second.write(60, 60, "Prices of last year")
    columns(second, PRICES, xs=XS, top=120)

    reading = read(first_page(), second)

    assert len(reading.tables) == 2
    assert [issue.code for issue in reading.bodies[0].outcome()[1]] == ["table_apart"]


def test_titles_and_notes_around_a_table_are_told_but_are_not_an_issue(read):
    sheet = first_page()
    sheet.write(60, 700, "All prices without tax.")

    reading = read(sheet)

    assert reading.bodies[0].outcome()[1] == ()
    (reason,) = [e.reason for e in reading.tables[0].evidence if e.decision == "left out"]
    assert "All prices without tax." in reason


def test_a_sum_apart_from_its_table_is_not_a_row_left_out(read):
    sheet = first_page()
    columns(sheet, [["", "Total", "773.88", ""]], xs=XS, top=600)

    assert read(sheet).bodies[0].outcome()[1] == ()


def test_running_lines_are_told(read):
    sheets = [first_page(), first_page()]
    for number, sheet in enumerate(sheets, start=1):
        sheet.write(280, 810, f"Page {number} of 2")

    evidence = read(*sheets).tables[0].evidence

    assert any(e.decision == "running lines" and "8 lines" in e.reason for e in evidence)
