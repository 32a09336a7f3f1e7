"""Lines that are pixels: in even and uneven light, of any tone, and not those of letters."""

import numpy as np
import pytest
from PIL import Image, ImageDraw

from tabular.reading.pdf.pages.pictured_lines import lines_in

WIDTH, HEIGHT = 800, 1_000
XS, YS = (100, 300, 700), (100, 140, 180, 400)


def form(*, ink=0, paper=255, thick=2):
    """Return a picture of a grid."""
    image = Image.new("L", (WIDTH, HEIGHT), paper)
    draw = ImageDraw.Draw(image)
    for y in YS:
        draw.rectangle([XS[0], y, XS[-1], y + thick - 1], fill=ink)
    for x in XS:
        draw.rectangle([x, YS[0], x + thick - 1, YS[-1]], fill=ink)
    return np.asarray(image)


def grid_of(gray):
    """Return where level lines and upright ones are, to the nearest ten pixels."""
    lines = list(lines_in(gray))
    level = {round(y0, -1) for x0, y0, x1, y1 in lines if y0 == y1}
    upright = {round(x0, -1) for x0, y0, x1, y1 in lines if x0 == x1}
    return sorted(level), sorted(upright)


@pytest.mark.parametrize("thick", [1, 2, 4])
@pytest.mark.parametrize("ink", [0, 120, 249], ids=["black", "gray", "faint"])
def test_lines_of_a_grid_are_found(ink, thick):
    assert grid_of(form(ink=ink, thick=thick)) == (list(YS), list(XS))


def test_a_line_reaches_as_far_as_its_ink():
    lines = list(lines_in(form()))

    assert (100, 101, 702, 101) in lines
    assert (301, 100, 301, 402) in lines


def test_lines_are_found_in_uneven_light_and_noise():
    shade = np.linspace(0, 120, WIDTH)[None, :] + np.linspace(0, 60, HEIGHT)[:, None]
    noise = np.random.default_rng(7).normal(0, 5, (HEIGHT, WIDTH))
    soiled = (form(ink=20) * 0.8 - shade * form() / 255 + noise).clip(0, 255).astype(np.uint8)

    assert grid_of(soiled) == (list(YS), list(XS))


def test_text_and_dots_are_not_lines():
    image = Image.new("L", (WIDTH, HEIGHT), 255)
    draw = ImageDraw.Draw(image)
    for y in range(50, 900, 30):
        draw.text((60, y), "Ten hens - a table of oak, 12.50 EUR " * 3, fill=0)
        draw.text((60, y + 12), ". " * 100, fill=0)

    assert list(lines_in(np.asarray(image))) == []


def test_an_even_picture_has_no_lines():
    assert list(lines_in(np.full((300, 200), 90, np.uint8))) == []
