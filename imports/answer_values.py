"""Which values are valid answers for each kind of question."""

import json
from typing import Any

from common.errors import InvalidRequest
from imports.asking import COLUMN_KINDS, REQUIRED, UNPIVOT
from imports.choosing import header_rows
from imports.column_answers import paths_of
from imports.models import ImportRecord
from imports.options import is_option
from ledger.models import Question
from references.selectors import seen_by

MOST_HEADER_ROWS = 20


def checked_value(question: Question, value: Any, record: ImportRecord) -> Any:
    """
    Return the value as the ledger stores it.

    Raise InvalidRequest (``invalid_answer``) if it is invalid.
    """
    sentence = _fault(question, value, record)
    if sentence:
        where = [{"pointer": "/value", "code": "invalid_answer", "detail": sentence}]
        raise InvalidRequest(sentence, code="invalid_answer", errors=where)
    return header_rows(value) if question.kind == "header_row" else value


def _fault(question: Question, value: Any, record: ImportRecord) -> str:
    if question.kind == REQUIRED:
        read = record.file_read
        fits = value is None or (read is not None and value in read.columns)
        return "" if fits else "The answer is a column of the file, or null for none."
    if question.kind in COLUMN_KINDS:
        return _column_fault(question, value, record)
    if question.kind == "category_value":
        if is_option(record, question.field, value):
            return ""
        return f"{_json(value)} is not an option of {question.field}."
    if question.kind == "reference":
        return _reference_fault(question, value, record)
    if question.kind == "table":
        tables = len(record.file_read.tables) if record.file_read else 0
        if type(value) is int and 0 <= value < tables:
            return ""
        return f"The answer is the number of a table, from 0 to {tables - 1}."
    if question.kind == "header_row":
        return _rows_fault(value)
    if question.kind == "region" and isinstance(value, str):
        from tabular.types.families.phones import is_region  # loads the library of phone numbers

        if is_region(value):
            return ""
        return f"{_json(value)} is not a country code: use two letters, such as DE."
    offered = [candidate["value"] for candidate in question.candidates]
    return "" if value in offered else f"The answer is one of {', '.join(map(_json, offered))}."


def _reference_fault(question: Question, value: Any, record: ImportRecord) -> str:
    offered = [candidate["value"] for candidate in question.candidates]
    if value is None or value in offered:
        return ""
    field = record.target.live_fields.get(question.field)
    if isinstance(value, str) and field is not None and field.reference is not None:
        known = seen_by(record.tenant, record.scope, field.reference.entity)
        if not record.from_page and known.filter(ref=value).exists():
            return ""
    return f"{_json(value)} is no known ref; the answer is one, or null for none."


def _rows_fault(value: Any) -> str:
    sentence = "The answer is a row number, a list of row numbers, or null for no header."
    listed = [value] if type(value) is int else value or []
    if not isinstance(listed, list) or len(listed) > MOST_HEADER_ROWS:
        return sentence
    return "" if all(type(row) is int and row >= 0 for row in listed) else sentence


def _column_fault(question: Question, value: Any, record: ImportRecord) -> str:
    if question.kind == UNPIVOT:
        return _unpivot_fault(value, record)
    if not _is_of_shape(value, question.columns):
        return (
            "The answer is a field path, a list of field paths to split one column into, an "
            "object of column to field path, or null to leave the columns out."
        )
    fields = record.target.live_fields
    unknown = sorted(set(paths_of(value)) - set(fields))
    if unknown:
        return f"The catalog has no field {unknown[0]!r} that can be mapped."
    if isinstance(value, dict) and (others := sorted(set(value) - set(question.columns))):
        return f"The question is not about the column {others[0]!r}."
    return ""


def _unpivot_fault(value: Any, record: ImportRecord) -> str:
    if value is None:
        return ""
    if not isinstance(value, dict) or set(value) != {"name", "value"}:
        return 'The answer is {"name": a field path, "value": another}, or null.'
    paths = [value["name"], value["value"]]
    unknown = [path for path in paths if path not in record.target.live_fields]
    if unknown:
        return f"The catalog has no field {unknown[0]!r} that can be mapped."
    return "" if paths[0] != paths[1] else "Names and values need a field each."


def _is_of_shape(value: Any, columns: list[str]) -> bool:
    match value:
        case None:
            return True
        case str():
            return len(columns) == 1
        case list():
            texts = all(isinstance(path, str) for path in value)
            return len(columns) == 1 and 0 < len(value) == len(set(map(str, value))) and texts
        case dict():
            return bool(value) and all(isinstance(path, str) for path in value.values())
    return False


def _json(value: Any) -> str:
    """Return a value as its sender would write it."""
    return json.dumps(value, ensure_ascii=False)
