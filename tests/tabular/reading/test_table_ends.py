"""Where a table ends: what below its rows is a note or a total, and what is data."""

import pytest

from tabular.reading.layout import lay_out
from tabular.reading.layout.footer import end_of_data, reason_below
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
    """Return how many rows are data and how many belong to the footer."""
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
def test_a_note_or_a_total_right_below_is_not_data(below):
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
    ("below", "data"),
    [
        (["Total", "", "1.50", "10"], 1),
        (["", "", "Subtotal", "10"], 1),
        (["Total", "", "1.50", "9"], 2),  # one of two numbers is another
        (["2", "Total recall", "1.50", "10"], 2),
        (["Total blend", "part 2", "1.50", "10"], 2),  # as full as the row above
        (["Total", "Paris", "1.50", ""], 2),  # a company of that name: the city is its own
    ],
)
def test_a_total_of_one_row_repeats_its_numbers(below, data):
    assert len(lay_out([NAMES, ROWS[0], below])[0].rows) == data


def test_a_total_of_a_group_of_one_row_is_not_data():
    rows = [*GROUPED[:3], ["west", "", "", ""], ["w", "e", "7.5", "5"], ["Total", "", "7.5", "5"]]

    assert counted(rows=[*rows, ["", "f", "1.0", "2"]])[0] == 5


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
def test_all_that_is_below_the_data_is_the_footer(below, data, footer):
    assert counted(*below) == (data, footer)


@pytest.mark.parametrize(
    "below",
    [
        [["Total", "", "8.0", "40"]],  # of the last group
        [["Total", "", "12.0", "70"]],  # of all rows of data
        [["Total", "", "8.0", "40"], ["Grand total", "", "12.0", "70"]],
    ],
)
def test_totals_of_groups_and_of_all_are_not_data(below):
    region = lay_out([NAMES, *GROUPED, *below])[0]

    assert region.rows == (1, 2, 4, 5)
    assert region.skipped.subtotals + region.skipped.footer == 1 + len(below)


def test_a_total_named_in_a_late_column_is_left_out():
    names = ["pos", "article", "text", "qty", "unit price", "total"]
    lines = [[str(n), f"A-{n}", f"part {n}", "2", f"{n}.50", f"{2 * n + 1}.00"] for n in (1, 2, 3)]
    total = ["", "", "", "", "Subtotal", "15.00"]

    assert lay_out([names, *lines, total])[0].rows == (1, 2, 3)


def test_a_total_that_adds_nothing_up_is_kept():
    assert lay_out([NAMES, *GROUPED, ["Total", "", "9.9", "99"]])[0].rows == (1, 2, 4, 5, 6)


def test_where_cells_are_often_blank_a_sparse_row_is_data():
    assert counted(["5", "", "", ""], rows=SPARSE) == (5, 0)
    assert counted(["Source: us", "", "", ""], rows=SPARSE) == (4, 1)


def test_a_few_small_numbers_add_up_by_chance():
    flags = [["a", "1", "0"], ["b", "0", "1"], ["c", "0", "0"], ["", "1", "1"]]

    region = lay_out([["key", "one", "two"], *flags])[0]

    assert len(region.rows) == 4


def test_loose_words_at_the_end_among_numbers_are_not_data():
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


def split(names, rows, *below):
    """Return how many rows are data and how many belong to the footer."""
    region = lay_out([names, *rows, *below])[0]
    return len(region.rows), region.skipped.footer


KEYED = ["key", "one", "two"]
SUMS = [["oak", "4000", "1"], ["ash", "3000", "2"], ["elm", "3010", "3"]]
FEW = [["a", "1", "5"], ["b", "2", "6"], ["c", "3", "4"]]


@pytest.mark.parametrize(
    ("rows", "last", "is_total"),
    [
        (SUMS, ["Total", "10000", "9"], True),  # rounded by a thousandth
        (SUMS, ["Total", "9999", "9"], False),
        (SUMS, ["Total", "9999", "6"], True),  # one of two
        (FEW, ["", "6", "15"], True),
        (FEW, ["", "6", ""], False),  # so small a number adds up by chance
        (FEW, ["", "", "15"], False),
        (FEW, ["", "0.6", "15"], True),
        (FEW[:2], ["", "3", "11"], False),  # so do two rows
        (FEW, ["", "6", "part"], False),
    ],
)
def test_a_last_row_that_adds_up_most_columns_is_a_total(rows, last, is_total):
    assert split(KEYED, rows, last) == (len(rows) + (not is_total), int(is_total))


