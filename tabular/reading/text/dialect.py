"""How the records of a text file are written: delimiter, quote, escape."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from tabular.reading.cells import VALUES, Look, is_nothing, look
from tabular.reading.text.fixed_width import find_cuts
from tabular.reading.text.records import Dialect, parse_lines

_MOST = 0.9  # share of the lines needed as evidence
_WEAK = frozenset({" ", ":"})  # marks that occur in texts more often than between cells
_IN_ADDRESSES = frozenset({" ", ":", ",", ""})
_MEASURE = re.compile(r"[-+]?\d[\d.,]*\s?[^\W\d_]{1,4}[²³]?")


def is_one_column(sample: Sequence[str], dialect: Dialect) -> bool:
    """Return whether the lines have one value each, and the dialect would split them."""
    lines = [line.strip("\r\n") for line in sample if line.strip()]
    if len(lines) < 2:
        return False
    if _is_each_quoted(lines, dialect):
        return False
    widths = [len(record.cells) for record in parse_lines(lines, dialect)]
    is_weak = dialect.delimiter in _WEAK or bool(dialect.cuts)
    if widths[:1] == [1] or (is_weak and dialect.delimiter != ":"):
        values = [line for line in lines[1:] if not is_nothing(line)]
        if values and sum(_is_value(line, dialect) for line in values) >= _MOST * len(values):
            return True
    if is_weak and not dialect.cuts:
        return not _is_even(widths) or (
            dialect.delimiter == " " and not _has_separated_cells(lines, dialect)
        )
    return widths[:1] == [1] and _is_punctuation(lines, dialect.delimiter)


def _is_each_quoted(lines: Sequence[str], dialect: Dialect) -> bool:
    """Return whether each line begins and ends with a quoted cell, with the mark between them."""
    quote = dialect.quote
    between = f"{quote}{dialect.delimiter}{quote}"
    return bool(quote) and all(
        between in line and line.startswith(quote) and line.rstrip().endswith(quote)
        for line in lines
    )


def _is_value(line: str, dialect: Dialect) -> bool:
    text = line.strip().strip('"')
    kind = look(text)
    if (
        kind is Look.ADDRESS
        and dialect.delimiter not in _IN_ADDRESSES
        and dialect.delimiter in text
    ):
        return False  # a link swallows whatever follows it
    return kind in VALUES - {Look.FLAG} or _MEASURE.fullmatch(text) is not None


def _is_even(widths: Sequence[int]) -> bool:
    """Return whether almost all lines, the first among them, have the same number of cells."""
    usual, count = Counter(widths).most_common(1)[0]
    return widths[0] == usual and count >= _MOST * len(widths)


def _has_separated_cells(lines: Sequence[str], dialect: Dialect) -> bool:
    """Return whether blanks separate cells: cells are quoted, or some column has only values."""
    if dialect.quote and all(line.count(dialect.quote) >= 2 for line in lines):
        return True
    if len(lines) < 3:
        return False
    rows = [record.cells for record in parse_lines(lines[1:], dialect)]
    columns = zip(*(row for row in rows if len(row) == len(rows[0])), strict=True)
    return any(all(look(text) in VALUES for text in column) for column in columns)


def _is_punctuation(lines: Sequence[str], mark: str) -> bool:
    """Return whether the mark is always followed by a blank: ``Dubois, Rita``."""
    below = "\n".join(lines[1:])
    return mark in {",", ";"} and below.count(mark) == below.count(f"{mark} ") > 0


DELIMITERS = (",", ";", "\t", "|", "^", "~", ":", "\x1f", "\x01", "¦", "§", " ")
_WEAK_WEIGHT = 0.6  # of a mark that is rarely meant as a separator
_FIXED_WIDTH = 0.8
_SAMPLE_LINES = 400
_LOOKED_AT = 100  # rows, and cells of each, whose look is scored
_CLOCK = re.compile(r"(?<=\d):(?=\d)")
_EPSILON = 1e-3
_FIRST_UNCUT = 0.2


@dataclass(frozen=True, slots=True)
class Scored:
    """A dialect with its score and the width of its table."""

    dialect: Dialect
    score: float
    width: int
    first_width: int = 0  # cells of the first line
    is_rectangle: bool = False  # all lines, the first among them, have the same number of cells


def choose(lines: Sequence[str], *, delimiter: str | None, quote: str | None) -> list[Scored]:
    """
    Rank the dialects that could have written the lines, best first.

    lines: the head of the file, line ends included. delimiter, quote: a user's choices.
    """
    sample = _without_sep_line(lines)[:_SAMPLE_LINES]
    text = "".join(sample)
    delimiters = (delimiter,) if delimiter is not None else _present(text)
    quotes = (quote,) if quote is not None else _quotes(text)
    scored = []
    for mark, quotation in product(delimiters, quotes):
        for escape in _escapes(text, mark, quotation):
            scored.append(_score(sample, Dialect(mark, quotation, escape)))
    if delimiter is None:
        scored.append(_one_column(sample, quotes[0]))
        if cuts := find_cuts(sample):
            scored.append(_score(sample, Dialect("", "", cuts=cuts)))
        scored = [
            item for item in scored if item.width < 2 or not is_one_column(sample, item.dialect)
        ]
    scored = _judged_by_first_line(scored)
    scored.sort(key=lambda candidate: -candidate.score)
    return scored


def _judged_by_first_line(scored: list[Scored]) -> list[Scored]:
    """Lower the score of dialects that do not split the first line if another splits all lines."""
    if not any(candidate.is_rectangle for candidate in scored):
        return scored
    return [
        replace(item, score=item.score * _FIRST_UNCUT)
        if item.first_width == 1 < item.width
        else item
        for item in scored
    ]


def _without_sep_line(lines: Sequence[str]) -> Sequence[str]:
    return lines[1:] if lines and separator_of(lines[0]) else lines


def separator_of(line: str) -> str | None:
    """Return the separator in Excel's ``sep=;`` line."""
    text = line.strip("\r\n").strip('"')
    return text[4] if len(text) == 5 and text[:4].lower() == "sep=" else None


