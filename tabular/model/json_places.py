"""Where JSON pointers stand in a JSON text, so that an error can be shown at its place."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def escaped(step: str | int) -> str:
    """
    Write one step of a JSON pointer (RFC 6901).

    >>> escaped("and/or")
    'and~1or'
    """
    return str(step).replace("~", "~0").replace("/", "~1")


def lines_of(text: str, pointers: Iterable[str]) -> dict[str, int]:
    r"""
    Give the line, from 1, of what each pointer names in a well-formed JSON text.

    What is missing is shown at the nearest thing around it.

    >>> lines_of('{\n "a": [\n  1,\n  2\n ]\n}', ["/a/1", "/a/2/b", "/c"])
    {'/a/1': 4, '/a/2/b': 2, '/c': 1}
    """
    offsets = dict(_places(text))
    ends = [match.start() for match in re.finditer("\n", text)]
    lines = {}
    for pointer in pointers:
        nearest = pointer
        while nearest and nearest not in offsets:
            nearest = nearest.rpartition("/")[0]
        lines[pointer] = bisect_right(ends, offsets.get(nearest, 0)) + 1
    return lines


@dataclass(slots=True)
class _Container:
    pointer: str
    step: str | int | None  # an index, or the member being read; None: its name comes next

    def child(self) -> str:
        return f"{self.pointer}/{escaped('' if self.step is None else self.step)}"


def _places(text: str) -> Iterator[tuple[str, int]]:
    """Give the pointer and offset of every member and item, a member standing at its name."""
    around: list[_Container] = []
    for match in MARK.finditer(text):
        mark = match.group()
        here = around[-1] if around else _Container("", 0)
        if mark in {"}", "]"}:
            around.pop()
        elif mark == ",":
            here.step = here.step + 1 if isinstance(here.step, int) else None
        elif here.step is None:
            here.step = str(json.loads(mark))
            yield here.child(), match.start()
        elif mark != ":":
            pointer = here.child() if around else ""
            if isinstance(here.step, int):
                yield pointer, match.start()
            if mark in {"{", "["}:
                around.append(_Container(pointer, 0 if mark == "[" else None))
