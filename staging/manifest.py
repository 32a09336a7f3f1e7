"""What a revision keeps as JSON: the files of a base and what they were made from, and counts.

The forms of ``Revision.manifest`` and ``Revision.counts``. Names of files are those of the storage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any, ClassVar, Self

from pydantic import ConfigDict

from tabular.model.places import PART_ROWS
from tabular.protocol import forms
from tabular.protocol.requests import WrittenPlan, plan_kept
from tabular.protocol.results import Counts, TransformedTable, TransformResult

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """
    Where a table stands; None where its file has no such thing.

    columns: their names in the file. places: where they stand in its rows, from 0. member: the file
    in an archive of several.
    """

    sheet: str | None = None
    page: int | None = None
    range: str | None = None
    columns: tuple[str, ...] | None = None
    places: tuple[int, ...] | None = None
    member: str | None = None


@dataclass(frozen=True, slots=True)
class SourceNamed:
    """The file that somebody sent."""

    filename: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlace(Place):
    """Where a table stands. parts: the same of each table, by its number, if it is a stack."""

    file: SourceNamed | None = None
    parts: dict[str, Place] = field(default_factory=dict)

    def of_row(self, number: int) -> tuple[Place, int]:
        """Give where a row stands, by its number in ROW_COLUMN: its table, and its row there."""
        if not self.parts:
            return self, number
        return self.parts[str(number // PART_ROWS)], number % PART_ROWS


@dataclass(frozen=True, slots=True)
class References:
    """Whom the rows could refer to. folder: what was known of them; tenant: None for a page's."""

    folder: str
    tenant: int | None
    scope: str


@dataclass(frozen=True, slots=True)
class MadeFrom:
    """What a transform was given, so that one of its rows can be looked at again."""

    source: str  # storage folder with source.arrow
    place: TablePlace
    plan: WrittenPlan
    references: References | None = None  # its folder is that of the files, once they are stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest(TransformedTable):
    """
    The files of a base, what their transform came to, and what it was given.

    text_files: edited texts, by field. excluded_file: the rows left out. pins: versions then.
    """

    source: str
    place: Annotated[TablePlace, forms.without("file", "parts")]
    request: Annotated[WrittenPlan, forms.without("delimiter", "keep")]
    pins: dict[str, str] = field(default_factory=dict)
    references: References | None = None
    text_files: dict[str, str] = field(default_factory=dict)
    excluded_file: str | None = None

    __pydantic_config__: ClassVar[ConfigDict] = forms.CAMEL

    @classmethod
    def of(
        cls, result: TransformResult, folder: str, origin: MadeFrom, pins: dict[str, str]
    ) -> Self:
        """Give the manifest of what a job made, once its files are stored in ``folder``."""
        members = {one.name: getattr(result, one.name) for one in fields(TransformedTable)}
        stored: Json = {
            "columns": tuple(replace(c, file=f"{folder}/{c.file}") for c in result.columns),
            "hashes": tuple(replace(h, file=f"{folder}/{h.file}") for h in result.hashes),
            "rows_file": f"{folder}/{result.rows_file}",
            "issues_file": f"{folder}/{result.issues_file}",
        }
        references = origin.references and replace(origin.references, folder=folder)
        return cls(
            **{**members, **stored},
            source=origin.source,
            place=origin.place,
            request=replace(origin.plan, delimiter=None, keep=()),
            pins=pins,
            references=references,
        )

    @classmethod
    def kept(cls, document: Mapping[str, Any]) -> Self:
        """Read the manifest of a revision, of this version or an earlier one."""
        request = plan_kept(document["request"])
        return forms.read_kept(cls, {"unmatched": {}, **document, "request": request})

    def as_json(self) -> Json:
        """Write it as a revision keeps it."""
        document = forms.as_json(self)
        empty = ("references", "textFiles", "excludedFile")
        return {name: one for name, one in document.items() if one or name not in empty}


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCounts(Counts):
    """Rows = valid + warning + error + excluded; issues by their code, those of excluded aside."""

    excluded: int = 0

    __pydantic_config__: ClassVar[ConfigDict] = forms.CAMEL

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """Give the counts of a table of which no row was left out."""
        return cls(**{one.name: getattr(counts, one.name) for one in fields(Counts)})

    @classmethod
    def kept(cls, document: Mapping[str, Any]) -> Self:
        """Read the counts of a revision, of this version or an earlier one."""
        return forms.read_kept(cls, document)

    def as_json(self) -> Json:
        """Write them as a revision keeps them, and as they are shown."""
        return forms.as_json(self)
