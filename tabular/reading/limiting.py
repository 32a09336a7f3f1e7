"""Refuse files that exceed the host's limits, naming the limit."""

from __future__ import annotations

from collections.abc import Sequence

from tabular.model.problem import ADJUSTABLE, LimitExceeded, Limits, setting_of
from tabular.model.sentences import Sentence, sized


def check_shape(rows: Sequence[Sequence[str]], limits: Limits) -> None:
    """Raise LimitExceeded if a grid has too many rows, columns or cells, or too long a cell."""
    check_counts(len(rows), max(map(len, rows), default=0), limits)
    for row in rows:
        for text in row:
            if len(text) > limits.cell_bytes // 4:
                check_cell(text, limits)


def check_counts(rows: int, columns: int, limits: Limits) -> None:
    """Raise LimitExceeded if a table has too many rows, columns or cells."""
    if columns > limits.columns:
        raise too_much("columns", limits.columns, "The table has more columns")
    if rows > limits.rows:
        raise too_much("rows", limits.rows, "The table has more rows")
    if rows * columns > limits.cells:
        raise too_much("cells", limits.cells, "The table has more cells")


def check_cell(text: str, limits: Limits) -> None:
    """Raise LimitExceeded if a cell's UTF-8 text is too long."""
    size = len(text.encode())
    if size > limits.cell_bytes:
        raise too_much("cell_bytes", limits.cell_bytes, "One cell is longer")


def too_much(limit: str, allowed: int, what: str) -> LimitExceeded:
    """Return the error for an exceeded limit; what: a comparison, "The table has more rows"."""
    if limit.endswith("_bytes"):
        sentence = Sentence(what + " than the {SIZE} allowed.", SIZE=sized(allowed))
    elif limit in ADJUSTABLE:
        template = what + " than the {n1} allowed (setting {name})."
        sentence = Sentence(template, n1=allowed, name=setting_of(limit))
    else:
        sentence = Sentence(what + " than the {n1} allowed.", n1=allowed)
    return LimitExceeded(sentence, limit=limit, allowed=allowed)
