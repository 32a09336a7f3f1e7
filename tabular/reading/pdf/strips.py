"""Lines of a table cut into columns, before it is known which of them are one row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from tabular.reading.pdf.grid import Row, line_ends, text_of
from tabular.reading.pdf.page import Word

ROW_GAP = 0.42  # of a line's height: lines of running text stand nearer


@dataclass(slots=True)
class Strip:
    """One line, or one row so far: words by column."""

    cells: list[list[Word]]
    top: float
    bottom: float
    spans: tuple[tuple[int, int], ...] = ()
    doubtful: int = 0  # lines taken for the end of a cell without being sure

    @property
    def filled(self) -> set[int]:
        """Give the columns that hold words."""
        return {column for column, words in enumerate(self.cells) if words}

    @property
    def height(self) -> float:
        """Give the height of its first line in points."""
        words = [word for cell in self.cells for word in cell]
        return median(word.box.height for word in words) if words else self.bottom - self.top

    def take(self, other: Strip) -> None:
        """Add the words of another strip."""
        for mine, theirs in zip(self.cells, other.cells, strict=True):
            mine.extend(theirs)
        self.top, self.bottom = min(self.top, other.top), max(self.bottom, other.bottom)
        self.spans = tuple({*self.spans, *other.spans})
        self.doubtful += other.doubtful

    @property
    def weight(self) -> int:
        """Give the weight of its lightest font."""
        return min((word.weight for cell in self.cells for word in cell), default=0)

    def copy(self) -> Strip:
        """Give a strip that can take others without changing this one."""
        cells = [list(cell) for cell in self.cells]
        return Strip(cells, self.top, self.bottom, self.spans, self.doubtful)


def gap_between(above: Strip, below: Strip) -> float:
    """Give the free height between two strips, as a share of a line's height."""
    return (below.top - above.bottom) / max(below.height, 1.0)


def rows_of(strips: Sequence[Strip], page: int, *, apart: bool = False) -> Iterator[Row]:
    """Write strips as rows of text; ``apart``: borders part them, or else their gaps do."""
    for above, strip in pairwise([None, *strips]):
        if strip is None:
            continue
        is_apart = apart or (above is not None and gap_between(above, strip) > ROW_GAP)
        cells = tuple(map(text_of, strip.cells))
        breaks = tuple(
            (column, ends) for column, words in enumerate(strip.cells) if (ends := line_ends(words))
        )
        yield Row(
            cells,
            strip.top,
            strip.bottom,
            page,
            strip.spans,
            strip.weight,
            breaks,
            is_apart,
            strip.doubtful,
        )
