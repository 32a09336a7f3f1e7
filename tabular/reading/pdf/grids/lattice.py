"""Borders of a drawn table, and which pieces of them exist."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from tabular.reading.pdf.pages.page import Box, Ruling

TOUCH = 3.0  # points: lines nearer than this touch
SAME_LINE = 2.5  # points: borders nearer than these are one border

Slot = tuple[int, int]  # row, column of the lattice


@dataclass(slots=True)
class Lattice:
    """``xs`` and ``ys`` are borders; a slot lies between two of each."""

    xs: list[float]
    ys: list[float]
    walls: set[Slot] = field(default_factory=set)  # (row, column): a border left of that slot
    floors: set[Slot] = field(default_factory=set)  # (row, column): a border above that slot

    @property
    def box(self) -> Box:
        """The lattice's outer box."""
        return Box(self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])

    @property
    def rows(self) -> int:
        """The number of rows of slots."""
        return len(self.ys) - 1

    @property
    def columns(self) -> int:
        """The number of columns of slots."""
        return len(self.xs) - 1

    def row_at(self, y: float) -> int:
        """Return the row at a height, or the nearest one if it is outside."""
        return min(max(bisect_right(self.ys, y) - 1, 0), self.rows - 1)

    def column_at(self, x: float) -> int:
        """Return the column at a position, or the nearest one if it is outside."""
        return min(max(bisect_right(self.xs, x) - 1, 0), self.columns - 1)

    def owners(self) -> dict[Slot, Slot]:
        """Return a map from every slot to the upper left slot of its cell."""
        owner: dict[Slot, Slot] = {}
        for row in range(self.rows):
            for column in range(self.columns):
                slot = (row, column)
                owner[slot] = slot
                if column and slot not in self.walls:
                    owner[slot] = owner[row, column - 1]
                elif row and slot not in self.floors:
                    owner[slot] = owner[row - 1, column]
        return owner


def components(across: list[Ruling], down: list[Ruling]) -> list[tuple[list[Ruling], list[Ruling]]]:
    """Group rulings that are connected by crossing or touching."""
    across = sorted(across, key=lambda ruling: ruling.at)
    heights = [ruling.at for ruling in across]
    parent = list(range(len(across) + len(down)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for number, wall in enumerate(down, start=len(across)):
        first = bisect_left(heights, wall.start - TOUCH)
        last = bisect_right(heights, wall.end + TOUCH)
        for index in range(first, last):
            if across[index].start - TOUCH <= wall.at <= across[index].end + TOUCH:
                parent[root(index)] = root(number)
    groups: dict[int, tuple[list[Ruling], list[Ruling]]] = defaultdict(lambda: ([], []))
    for index, ruling in enumerate(across):
        groups[root(index)][0].append(ruling)
    for number, ruling in enumerate(down, start=len(across)):
        groups[root(number)][1].append(ruling)
    return [group for group in groups.values() if group[0] and len(group[0]) + len(group[1]) > 2]


def outer_borders(across: list[Ruling], down: list[Ruling]) -> tuple[list[float], list[float]]:
    """Return the borders of a group of rulings as xs and ys."""
    sides = [end for ruling in across for end in (ruling.start, ruling.end)]
    ends = [end for ruling in down for end in (ruling.start, ruling.end)]
    xs = borders([ruling.at for ruling in down], sides)
    ys = borders([ruling.at for ruling in across], ends)
    return xs, ys


def borders(places: list[float], reach: list[float]) -> list[float]:
    """Return sorted borders; the farthest ends of the crossing lines close an open side."""
    groups: list[list[float]] = []
    for place in sorted(places):
        if groups and place - groups[-1][-1] <= SAME_LINE:
            groups[-1].append(place)
        else:
            groups.append([place])
    middles = [sum(group) / len(group) for group in groups]
    if middles[0] - min(reach) > 3 * TOUCH:
        middles.insert(0, min(reach))
    if max(reach) - middles[-1] > 3 * TOUCH:
        middles.append(max(reach))
    return middles


def lattice_of(
    xs: list[float], ys: list[float], across: list[Ruling], down: list[Ruling]
) -> Lattice:
    """Return the lattice with the pieces of the borders that the rulings draw."""
    lattice = Lattice(xs, ys)
    for ruling in down:
        column = nearest(xs, ruling.at)
        lattice.walls.update((row, column) for row in _covered(ys, ruling))
    for ruling in across:
        row = nearest(ys, ruling.at)
        lattice.floors.update((row, column) for column in _covered(xs, ruling))
    return lattice


def nearest(places: list[float], at: float) -> int:
    """Return the index of the position nearest to ``at``."""
    index = bisect_left(places, at)
    choices = [i for i in (index - 1, index) if 0 <= i < len(places)]
    return min(choices, key=lambda i: abs(places[i] - at))


def _covered(places: list[float], ruling: Ruling) -> Iterable[int]:
    for index in range(len(places) - 1):
        middle = (places[index] + places[index + 1]) / 2
        if ruling.start - TOUCH / 2 <= middle <= ruling.end + TOUCH / 2:
            yield index
