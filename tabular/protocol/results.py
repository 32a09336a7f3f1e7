"""The results of jobs, one type for each kind; ``files`` has those about a file alone."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

from pydantic import ConfigDict

from tabular.model.defect import Defect
from tabular.model.issue import Issue, Question
from tabular.model.mapping import MappingProposal
from tabular.model.sentences import Document
from tabular.model.table import Related, Table
from tabular.protocol import forms
from tabular.protocol.forms import CAMEL

_OWN_FILE = re.compile(r"[a-z]+(-\d+)?\.arrow")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTable(Table):
    """A candidate table. document_kinds: the kinds of the texts in ``document`` beyond text."""

    document_kinds: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Table, document_kinds: dict[str, int]) -> Self:
        """Return a table with the kinds of the texts above it."""
        members = {name: getattr(table, name) for name in Table.__slots__}
        return cls(**members, document_kinds=document_kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRead:
    """
    The result of reading a file.

    chosen: the index in ``tables`` of the one that was read. entries: which table feeds which entry
    of the catalog, if several do. rows: of the table's body; None if reading ended early, because
    there are more than were allowed. left_out: rows by their reason. related: pairs of tables that
    may belong together.
    """

    format: str
    tables: tuple[FoundTable, ...]
    chosen: int
    entries: dict[str, int]
    columns: tuple[str, ...]
    rows: int | None
    left_out: dict[str, int]
    fingerprint: str  # of the header
    issues: tuple[Issue, ...]
    questions: tuple[Question, ...]
    related: tuple[Related, ...]

    def __post_init__(self) -> None:
        if not 0 <= self.chosen < len(self.tables):
            raise ValueError("the chosen table is none of the tables")

    @property
    def table(self) -> FoundTable:
        """The table that was read."""
        return self.tables[self.chosen]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadResult(FileRead):
    """A file read into ``source.arrow`` and ``left-out.arrow``; without a catalog, no proposal."""

    proposal: MappingProposal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFile:
    """The file with the typed values of one field."""

    field: str
    column_type: str
    output_format: str | None = None
    file: str

    __pydantic_config__: ClassVar[ConfigDict] = CAMEL


@dataclass(frozen=True, slots=True, kw_only=True)
class HashFile:
    """The file with the hashes of one group of fields that must be unique together."""

    fields: tuple[str, ...]
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Rows by their worst severity, issues by their code."""

    rows: int
    valid: int
    warning: int
    error: int
    by_code: dict[str, int]

    __pydantic_config__: ClassVar[ConfigDict] = CAMEL


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenParseOptions:
    """How one field was read: what ``tabular.types.parse_options.How`` determines."""

    number_format: Literal["eu", "us"]
    date_order: Literal["dmy", "mdy", "ymd"]
    bare_percent: Literal["percent", "fraction"]
    region: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenInferred:
    """What the columns determined: ``tabular.transforming.Inferred`` as stored between jobs."""

    documents: dict[str, str]
    document_kinds: dict[str, int] = field(default_factory=dict)
    fields: dict[str, WrittenParseOptions]


@dataclass(frozen=True, slots=True)
class TextCount:
    """A text that is not among a field's options, and its number of rows."""

    value: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFiles:
    """The manifest of a transformed table: which file holds what."""

    columns: tuple[ColumnFile, ...]
    rows_file: str
    issues_file: str
    hashes: tuple[HashFile, ...]

    __pydantic_config__: ClassVar[ConfigDict] = CAMEL

    @property
    def file_of(self) -> dict[str, str]:
        """The file of each field."""
        return {column.field: column.file for column in self.columns}

    @property
    def files(self) -> Iterator[str]:
        """Every file."""
        yield from (column.file for column in self.columns)
        yield from (group.file for group in self.hashes)
        yield from (self.rows_file, self.issues_file)


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformedTable(TableFiles):
    """The files and the result of a transform."""

    rows: int
    counts: Counts
    source_rows: int
    skipped: int  # rows of the source that made none
    inferred: WrittenInferred
    questions: tuple[Question, ...]
    unmatched: dict[str, tuple[TextCount, ...]]  # by field, the most frequent first


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformResult(TransformedTable):
    """A transformed table with its files in the job's folder. defects: our own failures."""

    defects: tuple[Defect, ...]

    def __post_init__(self) -> None:
        if not all(map(_OWN_FILE.fullmatch, self.files)):
            raise ValueError("a file is not one of the job's own")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveResult:
    """
    Resolved references: the counts of the table with its new issues, and the questions to ask.

    defects: our own failures.
    """

    counts: Counts
    questions: tuple[Question, ...]
    defects: tuple[Defect, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestResult:
    """A draft of a catalog, and the proposed field of each column."""

    title: str
    key: str
    catalog: dict[str, Any]  # a draft: its author may break every rule of a catalog
    columns: tuple[Document, ...]  # as the catalog's editor shows them


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedRow:
    """
    A row that a step changes, with the first columns that the step reads or makes.

    source_row: its row in the file. after: the first rows made of it, none if it is left out.
    """

    source_row: int
    before: dict[str, str | None]
    after: tuple[dict[str, str | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepChanges:
    """What one step changes, or several: how many rows, and the first of them."""

    rows_before: int
    rows_after: int
    changed_rows: int
    rows: tuple[ChangedRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepsResult:
    """What each step of a recipe changes in the rows that were looked at, and all together."""

    looked_at: int
    steps: tuple[StepChanges, ...]
    whole: StepChanges


def file_read_kept(document: Mapping[str, Any]) -> FileRead:
    """Read the result of reading a file, stored by this or an earlier version."""
    return forms.read_kept(FileRead, {"entries": {}, "left_out": {}, "related": [], **document})
