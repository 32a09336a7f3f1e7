"""What a page paints becomes lines and areas; dots and dashes of one line become one."""

import pytest

from tabular.reading.pdf.pages.page import Box, Ruling, Turn
from tabular.reading.pdf.pages.strokes import joined, rulings_and_fills

PAGE = Turn(0, Box(0, 0, 600, 800))


@pytest.mark.parametrize(
    ("width", "height", "kind"),
    [
        (100, 0, "across"), (100, 3.5, "across"), (100, 4, "fill"), (3, 3, "across"),
        (0, 100, "down"), (3.5, 100, "down"), (4, 100, "fill"), (50, 50, "fill"),
    ],
)  # fmt: skip
def test_a_thin_area_is_a_line(width, height, kind):
    across, down, fills = rulings_and_fills([Box(50, 50, 50 + width, 50 + height)], PAGE)

    assert (len(across), len(down), len(fills)) == tuple(
        int(kind == item) for item in ("across", "down", "fill")
    )


def test_a_line_lies_in_the_middle_of_what_is_painted():
    across, down, _ = rulings_and_fills([Box(50, 100, 150, 102), Box(50, 100, 52, 200)], PAGE)

    assert across == [Ruling(699, 50, 150)]
    assert down == [Ruling(51, 600, 700)]


@pytest.mark.parametrize(
    ("strokes", "lines"),
    [
        ([(10, 0, 5), (10, 9, 20)], [(10, 0, 20)]),  # dashes
        ([(10, 0, 5), (10, 9.5, 20)], [(10, 0, 5), (10, 9.5, 20)]),
        ([(10, 0, 50), (11, 40, 100)], [(11, 0, 100)]),  # where the longest is
        ([(10, 0, 50), (11.5, 40, 100)], [(10, 0, 50), (11.5, 40, 100)]),
        ([(10, 0, 100), (10, 20, 40)], [(10, 0, 100)]),
        ([(10, 9, 20), (10, 0, 5)], [(10, 0, 20)]),  # in any order
        ([(10, 0, 1)], [(10, 0, 1)]),
        ([(10, 0, 0.9)], []),  # a dot
        ([(10, 0, 0.9), (10, 9, 20)], [(10, 9, 20)]),
        ([(10, n, n + 0.5) for n in range(0, 40, 4)], [(10, 0, 36.5)]),  # dots in a row
    ],
)
def test_strokes_near_each_other_are_one_line(strokes, lines):
    assert joined([Ruling(*stroke) for stroke in strokes]) == [Ruling(*line) for line in lines]
