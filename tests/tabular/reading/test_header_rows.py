"""Which rows name the columns, with titles, groups, units or stray lines around them."""

import pytest

from tabular.reading.layout import Hints, Span, lay_out
from tabular.reading.layout.grid import Grid
from tabular.reading.layout.header import find_header

NAMES = ["id", "name", "price", "day"]
ROWS = [[str(n), f"part {n}", f"{n}.50", f"2024-05-{n:02}"] for n in range(1, 8)]
TITLE = ["Prices", "2024-05-01", "", ""]  # not a line of names: it contains a date
PEOPLE = [["Ann", "Lee", "Bonn", "red"], ["Bob", "Ray", "Ulm", "tan"], ["Cid", "Fox", "Kiel", "x"]]
NUMBERS = [[f"{n}.5", f"{n}.25", f"{n}", f"{n}1", f"{n}2"] for n in range(1, 7)]
PARTS = [[f"P{n}", f"{n}.5", f"{n}1.5", f"{n}.25", f"{n}2.5"] for n in range(1, 7)]
SENTENCE = "a sentence that says something of all that stands below it, and at some length."


def header(rows, *merged, **hints):
    return find_header(Grid.whole(rows), Hints(merged, **hints))


@pytest.mark.parametrize(
    ("what", "rows", "names"),
    [
        ("a title in both columns",
         [["Prices", "Prices"], ["id", "qty"], ["1", "2.5"], ["2", "3.5"]], (1,)),
        ("a row of one name", [["1.5.2024"], ["qty"], ["2.5"], ["3.5"], ["4.5"]], (1,)),
        ("a group row of the body", [TITLE, NAMES, ["north", "all", "", ""], *ROWS], (1,)),
        ("a short group row", [TITLE, NAMES, ["north", "", "", ""], *ROWS], (1,)),
        ("a row as full as the names", [TITLE, NAMES, ["a", "b", "c", "d"], *ROWS], (2,)),
        ("a group row after a gap", [TITLE, NAMES, [], ["north", "all", "", ""], *ROWS], (3,)),
        ("a row of names that opens a column",
         [TITLE, ["id", "name", "price", ""], ["", "all", "", "new"], *ROWS], (1, 2)),
        ("groups over names", [TITLE, ["a", "b", "a", "b"], ["x", "y", "", ""], *ROWS], (1, 2)),
        ("names of columns without values",
         [[*TITLE, ""], [*NAMES, "x"], ["north", "all", "", "", ""], *ROWS], (1, 2)),
        ("names in two lines", [TITLE, ["id", "", "price", ""], ["", "name", "", "day"], *ROWS],
         (1, 2)),
        ("a sparse line of names, and one more below",
         [TITLE, ["id", "", "price", "day"], ["", "name", "", ""], *ROWS], (1, 2)),
        ("a sparse line of names, and a number below",
         [TITLE, ["id", "", "price", "day"], ["", "5.5", "", ""], *ROWS], (1,)),
        ("stray lines like those of the body",
         [["note", "x", "1.50", "2024-01-01"], ["w", "x", "y", "z"], NAMES, *ROWS], (2,)),
        ("a first row with three values of five", [["x", "y", "1.5", "2.5", "3.5"], *NUMBERS], ()),
        ("a first row with two values of five", [["x", "y", "w", "2.5", "3.5"], *NUMBERS], (0,)),
        ("texts under a note", [["made", "by us", "", ""], ["a", "b", "c", "d"], *PEOPLE], (1,)),
        ("texts, and the names again",
         [["made", "by us", "", ""], ["a", "b", "c", "d"], *PEOPLE, ["a", "b", "c", "d"], *PEOPLE],
         (1,)),
        ("texts that stand below",
         [["made", "by us", "", ""], ["a", "b", "c", "d"], *PEOPLE, ["Di", "b", "Oslo", "y"]], ()),
        ("years over two years' names",
         [["Part", "2021", "", "2022", ""], ["", "Units", "Net", "Sold", "Due"], *PARTS], (0, 1)),
        ("years over quarters",
         [["Part", "2021", "", "2022", ""], ["", "Q1", "Q2", "Q1", "Q2"], *PARTS], (0, 1)),
        ("years beside a blank corner, over codes",
         [["", "2021", "2022"], ["LX-1", "x", "x"],
          *([f"LX-{n}", str(n), str(n + 7)] for n in range(2, 8))], (0,)),
        ("years beside a blank corner, over words",
         [["", "2021", "2022"], ["Lamp", "none", "none"],
          *([f"Lamp {n}", str(n), str(n + 7)] for n in range(2, 8))], (0,)),
        ("words over words, without a blank",
         [["region", "plan", "actual"], ["name", "total", "open"],
          *([f"R{n}", str(n), str(n + 7)] for n in range(5))], (1,)),
        ("codes in every line", [[f"A{n}", f"B{n}", f"C{n}"] for n in range(4)], ()),
        ("codes in both lines", [["AB12", "CD34"], ["EF56", "GH78"]], ()),
        ("flags in both lines", [["yes", "no"], ["no", "yes"]], ()),
        ("years over values alone", [["Part", "2021", "2022", "2023", "2024"], *PARTS], (0,)),
    ],
)  # fmt: skip
def test_the_rows_that_name_the_columns(what, rows, names):
    header_found = header(rows)

    assert header_found.rows == names, what
    assert header_found.body == max(names, default=-1) + 1, what
    together = [item for item in header_found.evidence if "together" in item.reason]
    assert len(together) == (len(names) > 1), what


