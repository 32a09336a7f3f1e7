"""Open pictures: the frames of an image file, and the pages of a PDF, painted for recognition."""

from __future__ import annotations

import math
import struct
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tabular.model.problem import LimitExceeded, Limits, UnreadableFile
from tabular.model.sentences import Sentence, counted
from tabular.reading.pdf.scans.pages import DOTS_PER_INCH
from tabular.reading.pdf.scans.upright import Gray

if TYPE_CHECKING:
    import pypdfium2
    from PIL import Image

FORMATS = ("PNG", "JPEG", "TIFF")
MOST_PIXELS = 80_000_000  # of one picture; it is unpacked whole
MOST_PAINTED = 20_000_000  # pixels of a page painted for recognition: A3 at 300 dots per inch
LEAST_DOTS, MOST_DOTS = 70, 1_200  # a stated resolution outside of these is not that of a scanner
SHARPNESS = -0.75  # Keys' parameter
PAPER_POINTS = 842.0  # the longer side of A4, for a picture that does not state its size
BROKEN = (OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error, TypeError)


def frames_of(path: Path, limits: Limits) -> Iterator[tuple[int, int, Gray, float]]:
    """
    Yield number, count, pixels and resolution of each frame of a PNG, JPEG or TIFF.

    Sizes are checked before a frame is unpacked. Raise UnreadableFile (damaged_file, too_large) and
    LimitExceeded (too_large).
    """
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # we check the size ourselves, with an answer for people
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about odd metadata
            with Image.open(path, formats=FORMATS) as image:
                count = _count(image, limits)
                for number in range(count):
                    image.seek(number)
                    _refuse_large(image.size, number + 1)
                    yield number + 1, count, *_gray(image)
    except BROKEN as error:
        raise UnreadableFile(
            "damaged_file", "The picture is cut off or damaged. Scan it again, or save it again."
        ) from error


def frame_of(path: Path, number: int, limits: Limits) -> tuple[Gray, float, int]:
    """
    Return pixels and resolution of one frame, from 1, and how many there are.

    Raise UnreadableFile (unknown_page, and what ``frames_of`` raises).
    """
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(path, formats=FORMATS) as image:
                count = _count(image, limits)
                if not 0 < number <= count:
                    raise UnreadableFile(
                        "unknown_page", Sentence("The file has no page {n1}.", n1=str(number))
                    )
                image.seek(number - 1)
                _refuse_large(image.size, number)
                return *_gray(image), count
    except BROKEN as error:
        raise UnreadableFile(
            "unknown_page", Sentence("The file has no page {n1}.", n1=str(number))
        ) from error


def _count(image: Image.Image, limits: Limits) -> int:
    """Return the number of frames, without looking for more than are allowed."""
    count = 1
    try:
        while count <= limits.pages:
            image.seek(count)
            count += 1
    except EOFError:
        return count
    raise LimitExceeded(
        Sentence(
            "The file has more than {PAGES}; at most {n1} may be read.",
            PAGES=counted(limits.pages, "page"),
            n1=limits.pages,
        ),
        limit="pages",
        allowed=limits.pages,
    )


def _refuse_large(size: tuple[int, int], number: int) -> None:
    width, height = size
    if width * height > MOST_PIXELS:
        raise UnreadableFile(
            "too_large",
            Sentence(
                "The picture of page {n1} has {width} by {height} pixels; at most {n2} in all "
                "are read. Scan it at 300 dots per inch.",
                n1=str(number),
                width=f"{width:,}",
                height=f"{height:,}",
                n2=MOST_PIXELS,
            ),
        )


