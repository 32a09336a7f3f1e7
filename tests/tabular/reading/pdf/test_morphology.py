"""Operations on boolean pictures, compared with their definitions, pixel by pixel."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tabular.reading.pdf.pages.morphology import boxes_of, components, dilated, opened, runs_of

PICTURES = arrays.arrays(bool, arrays.array_shapes(min_dims=2, max_dims=2, max_side=12))
LENGTHS = st.integers(1, 9)
AROUND = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1)]


def drawn(*rows):
    """Return a picture of which ``#`` is ink."""
    return np.array([[letter == "#" for letter in row] for row in rows])


def painted(runs, shape):
    picture = np.zeros(shape, bool)
    for row, start, end in zip(runs.rows, runs.starts, runs.ends, strict=True):
        assert not picture[row, start:end].any()
        picture[row, start:end] = True
    return picture


def flooded(ink):
    """Return the pixels of each component, in the order of their first pixels."""
    left = {(int(row), int(column)) for row, column in np.argwhere(ink)}
    areas = []
    for first in sorted(left):
        if first not in left:
            continue
        left.remove(first)
        reached, ahead = {first}, [first]
        while ahead:
            row, column = ahead.pop()
            near = {(row + down, column + across) for down, across in AROUND} & left
            left -= near
            reached |= near
            ahead += near
        areas.append(reached)
    return areas


@given(PICTURES)
def test_runs_hold_each_pixel_of_ink_once(ink):
    runs = runs_of(ink)

    assert np.array_equal(painted(runs, ink.shape), ink)
    assert len(runs) == sum(len(list(filter(None, row))) for row in _split(ink))


def _split(ink):
    return ["".join("#" if pixel else " " for pixel in row).split() for row in ink]


@given(PICTURES, LENGTHS)
def test_an_opening_is_the_union_of_the_lines_that_fit_into_the_ink(ink, length):
    fitting = np.zeros_like(ink)
    for row, column in np.ndindex(ink.shape):
        line = ink[row, column : column + length]
        if len(line) == length and line.all():
            fitting[row, column : column + length] = True

    assert np.array_equal(painted(opened(ink, length), ink.shape), fitting)


@given(PICTURES)
def test_components_are_what_a_flood_reaches(ink):
    runs = runs_of(ink)
    labels = components(runs)

    reached = [set() for _ in set(labels.tolist())]
    for label, row, start, end in zip(labels, runs.rows, runs.starts, runs.ends, strict=True):
        reached[label] |= {(int(row), column) for column in range(start, end)}
    assert reached == flooded(ink)


@given(PICTURES)
def test_a_box_is_as_large_as_its_component(ink):
    runs = runs_of(ink)
    boxes = boxes_of(runs, components(runs)).tolist()

    for box, pixels in zip(boxes, flooded(ink), strict=True):
        rows, columns = [row for row, _ in pixels], [column for _, column in pixels]
        assert box == [min(columns), min(rows), max(columns) + 1, max(rows) + 1]


@given(PICTURES, LENGTHS, LENGTHS)
def test_a_dilation_holds_what_has_ink_around_it(ink, height, width):
    wanted = np.zeros_like(ink)
    for row, column in np.ndindex(ink.shape):
        top, left = row - height // 2, column - width // 2
        around = ink[max(0, top) : top + height, max(0, left) : left + width]
        wanted[row, column] = around.any()

    assert np.array_equal(dilated(ink, height=height, width=width), wanted)


def test_a_spiral_is_one_component():
    ink = drawn("#######", "      #", "##### #", "#   # #", "# ### #", "#     #", "#######")

    labels = components(runs_of(ink))

    assert set(labels.tolist()) == {0}


@pytest.mark.parametrize("shape", [(1, 1), (3, 1), (1, 3)])
def test_an_empty_picture_has_no_component(shape):
    runs = runs_of(np.zeros(shape, bool))

    assert len(components(runs)) == 0
    assert boxes_of(runs, components(runs)).tolist() == []
