"""
Whether lines hold one value each, so that a mark inside them parts nothing.

``Preis`` above ``41,75`` and ``29,90`` is one column of prices, not two columns; so are times with
colons and telephone numbers with blanks. What tells: the first line names the column and does not
hold the mark, and each line below is a value as it stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tabular.reading.cells import VALUES, Look, is_nothing, look
from tabular.reading.text.records import Dialect, parse_lines

_MOST = 0.9  # of the lines, to be believed
_WEAK = frozenset({" ", ":"})  # marks that stand in texts more often than between cells
_IN_ADDRESSES = frozenset({" ", ":", ",", ""})
_MEASURE = re.compile(r"[-+]?\d[\d.,]*\s?[^\W\d_]{1,4}[²³]?")


def is_one_column(sample: Sequence[str], dialect: Dialect) -> bool:
    """Say whether the lines hold one value each, and the dialect would cut them up."""
    lines = [line.strip("\r\n") for line in sample if line.strip()]
    if len(lines) < 2:
        return False
    if _are_quoted(lines, dialect):
        return False
    widths = [len(record.cells) for record in parse_lines(lines, dialect)]
    is_weak = dialect.delimiter in _WEAK or bool(dialect.cuts)
    if widths[:1] == [1] or (is_weak and dialect.delimiter != ":"):
        values = [line for line in lines[1:] if not is_nothing(line)]
        if values and sum(_is_value(line, dialect) for line in values) >= _MOST * len(values):
            return True
    if is_weak and not dialect.cuts:
        return not _is_even(widths) or (dialect.delimiter == " " and not _is_told(lines, dialect))
    return widths[:1] == [1] and _is_punctuation(lines, dialect.delimiter)


def _are_quoted(lines: Sequence[str], dialect: Dialect) -> bool:
    """Say whether each line begins and ends with a quoted cell, and the mark stands between."""
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
        return False  # a link swallows whatever stands behind it
    return kind in VALUES - {Look.FLAG} or _MEASURE.fullmatch(text) is not None


def _is_even(widths: Sequence[int]) -> bool:
    """Say whether nearly all lines, the first among them, have the same number of cells."""
    usual, count = Counter(widths).most_common(1)[0]
    return widths[0] == usual and count >= _MOST * len(widths)


def _is_told(lines: Sequence[str], dialect: Dialect) -> bool:
    """Say whether blanks part cells: they are quoted, or some column holds nothing but values."""
    if dialect.quote and all(line.count(dialect.quote) >= 2 for line in lines):
        return True
    if len(lines) < 3:
        return False
    rows = [record.cells for record in parse_lines(lines[1:], dialect)]
    columns = zip(*(row for row in rows if len(row) == len(rows[0])), strict=True)
    return any(all(look(text) in VALUES for text in column) for column in columns)


def _is_punctuation(lines: Sequence[str], mark: str) -> bool:
    """Say whether the mark is always followed by a blank: ``Dubois, Rita``."""
    below = "\n".join(lines[1:])
    return mark in {",", ";"} and below.count(mark) == below.count(f"{mark} ") > 0
