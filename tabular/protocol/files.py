"""Jobs about a file alone. They know no catalog, whose classes take long to define."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tabular.model.places import ReadingChoices
from tabular.protocol.jobs import JobRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowResult:
    """A file's content in the format of the command line: ``tabular.job.show``."""

    document: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowRequest(JobRequest[ShowResult]):
    """Show a file's content. rows: the most rows of each table, or None for all."""

    job: Literal["show"] = "show"
    choices: ReadingChoices = field(default_factory=ReadingChoices)
    rows: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PaintResult:
    """A painted page or a part of it: PNG in base64, its size in points, the pages of the file."""

    image: str
    width: float
    height: float
    pages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PaintRequest(JobRequest[PaintResult]):
    """
    Paint a page of a PDF or a picture.

    page: from 1. turn: quarter turns, anticlockwise, by which a picture was turned upright. box:
    the part to paint, in points from the upper left corner; None for all of it.
    """

    job: Literal["paint"] = "paint"
    page: int
    turn: int = 0
    box: tuple[float, float, float, float] | None = None


UNLOCKED = "unlocked"  # the file in ``out``


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlockResult:
    """A file that was written without its password, and its size."""

    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlockRequest(JobRequest[UnlockResult]):
    """Write a file without its password, which is not in the request: see ``run_job``."""

    job: Literal["unlock"] = "unlock"


REQUESTS: Mapping[str, type] = {
    "show": ShowRequest,
    "paint": PaintRequest,
    "unlock": UnlockRequest,
}
