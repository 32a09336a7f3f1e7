"""Turning a page by quarter turns until its text reads from left to right."""

from __future__ import annotations

from dataclasses import dataclass

from tabular.reading.pdf.page import Box


@dataclass(frozen=True, slots=True)
class Turn:
    """From the page's own space (y upwards) to the upright page (y downwards)."""

    quarters: int  # direction of the text in the page's own space, anticlockwise quarter turns
    space: Box  # the page's own rectangle: x0 left, y0 bottom, x1 right, y1 top

    @property
    def size(self) -> tuple[float, float]:
        """Give width and height of the upright page in points."""
        width, height = self.space.width, self.space.height
        return (height, width) if self.quarters % 2 else (width, height)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Give where a point of the page's own space stands on the upright page."""
        space = self.space
        match self.quarters:
            case 0:
                return x - space.x0, space.y1 - y
            case 1:  # the text climbs: its left is the page's bottom
                return y - space.y0, x - space.x0
            case 2:
                return space.x1 - x, y - space.y0
            case _:  # the text falls: its left is the page's top
                return space.y1 - y, space.x1 - x


def turned(box: Box, turn: Turn) -> Box:
    """Give a box of the page's own space as a box of the upright page."""
    x0, y0 = turn.point(box.x0, box.y0)
    x1, y1 = turn.point(box.x1, box.y1)
    return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
