"""Bars for each day or step, as places in a drawing 620 wide and 120 high. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

WIDTH, HEIGHT = 620, 120
GAP = 4  # between two days
LEAST = 2  # what is not 0 is seen


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle of a chart, and the text that a pointer shows over it."""

    kind: str
    x: float
    y: float
    width: float
    height: float
    title: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Stacked bars, one for each day, with the numbers of a table."""

    name: str
    kinds: Sequence[str]  # of the parts of a bar, from below
    bars: Sequence[Bar]
    most: str  # the number that is as high as the drawing
    totals: Sequence[tuple[str, str]]
    rows: Sequence[tuple[date, Sequence[str]]]  # a day, and a number for each kind


def stacked(name: str, days: Sequence[date], numbers: Mapping[str, Sequence[int]]) -> Chart:
    """
    Return the chart of some numbers for each day.

    >>> from datetime import date
    >>> chart = stacked("Imports", [date(2026, 11, 1)], {"applied": [3], "failed": [1]})
    >>> [(bar.kind, bar.y, bar.height) for bar in chart.bars]
    [('applied', 30.0, 90.0), ('failed', 0.0, 30.0)]
    """
    rows = [(day, [values[n] for values in numbers.values()]) for n, day in enumerate(days)]
    most = max((sum(row) for _, row in rows), default=0)
    kinds = tuple(numbers)
    pitch = WIDTH / max(1, len(days))
    bars = [
        bar
        for n, (day, row) in enumerate(rows)
        for bar in _column(
            f"{day:%-d %B}", row, kinds, x=n * pitch + GAP / 2, width=pitch - GAP, most=most
        )
    ]
    totals = [(kind, f"{sum(values):,}") for kind, values in numbers.items()]
    table = [(day, [f"{number:,}" for number in row]) for day, row in rows]
    return Chart(name, kinds, bars, f"{most:,}", totals, table)


def funnel(steps: Sequence[tuple[str, Mapping[str, int]]]) -> list[Bar]:
    """
    Return a bar for each step, as high as what it began with, stacked of what became of that.

    >>> [(bar.kind, bar.y, bar.height) for bar in funnel([("Review", {"on": 3, "stopped": 1})])]
    [('on', 30.0, 90.0), ('stopped', 0.0, 30.0)]
    """
    most = max((sum(parts.values()) for _, parts in steps), default=0)
    pitch = WIDTH / max(1, len(steps))
    return [
        bar
        for n, (name, parts) in enumerate(steps)
        for bar in _column(
            name,
            list(parts.values()),
            tuple(parts),
            x=n * pitch + pitch / 8,
            width=pitch * 3 / 4,
            most=most,
        )
    ]


def _column(
    name: str, row: Sequence[int], kinds: Sequence[str], *, x: float, width: float, most: int
) -> list[Bar]:
    bars, top = [], float(HEIGHT)
    for kind, number in zip(kinds, row, strict=True):
        if number:
            height = max(LEAST, HEIGHT * number / most)
            top = max(0.0, top - height)
            title = f"{name}: {number:,} {kind}"
            bars.append(
                Bar(kind, round(x, 1), round(top, 1), round(width, 1), round(height, 1), title)
            )
    return bars
