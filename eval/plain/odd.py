"""
Odd files made from plain tables: what people put above, below and into them.

``python -m eval odd`` prints the share of files whose header, columns and rows are all right, for
each oddity. The oddities are not copied from other test sets, but their kinds are.
"""

from __future__ import annotations

import csv
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from eval.plain.checks import read_first
from eval.plain.tables import PlainTable, plain_table

SEEDS = 150
Rows = list[list[str]]


@dataclass(slots=True)
class Odd:
    """Lines of a file, and the expected result."""

    lines: Rows
    columns: list[str]  # "" if the file names none
    header: int  # physical row of the last header row
    rows: Rows


def _plain(table: PlainTable) -> Odd:
    rows = [list(row) for row in table.rows]
    return Odd([list(table.header), *rows], list(table.header), 0, rows)


def _above(odd: Odd, lines: Rows) -> Odd:
    return Odd([*lines, *odd.lines], odd.columns, odd.header + len(lines), odd.rows)


def _below(odd: Odd, lines: Rows) -> Odd:
    return Odd([*odd.lines, *lines], odd.columns, odd.header, odd.rows)


def _title(odd: Odd, drawn: random.Random) -> Odd:
    words = drawn.choice(("Monthly report", "Bestandsliste 2026", "Export of all open items"))
    return _above(odd, [[words], *([[]] if drawn.random() < 0.6 else [])])


def _pairs(odd: Odd, drawn: random.Random) -> Odd:
    pairs = [["Customer:", "ACME Ltd"], ["Printed on:", "2026-03-01"], ["Page:", "1"]]
    return _above(odd, [*pairs[: drawn.randint(1, 3)], []])


def _notes_above(odd: Odd, drawn: random.Random) -> Odd:
    lines = [["All amounts are net of tax and may change."], ["Contact: sales@example.org"]]
    return _above(odd, [*lines[: drawn.randint(1, 2)], *([[]] if drawn.random() < 0.5 else [])])


def _note_below(odd: Odd, drawn: random.Random) -> Odd:
    note = drawn.choice(("Source: own survey", "* preliminary figures", "Note: without returns"))
    return _below(odd, [*([[]] if drawn.random() < 0.5 else []), [note]])


def _total_below(odd: Odd, drawn: random.Random) -> Odd:
    amounts = [drawn.randrange(100, 99_999) for _ in odd.rows]
    values = ["Sum total", *map(str, amounts)]
    lines = [[*row, value] for row, value in zip(odd.lines, values, strict=True)]
    word = drawn.choice(("Total", "Summe", "Grand total", "Gesamt:"))
    total = [word, *[""] * (len(odd.columns) - 1), str(sum(amounts))]
    rows = lines[1:]
    return Odd([*lines, total], lines[0], 0, rows)


def _units(odd: Odd, drawn: random.Random) -> Odd:
    extra = [["Load", "kN"], ["Span", "mm"], ["Mass", "kg"]]
    names = [name for name, _ in extra]
    units = [*[""] * len(odd.columns), *[unit for _, unit in extra]]
    rows = [[*row, *(f"{drawn.random() * 90:.1f}" for _ in extra)] for row in odd.rows]
    columns = [*odd.columns, *names]
    return Odd([columns, units, *rows], columns, 0, rows)


def _groups(odd: Odd, drawn: random.Random) -> Odd:
    groups = drawn.sample(("control", "fire", "north", "2025", "planned", "actual"), 2)
    width = drawn.randint(2, 3)
    inner = drawn.sample(("X", "Y", "Qty", "Value", "Low", "High"), width)
    key = odd.columns[0]
    upper = [key if drawn.random() < 0.5 else ""]
    lower = ["" if upper[0] else key]
    for group in groups:
        upper.extend([group, *[""] * (width - 1)])
        lower.extend(inner)
    rows = [
        [row[0] or f"k{number}", *(str(drawn.randrange(5_000)) for _ in range(2 * width))]
        for number, row in enumerate(odd.rows)
    ]
    columns = [key, *(f"{group} {name}" for group in groups for name in inner)]
    return Odd([upper, lower, *rows], columns, 1, rows)


