"""Cells of tables with drawn borders, from the borders and the positions of texts."""

import pytest

from tabular.reading.pdf.grids.ruled import ruled_grids
from tabular.reading.pdf.pages.page import Box, Page, Ruling, Word

XS, YS = (0, 100, 200, 300), (0, 20, 40, 60)


def word(text, x, y, *, width=None):
    """Return a word eight points high with its middle at height y."""
    width = 5.0 * len(text) if width is None else width
    starts = tuple(x + width / len(text) * n for n in range(len(text)))
    return Word(text, Box(x, y - 4, x + width, y + 4), starts, baseline=y + 4)


def lattice(xs=XS, ys=YS):
    """Return every border of a table."""
    across = [Ruling(y, xs[0], xs[-1]) for y in ys]
    return across, [Ruling(x, ys[0], ys[-1]) for x in xs]


def cells_of(words, across, down):
    page = Page(1, 600, 800, words=tuple(words), horizontals=tuple(across), verticals=tuple(down))
    return [[row.cells for row in grid.rows] for grid in ruled_grids(page)]


def filled(rows, ys=YS, xs=XS):
    """Return a text for each drawn cell."""
    return [
        word(text, xs[column] + 5, (ys[row] + ys[row + 1]) / 2)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
        if text
    ]


ROWS = [("part", "qty", "price"), ("oak", "1", "1.5"), ("ash", "", "2.5")]


def test_each_drawn_cell_holds_what_is_in_it():
    assert cells_of(filled(ROWS), *lattice()) == [ROWS]


def test_lines_without_words_or_cells_are_not_a_table():
    across, down = lattice()

    assert cells_of([], across, down) == []
    assert cells_of(filled(ROWS), across[:1], down[:1]) == []
    assert cells_of([word("far", 400, 300)], across, down) == []


def test_two_lattices_are_two_tables():
    across, down = lattice()
    below = [Ruling(line.at + 200, line.start, line.end) for line in across]
    beside = [Ruling(line.at, line.start + 200, line.end + 200) for line in down]
    words = [*filled(ROWS), *filled(ROWS, ys=[y + 200 for y in YS])]

    assert cells_of(words, [*across, *below], [*down, *beside]) == [ROWS, ROWS]


def test_a_cell_without_a_wall_reaches_over_columns():
    across, down = lattice()
    down[1] = Ruling(100, 20, 60)
    page = Page(
        1, 600, 800, words=tuple(filled([("all parts", "", "price"), *ROWS[1:]])),
        horizontals=tuple(across), verticals=tuple(down),
    )  # fmt: skip

    (grid,) = ruled_grids(page)

    assert grid.rows[0].cells == ("all parts", "", "price")
    assert [row.spans for row in grid.rows] == [((0, 1),), (), ()]


def test_a_cell_without_a_floor_reaches_over_rows():
    across, down = lattice()
    across[2] = Ruling(40, 100, 300)
    words = filled([ROWS[0], ("oak", "1", "1.5"), ("", "2", "2.5")])

    assert cells_of(words, across, down) == [[ROWS[0], ("oak", "1", "1.5"), ("", "2", "2.5")]]


def test_a_word_is_cut_at_a_border_that_is_drawn():
    across, down = lattice()
    crossing = [word("abcd", 80, 30, width=40), *filled([ROWS[0], ("", "", "1.5"), ROWS[2]])]
    open_down = [down[0], Ruling(100, 0, 20), *down[2:]]

    assert cells_of(crossing, across, down)[0][1] == ("ab", "cd", "1.5")
    assert cells_of(crossing, across, open_down)[0][1] == ("abcd", "", "1.5")


def test_texts_in_columns_of_their_own_part_a_column_that_is_not_drawn():
    ys = (0, 20, 40, 60, 80)
    rows = [("part", "qty", "price"), *[(f"p{n}", str(n), f"{n}.5") for n in range(1, 4)]]
    across, down = lattice(ys=ys)
    words = filled(rows, ys=ys)
    open_down = [down[0], down[2], down[3]]

    assert cells_of(words, across, open_down) == [rows]
    # Two lines show nothing.
    across, down = lattice(ys=ys[:3])
    (two,) = cells_of(filled(rows[:2], ys=ys), across, [down[0], down[2], down[3]])
    assert [len(row) for row in two] == [2, 2]


def test_lines_next_to_the_rows_of_other_columns_are_rows_too():
    ys = (0, 20, 40, 60, 80, 100)
    rows = [("part", "qty", "price"), *[(f"p{n}", str(n), f"{n}.5") for n in range(1, 5)]]
    across, down = lattice(ys=ys)
    open_floors = [across[0], across[1], *(Ruling(y, 100, 300) for y in ys[2:5]), across[5]]

    assert cells_of(filled(rows, ys=ys), open_floors, down) == [rows]


