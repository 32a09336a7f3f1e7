"""Where words and lines of a page become columns, cells and rows."""

import pytest

from tabular.reading.pdf.grids.choosing import chart_box, is_chart, trimmed
from tabular.reading.pdf.grids.columns import (
    Line,
    Segment,
    column_edges,
    fits,
    occupied,
    text_lines,
    texts_of,
    usual_blank,
    writes_blanks,
)
from tabular.reading.pdf.grids.grid import Grid, Row
from tabular.reading.pdf.grids.lattice import (
    Lattice,
    borders,
    components,
    lattice_of,
    nearest,
    outer_borders,
)
from tabular.reading.pdf.grids.spacing import (
    are_spaced,
    columns_of_one,
    follows_rows,
    leads_alike,
    lies_below,
    wraps_alike,
)
from tabular.reading.pdf.heading import header_height, set_apart, spans_of
from tabular.reading.pdf.pages.page import Box, Ruling, Word


def word(text, x, y=0.0, *, width=None, **more):
    """Return a word ten points high whose lower edge is at y."""
    width = 5.0 * len(text) if width is None else width
    starts = tuple(x + width / len(text) * n for n in range(len(text)))
    return Word(text, Box(x, y - 10, x + width, y), starts, baseline=y, **more)


def line_of(*words, y=0.0):
    (line,) = text_lines([word(text, x, y) for text, x in words])
    return line


def lines_at(*heights, x=0.0):
    """Return lines of two words, far apart, at some heights."""
    return [line_of(("oak", x), ("ash", x + 100), y=y) for y in heights]


@pytest.mark.parametrize(
    ("words", "texts"),
    [
        ([("oak", 0), ("tree", 17)], ["oak tree"]),  # a blank of a fifth of the height
        ([("oak", 0), ("tree", 25)], ["oak", "tree"]),
        ([("12", 0), ("34", 12)], ["12 34"]),
        ([("12", 0), ("34", 14)], ["12", "34"]),  # two numbers are parted sooner
        ([("12", 0), ("345", 13)], ["12 345"]),  # the thousands of one
        ([("•", 0), ("oak", 30)], ["• oak"]),  # a bullet belongs to its text
        ([("•", 0), ("oak", 40)], ["•", "oak"]),
        ([("oak", 0), ("(a)", 28)], ["oak (a)"]),  # so does the mark of a note
        ([("oak", 0), ("(a)", 32)], ["oak", "(a)"]),
    ],
)
def test_words_near_each_other_are_one_text(words, texts):
    assert texts_of(line_of(*words)) == texts


def test_a_blank_that_the_file_writes_elsewhere_parts_where_it_is_missing():
    written = [word("oak", 0), word("tree", 18), word("elm", 41)]
    moved = [*written, word("fir", 59.5, after_gap=True)]

    assert texts_of(text_lines(written)[0]) == ["oak tree elm"]
    assert texts_of(text_lines(moved)[0]) == ["oak tree elm", "fir"]
    assert writes_blanks(moved)
    assert not writes_blanks([word("a", 0, after_gap=True), word("b", 9)])


def test_the_usual_blank_is_a_share_of_the_height():
    rows = [[word("oak", 0), word("ash", 18), word("elm", 80)], [word("a", 0), word("b", 8)]]

    assert usual_blank(rows) == pytest.approx(0.3)
    assert 0.1 < usual_blank([[word("oak", 0)]]) < 0.35


def test_lines_that_line_up_have_columns():
    lines = [line_of(("oak", 0), ("1", 100), y=y) for y in (10, 30, 50)]

    edges = column_edges(lines)

    assert len(edges) == 3
    assert edges[0] < 0
    assert 15 < edges[1] < 100
    assert edges[2] > 105
    assert fits(lines[0], edges)
    assert not fits(line_of(("oak", 0), ("ash", 30)), edges)  # two in one column
    assert not fits(line_of(("oak", -20), ("1", 100)), edges)  # outside
    assert fits(line_of(("1", 100)), edges)


