"""Straighten a picture of a page, find its ruled lines, and turn it until its text is upright."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tabular.reading.pdf.pages.morphology import Ink, boxes_of, components, opened
from tabular.reading.pdf.pages.page import Box

Gray = NDArray[np.uint8]

SMALL_SIDE = 1_000  # pixels of the picture in which its tilt is measured
MOST_TILT, COARSE, FINE = 4.0, 0.5, 0.1  # degrees
LEAST_TILT = 0.08  # degrees: less is left as it is
DARK = 160  # a pixel below this is ink in a picture with even light
LINE_POINTS = 18.0  # a stroke at least this long is a line, not a letter
LINE_THICK_POINTS = 3.5
SURE = 75.0  # mean confidence from which text is taken to be upright
SURE_LETTERS = 10


def straightened(gray: Gray) -> Gray:
    """Return the picture with its tilt of a few degrees removed."""
    from PIL import Image

    angle = tilt_of(gray)
    if abs(angle) < LEAST_TILT:
        return gray
    turned = Image.fromarray(gray).rotate(angle, Image.Resampling.BICUBIC, fillcolor=255)
    return np.asarray(turned)


def tilt_of(gray: Gray) -> float:
    """
    Return by how many degrees, anticlockwise, a picture must turn for its lines to be level.

    At that angle, the amount of ink changes most from line to line: W. Postl, Detection of Linear
    Oblique Structures and Skew Scan in Digitized Documents (International Conference on Pattern
    Recognition, 1986). Only the pixels of ink are turned, not the picture.
    """
    from PIL import Image

    shrink = min(1.0, SMALL_SIDE / max(gray.shape))
    size = (max(1, round(gray.shape[1] * shrink)), max(1, round(gray.shape[0] * shrink)))
    small = np.asarray(Image.fromarray(gray).resize(size, Image.Resampling.BOX))
    rows, columns = np.nonzero(small <= DARK)
    if not len(rows):
        return 0.0
    weights = 255.0 - small[rows, columns]
    across, down = columns - size[0] / 2, rows - size[1] / 2

    def sharpness(angle: float) -> float:
        sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
        lines = _profile(cosine * down - sine * across, weights)
        stacks = _profile(cosine * across + sine * down, weights)
        return float((np.diff(lines) ** 2).sum() + (np.diff(stacks) ** 2).sum())

    best = _best(sharpness, 0.0, MOST_TILT, COARSE)
    return _best(sharpness, best, COARSE, FINE)


def _profile(places: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how much ink is on each line; what is between two lines is shared by them."""
    whole = np.floor(places)
    share = weights * (places - whole)
    lines = (whole - whole.min()).astype(np.intp)
    profile = np.zeros(int(lines.max()) + 2)
    np.add.at(profile, lines, weights - share)
    np.add.at(profile, lines + 1, share)
    return profile


def _best(measure: Callable[[float], float], middle: float, reach: float, step: float) -> float:
    count = round(reach / step)
    angles = [middle + place * step for place in range(-count, count + 1)]
    return max(sorted(angles, key=abs), key=measure)


def without_lines(gray: Gray, dots_per_inch: float) -> tuple[Gray, list[Box]]:
    """
    Return the picture with its ruled lines painted over, and the lines as boxes in pixels.

    A line that touches letters is otherwise read as one of them.
    """
    length = max(3, round(LINE_POINTS / 72 * dots_per_inch))
    thick = LINE_THICK_POINTS / 72 * dots_per_inch
    painted = gray.copy()
    level = _paint_over(painted, gray < DARK, length, thick)
    # Turned on its side, an upright line is a level one.
    upright = _paint_over(painted.T, (gray < DARK).T, length, thick)
    boxes = [Box(x0, y0, x1, y1) for x0, y0, x1, y1 in level]
    return painted, boxes + [Box(x0, y0, x1, y1) for y0, x0, y1, x1 in upright]


def _paint_over(painted: Gray, ink: Ink, length: int, thick: float) -> list[list[int]]:
    """Paint level lines white, with a pixel around them. Return their boxes."""
    runs = opened(ink, length)
    labels = components(runs)
    boxes = boxes_of(runs, labels)
    is_line = np.minimum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]) <= thick
    lines = runs.where(is_line[labels])
    for row, start, end in zip(lines.rows, lines.starts, lines.ends, strict=True):
        painted[max(0, row - 1) : row + 2, max(0, start - 1) : end + 1] = 255
    line_boxes: list[list[int]] = boxes[is_line].tolist()
    return line_boxes
