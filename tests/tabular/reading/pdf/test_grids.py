"""Boxes, words and lines of a page, and which lines that line up are a table."""

import pytest

from tabular.reading.pdf.grids.content import (
    column_kinds,
    content_score,
    is_list,
    is_year,
    kind_of,
    looks_tabular,
    row_ends,
    title_rules,
)
from tabular.reading.pdf.grids.grid import Grid, Row, line_ends, lines_of, put_below, text_of
from tabular.reading.pdf.pages.page import Box, Page, Ruling, Turn, Word, around, turned

BOX = Box(100, 100, 200, 300)


def grid(*rows, rules=()):
    """Return a grid of lines of cells."""
    width = len(rows[0])
    made = tuple(Row(cells, 10 * n, 10 * n + 8, 1) for n, cells in enumerate(rows))
    return Grid(1, BOX, "aligned", made, tuple(range(width + 1)), rules=rules)


def word(text, x=0.0, y=0.0, *, height=10.0, **more):
    width = 5.0 * len(text)
    starts = tuple(x + 5.0 * n for n in range(len(text)))
    return Word(text, Box(x, y - height, x + width, y), starts, baseline=y, **more)


NUMBERS = [("part", "qty"), ("bolt", "1"), ("nut", "2"), ("pin", "3")]
WORDS = [("a", "b", "c"), ("oak", "ash", "elm"), ("red", "tan", "jet"), ("one", "two", "ten")]
SENTENCE = "this is a sentence of more words than any cell of a table has in it"


@pytest.mark.parametrize(
    ("rows", "rules", "is_one"),
    [
        (NUMBERS, (), True),
        (NUMBERS[:2], (), False),  # one line of values
        (NUMBERS[:2], (1.0, 2.0), True),  # unless lines are drawn
        ([("id", "qty"), ("1", "2"), ("3", "4")], (), True),
        ([("1", "bolt"), ("2", "nut"), ("3", "pin")], (), False),  # a numbered list
        (WORDS, (), True),  # short words in many columns
        (WORDS[:3], (), False),
        ([row[:2] for row in WORDS], (), False),
        ([WORDS[0], *[("oak", "", "")] * 4], (), False),  # hardly filled
        ([WORDS[0], *[(SENTENCE, "ash", "elm")] * 4], (), False),
        ([("name", "note"), ("oak", "a few words"), ("ash", "some more")], (1.0, 2.0), True),
        ([("name", "note"), ("oak", SENTENCE), ("ash", SENTENCE)], (1.0, 2.0), False),
        ([("part", "qty")], (1.0, 2.0), False),
        (
            [("a", "b"), ("oak", "1"), ("ash", "2"), ("elm", "3"), ("x y", "u"), ("z", "w")],
            (),
            False,
        ),
        (
            [("a", "b"), ("oak", "1"), ("ash", "2"), ("elm", "3"), ("x y", "4"), ("z", "w")],
            (),
            True,
        ),
        ([("a", "b"), ("oak", "1"), ("ash", ""), ("elm", ""), ("x y", "")], (), False),  # one value
        ([("a", "b"), ("oak", "1"), ("ash", "2"), ("elm", "")], (), True),
        ([("a", "b"), ("oak", "1"), ("ash", "2"), ("elm", "3"), ("x y", "")], (), True),
        ([("a b c d",) * 3] * 4, (), True),  # four words a cell
        ([("a b c d",) * 3] * 3 + [("a b c d", "e f g h", "a b c d e")], (), False),
        ([*WORDS[:3], ("a " * 14 + "a", "ash", "elm")], (), False),  # as long as running text
        ([*WORDS[:3], ("a " * 13 + "a", "ash", "elm")], (), True),
        ([WORDS[0], ("oak", "", ""), ("ash", "", ""), ("elm", "z", "")], (), False),
        ([WORDS[0], ("oak", "", "x"), ("ash", "", ""), ("elm", "z", "")], (), True),
        ([("name", "note"), *[("a b c d e f g h",) * 2] * 2], (1.0, 2.0), True),
        ([("name", "note"), *[("a b c d e f g h i j k l",) * 2] * 2], (1.0, 2.0), False),
    ],
)
def test_lines_that_line_up_are_a_table_by_what_they_hold(rows, rules, is_one):
    assert looks_tabular(grid(*rows, rules=rules)) == is_one


