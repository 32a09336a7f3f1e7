"""Tables without borders: lines of a page whose texts line up."""

import pytest

from tabular.reading.pdf.grids.aligned import (
    aligned_grids,
    below_top_rule,
    core_of,
    cut,
    read_by,
)
from tabular.reading.pdf.grids.columns import text_lines, texts_of
from tabular.reading.pdf.pages.page import Box, Page, Ruling, Word

XS = (50, 150, 250)
NAMES = ("part", "qty", "price")
PROSE = "this is a line of running text that reaches over all of the columns of it"


def word(text, x, y):
    """Return a word ten points high whose upper edge is at y."""
    starts = tuple(x + 5.0 * n for n in range(len(text)))
    return Word(text, Box(x, y, x + 5.0 * len(text), y + 10), starts, baseline=y + 10)


def line(texts, y, xs=XS):
    """Return texts at the left of their columns, with words separated by a narrow blank."""
    words = []
    for text, x in zip(texts, xs, strict=False):
        for part in text.split():
            words.append(word(part, x, y))
            x += 5.0 * len(part) + 2.5
    return words


def table(top=100, *, size=4, step=16, names=NAMES, xs=XS):
    rows = [names, *[(f"oak{n}", str(n), f"{n}.5") for n in range(1, size + 1)]]
    return [item for n, row in enumerate(rows) for item in line(row, top + n * step, xs)]


def page_of(*words, rules=()):
    return Page(1, 600, 800, words=tuple(w for item in words for w in item), horizontals=rules)


def rows_found(*words, taken=(), rules=()):
    return [
        [row.cells for row in grid.rows]
        for grid in aligned_grids(page_of(*words, rules=rules), list(taken))
    ]


ROWS = [NAMES, *[(f"oak{n}", str(n), f"{n}.5") for n in range(1, 5)]]


def test_lines_that_line_up_are_a_table():
    assert rows_found(table()) == [ROWS]


def test_running_text_is_not_a_table():
    assert rows_found(*[line([PROSE], 100 + 12 * n) for n in range(5)]) == []


def test_running_text_around_a_table_is_not_part_of_it():
    above = [line([PROSE], 40), line([PROSE], 52)]
    below = [line([PROSE], 220), line([PROSE], 232)]

    assert rows_found(*above, table(), *below) == [ROWS]


def test_a_table_far_below_another_is_another():
    assert rows_found(table(100), table(300)) == [ROWS, ROWS]


def test_titles_that_begin_again_make_another_table():
    assert rows_found(table(100), table(190)) == [ROWS, ROWS]


def test_words_in_boxes_that_are_taken_are_left_out():
    assert rows_found(table(100), table(300), taken=[Box(0, 90, 600, 200)]) == [ROWS]


def test_the_end_of_a_wrapped_cell_goes_on_with_its_row():
    rows = [NAMES, ("red oak", "1", "1.5"), ("ash", "2", "2.5"), ("elm", "3", "3.5")]
    words = [line(row, 100 + 30 * n) for n, row in enumerate(rows)]
    wrapped = line(["of the north"], 142)

    (cells,) = rows_found(*words, wrapped)

    assert cells == [NAMES, ("red oak of the north", "1", "1.5"), *rows[2:]]


def test_a_row_with_blanks_keeps_its_place():
    rows = [*ROWS, ("elm", "", "7.5"), ("", "8", "")]
    words = [line(row, 100 + 16 * n) for n, row in enumerate(rows)]

    assert rows_found(*words) == [rows]


def test_a_line_under_the_titles_and_on_top_leaves_a_caption_out():
    caption = line(["All parts"], 84, xs=(160,))
    rules = (Ruling(97, 40, 300), Ruling(112, 40, 300))

    assert rows_found(caption, table(), rules=rules) == [ROWS]


def test_a_single_row_or_column_is_not_a_table():
    assert rows_found(line(ROWS[1], 100)) == []
    assert rows_found(*[line([f"oak{n}"], 100 + 16 * n) for n in range(5)]) == []


