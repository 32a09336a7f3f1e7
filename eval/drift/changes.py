"""What goes wrong with a weekly file: each change makes a file that is not usual, or None."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from eval.drift.feeds import Cells, File

MOST_SWAPPED = 0.5  # of the dates in a column, that another order must change


@dataclass(frozen=True, slots=True)
class Weeks:
    """An ordinary file with the ones before it, the oldest first, and what draws at random."""

    file: File
    before: Sequence[File]
    drawn: random.Random


def _with(file: File, header: str, texts: list[str | None]) -> File:
    return replace(file, cells={**file.cells, header: texts})


def _rows(file: File, rows: Sequence[int]) -> File:
    cells = {header: [texts[row] for row in rows] for header, texts in file.cells.items()}
    return replace(file, cells=cells)


def _numeric(file: File) -> list[str]:
    """Return the columns with amounts: more than a code, some with decimals."""
    return [
        header
        for header, kind in file.types.items()
        if kind in {"float", "currency_eur"} and any("." in (t or "") for t in file.cells[header])
    ]


def _dated(file: File) -> list[str]:
    return [header for header, kind in file.types.items() if kind == "date_iso"]


def _moving(weeks: Weeks) -> list[str]:
    """Return the columns whose last day is later in every file."""
    files = [*weeks.before[-3:], weeks.file]
    last = [{h: max(t for t in f.cells[h] if t) for h in _dated(f)} for f in files]
    pairs = list(itertools.pairwise(last))
    return [h for h in last[0] if all(a[h] < b[h] for a, b in pairs)]


def renamed(weeks: Weeks) -> File:
    """Rename one column."""
    header = weeks.drawn.choice(list(weeks.file.cells))
    to = weeks.drawn.choice((f"{header} (new)", header[::-1].title(), "Field 7", f"c_{header}"))
    cells = {to if name == header else name: texts for name, texts in weeks.file.cells.items()}
    types = {to if name == header else name: kind for name, kind in weeks.file.types.items()}
    return replace(weeks.file, cells=cells, types=types)


def removed(weeks: Weeks) -> File:
    """Leave out one column."""
    header = weeks.drawn.choice(list(weeks.file.cells))
    cells: Cells = {name: t for name, t in weeks.file.cells.items() if name != header}
    types = {name: kind for name, kind in weeks.file.types.items() if name != header}
    return replace(weeks.file, cells=cells, types=types)


def added(weeks: Weeks) -> File:
    """Insert a column."""
    texts: list[str | None] = [str(weeks.drawn.randrange(100)) for _ in range(weeks.file.rows)]
    items = list(weeks.file.cells.items())
    items.insert(weeks.drawn.randrange(len(items) + 1), ("Checked by", texts))
    return replace(weeks.file, cells=dict(items))


def first_half(weeks: Weeks) -> File:
    """Cut the file off in the middle."""
    return _rows(weeks.file, range(weeks.file.rows // 2))


def some_half(weeks: Weeks) -> File:
    """Lose every second row."""
    return _rows(weeks.file, range(0, weeks.file.rows, 2))


def _scaled(weeks: Weeks, factor: float) -> File | None:
    if not (numeric := _numeric(weeks.file)):
        return None
    header = weeks.drawn.choice(numeric)
    texts = [None if t is None else f"{float(t) * factor:.4f}" for t in weeks.file.cells[header]]
    return _with(weeks.file, header, texts)


def hundredfold(weeks: Weeks) -> File | None:
    """Write cents for euros."""
    return _scaled(weeks, 100)


def hundredth(weeks: Weeks) -> File | None:
    """Write euros for cents."""
    return _scaled(weeks, 0.01)


def thousandfold(weeks: Weeks) -> File | None:
    """Write grams for kilograms."""
    return _scaled(weeks, 1000)


def thousandth(weeks: Weeks) -> File | None:
    """Write kilograms for grams."""
    return _scaled(weeks, 0.001)


def decimal_lost(weeks: Weeks) -> File | None:
    """Lose the decimal separator."""
    if not (numeric := _numeric(weeks.file)):
        return None
    header = weeks.drawn.choice(numeric)
    texts = [None if t is None else t.replace(".", "") for t in weeks.file.cells[header]]
    return _with(weeks.file, header, texts)


def swapped(weeks: Weeks) -> File | None:
    """Swap day and month where both are possible, in a column where that changes half of them."""
    for header in _dated(weeks.file):
        texts = weeks.file.cells[header]
        changed = [None if t is None else _swap(t) for t in texts]
        if sum(a != b for a, b in zip(texts, changed, strict=True)) > MOST_SWAPPED * len(texts):
            return _with(weeks.file, header, changed)
    return None


def _swap(text: str) -> str:
    day = date.fromisoformat(text)
    return day.replace(month=day.day, day=day.month).isoformat() if day.day <= 12 else text


def emptied(weeks: Weeks) -> File:
    """Empty a column that usually is not."""
    full = [h for h, t in weeks.file.cells.items() if sum(map(bool, t)) > 0.3 * len(t)]
    return _with(weeks.file, weeks.drawn.choice(full), [None] * weeks.file.rows)


def half_emptied(weeks: Weeks) -> File:
    """Empty the second half of a column that usually is full."""
    full = [h for h, t in weeks.file.cells.items() if all(t)]
    header, half = weeks.drawn.choice(full), weeks.file.rows // 2
    return _with(
        weeks.file, header, weeks.file.cells[header][:half] + [None] * (weeks.file.rows - half)
    )


def last_month(weeks: Weeks) -> File | None:
    """Keep the days of four weeks ago in a column that moves on."""
    if len(weeks.before) < 4 or not (moving := _moving(weeks)):
        return None
    file, old = weeks.file, weeks.before[-4]
    for header in moving:
        texts = [t for t in old.cells[header] if t]
        file = _with(file, header, [weeks.drawn.choice(texts) for _ in range(file.rows)])
    return file


def last_week(weeks: Weeks) -> File:
    """Repeat the file of last week in another order."""
    file = weeks.before[-1]
    return replace(_rows(file, weeks.drawn.sample(range(file.rows), file.rows)), day=weeks.file.day)


def no_numbers(weeks: Weeks) -> File | None:
    """Write units after the numbers of a column."""
    if not (numeric := _numeric(weeks.file)):
        return None
    header = weeks.drawn.choice(numeric)
    texts = [None if t is None else f"about {t} or so" for t in weeks.file.cells[header]]
    return _with(weeks.file, header, texts)


def recoded(weeks: Weeks) -> File | None:
    """Write other codes for the few values of a column."""
    few = [
        h
        for h, t in weeks.file.cells.items()
        if 2 <= len({*t} - {None}) <= 12 and weeks.file.types.get(h) == "string" and all(t)
    ]
    if not few:
        return None
    header = weeks.drawn.choice(few)
    return _with(weeks.file, header, [f"X{(t or '')[::-1]}" for t in weeks.file.cells[header]])


def doubled(weeks: Weeks) -> File:
    """Append the file to itself."""
    return _rows(weeks.file, [*range(weeks.file.rows)] * 2)


CHANGES: dict[str, Callable[[Weeks], File | None]] = {
    change.__name__: change
    for change in (
        renamed, removed, added, first_half, some_half, hundredfold, hundredth, thousandfold,
        thousandth, decimal_lost, swapped, emptied, half_emptied, last_month, last_week,
        no_numbers, recoded, doubled,
    )
}  # fmt: skip
