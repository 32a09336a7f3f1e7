"""What stands inside a table's box and is not the table: captions, sources, charts."""

from __future__ import annotations

from dataclasses import replace

from tabular.reading.pdf.content import EMPTIEST
from tabular.reading.pdf.grid import Grid, Row
from tabular.reading.pdf.page import Box

CHART_SLOTS = 6  # slots of an empty lattice that is the frame of a chart
AXIS = 36.0  # points around a chart that hold the labels of its axes
NEARLY_ALL = 0.8  # share of the columns a caption runs over


def trimmed(grid: Grid) -> Grid:
    """Leave out rows at both ends that hold one text over all columns, and empty rows."""
    rows = [row for row in grid.rows if row.filled]
    while len(rows) > 2 and _is_caption(rows[0], grid.width):
        rows.pop(0)
    while len(rows) > 2 and _is_caption(rows[-1], grid.width):
        rows.pop()
    return replace(grid, rows=tuple(rows))


def _is_caption(row: Row, width: int) -> bool:
    if row.filled != 1 or width < 3:
        return False
    return any(
        row.cells[first] and last - first + 1 >= NEARLY_ALL * width for first, last in row.spans
    )


def is_chart(grid: Grid) -> bool:
    """Say whether an almost empty lattice frames a drawing."""
    slots = grid.width * len(grid.rows)
    return slots >= CHART_SLOTS and sum(row.filled for row in grid.rows) < EMPTIEST * slots


def chart_box(grid: Grid) -> Box:
    """Give a chart's box with the labels of its axes."""
    box = grid.box
    return Box(box.x0 - AXIS, box.y0 - AXIS / 2, box.x1 + AXIS, box.y1 + AXIS)
