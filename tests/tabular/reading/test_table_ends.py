"""Where a table ends: what below its rows is a note or a total, and what is data."""

import pytest

from tabular.reading.layout import lay_out
from tabular.reading.layout.footer import reason_below
from tabular.reading.layout.naming import unique
from tabular.reading.text.fixed_width import cut, find_cuts

NAMES = ["id", "name", "price", "units"]
ROWS = [[str(n), f"part {n}", f"{n}.50", str(n * 10)] for n in range(1, 8)]
PRICES, UNITS = "31.50", "280"  # sums of the columns
SPARSE = [["1", "a", "", ""], ["2", "", "2.5", ""], ["3", "b", "", "4"], ["4", "c", "1.5", ""]]
GROUPED = [
    ["north", "a", "1.5", "10"], ["", "b", "2.5", "20"], ["Total", "", "4.0", "30"],
    ["south", "c", "3.5", "15"], ["", "d", "4.5", "25"],
]  # fmt: skip


def counted(*below, rows=ROWS):
    """Give how many rows are data and how many are the footer's."""
    region = lay_out([NAMES, *rows, *below])[0]
    return len(region.rows), region.skipped.footer


@pytest.mark.parametrize(
    "below",
    [
        ["Total", "", PRICES, UNITS],
        ["", "Total", PRICES, ""],
        ["", "", PRICES, UNITS],  # adds up, and has no key
        ["Grand total", "", "31.51", UNITS],  # rounded
        ["Summe:", "", PRICES, "999"],  # one of two columns is right
        ["Source: the warehouse", "", "", ""],
        ["Note: all prices without tax", "", "", ""],
        ["* without tax", "", "", ""],
        ["(1) estimated", "", "", ""],
        ["as of the last day of the quarter", "", "", ""],  # a sentence in the column of keys
        ["Page 1", "", "", ""],
    ],
)
def test_a_note_or_a_total_right_below_is_no_data(below):
    assert counted(below) == (7, 1)


@pytest.mark.parametrize(
    "below",
    [
        ["8", "part 8", PRICES, UNITS],  # adds up, and has a key
        ["", "", "30.00", UNITS + "1"],  # adds nothing up
        ["Total", "", "12.00", "12"],
        ["Totally new", "part 8", "8.50", "80"],
        ["8", "Total recall", "8.50", "80"],
        ["8", "", "", ""],
        ["8", "Note", "", ""],
        ["8", "part 8", "", ""],
        ["x", "part 8", "8.50", "80"],
    ],
)
def test_a_row_of_data_stays_whatever_it_looks_like(below):
    assert counted(below) == (8, 0)


@pytest.mark.parametrize(
    ("below", "data", "footer"),
    [
        ([[], ["anything at all"]], 7, 1),
        ([[], ["Source: us"], ["Stand 2024"]], 7, 2),
        ([["Total", "", PRICES, UNITS], [], ["Source: us"]], 7, 2),
        ([["sum of parts", "", PRICES, UNITS], ["* without tax"]], 7, 2),
        ([[], ["8", "part 8", "8.50", "80"]], 8, 0),
    ],
)
def test_all_that_stands_below_the_data_is_the_footer(below, data, footer):
    assert counted(*below) == (data, footer)


@pytest.mark.parametrize(
    "below",
    [
        [["Total", "", "8.0", "40"]],  # of the last group
        [["Total", "", "12.0", "70"]],  # of all rows of data
        [["Total", "", "8.0", "40"], ["Grand total", "", "12.0", "70"]],
    ],
)
def test_totals_of_groups_and_of_all_are_no_data(below):
    region = lay_out([NAMES, *GROUPED, *below])[0]

    assert region.rows == (1, 2, 4, 5)
    assert region.skipped.subtotals + region.skipped.footer == 1 + len(below)


def test_a_total_that_adds_nothing_up_is_kept():
    assert lay_out([NAMES, *GROUPED, ["Total", "", "9.9", "99"]])[0].rows == (1, 2, 4, 5, 6)


def test_where_cells_are_often_blank_a_sparse_row_is_data():
    assert counted(["5", "", "", ""], rows=SPARSE) == (5, 0)
    assert counted(["Source: us", "", "", ""], rows=SPARSE) == (4, 1)


def test_a_few_small_numbers_add_up_by_chance():
    flags = [["a", "1", "0"], ["b", "0", "1"], ["c", "0", "0"], ["", "1", "1"]]

    region = lay_out([["key", "one", "two"], *flags])[0]

    assert len(region.rows) == 4


def test_loose_words_at_the_end_where_numbers_stand_are_no_data():
    wide = [[str(n), f"p{n}", *[f"{n}.5"] * 6] for n in range(1, 9)]
    names = ["id", "part", *"abcdef"]
    loose = [
        ["", "", "draft", *[""] * 5],
        ["", "", "", "", "by hand", "", "", ""],
        ["checked", *[""] * 7],
    ]

    assert len(lay_out([names, *wide, *loose])[0].rows) == 8
    assert len(lay_out([names, *wide, ["9", "", "1.5", *[""] * 5]])[0].rows) == 9


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        ([None, "", " "], "blank"),
        (["", "Total"], "total"),
        (["Gesamtsumme EUR", "5"], "total"),
        (["5", "Total"], "footer"),
        (["Source: us"], "footer"),
    ],
)
def test_a_row_below_the_data_was_left_out_for_a_reason(texts, reason):
    assert reason_below(texts) == reason


@pytest.mark.parametrize(
    ("names", "made"),
    [
        (["a", "a", "a"], ("a", "a (2)", "a (3)")),
        (["a", "a (2)", "a"], ("a", "a (2)", "a (3)")),
        (["", "", "x\0y"], ("Column 1", "Column 2", "xy")),
        (["__row__"], ("__row__ (2)",)),
    ],
)
def test_names_are_made_unique_from_left_to_right(names, made):
    assert unique(names) == made


@pytest.mark.parametrize(
    ("lines", "cells"),
    [
        (["id   name   qty", "1    bolt    12", "20   nut      7"], ["20", "nut", "7"]),
        (["id name", "1  bolt", "20 nut"], None),  # a gap of one blank, and no value behind it
        (["name   a  b", "bolt   1  2", "nut   10  3", "pin   11 14"], ["pin", "11", "14"]),
        (["oak  red   big", "elm  blue  wee", "ash  tan   old"], ["ash", "tan", "old"]),
        (["name   qty", "bolt   12"], None),  # two lines show nothing
        (["a  b\tc", "d  e\tf", "g  h\ti"], None),
        (["one two three", "four five six", "a b c"], None),
        (["id   name", "", "1    bolt", "2    nut"], ["2", "nut"]),
    ],
)
def test_lines_are_cut_where_all_of_them_are_blank(lines, cells):
    cuts = find_cuts(lines)

    assert bool(cuts) == (cells is not None)
    assert cells is None or cut(lines[-1], cuts) == cells
