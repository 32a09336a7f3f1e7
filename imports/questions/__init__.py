"""
The kinds of questions, one module each: identity, valid answers, and what an answer does.

The ledger stores questions and answers as rows and knows no kind. docs/questions.md describes the
kinds for callers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from common.errors import InvalidRequest
from imports.mapping.draft import AboutColumns, MappingDraft
from imports.questions.category_value import CategoryValue
from imports.questions.column import Column, Columns
from imports.questions.date_order import DateOrder
from imports.questions.decimal_separator import DecimalSeparator
from imports.questions.duplicate_key import DuplicateKey
from imports.questions.encoding import Encoding
from imports.questions.header_row import HeaderRow
from imports.questions.joined_lines import JoinedLines
from imports.questions.model import ColumnKind, FileKind, Kind, TextKind, ValueKind
from imports.questions.percent_scale import PercentScale
from imports.questions.recognised_text import RecognisedText
from imports.questions.reference import Reference
from imports.questions.region import Region
from imports.questions.required_field import RequiredField
from imports.questions.table import Table
from imports.questions.unpivot import Unpivot
from ledger.services import NewQuestion
from tabular.model.issue import Question
from tabular.model.places import ReadingChoices
from tabular.protocol.answers import Answers
from tabular.protocol.results import FileRead

if TYPE_CHECKING:
    from imports.models import ImportRecord
    from ledger.models import Question as Recorded

_ABOUT_FILE: tuple[FileKind, ...] = (Table(), HeaderRow(), Encoding(), JoinedLines())
_ABOUT_COLUMNS: tuple[ColumnKind, ...] = (Column(), Columns(), Unpivot(), RequiredField())
_ABOUT_VALUES: tuple[ValueKind, ...] = (
    DateOrder(),
    DecimalSeparator(),
    PercentScale(),
    Region(),
    CategoryValue(),
    Reference(),
)
KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (*_ABOUT_FILE, *_ABOUT_COLUMNS, *_ABOUT_VALUES, RecognisedText(), DuplicateKey())
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
TRANSFORM_KINDS = VALUE_KINDS | {DuplicateKey.name}
# The code of the issue that a cell has whose text is asked about.
ISSUE_OF = {kind.name: kind.issue_code for kind in _ABOUT_VALUES if kind.issue_code}


def asked_of(
    questions: Iterable[Question], *, read: FileRead | None, catalog_key: str
) -> list[NewQuestion]:
    """Return the questions of a job's result with their fingerprints, without duplicates."""
    asked: dict[str, NewQuestion] = {}
    for question in questions:
        name = fingerprint_of(question, read=read, catalog_key=catalog_key)
        members = {member.name: getattr(question, member.name) for member in fields(Question)}
        asked.setdefault(name, NewQuestion(**members, fingerprint=name))
    return list(asked.values())


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


def checked_value(question: "Recorded", value: Any, record: "ImportRecord") -> Any:
    """
    Return an answer as the ledger stores it.

    Raise InvalidRequest (``invalid_answer``) if it is invalid.
    """
    kind = KINDS.get(question.kind, UNKNOWN)
    if sentence := kind.fault(question, value, record):
        where = [{"pointer": "/value", "code": "invalid_answer", "detail": sentence}]
        raise InvalidRequest(sentence, code="invalid_answer", errors=where)
    return kind.stored(value)


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


def with_answer(answers: Answers, kind: str, field: str, text: str, value: Any) -> Answers:
    """Return the answers about values with one more. text: the text that it is about, if any."""
    return _VALUES[kind].add(answers, field, text, value)
