"""A scanned page is straightened, and its ruled lines are taken out without its letters."""

import numpy as np
import pytest
from PIL import Image, ImageDraw

from tabular.reading.pdf.scans.missed import _pieces
from tabular.reading.pdf.scans.pictures import _resized
from tabular.reading.pdf.scans.upright import DARK, straightened, tilt_of, without_lines
from tests.scans import picture

DOTS = 300
LEVEL, UPRIGHT = (200, 700, 2_200, 703), (600, 250, 603, 1_500)


def page(*, turned=0.0):
    return picture().rotate(turned, Image.Resampling.BICUBIC, fillcolor=255)


def ruled():
    """Return a page with a level and an upright line, and the same page without them."""
    plain = picture()
    lined = plain.copy()
    draw = ImageDraw.Draw(lined)
    for x0, y0, x1, y1 in (LEVEL, UPRIGHT):
        draw.rectangle([x0, y0, x1 - 1, y1 - 1], fill=0)
    return np.asarray(lined), np.asarray(plain)


@pytest.mark.parametrize("turned", [-3.5, -1.2, -0.3, 0, 0.3, 1.2, 3.5])
def test_the_tilt_of_a_page_is_measured_to_a_tenth_of_a_degree(turned):
    assert tilt_of(np.asarray(page(turned=turned))) == pytest.approx(-turned, abs=0.1)


def test_a_straightened_page_is_level_and_as_large_as_before():
    tilted = np.asarray(page(turned=1.7))

    level = straightened(tilted)

    assert level.shape == tilted.shape
    assert abs(tilt_of(level)) <= 0.1
    assert level[0, 0] == 255  # what was outside is paper
    assert (level < DARK).sum() == pytest.approx((np.asarray(page()) < DARK).sum(), rel=0.05)


@pytest.mark.parametrize("tone", [0, 255], ids=["black", "white"])
def test_a_page_of_one_tone_is_left_as_it_is(tone):
    plain = np.full((400, 300), tone, np.uint8)

    assert np.array_equal(straightened(plain), plain)


def test_lines_are_painted_over_and_told():
    lined, plain = ruled()

    clean, lines = without_lines(lined, DOTS)

    assert [(box.x0, box.y0, box.x1, box.y1) for box in lines] == [LEVEL, UPRIGHT]
    # A pixel around the lines goes with them, and no other.
    near = np.zeros(plain.shape, bool)
    for x0, y0, x1, y1 in (LEVEL, UPRIGHT):
        near[y0 - 1 : y1 + 1, x0 - 1 : x1 + 1] = True
    assert (clean[near] == 255).all()
    assert np.array_equal(clean[~near], plain[~near])


def test_a_page_without_lines_keeps_every_pixel():
    plain = np.asarray(picture())

    clean, lines = without_lines(plain, DOTS)

    assert lines == []
    assert np.array_equal(clean, plain)


def test_what_is_thicker_than_a_line_stays():
    gray = np.full((800, 800), 255, np.uint8)
    gray[100:160, 100:700] = 0

    clean, lines = without_lines(gray, DOTS)

    assert lines == []
    assert np.array_equal(clean, gray)


def test_letters_near_each_other_are_one_piece():
    gray = np.full((400, 800), 255, np.uint8)
    gray[100:140, 100:115] = 0
    gray[100:140, 122:137] = 0  # as near as the digits of a number
    gray[100:140, 500:515] = 0
    gray[300:302, 300:302] = 0  # dirt

    pieces = [(box.x0, box.y0, box.x1, box.y1) for box in _pieces(gray, 40)]

    assert pieces == [(100, 100, 137, 140), (500, 100, 515, 140)]


def test_an_enlarged_picture_is_sharper_than_pillow_makes_it():
    fine = np.asarray(picture())
    coarse = picture().resize((1_654, 2_339), Image.Resampling.BOX)

    enlarged, dots = _resized(np.asarray(coarse), 200.0)

    soft = np.asarray(coarse.resize(fine.shape[::-1], Image.Resampling.BICUBIC))
    assert dots == DOTS
    assert _steepness(soft) < _steepness(enlarged) < 1.1 * _steepness(fine)


def _steepness(gray):
    return float((np.diff(gray.astype(float)) ** 2).sum())


@pytest.mark.parametrize("tone", [0, 90, 255])
def test_enlarging_keeps_an_even_tone(tone):
    enlarged, _ = _resized(np.full((90, 70), tone, np.uint8), 150.0)

    assert enlarged.shape == (180, 140)
    assert (enlarged == tone).all()


def test_enlarging_keeps_the_place_of_an_edge():
    gray = np.full((60, 60), 255, np.uint8)
    gray[:, 30:] = 0

    enlarged, _ = _resized(gray, 150.0)

    assert (enlarged[:, :59] == 255).sum() > 0.9 * enlarged[:, :59].size
    assert np.array_equal(enlarged[0], 255 - enlarged[0][::-1])
    assert (enlarged == enlarged[0]).all()
