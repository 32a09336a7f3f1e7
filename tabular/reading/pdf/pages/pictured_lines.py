"""Find the lines of a table that are pixels of a picture, as camelot's raster lattice does."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from tabular.reading.pdf.pages.morphology import Ink, boxes_of, components, opened
from tabular.reading.pdf.pages.page import Box

LEAST_PICTURE = 0.05  # least share of the page for a picture that may contain a table's lines
COVERING = 0.7  # the same for a picture of the whole page
DOTS_PER_POINT = 2.0  # 144 to the inch: a hairline is still a pixel
MOST_PIXELS = 8_000_000  # of the bitmap, whatever the size of the page: 32 MB
MOST_SOURCE_PIXELS = 80_000_000  # of a picture in the file, decompressed whole to be painted
SHORTEST = 18.0  # points: letters contain shorter lines
LINE_SCALE = 40  # a line is at least this part of the page's side
AROUND = 1.2  # deviation of the Gaussian that weighs surroundings, in pixels of the halved picture
DARKER = 2  # levels of gray, of 256, between ink and its surroundings


def pictured_lines(page: pypdfium2.PdfPage) -> list[Box]:
    """
    Return the lines drawn as pixels, in the page's own space.

    They are found on a bitmap of bounded size, by the method of camelot's line finder
    (``adaptive_threshold`` and ``find_lines`` of camelot 2.0): ink is what is darker than its
    surroundings, and a line is what an opening by a straight line leaves of it.
    """
    if not _has_picture(page):
        return []
    bitmap = page.render(
        scale=_scale(page),
        draw_annots=False,
        may_draw_forms=False,
        # What Pillow takes as it is; pdfium's own gray takes three times as long.
        prefer_bgrx=True,
        rev_byteorder=True,
    )
    try:
        place = bitmap.get_posconv(page)
        gray = np.asarray(bitmap.to_pil().convert("L"))
        boxes = [
            _box(place.to_page(x0, y0), place.to_page(x1, y1)) for x0, y0, x1, y1 in lines_in(gray)
        ]
        return [box for box in boxes if max(box.width, box.height) >= SHORTEST]
    finally:
        bitmap.close()


def is_covered(page: pypdfium2.PdfPage) -> bool:
    """Return whether one picture covers most of the page, as in a scan with its text."""
    width, height = page.get_size()
    for image in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=4):
        left, bottom, right, top = image.get_bounds()
        if (right - left) * (top - bottom) > COVERING * width * height:
            return True
    return False


def lines_in(gray: NDArray[np.uint8]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the ends of each level line, then of each upright one, in pixels from the corner."""
    ink = _ink(gray)
    for x0, y0, x1, y1 in _level(ink):
        yield x0, (y0 + y1) // 2, x1, (y0 + y1) // 2
    for y0, x0, y1, x1 in _level(ink.T):
        yield (x0 + x1) // 2, y0, (x0 + x1) // 2, y1


def _ink(gray: NDArray[np.uint8]) -> Ink:
    """
    Return the pixels that are darker than the weighted mean of their surroundings.

    The mean is local, since a scan is darker in one corner than in another (adaptive threshold: R.
    Gonzalez and R. Woods, Digital Image Processing, 4th edition 2018, section 10.3). It is taken
    from the picture at half its size, which is faster and hardly differs.
    """
    from PIL import Image, ImageFilter

    picture = Image.fromarray(gray)
    soft = picture.reduce(2).filter(ImageFilter.GaussianBlur(AROUND))
    half = (0, 0, picture.width / 2, picture.height / 2)
    around = np.asarray(soft.resize(picture.size, Image.Resampling.BILINEAR, box=half))
    darker: Ink = around > gray.astype(np.int16) + DARKER
    return darker


def _level(ink: Ink) -> list[list[int]]:
    """Return left, top, right and bottom of each level line."""
    runs = opened(ink, max(1, ink.shape[1] // LINE_SCALE))
    boxes: list[list[int]] = boxes_of(runs, components(runs)).tolist()
    return boxes


def _scale(page: pypdfium2.PdfPage) -> float:
    width, height = page.get_size()
    return min(DOTS_PER_POINT, math.sqrt(MOST_PIXELS / max(width * height, 1.0)))


def _has_picture(page: pypdfium2.PdfPage) -> bool:
    width, height = page.get_size()
    large = False
    for image in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=4):
        across, down = image.get_px_size()
        if across * down > MOST_SOURCE_PIXELS:
            return False
        left, bottom, right, top = image.get_bounds()
        large = large or (right - left) * (top - bottom) > LEAST_PICTURE * width * height
    return large


def _box(first: tuple[float, float], other: tuple[float, float]) -> Box:
    (x0, y0), (x1, y1) = first, other
    return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
