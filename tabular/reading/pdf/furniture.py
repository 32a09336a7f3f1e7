"""Lines that every page repeats at its edges: letterheads, page numbers, print dates."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import inf

from tabular.reading.pdf.grid import lines_of
from tabular.reading.pdf.page import Page, Word

EDGE = 0.16  # of the page's height: furniture stands no farther inside
APART = 1.1  # of a line's height: the gap that parts furniture from the table
WIDER = 1.4  # times the gap behind it
SAME_PLACE = 4.0  # points
TIME = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?")
PAGE_NUMBER = re.compile(
    r"(?:(?:page|seite|pagina|página|strona|p\.|s\.)\s*)?[-–]?\s*#+\s*[-–]?"
    r"(?:\s*(?:of|von|de|di|van|z|/)\s*#+)?",
    re.IGNORECASE,
)


def without_furniture(pages: list[Page]) -> list[Page]:
    """Drop from each page the outer lines that another page repeats at the same place."""
    edges = [[*_outer(page, 1), *_outer(page, -1)] for page in pages]
    places: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for page, lines in zip(pages, edges, strict=True):
        for line in lines:
            places[_pattern(line, page)].append((page.number, line[0].box.y0))
    found = []
    for page, lines in zip(pages, edges, strict=True):
        furniture = [line for line in lines if _is_furniture(line, page, places)]
        dropped = {id(word) for line in furniture for word in line}
        words = tuple(word for word in page.words if id(word) not in dropped)
        number = len({id(line[0]) for line in furniture})
        found.append(replace(page, words=words, furniture=number))
    return found


def _outer(page: Page, direction: int) -> Iterator[list[Word]]:
    """
    Give the lines at one edge that a gap parts from the rest of the page.

    The gap is wider than a line, and clearly wider than the one behind it: the even rows of a
    table, its titles among them, are never taken for furniture.
    """
    lines = lines_of([word for word in page.words if word.upright])[::direction]
    gaps = [abs(_middle(after) - _middle(line)) for line, after in pairwise(lines)]
    group: list[list[Word]] = []
    for line, gap, gap_behind in zip(lines, gaps, [*gaps[1:], inf], strict=False):
        inside = _middle(line) if direction > 0 else page.height - _middle(line)
        if inside > EDGE * page.height:
            return
        group.append(line)
        height = max(word.box.height for word in line)
        if gap > (1 + APART) * height and gap > WIDER * gap_behind:
            yield from group
            group = []


def _middle(line: list[Word]) -> float:
    return line[0].box.middle[1]


def _pattern(line: list[Word], page: Page) -> str:
    """
    Write a line with its page's number, and a lone time of day, blotted out.

    All else must repeat to the letter: two times may be a row of a timetable.
    """
    texts = ["#" if word.text == str(page.number) else word.text for word in line]
    times = [text for text in texts if TIME.fullmatch(text)]
    return " ".join("@" if text in times and len(times) == 1 else text for text in texts)


def _is_furniture(line: list[Word], page: Page, places: dict[str, list[tuple[int, float]]]) -> bool:
    pattern = _pattern(line, page)
    if PAGE_NUMBER.fullmatch(re.sub(r"\d", "#", pattern)):
        return True
    return any(
        number != page.number and abs(y - line[0].box.y0) < SAME_PLACE
        for number, y in places[pattern]
    )