def test_lines_of_values_in_one_drawn_row_are_rows_of_their_own():
    ys = (0, 20, 100)
    lines = [("oak", "1", "1.5"), ("ash", "2", "2.5"), ("elm", "3", "3.5"), ("fir", "4", "4.5")]
    words = [
        word(text, XS[column] + 5, 30 + 18 * row)
        for row, texts in enumerate(lines)
        for column, text in enumerate(texts)
    ]
    across, down = lattice(ys=ys)

    assert cells_of([*filled(ROWS[:1]), *words], across, down) == [[ROWS[0], *lines]]


def test_a_cell_that_wraps_is_one_cell():
    ys = (0, 20, 80)
    words = [
        *filled(ROWS[:1]),
        word("oak", 5, 30), word("from", 5, 42), word("far", 5, 54),
        word("1", 105, 30), word("1.5", 205, 30),
    ]  # fmt: skip
    across, down = lattice(ys=ys)

    assert cells_of(words, across, down) == [[ROWS[0], ("oak from far", "1", "1.5")]]


def test_a_title_over_columns_is_above_the_titles_of_each():
    ys = (0, 40, 60, 80)
    across, down = lattice(ys=ys)
    down[2] = Ruling(200, 40, 80)
    words = [
        word("part", 5, 20), word("amounts", 170, 10), word("qty", 105, 30), word("price", 205, 30),
        *filled([("", "", ""), *ROWS[1:]], ys=ys),
    ]  # fmt: skip

    (rows,) = cells_of(words, across, down)

    assert rows == [("part", "amounts", ""), ("", "qty", "price"), *ROWS[1:]]


@pytest.mark.parametrize(("x", "cells"), [(97.5, ("a", "bcd")), (98.5, ("", "abcd"))])
def test_a_word_that_crosses_a_border_by_a_hair_is_not_cut(x, cells):
    across, down = lattice()
    crossing = [word("abcd", x, 30, width=10), *filled([ROWS[0], ("", "", "1.5"), ROWS[2]])]

    assert cells_of(crossing, across, down)[0][1] == (*cells, "1.5")


def test_more_lines_than_any_table_has_are_a_drawing():
    across = [Ruling(y / 100, 0, 300) for y in range(20_001)]

    assert cells_of(filled(ROWS), across, lattice()[1]) == []


@pytest.mark.parametrize(("double", "columns"), [(2, 2), (3, 3)])
def test_a_column_is_two_where_enough_of_its_lines_have_two_texts(double, columns):
    ys = tuple(20 * n for n in range(8))
    rows = [(f"p{n}", str(n) if n < double else "", f"{n}.5") for n in range(7)]
    across, down = lattice(ys=ys)

    (cells,) = cells_of(filled(rows, ys=ys), across, [down[0], down[2], down[3]])

    assert {len(row) for row in cells} == {columns}


@pytest.mark.parametrize(("rows", "is_parted"), [(3, False), (4, True)])
def test_a_tall_cell_of_as_many_lines_as_rows_next_to_it_is_parted(rows, is_parted):
    ys = (0, 20, *(20 + 20 * n for n in range(1, rows + 1)))
    lines = [("part", "qty", "price"), *[(f"p{n}", str(n), f"{n}.5") for n in range(rows)]]
    across, down = lattice(ys=ys)
    floors = [across[0], across[1], *(Ruling(y, 100, 300) for y in ys[2:-1]), across[-1]]

    (cells,) = cells_of(filled(lines, ys=ys), floors, down)

    assert (cells == lines) == is_parted


@pytest.mark.parametrize(
    ("lines", "rows"),
    [
        ([("oak", "1", "1.5"), ("ash", "2", "2.5"), ("elm", "3", "3.5")], 3),
        ([("oak", "1", "1.5"), ("ash", "2", "2.5")], 1),
        ([("oak", "a", "b"), ("ash", "c", "d"), ("elm", "e", "f")], 1),  # no values
        ([("oak", "1", "1.5"), ("ash", "2", "2.5"), ("elm", "3", "3.5"), ("of", "", "")], 4),
    ],
)
def test_lines_in_one_drawn_row_are_rows_if_three_are_full_and_hold_values(lines, rows):
    ys = (0, 20, 120)
    words = [
        word(text, XS[column] + 5, 30 + 18 * row)
        for row, texts in enumerate(lines)
        for column, text in enumerate(texts)
        if text
    ]

    (cells,) = cells_of([*filled(ROWS[:1]), *words], *lattice(ys=ys))

    assert len(cells) == 1 + rows
