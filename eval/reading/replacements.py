"""What takes the place of a rule: the same answer always, or the value as it is."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from typing import Any

NEVER = 1e9
NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Always:
    """A function with the same answer to every question."""

    answer: Any

    def __call__(self, *_: object, **__: object) -> Any:
        """Return the answer; a list or a set of its own for each call."""
        return copy.copy(self.answer)

    def is_as(self, answer: object) -> bool:
        """Return whether a rule answered the same; nothing to return is one answer."""
        return bool(answer == self.answer) if self.answer else not answer


@dataclass(frozen=True, slots=True)
class Leaves:
    """A function that returns one of its arguments as it is; a list, if rules make one of it."""

    place: int = 0
    is_listed: bool = False

    def __call__(self, *values: Any, **_: object) -> Any:
        """Return the argument."""
        value = values[self.place]
        return list(value) if self.is_listed else value


NO = Always(False)
YES = Always(True)
NONE = Always(None)
EMPTY = Always(())
SAME = Leaves()
LISTED = Leaves(is_listed=True)
