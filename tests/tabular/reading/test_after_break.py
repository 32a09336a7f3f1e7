"""Lines below the items of an invoice are not items; sections of a list are rows of it."""

import pytest

from tabular.reading.layout import Hints, Span, lay_out
from tabular.reading.layout.after_break import end_before_break
from tabular.reading.layout.grid import Grid

NAMES = ["Item", "Description", "Qty", "Unit price", "Amount"]
ITEMS = [
    ["1", "Travel mug", "2", "9.50", "19.00"],
    ["2", "Desk lamp", "1", "42.00", "42.00"],
    ["3", "Wool scarf", "3", "12.00", "36.00"],
]
BLANK = [""] * 5
BELOW = [
    ["", "", "", "Subtotal:", "97.00"],
    ["", "", "", "VAT:", "19.40"],
    ["", "", "", "Total incl.:", "116.40"],
    BLANK,
    ["", "", "", "", "116.40"],
    ["Please pay within 14 days.", "", "", "", ""],
    ["www.example.test", "", "", "", ""],
    BLANK,
    ["Terms and conditions", "", "", "", ""],
]


def laid_out(*below, items=ITEMS):
    return lay_out([["Invoice 17"], BLANK, NAMES, *items, *below])[0]


@pytest.mark.parametrize("items", [ITEMS, ITEMS[:1]])
def test_nothing_below_the_items_of_an_invoice_is_an_item(items):
    region = laid_out(*BELOW, items=items)

    assert len(region.rows) == len(items)


def test_a_subtotal_that_does_not_add_up_ends_the_items_where_only_other_lines_follow():
    region = laid_out(["", "", "", "Subtotal:", "99.00"], *BELOW[1:])

    assert len(region.rows) == 3


def test_each_line_below_says_why_it_is_left_out():
    reasons = dict(laid_out(*BELOW).left_out)

    assert [reasons[row] for row in (6, 7, 8, 10, 12)] == [
        "total", "footer", "total", "footer", "footer",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "below",
    [
        [BLANK, ["4", "Leather belt", "1", "25.00", "25.00"]],
        [BLANK, ["4", "Leather belt", "1", "", "25.00"]],
        [["", "", "", "Subtotal:", "97.00"], ["4", "Leather belt", "1", "25.00", "25.00"]],
        [BLANK, ["Accessories", "", "", "", ""], ["4", "Belt", "1", "25.00", "25.00"]],
    ],
)
def test_a_row_that_looks_like_an_item_stays_behind_a_break(below):
    region = laid_out(*below)

    assert region.rows[-1] == 5 + len(below)


STOCKS = [
    ["Name", "Open", "", "Close", "", "Volume"],
    ["Alpha", "", "10.5", "", "11.0", "1000"],
    ["Beta", "", "20.5", "", "21.0", "2000"],
    ["Gamma", "", "30.5", "", "31.0", "3000"],
]


def test_values_in_the_second_of_two_merged_cells_have_the_title_of_the_first():
    merged = (Span(0, 1, 0, 2), Span(0, 3, 0, 4))

    region = lay_out(STOCKS, Hints(merged=merged, shows_spans=True))[0]

    assert region.columns == ("Name", "Open", "Close", "Volume")
    assert region.places == (0, 2, 4, 5)


def test_without_merged_cells_a_column_without_values_keeps_its_title():
    region = lay_out(STOCKS)[0]

    assert region.columns == ("Name", "Open", "Column 3", "Close", "Column 5", "Volume")


def test_a_title_and_values_in_one_column_keep_a_column_without_a_title_next_to_it():
    region = lay_out(
        [
            ["Name", "Open", "", "Volume"],
            ["Alpha", "9.5", "10.5", "1000"],
            ["Beta", "", "20.5", "2000"],
            ["Gamma", "", "30.5", "3000"],
        ]
    )[0]

    assert region.columns == ("Name", "Open", "Column 3", "Volume")


def test_a_blank_row_after_each_row_ends_nothing():
    spread = [row for number in range(1, 500) for row in ([str(number), *ITEMS[0][1:]], BLANK)]

    region = lay_out([NAMES, *spread])[0]

    assert len(region.rows) == 499


@pytest.mark.parametrize("count", [150, 250, 450])
def test_lines_below_a_long_list_with_gaps_are_not_items(count):
    spread = [
        row
        for number in range(1, count)
        for row in ([str(number), *ITEMS[number % 3][1:]], *([BLANK] if number % 7 == 0 else []))
    ]

    region = lay_out([NAMES, *spread, *BELOW])[0]

    assert len(region.rows) == count - 1


def test_rows_of_a_long_table_are_copied_only_once():
    class Rows(list):
        copied = 0

        def __getitem__(self, place):
            rows = super().__getitem__(place)
            self.copied += len(rows) if isinstance(place, slice) else 0
            return rows

    grid = Grid.whole([[str(row), "Ada"] for row in range(500)])
    body = Rows(range(500))

    assert end_before_break(grid, body, 500, lambda row: False) == 500
    assert body.copied <= 500