@pytest.mark.parametrize(
    ("rows", "is_one"),
    [
        ([("1.", "bolt"), ("2.", "nut"), ("3.", "pin")], True),
        ([("•", "bolt"), ("•", "nut")], True),
        ([("a)", "bolt"), ("b)", "nut")], True),
        ([("1.1", "bolt"), ("1.2", "nut"), ("1.10", "pin")], True),  # sections
        ([("2.1", "bolt"), ("1.2", "nut")], False),  # numbers in no order
        ([("Table 1", "bolt"), ("Source: us", "nut")], True),
        ([("•", "bolt"), ("oak", "nut"), ("ash", "pin")], False),
        ([("•", "bolt", "1"), ("•", "nut", "2")], False),
        ([("•", "bolt"), ("oak", "nut")], True),  # every other line
        ([("", "bolt"), ("•", "nut"), ("", "pin")], True),
    ],
)
def test_a_first_column_of_marks_makes_a_list(rows, is_one):
    assert is_list(grid(*rows)) == is_one


def test_columns_have_a_kind_and_a_share_of_it():
    rows = grid(("1", "oak", "x", ""), ("2", "7", "n/a", ""), ("n/a", "ash", "-", "")).rows

    assert column_kinds(rows, 4) == [
        ("number", 1.0),  # a placeholder for a missing value belongs to the others
        ("text", 2 / 3),
        ("mark", 1.0),
        ("", 0.0),
    ]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (NUMBERS, NUMBERS[:3]),
        (NUMBERS, [*NUMBERS[:3], ("pin", "")]),
        (NUMBERS, [*NUMBERS[:3], ("pin", "many")]),
        (WORDS, [*WORDS[:3], ("one", "two", SENTENCE)]),
        (NUMBERS[:3], NUMBERS[:2]),
    ],
)
def test_a_fuller_and_purer_grid_scores_higher(better, worse):
    assert content_score(grid(*better)) > content_score(grid(*worse)) > 0


@pytest.mark.parametrize(
    "rows",
    [
        [("part", "qty")],
        [("part",), ("bolt",), ("nut",)],
        [("part", ""), ("bolt", ""), ("nut", "")],
        [("a", "b", "c", "d", "e"), *[("", "", "", "", "")] * 8, ("1", "", "", "", "")],
    ],
)
def test_a_grid_of_one_row_one_column_or_hardly_a_cell_scores_nothing(rows):
    assert content_score(grid(*rows)) == 0.0


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("2024", True), ("1999", True), ("2023/24", True), ("2023–2024", True), ("2124", False),
     ("1899", False), ("20245", False), ("FY 2024", False)],
)  # fmt: skip
def test_a_year_or_a_span_of_years_is_one(text, is_one):
    assert is_year(text) == is_one


def test_long_lines_across_a_box_are_its_rules():
    lines = (
        Ruling(50, 100, 200),  # far above
        Ruling(91, 100, 200),
        Ruling(92, 100, 200),
        Ruling(94, 100, 200),  # the same line, drawn twice
        Ruling(150, 100, 161),
        Ruling(200, 100, 160),  # too short
        Ruling(250, 0, 500),
        Ruling(308, 100, 200),
        Ruling(309, 100, 200),
    )
    page = Page(1, 600, 800, horizontals=lines)

    assert title_rules(BOX, page) == (92, 150, 250, 308)


def test_painted_rows_end_at_their_borders():
    fills = (
        Box(100, 120, 200, 140),
        Box(100, 141, 200, 160),  # begins where the one above ends
        Box(100, 180, 150, 190),  # half as wide
        Box(90, 90, 210, 310),  # the ground of the whole table
    )

    assert row_ends(BOX, Page(1, 600, 800, fills=fills)) == (120, 140, 160)


def test_painted_rows_end_within_a_few_points_of_a_table_and_of_each_other():
    def ends(*fills):
        return row_ends(BOX, Page(1, 600, 800, fills=fills))

    assert ends(Box(100, 92, 200, 120)) == (92, 120)
    assert ends(Box(100, 91, 200, 120)) == (120,)
    assert ends(Box(100, 280, 200, 308)) == (280, 308)
    assert ends(Box(100, 280, 200, 309)) == (280,)
    assert ends(Box(100, 120, 200, 140), Box(100, 142, 200, 160)) == (120, 140, 160)
    assert ends(Box(100, 120, 200, 140), Box(100, 143, 200, 160)) == (120, 140, 143, 160)
    assert ends(Box(100, 120, 160, 140)) == ()  # too narrow
    assert ends(Box(100, 100, 200, 300)) == ()  # as high as the table