def test_a_title_over_columns_makes_them_one_no_more():
    rows = [line_of(("oak", 0), ("12", 100), ("34", 200), y=y) for y in (30, 50, 70, 90)]
    title = text_lines([word("oak", 0, 10), word("over both of them", 95, 10, width=120)])

    assert len(column_edges([*title, *rows])) == 4
    assert len(column_edges(rows, lone=True)) == 4
    assert column_edges([]) == []


def test_specks_on_top_of_each_other_are_cut_no_further():
    def line(*spans, y):
        boxes = [Box(start, y - 10, end, y) for start, end in spans]
        return Line(tuple(Segment((word("x", 0),), box) for box in boxes), y - 10, y)

    specks = [line((10.0, 10.3), (10.4, 10.7), y=y) for y in (10, 30, 50)]

    edges = column_edges([*specks, line((0, 20), (100, 120), y=70)])

    assert edges == sorted(edges)
    assert (edges[0], len(edges), edges[-1]) == (-1, 4, 121)


@pytest.mark.parametrize(
    ("box", "columns"),
    [
        (Box(0, 0, 40, 10), (0, 0)),
        (Box(60, 0, 90, 10), (1, 1)),
        (Box(40, 0, 60, 10), (0, 1)),
        (Box(10, 0, 51, 10), (0, 0)),  # by a hair
        (Box(10, 0, 53, 10), (0, 1)),
        (Box(0, 0, 150, 10), (0, 2)),
        (Box(200, 0, 210, 10), (2, 2)),  # the nearest one
        (Box(-90, 0, -80, 10), (0, 0)),
        (Box(10, 0, 52, 10), (0, 0)),
        (Box(47.5, 0, 51.5, 10), (0, 0)),  # of a narrow one less is a hair
        (Box(48, 0, 52, 10), (0, 1)),
    ],
)
def test_a_box_reaches_into_columns(box, columns):
    assert occupied(box, [0, 50, 100, 150]) == columns


def test_rows_keep_their_gap_and_their_edges():
    rows = lines_at(10, 40, 70)
    (below,) = lines_at(100)

    assert follows_rows(rows, below)
    assert not follows_rows(rows, lines_at(110)[0])  # farther
    assert not follows_rows(rows, lines_at(100, x=40)[0])  # on other edges
    assert not follows_rows(lines_at(10, 21, 32), lines_at(43)[0])  # as near as running text
    assert lies_below(rows, line_of(("fir", 101)))
    assert not lies_below(rows, line_of(("fir", 102)))
    assert lies_below(rows, line_of(("f", 105)))  # centred below
    assert lies_below(rows, line_of(("fi", 105)))  # ends where it ends


def test_lines_of_a_cell_are_nearer_than_rows():
    rows = lines_at(10, 21, 50, 61, 90)

    assert wraps_alike(rows, lines_at(101)[0])
    assert not wraps_alike(rows, lines_at(105)[0])
    assert leads_alike(lines_at(-1)[0], rows)
    assert not leads_alike(lines_at(-6)[0], rows)
    assert not wraps_alike(lines_at(10, 21, 32), lines_at(43)[0])  # there are no rows


@pytest.mark.parametrize(
    ("heights", "spaced"),
    [((10, 40, 70), True), ((10, 21, 32), False), ((10, 21, 32, 62), True), ((10,), False)],
)
def test_lines_are_spaced_where_they_are_farther_apart_than_text(heights, spaced):
    assert are_spaced(lines_at(*heights)) == spaced


def test_lines_of_one_segment_on_one_edge_are_one_column():
    single = [line_of(("oak", 0), y=y) for y in (10, 30, 50)]
    other = [line_of(("elm", 50), y=70)]

    assert [len(run) for run in columns_of_one([*single, *other])] == [3, 1]
    assert [len(run) for run in columns_of_one([*single, *lines_at(70)])] == [3]


