"""A parent's requests to a job: one type for each kind of job."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import Discriminator

from tabular.model.places import Frame, ReadingChoices
from tabular.model.problem import Limits
from tabular.model.recognition import Recognition
from tabular.protocol.plan import TransformPlan, ValueList, WrittenCatalog
from tabular.protocol.results import (
    ColumnFile,
    PaintResult,
    ReadResult,
    ResolveResult,
    ShowResult,
    StepsResult,
    SuggestResult,
    TransformResult,
    UnlockResult,
)

R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRequest(Generic[R]):
    """
    What every job is given; R is the type of its result.

    input: the path of the input. strict: do not run the job if it cannot be confined. recognition:
    how text in pictures is recognised; None refuses pictures.
    """

    job: str
    input: str
    limits: Limits = field(default_factory=Limits)
    strict: bool = False
    recognition: Recognition | None = None


@dataclass(frozen=True, slots=True)
class LearnedHeaders:
    """What earlier mappings teach: the members of ``tabular.matching.Learned``."""

    fields: dict[str, dict[str, int]] = field(default_factory=dict)
    sources: dict[str, dict[str, str]] = field(default_factory=dict)


def choices_of(kept: Mapping[str, Any]) -> ReadingChoices:
    """Return the choices that an import stores; open choices are absent."""
    rows = kept.get("header_rows")
    typed = {
        "header_rows": None if rows is None else tuple(rows),
        "restored": tuple(kept.get("restored") or ()),
        "tables": tuple(kept.get("tables") or ()),
        "entries": tuple((kept.get("entries") or {}).items()),
        "frames": tuple(map(_frame_of, kept.get("frames") or ())),
    }
    if kept.get("joined_on") is not None:
        typed["joined_on"] = tuple((child, parent) for child, parent in kept["joined_on"])
    return ReadingChoices(**{**kept, **typed})


def choices_kept(choices: ReadingChoices) -> dict[str, Any]:
    """Return choices as an import stores them, to be read by ``choices_of``."""
    members: dict[str, Any] = {}
    for item in fields(ReadingChoices):
        value = getattr(choices, item.name)
        if value != item.default:
            members[item.name] = list(value) if isinstance(value, tuple) else value
    if choices.entries:
        members["entries"] = dict(choices.entries)
    if choices.frames:
        members["frames"] = [_frame_kept(frame) for frame in choices.frames]
    return members


def _frame_of(kept: Mapping[str, Any]) -> Frame:
    left, top, right, bottom = kept["box"]
    box, columns = (left, top, right, bottom), tuple(kept["columns"])
    return Frame(kept["page"], box, columns, turn=kept.get("turn", 0))


def _frame_kept(frame: Frame) -> dict[str, Any]:
    kept = {"page": frame.page, "box": list(frame.box), "columns": list(frame.columns)}
    return kept | ({"turn": frame.turn} if frame.turn else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRequest(JobRequest[ReadResult]):
    """Read a file, store its best table as text, and propose a mapping into the catalog."""

    job: Literal["read"] = "read"
    choices: ReadingChoices = field(default_factory=ReadingChoices)
    catalog: WrittenCatalog | None = None
    learned: LearnedHeaders = field(default_factory=LearnedHeaders)


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformRequest(JobRequest[TransformResult]):
    """
    Convert and check the rows of ``source.arrow`` according to a plan.

    lists: those of the plan, which are not a part of its form.
    """

    job: Literal["transform"] = "transform"
    plan: TransformPlan
    lists: Mapping[str, ValueList] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepsRequest(JobRequest[StepsResult]):
    """
    Compare the rows of ``source.arrow`` before and after each step of a plan's recipe.

    lists: those of the plan, which are not a part of its form.
    """

    job: Literal["steps"] = "steps"
    plan: TransformPlan
    lists: Mapping[str, ValueList] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveRequest(JobRequest[ResolveResult]):
    """Resolve references. input: the result of a transform, and what else is known."""

    job: Literal["resolve"] = "resolve"
    plan: TransformPlan
    columns: tuple[ColumnFile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestRequest(JobRequest[SuggestResult]):
    """Suggest a catalog for the columns of ``source.arrow``."""

    job: Literal["suggest"] = "suggest"
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowRequest(JobRequest[ShowResult]):
    """Show a file's content. rows: the most rows of each table, or None for all."""

    job: Literal["show"] = "show"
    choices: ReadingChoices = field(default_factory=ReadingChoices)
    rows: int | None = None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlockRequest(JobRequest[UnlockResult]):
    """Write a file without its password, which is not in the request: see ``run_job``."""

    job: Literal["unlock"] = "unlock"


Request = Annotated[
    ReadRequest
    | TransformRequest
    | StepsRequest
    | ResolveRequest
    | SuggestRequest
    | ShowRequest
    | PaintRequest
    | UnlockRequest,
    Discriminator("job"),
]
RESULT_OF: Mapping[str, type] = {
    "read": ReadResult,
    "transform": TransformResult,
    "steps": StepsResult,
    "resolve": ResolveResult,
    "suggest": SuggestResult,
    "show": ShowResult,
    "paint": PaintResult,
    "unlock": UnlockResult,
}
