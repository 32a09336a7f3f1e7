"""
Files whose columns are at fixed positions, padded with blanks.

A column of characters that is blank in every line is a gap; the text between two gaps is a cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tabular.reading.cells import VALUES, look

_LEAST_LINES = 3
_WIDE_GAP = 2


def find_cuts(lines: Sequence[str]) -> tuple[int, ...]:
    """
    Return where the cells of fixed-width lines start; () if the lines are not of that kind.

    >>> find_cuts(["id   name   qty", "1    bolt    12", "20   nut      7"])
    (0, 5, 12)
    """
    texts = [line.rstrip("\r\n").rstrip() for line in lines]
    texts = [text for text in texts if text and "\t" not in text]
    if len(texts) < _LEAST_LINES:
        return ()
    width = max(map(len, texts))
    used = [False] * width
    for text in texts:
        for place, character in enumerate(text):
            if not character.isspace():
                used[place] = True
    gaps = list(_gaps(used))
    if not any(end - start >= _WIDE_GAP for start, end in gaps):
        return ()
    ends = [start for start, _ in gaps[1:]] + [width]
    cuts = (
        0,
        *(
            end
            for (start, end), stop in zip(gaps, ends, strict=True)
            if _separates(texts, start, end, stop)
        ),
    )
    return cuts if len(cuts) > 1 else ()


def _gaps(used: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield the runs of blank positions between used ones, ends excluded."""
    edges = [place for place, (left, right) in enumerate(pairwise(used), 1) if left != right]
    starts = [place for place in edges if not used[place]]
    for start in starts:
        end = next((place for place in edges if place > start), None)
        if end is not None:
            yield start, end


def _separates(texts: Sequence[str], start: int, end: int, stop: int) -> bool:
    """Accept a gap one blank wide only if almost every line has a value to its right."""
    if end - start >= _WIDE_GAP:
        return True
    values = sum(look(text[end:stop]) in VALUES for text in texts[1:])
    return values * 10 >= (len(texts) - 1) * 9


def cut(line: str, cuts: Sequence[int]) -> list[str]:
    """
    Split a line at fixed positions, without the padding.

    >>> cut("20   nut      7", (0, 5, 12))
    ['20', 'nut', '7']
    """
    return [line[start:end].strip() for start, end in pairwise([*cuts, None])]
