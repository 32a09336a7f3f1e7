"""What stops a job, and how much of the machine a file may use.

TabularProblem
├── UnreadableFile      the bytes are not a table we can read
├── LimitExceeded       the file asks for more than the host allows
└── UnusableRequest     a choice, mapping or catalog does not fit the file
"""

from dataclasses import dataclass
from typing import Any

ADJUSTABLE = ("seconds", "memory_bytes", "rows", "pages")  # limits that an operator sets
CELLS_A_ROW = 40  # on average, of the largest table; a wider one has fewer rows


def setting_of(limit: str) -> str:
    """Return the name of the setting of an adjustable limit."""
    return f"IMPORT_LIMIT_{limit.upper()}"


class TabularProblem(Exception):
    """The job cannot go on; ``sentence`` tells a person what is wrong and what to do."""

    def __init__(self, code: str, sentence: str, **details: Any) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.details = details

    def as_dict(self) -> dict[str, Any]:
        """Return the problem as ``problem.json`` holds it."""
        return {"code": self.code, "detail": self.sentence, **self.details}


class UnreadableFile(TabularProblem):
    """The bytes are not a table that can be read."""


def damaged_for_reader() -> UnreadableFile:
    """Return the error for a file whose bytes crash a reader that should accept any bytes."""
    return UnreadableFile("damaged_file", "The file is damaged and cannot be read. Save it again.")


def is_panic(error: BaseException) -> bool:
    """
    Return whether a Rust library panicked.

    PyO3 derives its PanicException from BaseException, and no module exports the class.
    """
    return type(error).__name__ == "PanicException"


class LimitExceeded(TabularProblem):
    """The file asks for more than a limit allows; ``limit`` names it, ``setting`` its setting."""

    def __init__(self, sentence: str, *, limit: str, allowed: int, code: str = "too_large") -> None:
        setting = {"setting": setting_of(limit)} if limit in ADJUSTABLE else {}
        super().__init__(code, sentence, limit=limit, allowed=allowed, **setting)


class UnusableRequest(TabularProblem):
    """A choice, a mapping or a catalog does not fit the file."""


@dataclass(frozen=True, slots=True)
class Limits:
    """
    How much of the machine one file may use; those of ADJUSTABLE are settings.

    Sizes in bytes, time in seconds, for one tabular job.
    """

    seconds: int = 900
    memory_bytes: int = 2 * 1024**3
    folder_bytes: int = 20 * 1024**3
    expanded_bytes: int = 4 * 1024**3
    rows: int = 5_000_000
    columns: int = 5_000
    cells: int = 200_000_000
    pages: int = 500
    cell_bytes: int = 64 * 1024**2