def test_a_row_that_adds_up_one_column_of_three_is_not_a_total():
    rows = [["oak", "1", "2", "3"], ["ash", "4", "5", "6"], ["elm", "7", "8", "9"]]
    names = [*KEYED, "three"]

    assert split(names, rows, ["Total", "12", "99", "99"]) == (4, 0)
    assert split(names, rows, ["Total", "12", "15", "99"]) == (3, 1)


@pytest.mark.parametrize(
    ("below", "is_note"),
    [
        ([["all without any tax", "", "", ""]], True),
        ([["all without any tax", "x", "", ""]], True),
        ([["", "all without any tax", "", ""]], False),  # not in the key column
        ([["all without tax", "", "", ""]], False),  # three words may be a key
        ([["Source: us", "of it", "", ""]], True),
        ([[], ["x", "y", "", ""]], True),
        ([[], ["x", "y", "z", ""]], False),
        ([[], ["", "", "made by us", ""]], True),
    ],
)
def test_a_sentence_or_a_text_apart_is_a_note_where_all_cells_are_filled(below, is_note):
    assert counted(*below) == (7 + (not is_note), int(is_note))


@pytest.mark.parametrize(
    ("text", "is_note"), [("as of all the days", True), ("as of all days", False)]
)
def test_where_cells_are_blank_a_note_is_far_longer_than_any_key(text, is_note):
    rows = [["x y", "a", "", ""], ["2 z", "", "2.5", ""], ["3", "b", "", "4"], ["4", "c", "1", ""]]

    assert counted([text, "", "", ""], rows=rows) == (4 + (not is_note), int(is_note))


@pytest.mark.parametrize(
    ("sparse", "size", "is_data"),
    [(1, 20, False), (2, 20, True), (2, 40, False), (3, 40, True)],
)
def test_a_sparse_row_is_data_where_a_twentieth_of_the_rows_is_like_it(sparse, size, is_data):
    rows = [[f"p{n}", f"part {n}", f"{n}.50", str(n * 10)] for n in range(size)]
    for n in range(sparse):
        rows[3 + 2 * n] = ["", "", "x y z", ""]

    assert counted([], ["", "", "made by us", ""], rows=rows) == (size + is_data, 1 - is_data)


def test_a_word_where_keys_are_numbers_is_below_the_data_above_a_note():
    rows = [[str(n), f"part {n}", f"{n}.50", str(n * 10)] for n in range(1, 30)]
    word, note = ["all", "parts", "8.50", "80"], ["Source: us"]

    assert counted(word, note, rows=rows) == (29, 2)
    assert counted(word, rows=rows) == (30, 0)
    assert counted(word, note) == (8, 1)  # of seven rows one may be a word


LOOSE = [["", "", "draft"], ["", "", "", "", "by hand"], ["checked"]]


@pytest.mark.parametrize(
    ("below", "data"),
    [
        (LOOSE, 8),
        (LOOSE[:2], 10),  # two
        ([["", "", "draft", "x", "y"], *LOOSE[1:]], 11),
        ([["", "", "1.5"], *LOOSE[1:]], 11),
        ([["", "draft"], ["", "hand"], ["", "x"]], 11),  # in a column of words
    ],
)
def test_three_rows_of_loose_words_at_the_end_are_not_data(below, data):
    rows = [[str(n), f"p{n}", *[f"{n}.5"] * 7] for n in range(1, 9)]

    assert len(lay_out([["id", "part", *"abcdefg"], *rows, *below])[0].rows) == data


@pytest.mark.parametrize(
    ("tail", "end"),
    [
        (ROWS, 7),
        ([*ROWS, ["Total", "", PRICES, UNITS]], 7),
        ([*ROWS, [], ["Source: us"]], 8),
        ([[], *ROWS, [], ["Source: us"], ["Note: us"]], 9),
        ([ROWS[0], [], ["Source: us"]], 2),
        ([["Source: us"]], 1),  # nothing but notes: they may be data
        ([], 0),
    ],
)
def test_the_last_rows_of_a_large_table_end_where_their_footer_begins(tail, end):
    head = lay_out([NAMES, *ROWS])[0]

    assert end_of_data(tail, head) == end
