"""Grids of following pages: which are one table, and which rows a page cuts."""

import pytest

from tabular.reading.pdf.grids.grid import Grid, Row
from tabular.reading.pdf.pages.page import Box, Page, Word
from tabular.reading.pdf.stitching import (
    Stitched,
    adds_nothing,
    begins_apart,
    same_columns,
    stitched,
    title_of,
)

NAMES = ("id", "part", "price")
ROWS = [(f"K-{n}", f"oak {chr(96 + n)}", f"{n}.5") for n in range(1, 6)]
MORE = [(f"K-{n}", f"ash {chr(96 + n)}", f"{n}.5") for n in range(6, 10)]
EDGES = (50.0, 150.0, 250.0, 350.0)


def grid(page, *rows, edges=EDGES, top=100.0, score=6.0):
    made = tuple(Row(cells, top + 16 * n, top + 16 * n + 10, page) for n, cells in enumerate(rows))
    box = Box(edges[0], top, edges[-1], top + 16 * len(rows))
    return Grid(page, box, "ruled", made, edges, score=score)


def page_of(number, *texts):
    """Return a page with texts at heights."""
    words = [
        Word(text, Box(60, y, 60 + 5.0 * len(text), y + 10), (60,), baseline=y + 10)
        for text, y in texts
    ]
    return Page(number, 600, 800, words=tuple(words))


def joined(below, *texts, above=None, titles=()):
    """Return whether two grids become one, with texts on the second page and on the first."""
    above = above or grid(1, NAMES, *ROWS)
    return len(stitched([(page_of(1, *titles), [above]), (page_of(2, *texts), [below])])) == 1


def cells_of(*grids):
    return [row.cells for row in Stitched(grids).rows]


@pytest.mark.parametrize(
    ("below", "texts", "is_one"),
    [
        (grid(2, *MORE), (), True),
        (grid(2, NAMES, *MORE), (), True),
        (grid(3, *MORE), (), False),  # a page lies between
        (grid(2, *MORE, edges=(50.0, 100.0, 120.0, 350.0)), (), False),  # other columns
        (grid(2, ("city", "land", "people"), *MORE), (), False),  # titles of its own
        (grid(2, *MORE), (("Page 2", 20),), True),
        (grid(2, *MORE), (("continued", 60),), True),
        (grid(2, ("city", "land", "people"), *MORE), (("Cities", 60),), False),
        (grid(2, *MORE), (("anything", 60),), True),  # no table begins without names
        (grid(2, NAMES, *MORE), (("Others", 60),), False),
        (grid(2, ("", "of it", ""), *MORE), (), True),  # the end of a row
    ],
)
def test_a_grid_goes_on_where_its_columns_do_and_no_title_is_above(below, texts, is_one):
    assert joined(below, *texts) == is_one


def test_a_title_that_both_pages_have_parts_nothing():
    title = ("Prices of 2024", 40)

    assert joined(grid(2, NAMES, *MORE), title, titles=[title])
    assert not joined(grid(2, NAMES, *MORE), ("Costs of 2024", 40), titles=[title])


def test_only_the_last_grid_of_a_page_goes_on_and_a_page_without_one_ends_it():
    first, last, below = grid(1, NAMES, *ROWS), grid(1, NAMES, *ROWS, top=400.0), grid(2, *MORE)

    both = stitched([(page_of(1), [last, first]), (page_of(2), [below])])
    parted = stitched([(page_of(1), [first]), (page_of(2), []), (page_of(3), [grid(3, *MORE)])])

    assert [item.grids for item in both] == [(first,), (last, below)]
    assert len(parted) == 2


def test_names_that_are_printed_again_stay_for_the_layout_to_leave_out():
    assert cells_of(grid(1, NAMES, *ROWS), grid(2, NAMES, *MORE)) == [NAMES, *ROWS, NAMES, *MORE]


@pytest.mark.parametrize(
    ("end", "is_cut"),
    [
        (("", "of the north", ""), True),
        (("K-9", "of the north", ""), False),  # a key
        (("", "", "7.5"), False),  # a value
        (("", "of the north", "7.5"), False),
        (("", "AB-12", ""), True),  # a code among texts
    ],
)
def test_a_row_that_a_page_cuts_is_one_row(end, is_cut):
    rows = cells_of(grid(1, NAMES, *ROWS), grid(2, end, *MORE))

    last = ("K-5", f"oak e {end[1]}", "5.5")
    assert rows == ([NAMES, *ROWS[:4], last, *MORE] if is_cut else [NAMES, *ROWS, end, *MORE])


def test_a_row_is_cut_only_below_rows_that_have_keys():
    unkeyed = [("", *row[1:]) for row in ROWS[:2]]

    rows = cells_of(grid(1, NAMES, *unkeyed, *ROWS[2:]), grid(2, ("", "of it", ""), *MORE))

    assert len(rows) == 6 + 1 + 4
    tenth = [("", *ROWS[0][1:]), *ROWS[1:], *MORE]  # nine of ten rows have one
    assert len(cells_of(grid(1, NAMES, *tenth[:9]), grid(2, ("", "of it", ""), *MORE))) == 10 + 4


@pytest.mark.parametrize(
    ("edges", "are_same"),
    [
        (EDGES, True),
        ((106.0, 206.0, 306.0, 406.0), True),  # by half a column and a bit
        ((107.0, 207.0, 307.0, 407.0), False),
        ((-6.0, 94.0, 194.0, 294.0), True),
        ((-7.0, 93.0, 193.0, 293.0), False),
        ((50.0, 60.0, 250.0, 350.0), False),  # one is far narrower
    ],
)
def test_columns_of_two_pages_are_the_same_where_their_middles_are(edges, are_same):
    assert same_columns(EDGES, edges) == are_same


@pytest.mark.parametrize(
    ("title", "adds"),
    [
        ("", False), ("Prices", False), ("prices:", False), ("Page 3 of 7", False), ("3/7", False),
        ("Prices - 10:45", False), ("Costs", True), ("Prices 2025", True), ("---", False),
    ],
)  # fmt: skip
def test_known_words_and_page_numbers_add_nothing(title, adds):
    assert adds_nothing(title, "Prices (of us)") != adds


def test_the_title_of_a_grid_is_all_text_above_it():
    page = page_of(1, ("Prices", 40), ("of us", 52), ("near", 93), ("inside", 110))

    assert title_of(grid(1, NAMES), page) == "Prices of us near"
    assert title_of(grid(1, NAMES), page_of(1, ("edge", 94))) == ""


def test_the_score_of_a_table_is_shared_by_its_cells():
    table = Stitched((grid(1, NAMES, *ROWS, score=9.0), grid(2, *MORE, score=6.0)))

    assert (table.width, table.score, table.confidence) == (3, 15.0, 0.5)
    assert Stitched((grid(1, *MORE, score=99.0),)).confidence == 1.0
    assert Stitched((grid(1, ("", "", "")),)).confidence == 0.0


def test_a_table_begins_apart_on_the_next_page_with_the_same_columns():
    first = Stitched((grid(1, NAMES, *ROWS),))

    assert begins_apart(first, Stitched((grid(2, *MORE),)))
    assert not begins_apart(first, Stitched((grid(3, *MORE),)))
    assert not begins_apart(first, Stitched((grid(1, *MORE),)))
    assert not begins_apart(first, Stitched((grid(2, ("a", "b"), edges=EDGES[:3]),)))