@pytest.mark.parametrize(("spanning", "is_one"), [(0, True), (1, True), (2, False)])
def test_texts_that_run_over_columns_are_not_a_table(spanning, is_one):
    over = [row_of(("oak", "", ""), n, spans=((0, 1),)) for n in range(spanning)]
    full = [row_of(("ash", "x", str(n)), n, spans=((0, 1),)) for n in range(spanning, 5)]

    assert looks_tabular(Grid(1, BOX, "aligned", (*over, *full), (0, 1, 2, 3))) == is_one


def row_of(cells, n, **more):
    return Row(cells, 10 * n, 10 * n + 8, 1, **more)


def test_a_text_of_many_blanks_is_running_text():
    assert kind_of("a " * 12 + "a") == "prose"
    assert kind_of("a " * 11 + "a") == "text"


def test_boxes_hold_points_and_overlap():
    assert (BOX.width, BOX.height, BOX.middle) == (100, 200, (150, 200))
    assert BOX.holds(100, 300)
    assert not BOX.holds(99, 300)
    assert BOX.holds(99, 301, slack=1)
    assert BOX.overlap(Box(190, 290, 400, 400)) == 100
    assert BOX.overlap(Box(200, 100, 300, 300)) == 0
    assert BOX.overlap(Box(0, 0, 50, 50)) == 0
    assert around([BOX, Box(0, 150, 150, 400)]) == Box(0, 100, 200, 400)


def test_a_word_is_cut_at_a_letter():
    left, right = word("abcd", 10.0).split(20.0)

    assert (left.text, right.text) == ("ab", "cd")
    assert (left.box.x1, right.box.x0) == (20.0, 20.0)
    assert (left.starts, right.starts) == ((10.0, 15.0), (20.0, 25.0))
    assert (left.after_gap, right.after_gap) == (False, True)
    assert len(word("abcd", 10.0).split(10.0)) == len(word("abcd", 10.0).split(40.0)) == 1
    assert len(word("abcd", 10.0, upright=False).split(20.0)) == 1
    assert word("abcd", 10.0).split(20.5)[0].text == "ab"


@pytest.mark.parametrize(
    ("quarters", "point", "size"),
    [(0, (20, 70), (200, 100)), (1, (30, 20), (100, 200)), (2, (180, 30), (200, 100)),
     (3, (70, 180), (100, 200))],
)  # fmt: skip
def test_a_page_is_turned_upright(quarters, point, size):
    turn = Turn(quarters, Box(0, 0, 200, 100))

    x, y = point
    assert turn.size == size
    assert turn.point(20, 30) == point
    assert turned(Box(20, 30, 20, 30), turn) == Box(x, y, x, y)


def test_words_are_grouped_into_lines_by_their_baselines():
    words = [word("b", 30, 101), word("a", 10, 100), word("c", 10, 104.5), word("d", 50, 112)]

    assert [[item.text for item in line] for line in lines_of(words)] == [["a", "b"], ["c"], ["d"]]


def test_the_text_of_a_cell_folds_its_lines():
    touching = word("day", 15.5, 100, after_gap=True)
    far = word("night", 40.0, 100, after_gap=True)
    words = [word("mid", 0, 100), touching, far, word("below", 0, 112), word("up", upright=False)]

    assert text_of(words) == "midday night below up"
    assert line_ends(words) == (12,)
    assert line_ends(words[:3]) == ()


def test_a_row_put_below_another_goes_on_with_its_cells():
    upper = Row(("oak", "", "1"), 0, 8, 1, breaks=((0, (1,)),))
    lower = Row(("tree", "new", ""), 10, 18, 1, breaks=((1, (2,)),))

    joined = put_below(upper, lower)

    assert joined.cells == ("oak tree", "new", "1")
    assert (joined.top, joined.bottom, joined.filled) == (0, 18, 3)
    assert joined.breaks == ((0, (1, 3)), (1, (2,)))
