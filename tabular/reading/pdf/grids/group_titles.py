"""Titles of groups of rows that a program puts at the end of the line or in its middle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tabular.reading.pdf.grids.content import kind_of
from tabular.reading.pdf.grids.grid import text_of
from tabular.reading.pdf.grids.strips import Strip
from tabular.reading.pdf.grids.wrapping import TYPED, fashion_of

LEAST_FILLED = 0.5  # share of the columns that the rows on both sides of a title fill
LETTERS = 3  # of a title; a shorter text may be a unit or a mark


def with_group_titles_first(strips: Sequence[Strip]) -> list[Strip]:
    """
    Return rows with each title of a group in the first column, wherever its program aligns it.

    A title is alone in its row, below the first row and above a full one, and is a text in a
    column of numbers or dates: none of the column's values.
    """
    if len(strips) < 2 or len(strips[0].cells) < 2:
        return list(strips)
    typed = fashion_of(strips[1:]).typed
    moved = [strips[0]]
    for strip, below in zip(strips[1:], [*strips[2:], None], strict=True):
        column = max(strip.filled, default=0)
        is_title = len(strip.filled) == 1 and column > 0 and typed[column]
        if is_title and below is not None and _is_full(below) and _is_worded(strip, column):
            cells = [strip.cells[column], *([] for _ in strip.cells[1:])]
            moved.append(replace(strip, cells=cells, spans=()))
        else:
            moved.append(strip)
    return moved


def _is_full(strip: Strip) -> bool:
    return len(strip.filled) >= LEAST_FILLED * len(strip.cells)


def _is_worded(strip: Strip, column: int) -> bool:
    text = text_of(strip.cells[column])
    letters = sum(mark.isalpha() for mark in text)
    return letters > LETTERS and kind_of(text) not in {*TYPED, "mark", "code"}