def _blank_name(odd: Odd, drawn: random.Random) -> Odd:
    place = drawn.randrange(len(odd.columns))
    columns = [name if at != place else "" for at, name in enumerate(odd.columns)]
    rows = [[text or ("z" if at == place else "") for at, text in enumerate(r)] for r in odd.rows]
    return Odd([columns, *rows], columns, 0, rows)


def _repeated_name(odd: Odd, drawn: random.Random) -> Odd:
    first, second = sorted(drawn.sample(range(len(odd.columns)), 2))
    names = list(odd.columns)
    names[second] = names[first]
    columns = [*names]
    columns[second] = f"{names[first]} (2)"
    return Odd([names, *odd.rows], columns, 0, odd.rows)


def _ragged(odd: Odd, drawn: random.Random) -> Odd:
    lines = [list(odd.columns)]
    for row in odd.rows:
        kept = list(row)
        while len(kept) > 1 and not kept[-1]:
            kept.pop()
        lines.append(kept)
    return Odd(lines, odd.columns, 0, odd.rows)


def _second_table(odd: Odd, drawn: random.Random) -> Odd:
    other = [["Code", "Meaning"], ["A1", "open"], ["B2", "closed"]]
    return _below(odd, [[], ["Legend"], *other[: drawn.randint(3, 3)]])


def _header_again(odd: Odd, drawn: random.Random) -> Odd:
    at = drawn.randrange(2, len(odd.lines))
    lines = [*odd.lines[:at], list(odd.columns), *odd.lines[at:]]
    return Odd(lines, odd.columns, 0, odd.rows)


def _years(odd: Odd, drawn: random.Random) -> Odd:
    start, width = drawn.randint(1995, 2020), drawn.randint(2, 6)
    columns = [odd.columns[0], *(str(start + n) for n in range(width))]
    rows = [
        [row[0] or f"k{number}", *(f"{drawn.random() * 500:.1f}" for _ in range(width))]
        for number, row in enumerate(odd.rows)
    ]
    return Odd([columns, *rows], columns, 0, rows)


def _no_header(odd: Odd, drawn: random.Random) -> Odd:
    rows = [[str(100 + n), f"{drawn.random() * 90:.2f}", *row] for n, row in enumerate(odd.rows)]
    kept = [at for at in range(len(rows[0])) if any(row[at] for row in rows)]
    rows = [[row[at] for at in kept] for row in rows]  # a blank column without a name is dropped
    return Odd(rows, [], -1, rows)


ODDITIES: dict[str, Callable[[Odd, random.Random], Odd]] = {
    "title": _title, "pairs above": _pairs, "notes above": _notes_above, "note below": _note_below,
    "total below": _total_below, "units row": _units, "two-level header": _groups,
    "blank name": _blank_name, "repeated name": _repeated_name, "ragged": _ragged,
    "second table": _second_table, "header again": _header_again, "years as names": _years,
    "no header": _no_header,
}  # fmt: skip


def odd_file(name: str, seed: int) -> Odd | None:
    """Return the file of an oddity and a seed; None if the seed's table is too small for it."""
    table = plain_table(seed, "rectangle")
    if len(table.rows) < 4 or len(table.header) < 3:
        return None
    return ODDITIES[name](_plain(table), random.Random(f"{name}/{seed}"))


def main(seeds: int = SEEDS, names: tuple[str, ...] = tuple(ODDITIES), *, shown: int = 0) -> int:
    """Print the share of correctly read files by oddity."""
    for name in names:
        outcomes: Counter[str] = Counter()
        for seed in range(seeds):
            odd = odd_file(name, seed)
            if odd is None:
                continue
            outcome = _outcome(odd)
            outcomes[outcome] += 1
            if shown and outcome != "right":
                shown -= 1
                print(f"  {name} {seed}: {outcome} {odd.lines[:6]} ... {odd.lines[-2:]}")
        print(
            f"{name}: {outcomes['right'] / outcomes.total():.3f} right, {dict(outcomes)}",
            flush=True,
        )
    return 0


def _outcome(odd: Odd) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "odd.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=";").writerows(odd.lines)
        columns, header, rows = read_first(path)
    meant = [[text or None for text in row] for row in odd.rows]
    if header != odd.header:
        return "header"
    if odd.columns and columns != [name or f"Column {n}" for n, name in enumerate(odd.columns, 1)]:
        return "columns"
    return "right" if rows == meant else "rows"
