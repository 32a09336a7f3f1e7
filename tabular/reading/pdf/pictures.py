"""Lines that are pixels: a page scanned, or printed as a picture, below or behind its text."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pypdfium2.raw as pdfium

from tabular.reading.pdf.page import Box

if TYPE_CHECKING:
    import pypdfium2

LEAST_PICTURE = 0.05  # share of the page a picture covers that may hold a table's lines
DOTS_PER_POINT = 2.0  # 144 to the inch: a hairline is still a pixel
MOST_PIXELS = 8_000_000  # of the bitmap, whatever the size of the page: 24 MB
MOST_SOURCE_PIXELS = 80_000_000  # of a picture in the file, which is unpacked whole to be painted
SHORTEST = 18.0  # points: letters hold shorter lines
LINE_SCALE = 40  # a line is at least this part of the page's side


def pictured_lines(page: pypdfium2.PdfPage) -> list[Box]:
    """
    Find the lines drawn as pixels, in the page's own space.

    They are found by the line finder of camelot's raster lattice, on a bitmap of bounded size.
    """
    if not _has_picture(page):
        return []
    bitmap = page.render(scale=_scale(page), draw_annots=False, may_draw_forms=False)
    try:
        place = bitmap.get_posconv(page)
        boxes = [
            _box(place.to_page(x0, y0), place.to_page(x1, y1))
            for x0, y0, x1, y1 in _lines(bitmap.to_numpy())
        ]
        return [box for box in boxes if max(box.width, box.height) >= SHORTEST]
    finally:
        bitmap.close()


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


def _box(one: tuple[float, float], other: tuple[float, float]) -> Box:
    (x0, y0), (x1, y1) = one, other
    return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def _lines(pixels: Any) -> Iterator[tuple[float, float, float, float]]:
    """Give the ends of each horizontal and vertical line, in pixels from the upper left."""
    import cv2
    from camelot import image_processing

    finder: Any = image_processing
    cv2.setNumThreads(1)
    image = cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR) if pixels.ndim == 2 else pixels[:, :, :3]
    _, threshold = finder.adaptive_threshold(image)
    for direction in ("horizontal", "vertical"):
        _, lines = finder.find_lines(threshold, direction=direction, line_scale=LINE_SCALE)
        yield from lines