CROSS = (
    [Ruling(0, 0, 100), Ruling(20, 0, 100), Ruling(40, 0, 100)],
    [Ruling(0, 0, 40), Ruling(50, 0, 20), Ruling(100, 0, 40)],
)


def test_a_lattice_has_a_cell_where_a_border_is_missing():
    xs, ys = outer_borders(*CROSS)
    lattice = lattice_of(xs, ys, *CROSS)

    assert (xs, ys) == ([0, 50, 100], [0, 20, 40])
    assert (lattice.rows, lattice.columns, lattice.box) == (2, 2, Box(0, 0, 100, 40))
    assert lattice.owners() == {(0, 0): (0, 0), (0, 1): (0, 1), (1, 0): (1, 0), (1, 1): (1, 0)}


def test_a_place_falls_into_a_row_and_a_column():
    lattice = Lattice([0, 50, 100], [0, 20, 40])

    assert [lattice.column_at(x) for x in (-5, 0, 49, 50, 99, 200)] == [0, 0, 0, 1, 1, 1]
    assert [lattice.row_at(y) for y in (-5, 10, 20, 60)] == [0, 0, 1, 1]
    assert [nearest([0, 50, 100], at) for at in (-9, 24, 26, 74, 76, 900)] == [0, 0, 1, 1, 2, 2]


def test_lines_that_touch_hang_together():
    across = [Ruling(0, 0, 100), Ruling(20, 0, 100), Ruling(200, 0, 100), Ruling(220, 0, 100)]
    down = [Ruling(102, 0, 20), Ruling(0, 200, 220), Ruling(104, 200, 220), Ruling(300, 0, 9)]

    groups = components(across, down)

    assert [(len(horizontals), len(other)) for horizontals, other in groups] == [(2, 1), (2, 1)]


@pytest.mark.parametrize(
    ("places", "reach", "expected"),
    [
        ([0, 2, 50, 100], [0, 100], [1, 50, 100]),  # drawn twice
        ([0, 3, 50], [0, 50], [0, 3, 50]),
        ([20, 50], [0, 80], [0, 20, 50, 80]),  # an open side is closed
        ([20, 50], [12, 58], [20, 50]),
    ],
)
def test_borders_are_merged_and_closed(places, reach, expected):
    assert borders(places, reach) == expected


def row(*cells, top=0.0, **more):
    return Row(cells, top, top + 8, 1, **more)


def grid(*rows, rules=()):
    edges = tuple(range(len(rows[0].cells) + 1))
    return Grid(1, Box(100, 100, 200, 300), "ruled", rows, edges, rules=rules)


def test_captions_and_empty_rows_at_the_ends_are_left_out():
    title = row("All parts", "", "", spans=((0, 2),))
    part = row("a", "1", "2")

    whole = grid(title, part, row("", "", ""), part, part, row("Source", "", "", spans=((0, 2),)))

    assert trimmed(whole).rows == (part, part, part)
    assert len(trimmed(grid(title, part)).rows) == 2  # nothing would be left
    assert len(trimmed(grid(row("a", "", "", spans=((0, 1),)), part, part)).rows) == 3


def test_an_almost_empty_lattice_is_a_chart_with_room_for_its_axes():
    empty, single = row("", "", ""), row("9", "", "")

    assert is_chart(grid(empty, single, empty))
    assert not is_chart(grid(single, single, single))
    assert not is_chart(grid(row("", ""), row("", "")))  # too small to decide
    box = chart_box(grid(empty, single))
    assert box.holds(*Box(100, 100, 200, 300).middle)
    assert (box.x0, box.x1) < (100, 300)
    assert box.width > 100
    assert box.height > 200


TITLES, VALUES = row("part", "qty", weight=700), row("oak", "1.5", top=20, weight=400)


