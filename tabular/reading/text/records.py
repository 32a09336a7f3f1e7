"""
Split text into records, however malformed it is.

A quote opens a cell only at its start and closes it only before a delimiter or the record's end. A
quote that does neither is an ordinary character, so one stray quote never swallows the rows below
it. What had to be adjusted is in ``Record.oddity``.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from tabular.reading.text.fixed_width import cut

_OPEN_LINES = 10_000  # lines that one quoted cell may span before its quote counts as stray
_OPEN_CHARACTERS = 64 << 20
_TRIED_CHARACTERS = 2_000_000  # of one record, to find where it lost a delimiter


@dataclass(frozen=True, slots=True)
class Dialect:
    """How records are written; an empty mark means: not used."""

    delimiter: str
    quote: str = '"'
    escape: str = ""  # before a quote or delimiter inside a cell; empty: quotes are doubled
    cuts: tuple[int, ...] = ()  # fixed width: where the cells start


@dataclass(slots=True)
class Record:
    """The cells of one record, the number of lines it takes, and what was odd about it."""

    cells: list[str]
    lines: int = 1
    oddity: str = ""


def parse_lines(lines: Iterable[str], dialect: Dialect, *, width: int = 0) -> Iterator[Record]:
    """
    Parse lines (line ends included) into records.

    width: how many cells a record should have; 0 if unknown. It decides between two readings of a
    record with broken quotes.
    """
    quote = dialect.quote
    if dialect.cuts:
        yield from (Record(cut(line.rstrip("\r\n"), dialect.cuts)) for line in lines)
        return
    if not dialect.delimiter:
        yield from _one_cell_records(lines, quote)
        return
    mark = dialect.delimiter
    if mark == " ":
        yield from (Record(_split_at_blanks(line, quote)) for line in lines)
        return
    waiting: deque[str] = deque()
    source = iter(lines)
    while (line := waiting.popleft() if waiting else next(source, None)) is not None:
        if not quote or quote not in line:
            yield Record(_split(line.rstrip("\r\n"), dialect))
        else:
            yield _quoted_record(line, waiting, source, dialect, width)


def _split(text: str, dialect: Dialect) -> list[str]:
    cells = text.split(dialect.delimiter)
    if not dialect.escape or dialect.escape not in text:
        return cells
    joined: list[str] = []
    for cell in cells:
        if joined and _is_escaped(joined[-1], dialect.escape):
            joined[-1] = joined[-1][: -len(dialect.escape)] + dialect.delimiter + cell
        else:
            joined.append(cell)
    return joined


def _is_escaped(cell: str, escape: str) -> bool:
    return (len(cell) - len(cell.rstrip(escape))) % 2 == 1


def _one_cell_records(lines: Iterable[str], quote: str) -> Iterator[Record]:
    for line in lines:
        text = line.rstrip("\r\n")
        if quote and len(text) > 1 and text[0] == quote == text[-1]:
            text = text[1:-1].replace(quote + quote, quote)
        yield Record([text])


def _split_at_blanks(line: str, quote: str) -> list[str]:
    pattern = _blank_pattern(quote)
    cells = pattern.findall(line.rstrip("\r\n"))
    return [_without_outer(cell, quote) if quote else cell for cell in cells] or [""]


@lru_cache
def _blank_pattern(quote: str) -> re.Pattern[str]:
    if not quote:
        return re.compile(r"\S+")
    q = re.escape(quote)
    return re.compile(rf"{q}(?:[^{q}]|{q}{q})*{q}(?=\s|$)|\S+")


def _quoted_record(
    line: str, waiting: deque[str], source: Iterator[str], dialect: Dialect, width: int
) -> Record:
    """Parse one record, reading further lines while a quoted cell is open."""
    taken = [line]
    size = len(line)
    cells = _cells("".join(taken), dialect)
    while cells is None and len(taken) < _OPEN_LINES and size < _OPEN_CHARACTERS:
        further = waiting.popleft() if waiting else next(source, None)
        if further is None:
            break
        taken.append(further)
        size += len(further)
        if dialect.quote in further:
            cells = _cells("".join(taken), dialect)
    if cells is None or (len(taken) > 1 and cells.is_bent):
        waiting.extendleft(reversed(taken[1:]))
        return _bent_record(line, dialect, width)
    text = "".join(taken)
    if width and len(cells) == width - 1:
        repaired = _missing_delimiter(text.rstrip("\r\n"), dialect, width)
        if repaired is not None:
            return Record(repaired, len(taken), "broken_quotes")
    return _bent_record(text, dialect, width) if cells.is_bent else Record(cells, len(taken))


class _Cells(list[str]):
    """Cells of a record; ``is_bent`` if a quote had to be read as an ordinary character."""

    is_bent = False


@lru_cache
def _patterns(dialect: Dialect) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    d, q = re.escape(dialect.delimiter), re.escape(dialect.quote)
    e = re.escape(dialect.escape) if dialect.escape else ""
    blank = "[ ]*" if dialect.delimiter != " " else ""
    inner = rf"(?>[^{q}{e}]*(?:(?:{q}{q}" + (rf"|{e}." if e else "") + rf")[^{q}{e}]*)*)"
    end = rf"(?={d}|\r?\n?\Z|\r\Z)"
    quoted = re.compile(rf"{blank}{q}({inner}){q}{blank}{end}", re.DOTALL)
    opening = re.compile(rf"{blank}{q}{inner}\Z", re.DOTALL)
    plain = re.compile(rf"(?:(?!{d}|[\r\n]*\Z).)*", re.DOTALL)
    return quoted, opening, plain


def _cells(text: str, dialect: Dialect) -> _Cells | None:
    """Split one record. Return None while a quoted cell is still open at its end."""
    quoted, opening, _ = _patterns(dialect)
    quote, mark = dialect.quote, dialect.delimiter
    body = text.rstrip("\r\n")
    cells, place, last = _Cells(), 0, len(body)
    while True:
        if body.startswith((quote, " "), place):
            if match := quoted.match(text, place):
                cells.append(_unescaped(match[1], dialect))
                place = match.end()
                if place >= last:
                    return cells
                place += 1
                continue
            if opening.match(text, place):
                return None
            cells.is_bent = cells.is_bent or body.startswith(quote, place)
        stop = body.find(mark, place)
        if stop < 0:
            cells.append(body[place:])
            return cells
        cells.append(body[place:stop])
        place = stop + 1


def _unescaped(inner: str, dialect: Dialect) -> str:
    quote = dialect.quote
    if dialect.escape and dialect.escape in inner:
        pattern = re.escape(dialect.escape) + f"([{re.escape(dialect.escape + quote)}])"
        inner = re.sub(pattern, r"\1", inner)
    return inner.replace(quote + quote, quote) if quote in inner else inner


def _bent_record(text: str, dialect: Dialect, width: int) -> Record:
    """Read a record with broken quotes in the way that gives the expected width."""
    body = text.rstrip("\r\n")
    literal = _literal(body, dialect)
    if width and len(literal) != width:
        for reading in (_inner_quotes(body, dialect), _missing_delimiter(body, dialect, width)):
            if reading is not None and len(reading) == width:
                return Record(reading, text.count("\n") or 1, "broken_quotes")
    return Record(literal, text.count("\n") or 1, "broken_quotes")


def _literal(body: str, dialect: Dialect) -> list[str]:
    quoted, _, _ = _patterns(dialect)
    cells: list[str] = []
    place = 0
    while True:
        if match := quoted.match(body, place):
            cells.append(_unescaped(match[1], dialect))
            stop = match.end()
        else:
            end = body.find(dialect.delimiter, place)
            stop = len(body) if end < 0 else end
            cells.append(_without_outer(body[place:stop], dialect.quote))
        if stop >= len(body):
            return cells
        place = stop + 1


def _without_outer(cell: str, quote: str) -> str:
    if len(cell) > 1 and cell[0] == quote == cell[-1]:
        return cell[1:-1].replace(quote + quote, quote)
    return cell


def _inner_quotes(body: str, dialect: Dialect) -> list[str]:
    """Treat a quote as closing only before a delimiter: ``"he said "no" twice",5``."""
    d, q = re.escape(dialect.delimiter), re.escape(dialect.quote)
    pattern = re.compile(rf"{q}(.*?){q}(?={d}|\Z)|((?:(?!{d}).)*)", re.DOTALL)
    cells: list[str] = []
    place = 0
    while True:
        match = pattern.match(body, place)
        if match is None:
            return [*cells, body[place:]]
        cells.append(match[2] if match[1] is None else match[1])
        if match.end() >= len(body):
            return cells
        place = match.end() + 1


def _missing_delimiter(body: str, dialect: Dialect, width: int) -> list[str] | None:
    """Find the place where a delimiter before a quoted cell was lost: ``boots"Great grip"``."""
    q, mark = re.escape(dialect.quote), dialect.delimiter
    places = re.finditer(rf"(?<=[^\s{re.escape(mark)}{q}]){q}", body)
    for match in islice(places, max(1, _TRIED_CHARACTERS // len(body))):
        place = match.start()
        cells = _cells(body[:place] + mark + body[place:], dialect)
        if cells is not None and not cells.is_bent and len(cells) == width:
            return list(cells)
    return None
