"""
The kinds of questions, one module each: identity, valid answers, and what an answer does.

The ledger stores questions and answers as rows and knows no kind. docs/questions.md describes the
kinds for callers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from pipeline.draft import AboutColumns, MappingDraft
from pipeline.kind import AboutValues, ColumnKind, FileKind, Kind, Recorded, TextKind, ValueKind
from pipeline.kinds.category_value import CategoryValue
from pipeline.kinds.column import Column, Columns
from pipeline.kinds.date_order import DateOrder
from pipeline.kinds.decimal_separator import DecimalSeparator
from pipeline.kinds.drift import Drift
from pipeline.kinds.encoding import Encoding
from pipeline.kinds.header_row import HeaderRow
from pipeline.kinds.joined_lines import JoinedLines
from pipeline.kinds.percent_scale import PercentScale
from pipeline.kinds.recognised_text import RecognisedText
from pipeline.kinds.reference import Reference
from pipeline.kinds.region import Region
from pipeline.kinds.required_field import RequiredField
from pipeline.kinds.table import Table
from pipeline.kinds.unpivot import Groups, Unpivot
from pipeline.target import Target
from tabular.model.issue import NewQuestion, Question
from tabular.model.places import ReadingChoices
from tabular.protocol.answers import Answers
from tabular.protocol.results import FileRead

_ABOUT_FILE: tuple[FileKind, ...] = (Table(), HeaderRow(), Encoding(), JoinedLines())
_ABOUT_COLUMNS: tuple[ColumnKind, ...] = (
    Column(),
    Columns(),
    Unpivot(),
    Groups(),
    RequiredField(),
)
_ABOUT_VALUES: tuple[ValueKind, ...] = (
    DateOrder(),
    DecimalSeparator(),
    PercentScale(),
    Region(),
    CategoryValue(),
    Reference(),
)
_OTHERS: tuple[Kind, ...] = (RecognisedText(), Drift())
KINDS: Mapping[str, Kind] = {
    kind.name: kind for kind in (*_ABOUT_FILE, *_ABOUT_COLUMNS, *_ABOUT_VALUES, *_OTHERS)
}
UNKNOWN = Kind()  # a kind that another version asked: a candidate answers it
_FILE = {kind.name: kind for kind in _ABOUT_FILE}
_COLUMNS = {kind.name: kind for kind in _ABOUT_COLUMNS}
_VALUES = {kind.name: kind for kind in _ABOUT_VALUES}

FILE_KINDS = frozenset(_FILE)
COLUMN_KINDS = frozenset(_COLUMNS)
VALUE_KINDS = frozenset(_VALUES)
WHOLE_KINDS = frozenset(kind.name for kind in _ABOUT_VALUES if kind.is_about_whole_rows)
TEXT_KINDS = frozenset(kind.name for kind in _ABOUT_VALUES if isinstance(kind, TextKind))
READING_KINDS = FILE_KINDS | COLUMN_KINDS | {RecognisedText.name}
PERSON_KINDS = frozenset(kind.name for kind in KINDS.values() if kind.needs_person)
# The code of the issue that a cell has whose text is asked about.
ISSUE_OF = {kind.name: kind.issue_code for kind in _ABOUT_VALUES if kind.issue_code}


def with_fingerprints(
    questions: Iterable[Question], *, read: FileRead | None, catalog_key: str
) -> list[NewQuestion]:
    """Return the questions of a job's result with their fingerprints, without duplicates."""
    by_fingerprint: dict[str, NewQuestion] = {}
    for question in questions:
        name = fingerprint_of(question, read=read, catalog_key=catalog_key)
        members = {member.name: getattr(question, member.name) for member in fields(Question)}
        by_fingerprint.setdefault(name, NewQuestion(**members, fingerprint=name))
    return list(by_fingerprint.values())


def fingerprint_of(question: Question, *, read: FileRead | None, catalog_key: str) -> str:
    """Return the fingerprint of a question; the same one in another import has the same."""
    return KINDS[question.kind].fingerprint(question, read, catalog_key)


def undecided(
    questions: Iterable[Question], *, choices: ReadingChoices, chosen: int
) -> list[Question]:
    """
    Return the questions that no choice about the file has decided already.

    Readers ask about their best table, number 0: the question about its header row is obsolete once
    another table is chosen.
    """
    chosen_now = {kind.name: getattr(choices, kind.choice) for kind in _ABOUT_FILE}
    decided = {kind for kind, choice in chosen_now.items() if choice is not None}
    if choices.tables:
        decided |= {Table.name}
    if chosen != 0:
        decided |= {HeaderRow.name}
    return [question for question in questions if question.kind not in decided]


def fault_of(question: Recorded, value: Any, target: Target) -> str:
    """Return why a value is not a valid answer; empty if it is."""
    return KINDS.get(question.kind, UNKNOWN).fault(question, value, target)


def cancels(kind: str, value: Any) -> bool:
    """Return whether an answer cancels the import."""
    return KINDS.get(kind, UNKNOWN).cancels(value)


def stored(kind: str, value: Any) -> Any:
    """Return a valid answer as the ledger stores it."""
    return KINDS.get(kind, UNKNOWN).stored(value)


def chosen_by(
    kind: str, value: Any, choices: ReadingChoices, read: FileRead | None
) -> ReadingChoices:
    """Return the choices after an answer about the file; the same object if nothing changes."""
    return _FILE[kind].choose(value, choices, read)


def followed(
    draft: MappingDraft, question: AboutColumns, value: Any, *, samples: Mapping[str, Sequence[str]]
) -> MappingDraft:
    """Return the draft of a mapping after an answer about columns."""
    return _COLUMNS[question.kind].follow(draft, question, value, samples)


def added(answers: Answers, question: AboutValues, value: Any) -> Answers:
    """Return the answers about values with another; the same if it is not about values."""
    if (kind := _VALUES.get(question.kind)) is None:
        return answers
    text = question.evidence[0] if question.evidence else ""
    return kind.add(answers, question.field or "", text, value)
