"""A parent's requests to a job: one type for each kind of job."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Literal

from pydantic import Discriminator

from tabular.model.places import Frame, ReadingChoices
from tabular.protocol.files import (
    PaintRequest,
    PaintResult,
    ShowRequest,
    ShowResult,
    UnlockRequest,
    UnlockResult,
)
from tabular.protocol.jobs import JobRequest
from tabular.protocol.plan import TransformPlan, ValueList, WrittenCatalog
from tabular.protocol.results import (
    ColumnFile,
    ReadResult,
    ResolveResult,
    StepsResult,
    SuggestResult,
    TransformResult,
)


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
    """
    Read a file, store its best table as text, and propose a mapping into the catalog.

    most_rows: reading ends when the table has more.
    """

    job: Literal["read"] = "read"
    choices: ReadingChoices = field(default_factory=ReadingChoices)
    catalog: WrittenCatalog | None = None
    learned: LearnedHeaders = field(default_factory=LearnedHeaders)
    most_rows: int | None = None


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
