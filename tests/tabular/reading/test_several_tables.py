"""Tables beside and below each other, and lines that only draw or comment."""

import pytest

from tabular.reading.layout import lay_out

LEFT = [["id", "qty"], *([str(n), f"{n}.5"] for n in range(1, 9))]


def beside(left, right, gap=1):
    """Put two tables side by side, with blank columns between."""
    size = max(len(left), len(right))
    lines = zip(
        [*left, *[[""] * len(left[0])] * (size - len(left))],
        [*right, *[[""] * len(right[0])] * (size - len(right))],
        strict=True,
    )
    return [[*one, *[""] * gap, *two] for one, two in lines]


def sizes(rows):
    return [(region.columns, len(region.rows)) for region in lay_out(rows)]


@pytest.mark.parametrize("gap", [1, 2])
def test_two_tables_with_the_same_names_side_by_side_are_two(gap):
    assert sizes(beside(LEFT, LEFT, gap)) == [(("id", "qty"), 8)] * 2


def test_two_tables_with_other_names_and_as_many_rows_may_be_one():
    other = [["part", "price"], *LEFT[1:]]

    assert sizes(beside(LEFT, other)) == [(("id", "qty", "part", "price"), 8)]


def test_two_tables_of_which_one_ends_first_are_two():
    other = [["part", "price"], *LEFT[1:5]]

    assert sizes(beside(LEFT, other)) == [(("id", "qty"), 8), (("part", "price"), 4)]
    assert sizes(beside(other, LEFT)) == [(("part", "price"), 4), (("id", "qty"), 8)]


def test_one_that_ends_a_row_or_two_before_is_the_same_table():
    other = [["part", "price"], *LEFT[1:7]]

    assert len(sizes(beside(LEFT, other))) == 1


def test_a_single_column_beside_a_table_is_one_of_its_columns():
    note = [["note"], ["a"], ["b"]]

    assert len(sizes(beside(LEFT, note))) == 1


def test_the_first_of_several_tables_leads_unless_another_is_twice_as_large():
    small = [["a", "b", "c"], *([f"w{n}", f"{n}.5", f"2024-01-0{n}"] for n in range(1, 5))]
    large = [["x", "y", "z"], *([f"v{n}", f"{n}.25", f"2024-02-0{n % 9 + 1}"] for n in range(20))]
    alike = [["x", "y", "z"], *large[1:7]]

    assert [one[0] for one in sizes([*small, [], *large])] == [("x", "y", "z"), ("a", "b", "c")]
    assert [one[0] for one in sizes([*small, [], *alike])] == [("a", "b", "c"), ("x", "y", "z")]


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
def test_a_line_that_draws_or_comments_is_no_data(line, is_kept):
    rows = [*LEFT[:3], line, *LEFT[3:]]

    ((_, count),) = sizes(rows)

    assert count == 8 + is_kept
    assert sizes([LEFT[0], line, *LEFT[1:]])[0][0] == ("id", "qty")