def test_a_table_of_fewer_columns_is_read_by_those_of_another():
    page = page_of(table())
    (grid,) = aligned_grids(page, [])
    wider = (40, 145, 245, 345, 445)

    again = read_by(wider, grid, page)

    assert again is not None
    assert [row.cells for row in again.rows] == [(*cells, "") for cells in ROWS]
    assert again.edges == wider
    assert read_by(grid.edges, grid, page) is None  # it has as many
    assert read_by((40, 60, 70, 80, 90), grid, page) is None  # its texts do not fit


def rows_at(top, rows, step=16, xs=XS):
    return [word for n, row in enumerate(rows) for word in line(row, top + n * step, xs)]


def values(first, last):
    return [(f"oak{n}", str(n), f"{n}.5") for n in range(first, last)]


@pytest.mark.parametrize(("gap", "sizes"), [(16, [9]), (59, [9]), (61, [5, 4]), (89, [5, 4])])
def test_rows_go_on_below_a_gap_of_a_few_lines(gap, sizes):
    tables = rows_found(table(), rows_at(174 + gap, values(5, 9)))

    assert [len(table) for table in tables] == sizes


@pytest.mark.parametrize(("gap", "sizes"), [(4, [9]), (6, [5, 4])])
def test_titles_apart_from_the_rows_above_begin_a_table(gap, sizes):
    rows = [("part", "size", "cost"), *values(5, 8)]

    tables = rows_found(table(step=12), rows_at(158 + gap, rows, step=12))

    assert [len(table) for table in tables] == sizes


def test_labels_alone_on_their_lines_are_between_rows():
    labels = [("red",), ("tan",), ("jet",)]

    (rows,) = rows_found(table(step=12), rows_at(160, [*labels, *values(5, 8)], step=12))

    assert rows == [*ROWS, *((*label, "", "") for label in labels), *values(5, 8)]


def test_what_is_far_to_the_right_is_a_table_of_its_own():
    right = (350, 450, 550)

    assert len(rows_found(table(), rows_at(400, ROWS, xs=right))) == 2


@pytest.mark.parametrize(("gap", "cell"), [(4.1, "oak1 of it"), (1, "of oak1 it")])
def test_a_line_within_a_row_is_put_back(gap, cell):
    (rows,) = rows_found(table(step=30), line(["of it"], 126 + gap))

    assert rows[1] == (cell, "1", "1.5")


def core(*words):
    """Return the texts of the lines that certainly belong to one table."""
    kept, _ = core_of(text_lines([item for some in words for item in some]))
    return [texts_of(item) for item in kept]


BODY = rows_at(100, [("oak", "1", "1.5"), ("ash", "2", "2.5"), ("elm", "3", "3.5")])


@pytest.mark.parametrize(
    ("texts", "xs", "gap", "is_title"),
    [
        (["amounts of all"], (170,), 2, True),  # over two columns
        (["amounts of all"], (170,), 8.9, True),
        (["amounts of all"], (170,), 9.1, False),
        (["amounts of it"], (110,), 5, True),
        (["amounts of it"], (104,), 5, False),  # over all but a bit of the first
        (["a a a a a a a a"], (170,), 5, True),
        (["a a a a a a a a a"], (170,), 5, False),
        (["all of these", "and over those two"], (20, 140), 5, True),
        ([PROSE], (50,), 5, False),
    ],
)
def test_a_short_text_right_above_some_columns_is_a_title(texts, xs, gap, is_title):
    kept = core(line(texts, 90 - gap, xs=xs), BODY)

    assert len(kept) == 3 + is_title


@pytest.mark.parametrize(
    ("text", "x", "gap", "goes_on"),
    [
        ("more", 50, 5.9, True),
        ("more", 150, 5.9, True),
        ("more", 50, 6.1, True),  # as the rows do
        ("more", 50, 8, False),
        ("more", 51.4, 4, True),
        ("more", 51.6, 4, False),  # on another edge
        ("more of it that is long and goes over", 50, 4, False),
    ],
)
def test_a_line_right_below_that_begins_like_a_cell_goes_on_with_it(text, x, gap, goes_on):
    assert len(core(BODY, line([text], 142 + gap, xs=(x,)))) == 3 + goes_on


