"""A seed makes a document: the same seed and kind, the same words."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from eval.plain.columns import pool
from eval.printed.papers import Column, Kind, Line, Paper, PrintedTable, Script, breadth
from eval.printed.words import LANGUAGES, Words

HEIGHTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 28, 40, 55, 70)
LONG_TEXT = 34  # characters per line of a wrapped description
GROUPED = 3  # sections of a grouped report, plus at most one


@dataclass(frozen=True, slots=True)
class _Writer:
    """Draws the values of one document in the notation of one language."""

    drawn: random.Random
    words: Words

    def amount(self, most: float = 3_000.0) -> str:
        return self.written(round(self.drawn.random() * most, 2))

    def written(self, number: float) -> str:
        text = f"{number:,.2f}".replace(",", "\0").replace(".", self.words.point)
        return text.replace("\0", self.words.thousands)

    def day(self) -> str:
        day = date(2024, 1, 1) + timedelta(days=self.drawn.randrange(900))
        return day.strftime(self.words.date_form)

    def code(self, prefix: str = "") -> str:
        return f"{prefix}{self.drawn.randrange(1_000, 99_999)}"

    def thing(self) -> str:
        parts = (self.drawn.choice(self.words.qualities), self.drawn.choice(self.words.things))
        return self.words.blank.join(parts)

    def faked(self, method: str) -> str:
        return self.drawn.choice(pool(self.words.locale, method))

    def sentence(self, words: int) -> str:
        parts = [self.thing() for _ in range(words)]
        return self.words.comma.join(parts)


def paper_of(seed: int, kind: Kind, script: Script = "latin") -> Paper:
    """Return the document of a seed."""
    drawn = random.Random(f"printed/{kind}/{script}/{seed}")
    writer = _Writer(drawn, drawn.choice(LANGUAGES[script]))
    height = drawn.choice(HEIGHTS)
    tables = _TABLES[kind](writer, height)
    wide = sum(column.width for column in tables[0].columns) > 85
    return Paper(
        seed=seed,
        kind=kind,
        script=script,
        above=_above(writer, kind),
        tables=tuple(tables),
        below=_below(writer, kind),
        running_header=writer.faked("company") if drawn.random() < 0.4 else "",
        running_footer=writer.words.page if drawn.random() < 0.5 else "",
        landscape=wide,
    )


def _above(writer: _Writer, kind: Kind) -> tuple[str, ...]:
    words, drawn = writer.words, writer.drawn
    if kind == "plain":
        return (words.titles[kind],) if drawn.random() < 0.6 else ()
    if kind == "invoice":
        return (
            writer.faked("company"),
            writer.faked("street_address"),
            writer.faked("city"),
            "",
            f"{words.titles[kind]} {writer.code('R-')}",
            f"{words.labels['date']}: {writer.day()}",
            f"{words.labels['customer']}: {writer.code()}",
        )
    lines = [words.titles[kind], f"{words.labels['date']}: {writer.day()}"]
    return tuple(lines + ([writer.sentence(4) + "."] if drawn.random() < 0.4 else []))


def _below(writer: _Writer, kind: Kind) -> tuple[str, ...]:
    if kind == "notes":
        return tuple(f"{number}) {writer.sentence(3)}." for number in (1, 2))
    if kind == "invoice":
        return (writer.words.payment.format(day=writer.day()),)
    return (f"{writer.sentence(5)}.",) if writer.drawn.random() < 0.4 else ()


def _column(
    name: str, draw: Callable[[], str], height: int, *, number: bool = False
) -> tuple[Column, list[str]]:
    cells = [draw() for _ in range(height)]
    longest = max(breadth(text) for text in (name, *cells))
    return Column(name, number, min(longest, LONG_TEXT)), cells


def _table(
    columns: Sequence[tuple[Column, list[str]]],
    caption: str = "",
    gaps: random.Random | None = None,
) -> PrintedTable:
    rows = [list(cells) for cells in zip(*(cells for _, cells in columns), strict=True)]
    if gaps is not None:  # one column beyond the first may have a few empty cells
        place = gaps.randrange(1, len(columns))
        for row in rows:
            if gaps.random() < 0.25:
                row[place] = ""
    lines = tuple(Line(tuple(row)) for row in rows)
    return PrintedTable(tuple(column for column, _ in columns), lines, caption)


def _items(writer: _Writer, height: int) -> list[tuple[Column, list[str]]]:
    names = writer.words.columns
    numbers = iter(range(1, height + 1))
    prefix = writer.drawn.choice(("", "A-", "ART", "K"))
    counts = [writer.drawn.randrange(1, 90) for _ in range(height)]
    prices = [round(writer.drawn.random() * 300, 2) for _ in range(height)]
    sums = iter([round(n * price, 2) for n, price in zip(counts, prices, strict=True)])
    count, price = iter(counts), iter(prices)
    every = [
        _column(names["position"], lambda: str(next(numbers)), height, number=True),
        _column(names["article"], lambda: writer.code(prefix), height),
        _column(names["description"], writer.thing, height),
        _column(names["quantity"], lambda: str(next(count)), height, number=True),
        _column(names["unit"], lambda: writer.drawn.choice(writer.words.units), height),
        _column(names["price"], lambda: writer.written(next(price)), height, number=True),
        _column(names["total"], lambda: writer.written(next(sums)), height, number=True),
    ]
    left_out = writer.drawn.sample((0, 1, 4), writer.drawn.randrange(3))
    return [column for place, column in enumerate(every) if place not in left_out]


def _people(writer: _Writer, height: int) -> list[tuple[Column, list[str]]]:
    names = writer.words.columns
    every = [
        _column(names["name"], lambda: writer.faked("name"), height),
        _column(names["city"], lambda: writer.faked("city"), height),
        _column(names["date"], writer.day, height),
        _column(names["email"], lambda: writer.faked("ascii_email"), height),
        _column(names["amount"], writer.amount, height, number=True),
        _column(names["status"], lambda: writer.drawn.choice(writer.words.states), height),
    ]
    return writer.drawn.sample(every, writer.drawn.randint(3, 6))


def _plain(writer: _Writer, height: int) -> list[PrintedTable]:
    columns = writer.drawn.choice((_items, _people))(writer, height)
    return [_table(columns, gaps=writer.drawn if writer.drawn.random() < 0.3 else None)]


def _invoice(writer: _Writer, height: int) -> list[PrintedTable]:
    table = _table(_items(writer, min(height, 28)))
    blank = [""] * (len(table.columns) - 2)
    label_place = writer.drawn.choice((0, len(blank)))
    net = _sum(writer, table.lines)
    tax = round(net * 0.19, 2)
    totals = []
    shown = writer.drawn.choice((1, 3, 3))
    for label, number in list(zip(writer.words.totals, (net, tax, net + tax), strict=True))[:shown]:
        cells = [*blank, "", writer.written(number)]
        cells[label_place] = label
        totals.append(Line(tuple(cells), "total"))
    return [replace(table, lines=(*table.lines, *totals))]


def _sum(writer: _Writer, lines: Sequence[Line]) -> float:
    plain = (line.cells[-1].replace(writer.words.thousands, "") for line in lines)
    return round(sum(float(text.replace(writer.words.point, ".")) for text in plain), 2)


def _prices(writer: _Writer, height: int) -> list[PrintedTable]:
    return [_table(_items(writer, height), gaps=writer.drawn)]


def _statement(writer: _Writer, height: int) -> list[PrintedTable]:
    names, drawn = writer.words.columns, writer.drawn
    columns = [
        _column(names["date"], writer.day, height),
        _column(names["text"], lambda: f"{writer.thing()} {writer.faked('last_name')}", height),
        _column(names["debit"], writer.amount, height, number=True),
        _column(names["credit"], writer.amount, height, number=True),
        _column(names["balance"], lambda: writer.amount(20_000), height, number=True),
    ]
    for debit, place in zip(columns[2][1], range(height), strict=True):
        if drawn.random() < 0.6 or not debit:
            columns[3][1][place] = ""
        else:
            columns[2][1][place] = ""
    return [_table(columns)]


def _grouped(writer: _Writer, height: int) -> list[PrintedTable]:
    table = _table(_items(writer, max(height, 4)))
    sections = writer.drawn.randint(2, GROUPED)
    size = -(-len(table.lines) // sections)
    empty = ("",) * (len(table.columns) - 1)
    has_totals = writer.drawn.random() < 0.5
    lines: list[Line] = []
    for start in range(0, len(table.lines), size):
        lines.append(Line((writer.drawn.choice(writer.words.groups), *empty), "section"))
        lines += table.lines[start : start + size]
        if has_totals:
            number = writer.written(_sum(writer, table.lines[start : start + size]))
            lines.append(Line((writer.words.totals[0], *empty[1:], number), "total"))
    return [replace(table, lines=tuple(lines))]


def _two_tables(writer: _Writer, height: int) -> list[PrintedTable]:
    first = replace(_table(_items(writer, max(height, 6))), caption=writer.words.groups[0])
    second = replace(_table(_people(writer, 4)), caption=writer.words.groups[1])
    return [first, second] if writer.drawn.random() < 0.5 else [second, first]


def _wrapped(writer: _Writer, height: int) -> list[PrintedTable]:
    columns = _items(writer, min(height, 40))
    cells = [writer.sentence(writer.drawn.randint(1, 5)) for _ in range(min(height, 40))]
    place = next(
        i for i, (c, _) in enumerate(columns) if c.name == writer.words.columns["description"]
    )
    columns[place] = (Column(columns[place][0].name, False, LONG_TEXT), cells)
    return [_table(columns)]


def _tiers(writer: _Writer, height: int) -> list[PrintedTable]:
    names = writer.words.columns
    columns = [_column(names["name"], lambda: writer.faked("name"), height)]
    tiers = []
    for year in (2024, 2025):
        first = len(columns)
        for name in ("quantity", "amount"):
            columns.append(_column(names[name], writer.amount, height, number=True))
        tiers.append((str(year), first, first + 1))
    if writer.drawn.random() < 0.5:
        tiers = [
            (group, *tier[1:]) for group, tier in zip(writer.words.groups[:2], tiers, strict=True)
        ]
    return [replace(_table(columns), tiers=tuple(tiers))]


_TABLES: dict[Kind, Callable[[_Writer, int], list[PrintedTable]]] = {
    "plain": _plain,
    "invoice": _invoice,
    "prices": _prices,
    "statement": _statement,
    "grouped": _grouped,
    "two_tables": _two_tables,
    "notes": _plain,
    "wrapped": _wrapped,
    "tiers": _tiers,
}
