"""What stops a step.

TabularProblem
├── UnreadableFile      the bytes are not a table we can read
├── LimitExceeded       the file asks for more than the host allows
└── UnusableRequest     a choice, mapping or catalog does not fit the file
"""

from typing import Any


class TabularProblem(Exception):
    """The step cannot go on; ``sentence`` tells a person what is wrong and what to do."""

    def __init__(self, code: str, sentence: str, **details: Any) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.details = details

    def as_dict(self) -> dict[str, Any]:
        """Give the problem as ``problem.json`` holds it."""
        return {"code": self.code, "detail": self.sentence, **self.details}


class UnreadableFile(TabularProblem):
    """The bytes are not a table that can be read."""


class LimitExceeded(TabularProblem):
    """The file asks for more than a limit allows; ``limit`` and ``setting`` name it."""

    def __init__(self, sentence: str, *, limit: str, allowed: int, code: str = "too_large") -> None:
        setting = f"IMPORT_LIMIT_{limit.upper()}"
        super().__init__(code, sentence, limit=limit, allowed=allowed, setting=setting)


class UnusableRequest(TabularProblem):
    """A choice, a mapping or a catalog does not fit the file."""
