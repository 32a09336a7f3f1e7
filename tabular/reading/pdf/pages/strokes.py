"""Turn path objects of a page into rulings and fills."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

import pypdfium2.raw as pdfium

from tabular.reading.pdf.pages.missing_fonts import is_dropped
from tabular.reading.pdf.pages.page import Box, Ruling, Turn, turned

LINE_WIDTH = 3.5  # points: a painted area thinner than this is a line
SHORTEST = 1.0  # points: dots of dotted lines are shorter and are joined first
DEEPEST_FORM = 4
JOIN_ACROSS = 1.0  # points between two strokes of the same line, across
JOIN_ALONG = 4.0  # points between two strokes of the same line, along

Matrix = tuple[float, float, float, float, float, float]


@dataclass(slots=True)
class Strokes:
    """What the paths of a page draw, in the page's own space."""

    boxes: list[Box] = field(default_factory=list)  # of lines and fills alike
    images: int = 0
    dropped_texts: int = 0  # whose letters no font can draw
    objects: int = 0


def strokes_of(page: pdfium.FPDF_PAGE, most_objects: int) -> Strokes:
    """Walk the page's objects, forms included; stops counting at ``most_objects``."""
    strokes = Strokes()
    count = pdfium.FPDFPage_CountObjects(page)
    objects = (pdfium.FPDFPage_GetObject(page, index) for index in range(count))
    _walk(objects, (1, 0, 0, 1, 0, 0), strokes, most_objects, 0)
    return strokes


def _walk(
    objects: Iterator[pdfium.FPDF_PAGEOBJECT],
    matrix: Matrix,
    strokes: Strokes,
    most_objects: int,
    depth: int,
) -> None:
    for thing in objects:
        strokes.objects += 1
        if strokes.objects > most_objects:
            return
        kind = pdfium.FPDFPageObj_GetType(thing)
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            strokes.boxes.extend(_path_boxes(thing, matrix))
        elif kind == pdfium.FPDF_PAGEOBJ_TEXT:
            strokes.dropped_texts += is_dropped(thing)
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            strokes.images += 1
            strokes.boxes.extend(_thin_bounds(thing, matrix))
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < DEEPEST_FORM:
            count = pdfium.FPDFFormObj_CountObjects(thing)
            inner = (pdfium.FPDFFormObj_GetObject(thing, index) for index in range(count))
            _walk(inner, _times(_matrix_of(thing), matrix), strokes, most_objects, depth + 1)


def _matrix_of(thing: pdfium.FPDF_PAGEOBJECT) -> Matrix:
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(thing, matrix):
        return (1, 0, 0, 1, 0, 0)
    return (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def _times(inner: Matrix, outer: Matrix) -> Matrix:
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (
        a * p + b * r,
        a * q + b * s,
        c * p + d * r,
        c * q + d * s,
        e * p + f * r + t,
        e * q + f * s + u,
    )


def _at(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _thin_bounds(thing: pdfium.FPDF_PAGEOBJECT, matrix: Matrix) -> Iterator[Box]:
    """Yield the bounds of thin images: some writers draw a line as an image one pixel high."""
    sides = [ctypes.c_float() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetBounds(thing, *sides):
        return
    left, bottom, right, top = (side.value for side in sides)
    box = _box([_at(matrix, left, bottom), _at(matrix, right, top)])
    if min(box.width, box.height) <= LINE_WIDTH:
        yield box


def _path_boxes(path: pdfium.FPDF_PAGEOBJECT, outer: Matrix) -> Iterator[Box]:
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, mode, stroke)
    if not stroke.value and mode.value == pdfium.FPDF_FILLMODE_NONE:
        return
    matrix = _times(_matrix_of(path), outer)
    for points, curved in _subpaths(path, matrix):
        if curved:
            continue
        box = _box(points)
        thin = min(box.width, box.height) <= LINE_WIDTH
        if (mode.value != pdfium.FPDF_FILLMODE_NONE and _is_rectangle(points)) or (
            thin and len(points) > 1
        ):
            yield box
        if stroke.value and not thin:
            yield from _sides(points)


def _subpaths(
    path: pdfium.FPDF_PAGEOBJECT, matrix: Matrix
) -> Iterator[tuple[list[tuple[float, float]], bool]]:
    points: list[tuple[float, float]] = []
    curved = False
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(pdfium.FPDFPath_CountSegments(path)):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO and points:
            yield points, curved
            points, curved = [], False
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        points.append(_at(matrix, x.value, y.value))
        curved = curved or kind == pdfium.FPDF_SEGMENT_BEZIERTO
        if pdfium.FPDFPathSegment_GetClose(segment):
            points.append(points[0])
    if points:
        yield points, curved


def _box(points: list[tuple[float, float]]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Box(min(xs), min(ys), max(xs), max(ys))


def _is_rectangle(points: list[tuple[float, float]]) -> bool:
    corners = {(round(x, 1), round(y, 1)) for x, y in points}
    xs, ys = {x for x, _ in corners}, {y for _, y in corners}
    return len(corners) <= 4 and len(xs) <= 2 and len(ys) <= 2


def _sides(points: list[tuple[float, float]]) -> Iterator[Box]:
    for start, other in itertools.pairwise(points):
        side = _box([start, other])
        if min(side.width, side.height) <= 1.0:
            yield side


def rulings_and_fills(boxes: list[Box], turn: Turn) -> tuple[list[Ruling], list[Ruling], list[Box]]:
    """Sort painted boxes into horizontal rulings, vertical rulings and fills, upright."""
    across: list[Ruling] = []
    down: list[Ruling] = []
    fills: list[Box] = []
    for box in (turned(box, turn) for box in boxes):
        if box.height <= LINE_WIDTH and box.height <= box.width:
            across.append(Ruling((box.y0 + box.y1) / 2, box.x0, box.x1))
        elif box.width <= LINE_WIDTH:
            down.append(Ruling((box.x0 + box.x1) / 2, box.y0, box.y1))
        else:
            fills.append(box)
    return joined(across), joined(down), fills


def joined(rulings: list[Ruling]) -> list[Ruling]:
    """Join strokes of the same line, dots and dashes too."""
    rows: list[list[Ruling]] = []
    for ruling in sorted(rulings, key=lambda ruling: ruling.at):
        if rows and ruling.at - rows[-1][-1].at <= JOIN_ACROSS:
            rows[-1].append(ruling)
        else:
            rows.append([ruling])
    return [line for row in rows for line in _along(row)]


def _along(row: list[Ruling]) -> Iterator[Ruling]:
    row = sorted(row, key=lambda ruling: ruling.start)
    start, end, ats = row[0].start, row[0].end, [(row[0].at, row[0].length)]
    for ruling in row[1:]:
        if ruling.start - end <= JOIN_ALONG:
            end = max(end, ruling.end)
            ats.append((ruling.at, ruling.length))
            continue
        if end - start >= SHORTEST:
            yield Ruling(max(ats, key=lambda pair: pair[1])[0], start, end)
        start, end, ats = ruling.start, ruling.end, [(ruling.at, ruling.length)]
    if end - start >= SHORTEST:
        yield Ruling(max(ats, key=lambda pair: pair[1])[0], start, end)
