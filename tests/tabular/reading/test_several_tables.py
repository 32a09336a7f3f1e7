"""Tables next to and below each other, and lines that only draw or comment."""

import pytest

from tabular.model.problem import UnusableRequest
from tabular.reading.layout import Hints, lay_out
from tabular.reading.layout.tables import with_header_rows, with_rows

LEFT = [["id", "qty"], *([str(n), f"{n}.5"] for n in range(1, 9))]


def next_to(left, right, gap=1):
    """Return two tables side by side, with blank columns between."""
    size = max(len(left), len(right))
    lines = zip(
        [*left, *[[""] * len(left[0])] * (size - len(left))],
        [*right, *[[""] * len(right[0])] * (size - len(right))],
        strict=True,
    )
    return [[*row, *[""] * gap, *two] for row, two in lines]


def sizes(rows):
    return [(region.columns, len(region.rows)) for region in lay_out(rows)]


@pytest.mark.parametrize("gap", [1, 2])
def test_two_tables_with_the_same_names_side_by_side_are_two(gap):
    assert sizes(next_to(LEFT, LEFT, gap)) == [(("id", "qty"), 8)] * 2


def test_two_tables_with_other_names_and_as_many_rows_may_be_one():
    other = [["part", "price"], *LEFT[1:]]

    assert sizes(next_to(LEFT, other)) == [(("id", "qty", "part", "price"), 8)]


def test_two_tables_of_which_one_ends_first_are_two():
    other = [["part", "price"], *LEFT[1:5]]

    assert sizes(next_to(LEFT, other)) == [(("id", "qty"), 8), (("part", "price"), 4)]
    assert sizes(next_to(other, LEFT)) == [(("part", "price"), 4), (("id", "qty"), 8)]


def test_one_that_ends_a_row_or_two_before_is_the_same_table():
    other = [["part", "price"], *LEFT[1:7]]

    assert len(sizes(next_to(LEFT, other))) == 1


def test_a_single_column_next_to_a_table_is_one_of_its_columns():
    note = [["note"], ["a"], ["b"]]

    assert len(sizes(next_to(LEFT, note))) == 1


def test_the_first_of_several_tables_leads_unless_another_is_twice_as_large():
    small = [["a", "b", "c"], *([f"w{n}", f"{n}.5", f"2024-01-0{n}"] for n in range(1, 5))]
    large = [["x", "y", "z"], *([f"v{n}", f"{n}.25", f"2024-02-0{n % 9 + 1}"] for n in range(20))]
    alike = [["x", "y", "z"], *large[1:7]]

    assert [size[0] for size in sizes([*small, [], *large])] == [("x", "y", "z"), ("a", "b", "c")]
    assert [size[0] for size in sizes([*small, [], *alike])] == [("a", "b", "c"), ("x", "y", "z")]


@pytest.mark.parametrize(
    ("line", "is_kept"),
    [
        (["# made by us", ""], False),
        (["// made by us", ""], False),
        (["%% made by us", ""], False),
        (["---", "---"], False),  # below the names of a Markdown table
        ([":---", "---:"], False),
        (["=====", ""], False),
        (["# 12", "7.5"], True),
        (["#1", ""], True),  # a number
        (["--", "7.5"], True),
        (["x ---", "7.5"], True),
    ],
)
def test_a_line_that_draws_or_comments_is_not_data(line, is_kept):
    rows = [*LEFT[:3], line, *LEFT[3:]]

    ((_, count),) = sizes(rows)

    assert count == 8 + is_kept
    assert sizes([LEFT[0], line, *LEFT[1:]])[0][0] == ("id", "qty")


def column(size, names=("id", "qty")):
    return [list(names), *([str(n), f"{n}.5"] for n in range(1, size + 1))]


@pytest.mark.parametrize(
    ("left", "right", "count"),
    [
        (8, 6, 1),
        (8, 5, 2),  # it ends three rows before
        (5, 8, 2),
        (26, 29, 2),  # with their names nine tenths of the rows
        (27, 30, 1),
        (8, 1, 2),
        (8, 0, 1),  # names alone
    ],
)
def test_columns_that_end_well_before_others_are_a_table_of_their_own(left, right, count):
    other = column(right, names=("part", "price"))

    assert len(sizes(next_to(column(left), other))) == count


NAMES = ["id", "name", "price", "day"]
ROWS = [[str(n), f"part {n}", f"{n}.50", f"2024-05-{n:02}"] for n in range(1, 8)]


@pytest.mark.parametrize(
    ("above", "count"),
    [
        ([["oak", "0.5"], ["ash", "1.5"], ["elm", "2.5"]], 1),  # so few rows are a preamble
        ([["oak", "0.5"], ["ash", "1.5"], ["elm", "2.5"], ["fir", "3.5"]], 2),
        ([["part", "qty"], ["oak", "0.5"], ["ash", "1.5"], ["elm", "2.5"]], 2),
        ([["oak", "red"], ["ash", "tan"], ["elm", "jet"], ["fir", "sea"]], 1),
    ],
)
def test_rows_of_values_above_a_wider_table_are_another_one(above, count):
    regions = lay_out([*above, [], NAMES, *ROWS])

    assert regions[0].columns == tuple(NAMES)
    assert len(regions) == count