def test_a_line_is_of_a_table_for_certain_if_half_of_its_columns_are_filled():
    xs = (50, 110, 170, 230, 290)
    rows = rows_at(100, [(name, "1", "2", "3", "4") for name in ("oak", "ash", "elm")], xs=xs)

    assert [
        len(core(rows, line(["fir", "5", "6", "7"][:filled], 172, xs=xs))) for filled in (1, 2, 3)
    ] == [3, 3, 4]
    assert core(line(ROWS[0], 100)) == []
    assert len(core(line(ROWS[0], 100), line(ROWS[1], 116))) == 2


def test_lines_that_fill_half_of_the_columns_each_have_a_core():
    xs = (50, 110, 170, 230)
    rows = [("a", "1", "", ""), ("", "", "2", "3"), ("b", "1", "", ""), ("c", "1", "2", "3")]
    words = [
        item
        for n, row in enumerate(rows)
        for item in line([text for text in row if text], 100 + 16 * n,
                        [x for x, text in zip(xs, row, strict=True) if text])
    ]  # fmt: skip

    assert len(core(words)) == 4


COLUMNS = [0.0, 50.0, 100.0, 150.0]


def side_by_side(gap, **more):
    """Return two words on both sides of a column border, separated by a gap."""
    left, right = word("abcde", 25 - gap / 2, 0), word("xy", 50 + gap / 2, 0)
    return [left, Word(right.text, right.box, right.starts, right.baseline, **more)]


def test_words_of_a_text_over_columns_are_cut_where_they_are_apart():
    far = cut(side_by_side(3.6), COLUMNS)

    assert far is not None
    assert [column for column, _ in far] == [0, 1]
    assert cut(side_by_side(3.4), COLUMNS) is None
    assert cut(side_by_side(3.4, after_gap=True), COLUMNS) is not None
    assert cut([word("abcde", 40, 0)], COLUMNS) is None  # it lies over the border itself
    near = [word("ab", 5, 0), word("cd", 16, 0), word("x", 80, 0)]
    assert [column for column, _ in cut(near, COLUMNS) or []] == [0, 0, 1]


TWO_RULES = (95.0, 113.0)  # above the first line of a table and below it


@pytest.mark.parametrize(
    ("above", "titles", "rules", "left_out"),
    [
        (1, NAMES, TWO_RULES, 1),
        (3, NAMES, TWO_RULES, 3),
        (4, NAMES, TWO_RULES, 0),  # more than a caption
        (1, NAMES, TWO_RULES[:1], 0),
        (1, NAMES, (95.0, 113.0, 160.0), 1),
        (1, ("part",), TWO_RULES, 0),
        (1, ("part", "2023"), TWO_RULES, 1),
        (1, ("part", "7.5"), TWO_RULES, 0),  # as many values as names
        (1, ("part", "qty", "7.5"), TWO_RULES, 1),
        (1, ("7.5", "qty", "7.5"), TWO_RULES, 0),
    ],
)
def test_a_caption_is_above_the_line_over_the_titles(above, titles, rules, left_out):
    caption = [word for n in range(above) for word in line(["All parts"], 84 - 12 * n)]
    lines = text_lines([*caption, *line(titles, 100), *rows_at(116, ROWS[1:])])

    kept = below_top_rule(lines, rules)

    assert len(lines) - len(kept) == left_out


def test_two_lines_below_a_line_are_not_a_table_to_leave_a_caption_out_of():
    lines = text_lines([*line(["All parts"], 84), *line(NAMES, 100), *line(ROWS[1], 116)])

    assert below_top_rule(lines, TWO_RULES) == lines


def test_a_line_through_the_middle_of_a_text_is_above_it_or_below_it():
    lines = text_lines([*line(["All parts"], 84), *rows_at(100, ROWS)])

    assert below_top_rule(lines, (91.0, 107.0)) == lines[1:]
    assert below_top_rule(lines, (87.0, 107.0)) == lines
