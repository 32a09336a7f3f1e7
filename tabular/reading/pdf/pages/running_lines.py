"""Running headers and footers: letterheads, page numbers, print dates that pages repeat."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, pairwise
from math import inf

from tabular.reading.pdf.grids.grid import lines_of
from tabular.reading.pdf.pages.page import Page, Word

EDGE = 0.16  # of the page's height: running headers and footers are no farther inside
APART = 1.1  # of a line's height: the gap between them and the table
WIDER = 1.4  # times the gap behind it
SAME_PLACE = 4.0  # points
TIME = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?")
PAGE_NUMBER = re.compile(
    r"(?:(?:page|seite|pagina|página|strona|p\.|s\.)\s*)?[-–]?\s*#+\s*[-–]?"
    r"(?:\s*(?:of|von|de|di|van|z|/)\s*#+)?",
    re.IGNORECASE,
)


def without_running_lines(pages: list[Page]) -> list[Page]:
    """Drop from each page the outer lines that another page repeats at the same place."""
    edges = [[*_outer(page, 1), *_outer(page, -1)] for page in pages]
    places: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for page, groups in zip(pages, edges, strict=True):
        for line in chain.from_iterable(groups):
            places[_pattern(line, page)].append((page.number, line[0].box.y0))
    cleaned = []
    for page, groups in zip(pages, edges, strict=True):
        running = [line for group in groups for line in _repeated(group, page, places)]
        dropped = {id(word) for line in running for word in line}
        words = tuple(word for word in page.words if id(word) not in dropped)
        number = len({id(line[0]) for line in running})
        cleaned.append(replace(page, words=words, running_lines=number))
    return cleaned


def _outer(page: Page, direction: int) -> Iterator[list[list[Word]]]:
    """
    Yield the lines at one edge that a gap separates from the rest of the page, close ones grouped.

    The gap is wider than a line, and clearly wider than the one behind it, so the even rows of a
    table, its titles among them, never match.
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
            yield group
            group = []


def _middle(line: list[Word]) -> float:
    return line[0].box.middle[1]


def _pattern(line: list[Word], page: Page) -> str:
    """
    Return a line with its page's number, and a lone time of day, masked.

    All else must repeat to the letter: two times may be a row of a timetable.
    """
    texts = ["#" if word.text == str(page.number) else word.text for word in line]
    times = [text for text in texts if TIME.fullmatch(text)]
    return " ".join("@" if text in times and len(times) == 1 else text for text in texts)


def _repeated(
    group: list[list[Word]], page: Page, places: dict[str, list[tuple[int, float]]]
) -> list[list[Word]]:
    """
    Return the lines of a group that another page repeats, and its page number.

    A number close to a line that no page repeats may be the end of one of its cells.
    """
    numbers = [line for line in group if _is_number(line, page)]
    repeated = [
        line
        for line in group
        if any(
            number != page.number and abs(y - line[0].box.y0) < SAME_PLACE
            for number, y in places[_pattern(line, page)]
        )
    ]
    return group if all(line in numbers or line in repeated for line in group) else repeated


def _is_number(line: list[Word], page: Page) -> bool:
    return PAGE_NUMBER.fullmatch(re.sub(r"\d", "#", _pattern(line, page))) is not None