@pytest.mark.parametrize("strays", [["x"], ["x", "y"]])
def test_a_row_longer_than_the_names_does_not_make_them_a_row(strays):
    rows = [["Surname"], *([name] for name in ["Ada", "Bob", "Cid", "Eve"] * 5)]
    rows[12] += strays

    (region,) = lay_out([[*row, "", ""][:3] for row in rows])

    assert (region.header_rows, len(region.rows)) == ((0,), 20)
    assert region.columns[0] == "Surname"


def test_a_group_row_of_merged_cells_is_one_of_the_header():
    rows = [TITLE, NAMES, ["north", "all", "", ""], *ROWS]

    assert header(rows, Span(1, 0, 1, 1)).rows == (1, 2)
    assert header(rows, Span(0, 0, 0, 1)).rows == (1,)


@pytest.mark.parametrize(
    ("above", "names", "are_groups"),
    [
        (["", "x", "", "y", ""], ["id", "a", "b", "a", "b"], True),  # the same names in each
        (["", "x", "", "y", ""], ["id", "a", "b", "a", "c"], False),
        (["", "x", "y", "", ""], ["id", "a", "a", "b", "c"], False),
        (["", "x", "y", "", ""], ["id", "a", "a", "", ""], False),  # of one column each
        (["", "x", "", "", ""], ["id", "a", "b", "c", "d"], False),
        (["id", "", "price", "", ""], ["", "b", "", "d", "e"], True),  # each fills the other's gaps
        (["id", "", "", "x", ""], ["", "b", "c", "", "e"], True),
        (["id", "1800", "", "2200", ""], ["", "a", "b", "c", "d"], True),
        (["id", "1799", "", "2200", ""], ["", "a", "b", "c", "d"], False),
        (["id", "1800", "", "2201", ""], ["", "a", "b", "c", "d"], False),
        (["id", "", "", "2024", ""], ["", "a", "b", "c", "d"], False),  # a single number
        (["id", "2024", "", "plan", ""], ["", "a", "b", "c", "d"], False),
        (["", SENTENCE, "", "x", ""], ["a", "b", "c", "d", ""], False),
        (["id", SENTENCE, "", "", ""], ["", "a", "b", "c", "d"], False),
    ],
)
def test_a_row_above_the_names_belongs_to_them_if_it_names_what_they_leave_open(
    above, names, are_groups
):
    assert (header([above, names, *PARTS]).rows == (0, 1)) == are_groups


PAIR = (Span(0, 1, 0, 2), Span(0, 3, 0, 4))