def _present(text: str) -> tuple[str, ...]:
    return tuple(mark for mark in DELIMITERS if mark in text)


def _quotes(text: str) -> tuple[str, ...]:
    return (*tuple(mark for mark in ('"', "'") if mark in text), "")


def _escapes(text: str, delimiter: str, quote: str) -> tuple[str, ...]:
    """Return the escapes worth a try: none, and those that precede a quote or delimiter."""
    marks = [
        mark
        for mark in ("\\", "\0")
        if (quote and mark + quote in text) or (mark + delimiter in text and delimiter != " ")
    ]
    return ("", *marks)


def _score(sample: Sequence[str], dialect: Dialect) -> Scored:
    records = list(parse_lines(sample, dialect))
    bent = sum(bool(record.oddity) for record in records) / max(1, len(records))
    rows = [record.cells for record in records]
    rows = [cells for cells in rows if any(cell.strip() for cell in cells)]
    body, width = _table_rows(rows)
    if width < 2:
        return Scored(dialect, 0.0, width)
    pattern = _pattern_score([len(cells) for cells in body])
    # Every blank of a sentence would be a delimiter: only values distinguish a table from prose.
    is_bare = dialect.delimiter == " " and not _are_quoted(sample, dialect.quote)
    cells = [cell for row in body[:_LOOKED_AT] for cell in row[:_LOOKED_AT]]
    types = sum(map(_is_unambiguous_value if is_bare else _is_known, cells)) / len(cells)
    is_rectangle = not bent and {len(cells) for cells in rows} == {width}
    score = pattern * max(types, _EPSILON)
    score *= _weight(dialect, sample, is_clock=not is_rectangle or _has_digits(rows[0]))
    score *= _quote_factor(sample, dialect) * _coverage(body, rows) * (1 - 0.1 * bent)
    return Scored(dialect, score, width, len(rows[0]), is_rectangle)


def _has_digits(cells: Sequence[str]) -> bool:
    return any(character.isdigit() for cell in cells for character in cell)


def _are_quoted(sample: Sequence[str], quote: str) -> bool:
    lines = [line for line in sample if line.strip()]
    return bool(quote) and all(line.count(quote) >= 4 for line in lines)


def _weight(dialect: Dialect, sample: Sequence[str], *, is_clock: bool) -> float:
    """Weigh the mark; ``is_clock``: if it occurs in times, it does not separate cells."""
    if dialect.delimiter == ":" and is_clock:
        times = sum(len(_CLOCK.findall(line)) for line in sample)
        if times * 2 > sum(line.count(":") for line in sample):
            return _EPSILON
    if dialect.cuts:
        return _FIXED_WIDTH
    return _WEAK_WEIGHT if dialect.delimiter in _WEAK else 1.0


def _table_rows(rows: list[list[str]]) -> tuple[list[list[str]], int]:
    """Return the rows from the first to the last one of the usual width."""
    widths = Counter(len(cells) for cells in rows)
    if not widths:
        return [], 0
    width = max(widths, key=lambda size: (widths[size] * (size > 1), size))
    places = [place for place, cells in enumerate(rows) if len(cells) == width]
    return rows[places[0] : places[-1] + 1], width


def _coverage(body: list[list[str]], rows: list[list[str]]) -> float:
    return 0.5 + 0.5 * len(body) / len(rows)


def _pattern_score(widths: list[int]) -> float:
    """
    Score how alike the rows are: CleverCSV's P, with the row's width as its pattern.

    >>> _pattern_score([3, 3, 3]), _pattern_score([3, 1, 3])
    (2.0, 0.6666666666666666)
    """
    counts = Counter(widths)
    total = sum(count * (width - 1) / width for width, count in counts.items())
    return total / len(counts)


def _is_unambiguous_value(cell: str) -> bool:
    """Return whether a cell is a number, a date, an address or a code."""
    kind = look(cell)
    return (kind in VALUES or kind is Look.CODE) and kind is not Look.FLAG


def _is_known(cell: str) -> bool:
    """Return whether a cell is what a cell of a table usually is."""
    kind = look(cell)
    if kind is Look.PROSE:
        return False
    if kind is Look.WORD and not is_nothing(cell):
        return not any(mark in cell for mark in ';|\t"') and cell.count(",") < 2
    return True


def _quote_factor(sample: Sequence[str], dialect: Dialect) -> float:
    """Prefer the quote that is really used around cells, and none that is not."""
    text = "".join(sample)
    used = 0
    if dialect.quote:
        mark, quote = dialect.delimiter, dialect.quote
        opened = text.count(mark + quote) + text.count("\n" + quote) + text.startswith(quote)
        closed = text.count(quote + mark) + text.count(quote + "\n") + text.count(quote + "\r")
        used = min(opened, closed + text.endswith(quote))
    if dialect.quote == '"':
        return 1.0
    return 0.99 if dialect.quote and used else 0.9 if dialect.quote else 0.95


def _one_column(sample: Sequence[str], quote: str) -> Scored:
    dialect = Dialect("", quote)
    cells = [line.strip("\r\n") for line in sample if line.strip()]
    known = sum(map(_is_known, cells))
    return Scored(dialect, 0.05 + 0.25 * known * _EPSILON, 1)