def _gray(image: Image.Image) -> tuple[Gray, float]:
    """Return the pixels of the current frame, shrunk or enlarged to a usual size for a page."""
    from PIL import Image, ImageOps

    dots = _dots(image)
    flat: Image.Image = ImageOps.exif_transpose(image)
    if flat.mode in {"RGBA", "LA", "PA"} or "transparency" in flat.info:
        flat = flat.convert("RGBA")
        paper = Image.new("RGBA", flat.size, "white")
        flat = Image.alpha_composite(paper, flat)
    if flat.mode.startswith(("I", "F")):  # 16 bits a pixel
        deep = np.asarray(flat, np.float32)
        span = max(float(deep.max(initial=0)), 1.0)
        return _resized(np.asarray(deep * (255 / span), np.uint8), dots)
    return _resized(np.asarray(flat.convert("L"), np.uint8), dots)


def _dots(image: Image.Image) -> float:
    """Return the resolution that the file states, or else that of a page of paper."""
    stated: Any = image.info.get("dpi", (0, 0))
    dots = float(stated[0] or 0)
    if LEAST_DOTS <= dots <= MOST_DOTS:
        return dots
    return 72 * max(image.size) / PAPER_POINTS


def _resized(gray: Gray, dots: float) -> tuple[Gray, float]:
    """Return the picture at the resolution of recognition, where that is not far too large."""
    from PIL import Image

    height, width = gray.shape
    factor = min(DOTS_PER_INCH / dots, math.sqrt(MOST_PAINTED / (width * height)))
    if 0.8 < factor < 1.25 and width * height <= MOST_PAINTED:
        return gray, dots
    if factor >= 1:
        return _enlarged(gray, factor), dots * factor
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    return np.asarray(Image.fromarray(gray).resize(size, Image.Resampling.BOX)), dots * factor


def _enlarged(gray: Gray, factor: float) -> Gray:
    """
    Return the picture at a larger size, sharp enough for recognition.

    Cubic convolution (R. Keys, Cubic Convolution Interpolation for Digital Image Processing, IEEE
    Transactions on Acoustics, Speech, and Signal Processing 29(6), 1981). Its parameter is that of
    OpenCV: with Pillow's, of softer edges, fewer letters are recognised.
    """
    taller = _stretched(gray.astype(np.float32), factor)
    larger = _stretched(np.ascontiguousarray(taller.T), factor).T
    return np.ascontiguousarray(np.rint(larger).clip(0, 255).astype(np.uint8))


def _stretched(rows: NDArray[np.float32], factor: float) -> NDArray[np.float32]:
    """Return more rows, each a weighted mean of the four around its place."""
    length = round(len(rows) * factor)
    places = (np.arange(length) + 0.5) / factor - 0.5
    first = np.floor(places).astype(np.intp)
    stretched = np.zeros((length, rows.shape[1]), np.float32)
    for tap in range(-1, 3):
        weights = _weight(np.abs(places - first - tap)).astype(np.float32)
        stretched += weights[:, None] * rows[(first + tap).clip(0, len(rows) - 1)]
    return stretched


def _weight(far: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what a pixel that is so many pixels away counts, less than two."""
    near = (SHARPNESS + 2) * far**3 - (SHARPNESS + 3) * far**2 + 1
    beyond = SHARPNESS * (far**3 - 5 * far**2 + 8 * far - 4)
    return np.where(far <= 1, near, beyond)


def painted(page: pypdfium2.PdfPage, number: int) -> tuple[Gray, float]:
    """Paint a page of a PDF. Return its pixels and resolution. Raise UnreadableFile (too_large)."""
    import pypdfium2.raw as pdfium

    for image in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=4):
        _refuse_large(image.get_px_size(), number)
    width, height = page.get_size()
    scale = min(DOTS_PER_INCH / 72, math.sqrt(MOST_PAINTED / max(width * height, 1.0)))
    bitmap = page.render(scale=scale, grayscale=True, draw_annots=True, may_draw_forms=False)
    try:
        pixels = bitmap.to_numpy()
        gray = pixels if pixels.ndim == 2 else pixels[:, :, 0]
        return np.array(gray, np.uint8), scale * 72
    finally:
        bitmap.close()
