"""Straighten a picture of a page, find its ruled lines, and turn it until its text is upright."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    import cv2

    angle = tilt_of(gray)
    if abs(angle) < LEAST_TILT:
        return gray
    height, width = gray.shape
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0)
    turned: Any = cv2.warpAffine(
        gray, matrix, (width, height), flags=cv2.INTER_CUBIC, borderValue=(255,)
    )
    return np.asarray(turned, np.uint8)


def tilt_of(gray: Gray) -> float:
    """Return by how many degrees, anticlockwise, a picture must turn for its lines to be level."""
    import cv2

    shrink = min(1.0, SMALL_SIDE / max(gray.shape))
    small = cv2.resize(gray, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    ink = (255 - small).astype(np.float32)
    ink[ink < 255 - DARK] = 0
    if not ink.any():
        return 0.0

    def sharpness(angle: float) -> float:
        height, width = ink.shape
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0)
        turned: Any = cv2.warpAffine(ink, matrix, (width, height))
        rows, columns = turned.sum(axis=1), turned.sum(axis=0)
        return float((np.diff(rows) ** 2).sum() + (np.diff(columns) ** 2).sum())

    best = _best(sharpness, 0.0, MOST_TILT, COARSE)
    return _best(sharpness, best, COARSE, FINE)


def _best(measure: Callable[[float], float], middle: float, reach: float, step: float) -> float:
    count = round(reach / step)
    angles = [middle + place * step for place in range(-count, count + 1)]
    return max(sorted(angles, key=abs), key=measure)


def without_lines(gray: Gray, dots_per_inch: float) -> tuple[Gray, list[Box]]:
    """
    Return the picture with its ruled lines painted over, and the lines as boxes in pixels.

    A line that touches letters is otherwise read as one of them.
    """
    import cv2

    ink: Any = np.where(gray < DARK, np.uint8(255), np.uint8(0))
    length = max(3, round(LINE_POINTS / 72 * dots_per_inch))
    thick = LINE_THICK_POINTS / 72 * dots_per_inch
    boxes: list[Box] = []
    painted = gray.copy()
    for shape in ((length, 1), (1, length)):
        kernel = cv2.getStructuringElement(cv2.MORPH_RECT, shape)
        strokes = cv2.morphologyEx(ink, cv2.MORPH_OPEN, kernel)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(strokes, connectivity=8)
        is_line = np.zeros(count, bool)
        for number in range(1, count):
            left, top, width, height = (int(side) for side in stats[number, :4])
            if min(width, height) <= thick:
                is_line[number] = True
                boxes.append(Box(left, top, left + width, top + height))
        mask = is_line[labels].astype(np.uint8)
        painted[cv2.dilate(mask, np.ones((3, 3), np.uint8)) > 0] = 255
    return painted, boxes
