"""The questions of a job as the ledger records them, and when two questions are the same."""

from collections.abc import Iterable
from dataclasses import fields
from hashlib import sha256
from typing import Literal

from ledger.services import Asked
from tabular.model.issue import Question
from tabular.model.places import ReadingChoices
from tabular.protocol.results import FileRead

CHOICE_OF = {  # kind to choice about the file
    "table": "table",
    "header_row": "header_rows",
    "encoding": "encoding",
    "joined_lines": "joined_lines",
}
REQUIRED: Literal["required_field"] = "required_field"
UNPIVOT = "unpivot"
COLUMN_KINDS = frozenset({"column", "columns", UNPIVOT, REQUIRED})
WHOLE_KINDS = frozenset({"region"})  # about all rows, in any column
TEXT_KINDS = frozenset({"category_value", "reference"})  # about one text of a field
VALUE_KINDS = WHOLE_KINDS | {
    "date_order",
    "decimal_separator",
    "percent_scale",
    *TEXT_KINDS,
}
READING_KINDS = frozenset(CHOICE_OF) | COLUMN_KINDS
TRANSFORM_KINDS = VALUE_KINDS | {"duplicate_key"}


def asked_of(
    questions: Iterable[Question], *, read: FileRead | None, catalog_key: str
) -> list[Asked]:
    """Return the questions of a job's result without duplicates."""
    found: dict[str, Asked] = {}
    for question in questions:
        name = fingerprint_of(question, read=read, catalog_key=catalog_key)
        members = {one.name: getattr(question, one.name) for one in fields(Question)}
        found.setdefault(name, Asked(**members, fingerprint=name))
    return list(found.values())


def undecided(
    questions: Iterable[Question], *, choices: ReadingChoices, chosen: int
) -> list[Question]:
    """
    Return the questions that no choice about the file has decided already.

    Readers ask about their best table, number 0: the question about its header row is obsolete once
    another table is chosen.
    """
    settled = {kind: getattr(choices, choice) for kind, choice in CHOICE_OF.items()}
    decided = {kind for kind, choice in settled.items() if choice is not None}
    if choices.tables:
        decided |= {"table"}
    if chosen != 0:
        decided |= {"header_row"}
    return [question for question in questions if question.kind not in decided]


def fingerprint_of(question: Question, *, read: FileRead | None, catalog_key: str) -> str:
    """
    Return the fingerprint of a question; the same question in another import has the same one.

    A table question is identified by the sheets and headers to choose from, a header row by the
    rows to choose from, joined lines by their texts, an option by its text, and everything else by
    its columns and its choices.
    """
    kind = question.kind
    if kind == "table":
        return _digest(kind, *_headers(read))
    if kind == "header_row":
        sheet = (read.table.sheet if read else None) or ""
        return _digest(kind, sheet, *(candidate.label for candidate in question.candidates))
    if kind == "joined_lines":
        return _digest(kind, *question.evidence)
    if kind in TEXT_KINDS:
        field, text = question.field or "", question.evidence[0]
        return text_fingerprint(field, text, catalog_key=catalog_key, kind=kind)
    if kind in WHOLE_KINDS:
        return _digest(kind, catalog_key, *sorted(question.columns))
    from tabular.matching import question_fingerprint  # rarely used in a web process

    return _digest(kind, catalog_key, question_fingerprint(question))


def text_fingerprint(
    field: str, text: str, *, catalog_key: str, kind: str = "category_value"
) -> str:
    """Return the fingerprint of the question what a text of a field means, in any column."""
    return _digest(kind, catalog_key, field, text)


def required_fingerprint(field: str, read: FileRead | None, *, catalog_key: str) -> str:
    """Return the fingerprint of the question which column feeds a required field."""
    return _digest(REQUIRED, catalog_key, field, read.fingerprint if read else "")


def _headers(read: FileRead | None) -> list[str]:
    from tabular.matching import fingerprint

    tables = read.tables if read else ()
    return [f"{table.sheet or ''}:{fingerprint(table.columns)}" for table in tables]


def _digest(*parts: str) -> str:
    return sha256("\x1f".join(parts).encode()).hexdigest()
