"""Tables without borders: lines of a page whose texts line up."""

from tabular.reading.pdf.grids.aligned import aligned_grids, read_by
from tabular.reading.pdf.pages.page import Box, Page, Ruling, Word

XS = (50, 150, 250)
NAMES = ("part", "qty", "price")
PROSE = "this is a line of running text that reaches over all of the columns of it"


def word(text, x, y):
    """Make a word ten points high whose upper edge is at y."""
    starts = tuple(x + 5.0 * n for n in range(len(text)))
    return Word(text, Box(x, y, x + 5.0 * len(text), y + 10), starts, baseline=y + 10)


def line(texts, y, xs=XS):
    """Put texts at the left of their columns, words parted by a narrow blank."""
    words = []
    for text, x in zip(texts, xs, strict=False):
        for part in text.split():
            words.append(word(part, x, y))
            x += 5.0 * len(part) + 2.5
    return words


def table(top=100, *, size=4, step=16, names=NAMES, xs=XS):
    rows = [names, *[(f"oak{n}", str(n), f"{n}.5") for n in range(1, size + 1)]]
    return [one for n, row in enumerate(rows) for one in line(row, top + n * step, xs)]


def page_of(*words, rules=()):
    return Page(1, 600, 800, words=tuple(w for one in words for w in one), horizontals=rules)


def found(*words, taken=(), rules=()):
    return [
        [row.cells for row in grid.rows]
        for grid in aligned_grids(page_of(*words, rules=rules), list(taken))
    ]


ROWS = [NAMES, *[(f"oak{n}", str(n), f"{n}.5") for n in range(1, 5)]]


def test_lines_that_line_up_are_a_table():
    assert found(table()) == [ROWS]


def test_running_text_is_no_table():
    assert found(*[line([PROSE], 100 + 12 * n) for n in range(5)]) == []


def test_running_text_around_a_table_is_no_part_of_it():
    above = [line([PROSE], 40), line([PROSE], 52)]
    below = [line([PROSE], 220), line([PROSE], 232)]

    assert found(*above, table(), *below) == [ROWS]


def test_a_table_far_below_another_is_another():
    assert found(table(100), table(300)) == [ROWS, ROWS]


def test_titles_that_begin_anew_make_another_table():
    assert found(table(100), table(190)) == [ROWS, ROWS]


def test_words_in_boxes_that_are_taken_are_left_out():
    assert found(table(100), table(300), taken=[Box(0, 90, 600, 200)]) == [ROWS]


def test_the_end_of_a_wrapped_cell_goes_on_with_its_row():
    rows = [NAMES, ("red oak", "1", "1.5"), ("ash", "2", "2.5"), ("elm", "3", "3.5")]
    words = [line(row, 100 + 30 * n) for n, row in enumerate(rows)]
    wrapped = line(["of the north"], 142)

    (cells,) = found(*words, wrapped)

    assert cells == [NAMES, ("red oak of the north", "1", "1.5"), *rows[2:]]


def test_a_row_with_blanks_keeps_its_place():
    rows = [*ROWS, ("elm", "", "7.5"), ("", "8", "")]
    words = [line(row, 100 + 16 * n) for n, row in enumerate(rows)]

    assert found(*words) == [rows]


def test_a_line_under_the_titles_and_on_top_leaves_a_caption_out():
    caption = line(["All parts"], 84, xs=(160,))
    rules = (Ruling(97, 40, 300), Ruling(112, 40, 300))

    assert found(caption, table(), rules=rules) == [ROWS]


def test_a_single_row_or_column_is_no_table():
    assert found(line(ROWS[1], 100)) == []
    assert found(*[line([f"oak{n}"], 100 + 16 * n) for n in range(5)]) == []


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
