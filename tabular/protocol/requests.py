"""A parent's requests to a job: one type for each kind of job."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Discriminator, PlainSerializer

from tabular.model.catalog import Catalog, Context
from tabular.model.places import ReadingChoices
from tabular.model.problem import Limits
from tabular.model.recipe import Recipe
from tabular.model.recognition import Recognition
from tabular.protocol.answers import Answers
from tabular.protocol.forms import PLAIN
from tabular.protocol.results import (
    ColumnFile,
    ReadResult,
    ResolveResult,
    ShowResult,
    SuggestResult,
    TransformResult,
)

R = TypeVar("R")


def _without_nulls(document: BaseModel) -> dict[str, Any]:
    return document.model_dump(mode="json", exclude_none=True)


def _as_given(document: BaseModel) -> dict[str, Any]:
    return document.model_dump(mode="json", exclude_unset=True)


WrittenCatalog = Annotated[Catalog, PlainSerializer(_without_nulls)]
WrittenContext = Annotated[Context, PlainSerializer(_as_given)]
WrittenRecipe = Annotated[Recipe, PlainSerializer(_as_given)]


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
    settled = {
        "header_rows": None if rows is None else tuple(rows),
        "restored": tuple(kept.get("restored") or ()),
        "tables": tuple(kept.get("tables") or ()),
        "entries": tuple((kept.get("entries") or {}).items()),
    }
    return ReadingChoices(**{**kept, **settled})


def choices_kept(choices: ReadingChoices) -> dict[str, Any]:
    """Return choices as an import stores them, to be read by ``choices_of``."""
    said: dict[str, Any] = {}
    for item in fields(ReadingChoices):
        value = getattr(choices, item.name)
        if value != item.default:
            said[item.name] = list(value) if isinstance(value, tuple) else value
    if choices.entries:
        said["entries"] = dict(choices.entries)
    return said


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRequest(JobRequest[ReadResult]):
    """Read a file, store its best table as text, and propose a mapping into the catalog."""

    job: Literal["read"] = "read"
    choices: ReadingChoices = field(default_factory=ReadingChoices)
    catalog: WrittenCatalog | None = None
    learned: LearnedHeaders = field(default_factory=LearnedHeaders)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPlan:
    """
    A ``tabular.transforming.Plan`` as it is stored between jobs.

    document_kinds: the kinds of the texts in ``document`` that are more than text.
    """

    catalog: WrittenCatalog
    mapping: dict[str, str]
    context: WrittenContext
    recipe: WrittenRecipe | None = None
    answers: Answers = field(default_factory=Answers)
    document: dict[str, str] = field(default_factory=dict)
    document_kinds: dict[str, int] = field(default_factory=dict)
    delimiter: str | None = None
    keep: tuple[int, ...] = ()

    __pydantic_config__: ClassVar[ConfigDict] = PLAIN


def plan_kept(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a plan stored by some version, without members that have no value."""
    return {name: item for name, item in document.items() if item is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformRequest(JobRequest[TransformResult]):
    """Convert and check the rows of ``source.arrow`` according to a plan."""

    job: Literal["transform"] = "transform"
    plan: WrittenPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveRequest(JobRequest[ResolveResult]):
    """Resolve references. input: the result of a transform, and what else is known."""

    job: Literal["resolve"] = "resolve"
    plan: WrittenPlan
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


Request = Annotated[
    ReadRequest | TransformRequest | ResolveRequest | SuggestRequest | ShowRequest,
    Discriminator("job"),
]
RESULT_OF: Mapping[str, type] = {
    "read": ReadResult,
    "transform": TransformResult,
    "resolve": ResolveResult,
    "suggest": SuggestResult,
    "show": ShowResult,
}