def test_a_list_of_texts_does_not_lead_however_long_it_is():
    rows = [*([f"oak {n}a"] for n in range(24)), [], [], *column(3)]

    assert lay_out(rows)[0].columns == ("id", "qty")


WIDE = [chr(97 + n) * 2 for n in range(10)]
NUMBERS = [[f"{n}.{k}" for k in range(10)] for n in range(1, 5)]


@pytest.mark.parametrize(
    ("names", "again", "sizes"),
    [
        (WIDE, [*WIDE[:7], "x", "y", "z"], [4, 4]),  # seven of ten names
        (WIDE, [*WIDE[:6], "w", "x", "y", "z"], [9]),
        (WIDE, WIDE[:6], [4, 4]),  # more than half of them
        (WIDE, WIDE[:5], [9]),
        (WIDE[:2], ["aa", "bb", "cc"], [4, 4]),
        (WIDE[:2], ["aa", "cc"], [9]),
        (WIDE[:3], ["aa"], [9]),
    ],
)
def test_a_line_with_most_of_the_names_begins_another_table(names, again, sizes):
    first, other = ([row[: len(line)] for row in NUMBERS] for line in (names, again))

    assert [len(region.rows) for region in lay_out([names, *first, again, *other])] == sizes


CITIES = [["city", "people"], ["Bonn", "331000"], ["Ulm", "120000"]]


@pytest.mark.parametrize(
    ("below", "sizes"),
    [
        ([[], *CITIES], [7, 2]),
        ([[], ["Cities"], ["of us"], *CITIES], [7, 2]),
        ([[], ["Cities", "x"], *CITIES], [11]),  # text above the names is not a note
        ([["Cities"], *CITIES], [11]),  # without a gap
        ([[], *CITIES[:2]], [7, 1]),
        ([[], CITIES[0]], [7]),
        ([[], CITIES[0], ["331000"], ["120000"]], [7]),  # a number alone is not a row
        ([[], ["city", "2021"], *CITIES[1:]], [10]),  # a number is not a name here
        ([[], ["city", "city"], *CITIES[1:]], [10]),
        ([[], CITIES[0], *([*row, "7"] for row in CITIES[1:])], [10]),  # a column without a name
        ([[], ["city", "land"], ["Bonn", "here"], ["Ulm", "there"]], [10]),
    ],
)
def test_names_and_values_below_a_gap_are_another_table(below, sizes):
    assert [len(region.rows) for region in lay_out([NAMES, *ROWS, *below])] == sizes


PARTS = [["oak a", "1", "2"], ["oak b", "2", "4"], ["oak c", "3", "6"]]


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        ([["", "6", "12"], [], *PARTS], 3),
        ([["Total", "6", "12"], [], *PARTS], 3),
        ([["", "6", "12"], *PARTS], 4),  # not apart
        ([["", "3", "6"], [], *PARTS[:2]], 3),  # of two rows
        ([["fir", "6", "12"], [], *PARTS], 4),  # it has a key
        ([["", "7", "13"], [], *PARTS], 4),
        ([["", "", "12"], [], *PARTS], 3),
    ],
)
def test_a_first_row_apart_that_adds_up_the_others_is_their_total(rows, count):
    assert len(lay_out([["part", "qty", "net"], *rows])[0].rows) == count


def test_a_comment_is_more_than_a_mark_and_two_letters():
    assert [count for _, count in sizes([*LEFT[:3], ["#ab", ""], *LEFT[3:]])] == [9]
    assert [count for _, count in sizes([*LEFT[:3], ["#abc", ""], *LEFT[3:]])] == [8]


def test_a_chosen_header_must_be_a_row_of_the_file():
    rows = [["Prices"], NAMES, *ROWS]
    region = lay_out(rows)[0]

    assert with_header_rows(rows, region, (0,), Hints()).header_rows == (0,)
    assert with_header_rows(rows, region, (8,), Hints()).header_rows == (8,)
    for row in (-1, 9):
        with pytest.raises(UnusableRequest, match="no row"):
            with_header_rows(rows, region, (row,), Hints())


def test_a_table_with_another_header_keeps_the_rows_below_it():
    region = lay_out([NAMES, *ROWS])[0]

    assert with_header_rows([NAMES, *ROWS], region, (2,), Hints()).rows == (3, 4, 5, 6, 7)
    assert with_header_rows([NAMES, *ROWS], region, (), Hints()).rows == tuple(range(8))


def test_only_the_rows_that_are_asked_for_are_taken_back():
    region = lay_out([NAMES, *ROWS, [], ["Source: us"], ["Note: all of it"]])[0]

    taken = with_rows(region, [9])

    assert taken.rows == (*region.rows, 9)
    assert [row for row, _ in taken.left_out] == [8, 10]


def test_names_without_rows_or_with_odd_ones_are_less_sure():
    odd = [["x", "part", "y", "z"], *ROWS[1:]]

    whole, mixed, alone = (
        lay_out([NAMES, *rows])[0].confidence for rows in (ROWS, [*ROWS[:3], *odd], [])
    )

    assert whole > mixed > alone