@pytest.mark.parametrize(
    ("rows", "rules", "height"),
    [
        ((TITLES, VALUES, VALUES), (), 1),  # in a heavier font
        ((VALUES, VALUES, VALUES), (), None),
        ((TITLES, VALUES, TITLES), (), None),  # bold rows further down
        ((row("part", "qty"), VALUES), (), None),  # the file has no font information
        ((row("a", "b", weight=550), VALUES), (), None),  # hardly heavier
        ((VALUES, row("x", "2.5", top=40, weight=400)), (0.0, 15.0), None),
        ((row("a", "b"), row("oak", "1.5", top=20)), (0.0, 15.0), 1),  # a line below
        ((row("a", "b"), row("oak", "1.5", top=20)), (0.0,), None),
        ((row("a", "7.5"), row("oak", "1.5", top=20)), (0.0, 15.0), None),  # values above it
        ((row("a", "2024"), row("oak", "1.5", top=20)), (0.0, 15.0), 1),
        ((), (), None),
    ],
)
def test_titles_are_set_apart_by_a_font_or_a_line(rows, rules, height):
    heading = set_apart(rows, rules)

    assert (heading and heading.rows) == height


def test_the_rows_that_name_columns_are_counted():
    assert header_height((TITLES, VALUES, VALUES)) == 1
    assert header_height((VALUES, VALUES)) == 0
    assert header_height(()) == 0
    spans = spans_of((row("a", "", spans=((0, 1),)), VALUES))
    assert [(span.top, span.left, span.bottom, span.right) for span in spans] == [(0, 0, 0, 1)]


@pytest.mark.parametrize(
    ("x0", "x1", "is_inside"),
    [(-3, 40, True), (-3.5, 40, False), (60, 103, True), (60, 103.5, False)],
)
def test_a_line_fits_columns_that_it_hardly_leaves(x0, x1, is_inside):
    (line,) = text_lines([word("oak", x0, width=x1 - x0)])

    assert fits(line, [0, 50, 100]) == is_inside


def lines_of_texts(*rows):
    """Return lines of texts: where each begins and ends."""
    lines = []
    for n, row in enumerate(rows, 1):
        words = [word("oak", x0, 20.0 * n, width=x1 - x0) for x0, x1 in row]
        lines.append(
            Line(tuple(Segment((item,), item.box) for item in words), 20.0 * n - 10, 20.0 * n)
        )
    return lines


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([[(0, 40), (60, 90)], [(0, 50), (55, 90)]], 2),
        ([[(0, 40), (99, 120)], [(39.5, 90), (99, 120)]], 3),  # they overlap by a hair
        ([[(0, 40), (99, 120)], [(38.5, 90), (99, 120)]], 2),
        # two lines of three have two texts there: the third is a stray one
        ([[(0, 40), (60, 90), (99, 120)], [(0, 40), (60, 90)], [(30, 70), (99, 120)]], 3),
        # a title over columns
        ([[(0, 90), (99, 120)], *[[(0, 40), (60, 90), (99, 120)]] * 2], 3),
        ([[(0, 90), (99, 120)], *[[(0, 40), (60, 90), (99, 120)]]], 2),
        ([*[[(0, 90), (99, 120)]] * 9, *[[(0, 40), (60, 90), (99, 120)]] * 2], 2),
    ],
)
def test_texts_that_overlap_are_one_column_unless_many_lines_have_two(rows, columns):
    assert len(column_edges(lines_of_texts(*rows))) == columns + 1


def test_edges_lie_in_the_middle_of_the_gaps_and_a_point_outside():
    edges = column_edges(lines_of_texts([(0, 40), (60, 90)], [(0, 50), (55, 95)]))

    assert edges == [-1, 52.5, 96]


def test_a_single_text_counts_only_where_it_is_asked_for():
    lines = lines_of_texts([(0, 40), (60, 90)], [(0, 40), (60, 90)], [(20, 80)])

    assert len(column_edges(lines)) == 3
    assert len(column_edges(lines_of_texts([(20, 80)]))) == 2
