"""The content of one page, turned upright: words, rulings and fills."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle; y0 is its upper edge."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """The width in points."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """The height in points."""
        return self.y1 - self.y0

    @property
    def middle(self) -> tuple[float, float]:
        """The centre as x, y."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def holds(self, x: float, y: float, slack: float = 0.0) -> bool:
        """Return whether a point is inside, or at most ``slack`` points outside."""
        return self.x0 - slack <= x <= self.x1 + slack and self.y0 - slack <= y <= self.y1 + slack

    def overlap(self, other: Box) -> float:
        """Return the common area in square points."""
        width = min(self.x1, other.x1) - max(self.x0, other.x0)
        height = min(self.y1, other.y1) - max(self.y0, other.y0)
        return width * height if width > 0 and height > 0 else 0.0


def around(boxes: list[Box]) -> Box:
    """Return the smallest box that contains all boxes; there is at least one."""
    return Box(
        min(box.x0 for box in boxes),
        min(box.y0 for box in boxes),
        max(box.x1 for box in boxes),
        max(box.y1 for box in boxes),
    )


@dataclass(frozen=True, slots=True)
class Word:
    """Letters without a blank between them; ``starts`` has the left edge of each letter."""

    text: str
    box: Box
    starts: tuple[float, ...]
    baseline: float  # vertical position of its line
    weight: int = 0  # of its font, 0 if the file does not say
    upright: bool = True
    after_gap: bool = False  # the file itself wrote no blank between this word and the previous one
    begins: bool = False  # another text object of the page shows it than the previous word
    is_whole: bool = True  # one text object shows all its letters
    confidence: int | None = None  # of its recognition, 0 to 100; None for text of the file

    def split(self, x: float) -> tuple[Word, ...]:
        """Split the word at the letter whose left edge is nearest to x; one part if none is."""
        cut = next((at for at, start in enumerate(self.starts) if start >= x - 1), len(self.text))
        if not self.upright or cut in {0, len(self.text)}:
            return (self,)
        edge = self.starts[cut]
        left = Box(self.box.x0, self.box.y0, edge, self.box.y1)
        right = Box(edge, self.box.y0, self.box.x1, self.box.y1)
        return (
            replace(self, text=self.text[:cut], box=left, starts=self.starts[:cut]),
            replace(
                self, text=self.text[cut:], box=right, starts=self.starts[cut:], after_gap=True
            ),
        )


@dataclass(frozen=True, slots=True)
class Ruling:
    """A straight line along an axis: ``at`` its position across, ``start`` to ``end`` along."""

    at: float
    start: float
    end: float

    @property
    def length(self) -> float:
        """The length in points."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Page:
    """One page, upright."""

    number: int  # 1-based
    width: float
    height: float
    words: tuple[Word, ...] = ()
    horizontals: tuple[Ruling, ...] = ()
    verticals: tuple[Ruling, ...] = ()
    fills: tuple[Box, ...] = ()  # painted areas that are not lines
    pictured_across: tuple[Ruling, ...] = ()  # lines made of pixels, if none are drawn
    pictured_down: tuple[Ruling, ...] = ()
    images: int = 0
    dropped_texts: int = 0  # whose letters no font of this machine can draw
    running_lines: int = 0  # how many headers and footers were dropped
    is_mirrored: bool = False  # its text runs from right to left: x counts from the right edge
    backward: float = 0.0  # share of words that are written from right to left
    confidence: int | None = None  # mean of the recognition of a picture; None for text of the file
    unread: str = ""  # why its picture could not be recognised
    unread_marks: int = 0  # of its picture: something is written there
    is_painted_over: bool = False  # a picture covers the page that carries its text
    differs: bool = False  # its text is not what its picture shows
    turn: int = 0  # quarter turns, anticlockwise, by which a picture was turned upright

    def shown(self, sides: Sequence[float]) -> tuple[float, ...]:
        """Return left, top, right, bottom of each box as the page shows it, x from the left."""
        if not self.is_mirrored:
            return tuple(sides)
        turned = []
        for x0, y0, x1, y1 in zip(*[iter(sides)] * 4, strict=True):
            turned += [round(self.width - x1, 1), y0, round(self.width - x0, 1), y1]
        return tuple(turned)


def mirrored(page: Page) -> Page:
    """Return a page of a right-to-left script with x counted from the right edge."""

    def across(box: Box) -> Box:
        return Box(page.width - box.x1, box.y0, page.width - box.x0, box.y1)

    def along(rulings: Sequence[Ruling]) -> tuple[Ruling, ...]:
        return tuple(Ruling(r.at, page.width - r.end, page.width - r.start) for r in rulings)

    def down(rulings: Sequence[Ruling]) -> tuple[Ruling, ...]:
        return tuple(Ruling(page.width - r.at, r.start, r.end) for r in rulings)

    words = [
        replace(
            word, box=across(word.box), starts=tuple(page.width - start for start in word.starts)
        )
        for word in page.words
    ]
    return replace(
        page,
        words=tuple(words),
        horizontals=along(page.horizontals),
        verticals=down(page.verticals),
        fills=tuple(across(fill) for fill in page.fills),
        pictured_across=along(page.pictured_across),
        pictured_down=down(page.pictured_down),
        is_mirrored=True,
    )


@dataclass(frozen=True, slots=True)
class Turn:
    """From the page's own space (y upwards) to the upright page (y downwards)."""

    quarters: int  # direction of the text in the page's own space, anticlockwise quarter turns
    space: Box  # the page's own rectangle: x0 left, y0 bottom, x1 right, y1 top

    @property
    def size(self) -> tuple[float, float]:
        """The width and height of the upright page in points."""
        width, height = self.space.width, self.space.height
        return (height, width) if self.quarters % 2 else (width, height)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return the position on the upright page of a point in the page's own space."""
        space = self.space
        match self.quarters:
            case 0:
                return x - space.x0, space.y1 - y
            case 1:  # the text runs upwards: its left is the page's bottom
                return y - space.y0, x - space.x0
            case 2:
                return space.x1 - x, y - space.y0
            case _:  # the text runs downwards: its left is the page's top
                return space.y1 - y, space.x1 - x


def turned(box: Box, turn: Turn) -> Box:
    """Return a box of the page's own space as a box of the upright page."""
    x0, y0 = turn.point(box.x0, box.y0)
    x1, y1 = turn.point(box.x1, box.y1)
    return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
