"""Paint one page of a PDF or one frame of a picture for people, upright as it was read."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabular.model.problem import Limits, UnreadableFile
from tabular.model.sentences import Sentence
from tabular.reading.pdf.pages.document import opened, turn_of
from tabular.reading.pdf.scans.pictures import frame_of, painted
from tabular.reading.pdf.scans.upright import Gray, straightened

if TYPE_CHECKING:
    import pypdfium2
    from PIL import Image

DOTS_PER_POINT = 1.5  # of a page painted whole
CLIP_DOTS_PER_POINT = 3.0  # of a part of one
MOST_PIXELS = 4_000_000
COLORS = 64
MARGIN = 2.0  # points around a clip
Sides = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A painted page as PNG, its size in points, and how many pages the file has."""

    png: bytes
    width: float
    height: float
    pages: int


def painted_page(path: Path, number: int, *, turn: int, limits: Limits) -> PagePicture:
    """
    Paint a page. turn: quarter turns, anticlockwise, by which a picture was turned upright.

    Raise UnreadableFile (unknown_page, too_large, and what the file is refused for).
    """
    return _painted(path, number, turn, None, limits)


def painted_clip(path: Path, number: int, box: Sides, *, turn: int, limits: Limits) -> PagePicture:
    """Paint a part of a page: ``box`` in points from the upper left corner. Raise the same."""
    return _painted(path, number, turn, box, limits)


def _painted(path: Path, number: int, turn: int, box: Sides | None, limits: Limits) -> PagePicture:
    with path.open("rb") as file:
        is_pdf = b"%PDF-" in file.read(1024)
    if not is_pdf:
        gray, dots, count = frame_of(path, number, limits)
        return _of_scan(gray, dots, count, turn, box)
    document = opened(path, None, limits)
    try:
        if not 0 < number <= len(document):
            raise UnreadableFile(
                "unknown_page", Sentence("The file has no page {n1}.", n1=str(number))
            )
        page = document[number - 1]
        try:
            return _of_page(page, number, len(document), turn, box)
        finally:
            page.close()
    finally:
        document.close()


def _of_page(
    page: pypdfium2.PdfPage, number: int, count: int, turn: int, box: Sides | None
) -> PagePicture:
    upright = turn_of(page, number)
    if upright is None:
        return _of_scan(*painted(page, number), count, turn, box)
    width, height = upright.size
    scale = _scale(width, height, box)
    further = (90 * upright.quarters - page.get_rotation()) % 360
    bitmap = page.render(scale=scale, rotation=further, draw_annots=False, may_draw_forms=False)
    try:
        return _clipped(bitmap.to_pil(), scale, count, box)
    finally:
        bitmap.close()


def _of_scan(gray: Gray, dots: float, count: int, turn: int, box: Sides | None) -> PagePicture:
    import numpy as np
    from PIL import Image

    upright = np.ascontiguousarray(np.rot90(straightened(gray), turn))
    image = Image.fromarray(upright)
    scale = min(dots / 72, _scale(image.width * 72 / dots, image.height * 72 / dots, box))
    shrink = scale * 72 / dots
    size = (max(1, round(image.width * shrink)), max(1, round(image.height * shrink)))
    return _clipped(image.resize(size), scale, count, box)


def _scale(width: float, height: float, box: Sides | None) -> float:
    """Return how many pixels a point gets; a clip is cut from a page painted larger."""
    wanted = DOTS_PER_POINT if box is None else CLIP_DOTS_PER_POINT
    return min(wanted, math.sqrt(MOST_PIXELS / max(width * height, 1.0)))


def _clipped(image: Image.Image, scale: float, count: int, box: Sides | None) -> PagePicture:
    part: Any = image
    if box is not None:
        left, top, right, bottom = box
        sides = (left - MARGIN, top - MARGIN, right + MARGIN, bottom + MARGIN)
        x0, y0, x1, y1 = (round(side * scale) for side in sides)
        x0, y0 = min(max(x0, 0), image.width - 1), min(max(y0, 0), image.height - 1)
        part = image.crop(
            (x0, y0, max(x0 + 1, min(x1, image.width)), max(y0 + 1, min(y1, image.height)))
        )
    held = io.BytesIO()
    flat = part if part.mode == "L" else part.convert("RGB").quantize(COLORS)
    flat.save(held, "PNG")
    return PagePicture(
        held.getvalue(), round(part.width / scale, 1), round(part.height / scale, 1), count
    )
