"""What a revision stores as JSON: a base's files, what they were made from, and counts.

The types of ``Revision.manifest`` and ``Revision.counts``. File names are those in storage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Self

from pydantic import ConfigDict

from tabular.model.places import PART_ROWS, part_of
from tabular.protocol import forms
from tabular.protocol.plan import TransformPlan
from tabular.protocol.results import Counts, TransformedTable, TransformResult

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """
    Where a table is; None for what its file does not have.

    columns: their names in the file. places: their positions in its rows, from 0. member: the
    file's name in an archive of several.
    """

    sheet: str | None = None
    page: int | None = None
    range: str | None = None
    columns: tuple[str, ...] | None = None
    places: tuple[int, ...] | None = None
    member: str | None = None


@dataclass(frozen=True, slots=True)
class SourceNamed:
    """The file that was uploaded."""

    filename: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlace(Place):
    """Where a table is. parts: the same for each table of a stack or join, by its number."""

    file: SourceNamed | None = None
    parts: dict[str, Place] = field(default_factory=dict)

    def of_row(self, number: int) -> tuple[Place, int]:
        """Return where a row is, by its number in ROW_COLUMN: its table, and its row there."""
        if not self.parts:
            return self, number
        part = self.parts.get(str(number // PART_ROWS)) or self.parts[str(part_of(number))]
        return part, number % PART_ROWS


@dataclass(frozen=True, slots=True)
class References:
    """The entities that rows could refer to. folder: what was known; tenant: None for a page's."""

    folder: str
    tenant: int | None
    scope: str


@dataclass(frozen=True, slots=True)
class SourceText:
    """The text that rows are made of: where it is stored, and where it was in the file."""

    folder: str  # storage folder with source.arrow
    place: TablePlace = field(default_factory=TablePlace)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest(TransformedTable):
    """
    The files of a base, the result of their transform, and its inputs.

    text_files: edited texts, by field. excluded_file: the excluded rows. pins: versions at that
    time.
    """

    source: str
    place: Annotated[TablePlace, forms.without("file", "parts")]
    plan: Annotated[TransformPlan, forms.without("delimiter", "keep")]
    pins: dict[str, str] = field(default_factory=dict)
    references: References | None = None
    text_files: dict[str, str] = field(default_factory=dict)
    excluded_file: str | None = None

    __pydantic_config__: ClassVar[ConfigDict] = forms.CAMEL

    @classmethod
    def of(
        cls,
        result: TransformResult,
        folder: str,
        plan: TransformPlan,
        source: SourceText,
        *,
        references: References | None = None,
        pins: Mapping[str, str] = MappingProxyType({}),
    ) -> Self:
        """Return the manifest of a job's result, once its files are stored in ``folder``."""
        members = {item.name: getattr(result, item.name) for item in fields(TransformedTable)}
        stored: Json = {
            "columns": tuple(replace(c, file=f"{folder}/{c.file}") for c in result.columns),
            "hashes": tuple(replace(h, file=f"{folder}/{h.file}") for h in result.hashes),
            "rows_file": f"{folder}/{result.rows_file}",
            "issues_file": f"{folder}/{result.issues_file}",
        }
        return cls(
            **{**members, **stored},
            source=source.folder,
            place=source.place,
            plan=replace(plan, delimiter=None, keep=()),
            pins=dict(pins),
            references=references and replace(references, folder=folder),
        )

    @classmethod
    def kept(cls, document: Mapping[str, Any]) -> Self:
        """Read the manifest of a revision, written by this version or an earlier one."""
        return forms.read_kept(cls, {"unmatched": {}, **document})

    def as_json(self) -> Json:
        """Return it as a revision stores it."""
        document = forms.as_json(self)
        empty = ("references", "textFiles", "excludedFile")
        return {name: item for name, item in document.items() if item or name not in empty}


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCounts(Counts):
    """Rows = valid + warning + error + excluded; issues by code, without those of excluded rows."""

    excluded: int = 0

    __pydantic_config__: ClassVar[ConfigDict] = forms.CAMEL

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """Return the counts of a table without excluded rows."""
        return cls(**{item.name: getattr(counts, item.name) for item in fields(Counts)})

    @classmethod
    def kept(cls, document: Mapping[str, Any]) -> Self:
        """Read the counts of a revision, written by this version or an earlier one."""
        return forms.read_kept(cls, document)

    def as_json(self) -> Json:
        """Return them as a revision stores them and as they are shown."""
        return forms.as_json(self)