@pytest.mark.parametrize(
    ("above", "names", "merged", "shows_spans", "are_groups"),
    [
        (["", "x", "", "y", ""], ["id", "a", "b", "c", "b"], PAIR, False, True),
        (["", "x", "", "y", ""], ["id", "a", "b", "c", "b"], PAIR[:1], False, False),
        (["", "x", "", "y", ""], ["id", "a", "b", "c", "b"], (), False, False),
        (["", "x", "", "y", ""], ["id", "a", "b", "c", "d"], PAIR, False, False),
        (["", "1.5", "", "2.5", ""], ["id", "a", "b", "c", "b"], PAIR, False, True),
        (["", "1.5", "", "2.5", ""], ["id", "a", "b", "c", "b"], PAIR[:1], False, False),
        (["", "x", "", "", ""], ["id", "a", "b", "c", "d"], PAIR[:1], True, True),
        (["", "x", "", "", ""], ["id", "a", "b", "c", "d"], PAIR[:1], False, False),
        (["", "x", "", "", ""], ["id", "a", "b", "c", "d"], (Span(0, 1, 0, 1),), True, False),
        (["x", "", "", "", ""], ["id", "a", "b", "c", "d"], (Span(0, 0, 0, 4),), True, False),
        (["x", "", "", "", ""], ["id", "a", "b", "c", "d"], (Span(0, 0, 0, 3),), True, True),
    ],
)
def test_a_title_over_some_columns_is_a_group(above, names, merged, shows_spans, are_groups):
    header_found = header([above, names, *PARTS], *merged, shows_spans=shows_spans)

    assert header_found.rows == ((0, 1) if are_groups else (1,))


@pytest.mark.parametrize(
    ("units", "body", "place"),
    [
        (["", "(EUR)", "kg", "%"], PARTS, 1),
        (["h", "m", "s", "A"], NUMBERS, 1),
        (["", "", "kg", ""], NUMBERS, None),  # a single one
        (["", "kg", "oak", "m"], NUMBERS, None),
        (["", "EUR", "kg", ""], [["a", "EUR", "1.5", "2"], ["b", "USD", "1.5", "2"]], None),
        (["", "h", "A", ""], [["a", "yes", "oak", "1"], ["b", "no", "ash", "2"]], None),
        (["", "(h)", "[A]", ""], [["a", "yes", "oak", "1"], ["b", "no", "ash", "2"]], 1),
        (["", "h", "m", ""], [["a", "n/a", "", "1"], ["b", "1.5", "2.5", "2"]], 1),
    ],
)  # fmt: skip
def test_a_row_of_units_below_the_names_is_told_from_values(units, body, place):
    rows = [["part", "one", "two", "three"], units, *(row[:4] for row in body)]

    assert header(rows).units == place


def test_units_printed_again_on_the_next_page_are_still_units():
    names, units = ["part", "load", "mass"], ["", "kN", "kg"]
    body = [["a", "1.5", "2"], ["b", "2.5", "3"]]

    assert header([names, units, *body, names, units, *body]).units == 1
    assert header([names, units, *body, ["c", "kN", "kg"], *body]).units is None


EVERY = [
    [NAMES, *ROWS], ROWS, [NAMES], [["Ann", "red"], ["Bob", "red"]], [["first", "last"], *PEOPLE],
    [["Part", "2021", "2022"], ["bolt", "7", "9"], ["nut", "4", "1"]],
    [TITLE, NAMES, ["", "(m)", "kg", ""], *ROWS[:3], NAMES, *ROWS[3:], [], ["Total", "", "9"]],
    [["id", "", "b", "c", "d"], ["k1", "1", "2", "3", "4"], ["k2", "", "7", "", "4"]],
    [["", "x", "", "y", ""], ["id", "a", "b", "a", "b"], *PARTS, ["Total", "31.5"]],
]  # fmt: skip


@pytest.mark.parametrize("rows", EVERY)
def test_how_sure_a_decision_is_is_a_share(rows):
    chosen = lay_out(rows, Hints(header_rows=(0,)))

    for region in (*lay_out(rows), *chosen):
        assert 0 < region.confidence <= 1
        assert all(0 < item.score <= 1 for item in region.evidence)
