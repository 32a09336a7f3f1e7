"""The layout stage: where the table is in a grid, and what of it is data."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabular.reading.layout import Hints, Span, lay_out
from tabular.reading.related_tables import SURE

NAMES = ["id", "name", "price", "day"]
ROWS = [[str(n), f"part {n}", f"{n}.50", f"2024-05-{n:02}"] for n in range(1, 8)]


def best(rows, **hints):
    return lay_out(rows, Hints(**hints))[0]


def column(rows, *values):
    """Return a column of values next to a running number."""
    return [[str(number), value] for number, value in enumerate(values, 1)]


@pytest.mark.parametrize(
    ("what", "rows", "header", "first", "count"),
    [
        ("a plain table", [NAMES, *ROWS], (0,), 1, 7),
        ("numbers without a header", ROWS, (), 0, 7),
        ("a title above", [["Price list"], NAMES, *ROWS], (1,), 2, 7),
        ("a title and a gap above", [["Price list"], [], NAMES, *ROWS], (2,), 3, 7),
        ("a pair above", [["Rate:", "5.125"], [], NAMES, *ROWS[:3]], (2,), 3, 3),
        (
            "a title and pairs above",
            [["Prices"], ["Rate:", "5.125", "Day:", "1.5.24"], [n + "s" for n in "abcde"],
             *([str(n)] * 5 for n in range(3))],
            (2,), 3, 3,
        ),
        ("notes side by side above", [["at", "the", "top"], NAMES, *ROWS], (1,), 2, 7),
        ("a title repeated in each cell", [["Prices"] * 4, NAMES, *ROWS], (1,), 2, 7),
        ("blank rows below the header", [NAMES, [], *ROWS], (0,), 2, 7),
        ("a blank row in the body", [NAMES, *ROWS[:3], ["", ""], *ROWS[3:]], (0,), 1, 7),
        ("a single row of data", [NAMES, ROWS[0]], (0,), 1, 1),
        ("a header alone", [NAMES], (0,), None, 0),
        ("comments", [["# made by us"], NAMES, ROWS[0], ["# more"], *ROWS[1:]], (1,), 2, 7),
        ("a note below", [NAMES, *ROWS, [], ["Source: the warehouse"]], (0,), 1, 7),
        ("a note right below", [NAMES, *ROWS, ["* without tax"]], (0,), 1, 7),
        ("a total below", [NAMES, *ROWS, ["Total", "", "31.50", ""]], (0,), 1, 7),
        ("a German total", [NAMES, *ROWS, ["", "Summe", "31,50", ""]], (0,), 1, 7),
        ("a repeated header", [NAMES, *ROWS[:3], NAMES, *ROWS[3:]], (0,), 1, 7),
        ("years as names", [["Part", "2021", "2022"], ["bolt", "7", "9"], ["nut", "4", "1"]],
         (0,), 1, 2),
        ("years over names", [["Part", "2021", "", "2022", ""], ["", "Units", "Net", "Sold", "Due"],
         *[[f"P{n}", f"{n}", f"{n}.5", f"{n}1", f"{n}1.5"] for n in range(1, 7)]], (0, 1), 2, 6),
        ("all text", [["first", "last"], ["Ann", "Lee"], ["Bob", "Ray"]], (0,), 1, 2),
        ("text that repeats", [["Ann", "red"], ["Bob", "red"], ["Cid", "blue"]], (), 0, 3),
    ],
)  # fmt: skip
def test_the_header_and_the_body_are_told_from_what_surrounds_them(
    what, rows, header, first, count
):
    region = best(rows)

    assert region.header_rows == header, what
    assert region.rows[:1] == (() if first is None else (first,)), what
    assert len(region.rows) == count, what


def test_what_was_skipped_is_counted_by_kind():
    rows = [["Prices"], [], NAMES, ["", "", "(EUR)", "(day)"], *ROWS, [], ["Source: us"]]

    skipped = best(rows).skipped

    assert (skipped.preamble, skipped.units, skipped.footer) == (1, 1, 1)


def test_a_group_row_names_the_unnamed_columns_to_its_right():
    rows = [["", "Hamburg", "", "Leipzig", ""], ["", "in", "out", "in", "out"], *(
        [part, "1", "2", "3", "4"] for part in ("bolt", "nut", "pin")
    )]  # fmt: skip

    region = best(rows, merged=(Span(0, 1, 0, 2), Span(0, 3, 0, 4)))

    assert region.header_rows == (0, 1)
    assert region.columns == ("Column 1", "Hamburg in", "Hamburg out", "Leipzig in", "Leipzig out")


def test_blank_and_repeated_names_become_unique_and_stable():
    rows = [["id", "", "amount", "amount"], *(["1", "x", "2.5", "3.5"] for _ in range(3))]

    assert best(rows).columns == ("id", "Column 2", "amount", "amount (2)")


def test_a_table_away_from_the_corner_keeps_its_places():
    rows = [[], [], *([["", "", *row] for row in [NAMES, *ROWS]])]

    region = best(rows)

    assert region.places == (2, 3, 4, 5)
    assert region.header_rows == (2,)


def test_stacked_tables_are_all_found():
    other = [["city", "people", "area"], ["Bonn", "331000", "141"], ["Köln", "1080000", "405"]]

    regions = lay_out([NAMES, *ROWS, [], ["Cities"], *other])

    assert [region.columns for region in regions] == [tuple(NAMES), tuple(other[0])]
    assert [len(region.rows) for region in regions] == [7, 2]


def test_a_header_with_more_or_fewer_names_begins_a_related_table():
    fewer = [row[:3] for row in [NAMES, *ROWS[:3]]]
    more = [[*row, "x"] for row in [NAMES, *ROWS[:4]]]

    regions = lay_out([NAMES, *ROWS, *fewer, *more])

    assert [len(region.rows) for region in regions] == [7, 4, 3]


def test_tables_side_by_side_are_told_apart_where_one_ends_first():
    left = [["a", "b"], *([str(n), f"{n}.5"] for n in range(12))]
    right = [["x", "y"], *([str(n), f"w{n}"] for n in range(5))]
    rows = [[*line, "", *two] for line, two in zip(left, [*right, *[["", ""]] * 7], strict=True)]

    regions = lay_out(rows)

    assert [region.columns for region in regions] == [("a", "b"), ("x", "y")]
    assert [len(region.rows) for region in regions] == [12, 5]


def test_pairs_above_the_table_belong_to_the_document():
    rows = [["Customer:", "ACME"], ["Date: 2024-05-01"], [], NAMES, *ROWS]

    assert best(rows).document == {"Customer": "ACME", "Date": "2024-05-01"}


def test_a_subtotal_is_left_out_only_where_it_adds_up():
    rows = [["part", "qty"], ["bolt", "2"], ["nut", "3"], ["Subtotal", "5"], ["pin", "4"],
            ["Total loss", "9"], ["cap", "1"]]  # fmt: skip

    region = best(rows)

    assert region.rows == (1, 2, 4, 5, 6)
    assert region.skipped.subtotals == 1


def test_what_a_person_chose_is_not_questioned():
    region = best([NAMES, *ROWS], header_rows=())

    assert region.header_rows == ()
    assert len(region.rows) == 8


@settings(suppress_health_check=[HealthCheck.too_slow])  # the machine may be
@given(st.lists(st.lists(st.sampled_from(["", " ", "a", "1", "2024-01-01", "Total"]), max_size=5)))
def test_every_filled_row_is_data_or_counted(rows):
    regions = lay_out(rows)

    filled = {number for number, row in enumerate(rows) if any(text.strip() for text in row)}
    for region in regions:
        places = [*region.header_rows, *region.rows, *region.footers]
        assert len(places) == len(set(places))
        assert set(places) <= filled
        assert len(region.columns) == len(region.places) == len(set(region.columns))
    assert bool(regions) == bool(filled)
    assert lay_out(rows) == regions


LONG = [[str(n), f"part {n}", f"{n}.50", f"2024-05-{n:02}"] for n in range(1, 21)]


@pytest.mark.parametrize(
    "last",
    [
        ["", "NoId", "", ""],
        ["", "Summe AG", "", "sum@example.org"],
        ["Total", "", "7.50", ""],  # adds up nothing
        ["21", "", "", ""],
        ["", "", "", "2024-06-01"],
        ["Rita", "", "", ""],
        ["n/a", "", "-", ""],
    ],
)
def test_a_sparse_last_row_is_data_unless_it_adds_up_or_is_apart(last):
    assert len(best([NAMES, *LONG, last]).rows) == 21


@pytest.mark.parametrize(
    "rows",
    [
        [["Hill Road 4, second floor, left", "", "x", ""]],
        [["Mill Lane 7", "Lee", "", ""], ["Road of Seven Springs 9", "", "", ""]],
        [["Lee Group", "1", "", "2"], ["Lee, Adams and Springfield", "", "", ""]],
        [["What a day it was.", "5", "", ""], ["It could not be any worse.", "", "", ""]],
    ],
)
def test_a_sparse_last_row_is_data_where_rows_have_gaps_and_texts_like_it(rows):
    assert len(best([NAMES, *rows]).rows) == len(rows)


def test_a_last_row_with_more_than_numbers_is_not_a_total_without_a_word():
    rows = [[str(n), str(n * 100), f"part {n}"] for n in range(1, 4)]

    assert len(best([["id", "sold", "name"], *rows, ["", "600", "part 4"]]).rows) == 4


@pytest.mark.parametrize(
    "rows",
    [
        [["W/50104", "N/A"], ["W/90067", "22-Jan-08"], ["W/88032", "23-Feb-09"]],
        [["USD", "A"], ["USD", "C"], ["CHF", "A"], ["1.50", "B"]],
        [["a", "n/a"], ["b", "Oslo"], ["c", "Bonn"]],
        [["a", "h"], ["a", "h"]],
    ],
)
def test_codes_and_texts_above_texts_are_not_units(rows):
    region = best([["Ref", "Phase"], *rows])

    assert len(region.rows) == len(rows)


@pytest.mark.parametrize(
    ("rows", "is_sure"),
    [
        ([["Name"], ["Ada Lovelace"], ["Grace Hopper"], ["Alan Turing"]], True),
        ([["first_name"], ["Ada"], ["Grace"], ["Alan"]], True),
        ([["Ada", "Bonn"], ["Eve", "Ulm"]], False),
        ([["Paid"], ["yes"], ["no"], ["yes"]], True),
        ([["Team"], ["red"], ["blue"], ["red"], ["red"]], True),
        ([["Ada Lovelace"], ["Grace Hopper"], ["Alan Turing"], ["Edsger Dijkstra"]], False),
        ([["Bonn"], ["Köln"], ["Ulm"], ["Kiel"]], False),
        ([["Team"], ["Red"], ["Blue"], ["Red"], ["Red"]], True),  # only its values repeat
        ([["Team"], ["red"], ["blue"]], False),  # too few to compare
    ],
)
def test_a_first_line_of_text_is_doubted_only_where_it_looks_like_those_below(rows, is_sure):
    region = best(rows)

    assert region.header_rows == (0,)
    assert (region.evidence[0].score >= SURE) is is_sure


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([["Total", "", "220.00", ""]], "total"),
        ([["", "", "220.00", ""]], "footer"),
        ([["Source: the warehouse"]], "footer"),
        ([["all of these prices are without tax"]], "footer"),
        ([[], ["made by us"]], "footer"),
    ],
)
def test_a_footer_is_told_by_its_words_its_sum_or_a_gap(rows, reason):
    region = best([NAMES, *LONG, *rows])

    assert len(region.rows) == 20
    assert region.left_out[-1][1] == reason


@pytest.mark.parametrize(
    "rows",
    [
        [["Newsletter", "Number", "First name", "Full name"],
         ["no", "K85179", "Emil", "Rita Dubois"]],
        [["Name", "Value"], ["Ada", "n/a"], ["Berta", "yes"]],
        [["Name", "Age", "Born"], ["Ada", "", ""], ["Bob", "33", "1990-01-02"], ["Cid", "", ""]],
        [["Place", "Share"], ["Bonn", "unknown"], ["Köln", "12 %"], ["Ulm", "7 %"]],
        [["Year", "Year 2", "Kind"], ["", "", "new"], ["", "", "old"], ["1973", "", "new"]],
        [["Active"], ["-"], ["-"], ["x"]],
    ],
)  # fmt: skip
def test_a_first_line_of_distinct_texts_above_a_rectangle_is_the_header(rows):
    region = best(rows)

    assert region.header_rows == (0,)
    assert region.columns == tuple(rows[0])
    assert len(region.rows) == len(rows) - 1


@pytest.mark.parametrize(
    ("what", "lines", "columns"),
    [
        ("groups over repeated names",
         [["", "control", "", "fire", ""], ["id", "X", "Y", "X", "Y"]],
         ("id", "control X", "control Y", "fire X", "fire Y")),
        ("a year as a group",
         [["id", "2025", "", "plan", ""], ["", "X", "Y", "X", "Y"]],
         ("id", "2025 X", "2025 Y", "plan X", "plan Y")),
        ("a blank name", [["id", "", "b", "c", "d"]], ("id", "Column 2", "b", "c", "d")),
        ("a repeated name", [["id", "a", "b", "a", "b"]], ("id", "a", "b", "a (2)", "b (2)")),
        ("units", [["id", "load", "span", "mass", "day"], ["", "kN", "mm", "kg", ""]],
         ("id", "load", "span", "mass", "day")),
        ("a title", [["Report"], ["id", "a", "b", "c", "d"]], ("id", "a", "b", "c", "d")),
    ],
)  # fmt: skip
def test_headers_of_short_tables_are_read_whole(what, lines, columns):
    body = [["k1", "1", "2", "3", "4"], ["k2", "", "7", "", "4"]]

    region = best([*lines, *body])

    assert region.columns == columns, what
    assert len(region.rows) == 2
