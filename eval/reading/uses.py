"""
Which files use a rule: only these are read again without it.

A file is read once with a profiler that notes which functions run. A rule that always gave the
answer that takes its place changes nothing, and neither does one that never ran.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FrameType, FunctionType
from typing import Any

from eval.reading.removals import Removal, forget
from eval.reading.replacements import Always


class Uses:
    """Notes what runs. ``readers``: the removals that a function's code could notice."""

    def __init__(self, removals: Sequence[Removal]) -> None:
        self.running: dict[int, set[int]] = defaultdict(set)  # by id of a code
        self.answering: dict[int, tuple[int, Always]] = {}
        self.unread: set[int] = set()  # constants without a reader count as used by every file
        for place, removal in enumerate(removals):
            code = code_of(removal.plain)
            if code is None:
                readers = list(readers_of(removal))
                for reader in readers:
                    self.running[id(reader)].add(place)
                if not readers:
                    self.unread.add(place)
            elif isinstance(removal.replacement, Always):
                self.answering[id(code)] = place, removal.replacement
            else:
                self.running[id(code)].add(place)

    def of(self, action: Callable[[], Any]) -> frozenset[int]:
        """Return the places of the removals that may change what an action does."""
        used = set(self.unread)
        running, answering = self.running, self.answering

        def note(frame: FrameType, event: str, answer: Any) -> None:
            if event == "call":
                code = id(frame.f_code)
                if code in running:
                    used.update(running[code])
            elif event == "return" and (code := id(frame.f_code)) in answering:
                place, always = answering[code]
                if place not in used and not always.is_as(answer):
                    used.add(place)

        forget()  # an answer from memory would be a call that is not seen
        sys.setprofile(note)
        try:
            action()
        finally:
            sys.setprofile(None)
        return frozenset(used)


def code_of(rule: Any) -> CodeType | None:
    """Return the code of a function, remembered or not; None of a constant."""
    function = getattr(rule, "__wrapped__", rule)
    return function.__code__ if isinstance(function, FunctionType) else None


def readers_of(removal: Removal) -> Iterator[CodeType]:
    """Yield the code of each function that looks a constant up."""
    for user in removal.users:
        for value in vars(user).values():
            for code in _codes(value, user.__name__):
                if removal.attribute in code.co_names:
                    yield code


def _codes(value: Any, module: str) -> Iterator[CodeType]:
    """Yield the code of a function or of a class's methods, and of all functions inside."""
    if isinstance(value, type) and value.__module__ == module:
        for member in vars(value).values():
            yield from _codes(member, module)
    function = getattr(value, "fget", None) or getattr(value, "func", None) or value
    function = getattr(function, "__wrapped__", getattr(function, "__func__", function))
    if isinstance(function, FunctionType) and function.__module__ == module:
        yield from _nested(function.__code__)


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)
