"""Which answers the values of a row go by, of all that were given about its import."""

from collections.abc import Iterable, Mapping
from typing import Any

from imports.models import ImportRecord
from ledger.models import Question
from ledger.selectors import questions_about
from pipeline.draft import paths_of
from pipeline.kinds import COLUMN_KINDS, TEXT_KINDS, VALUE_KINDS, WHOLE_KINDS
from pipeline.kinds.required_field import NAME as REQUIRED
from pipeline.kinds.unpivot import Groups

Cell = Mapping[str, Any]  # of an explained row, by wire names


def answers_behind(record: ImportRecord, cells: Iterable[Cell]) -> dict[str, list[Question]]:
    """
    Find the answers that decided where each cell comes from, or what its text means; by field.

    What decides about the file as a whole, such as its table or its encoding, is not among them.
    """
    answered = list(
        questions_about(record.tenant, record.public_id).filter(
            state=Question.State.ANSWERED, kind__in=COLUMN_KINDS | VALUE_KINDS
        )
    )
    return {cell["field"]: [item for item in answered if _decides(item, cell)] for cell in cells}


def _decides(question: Question, cell: Cell) -> bool:
    field: str = cell["field"]
    columns = set(cell["texts"])
    if question.kind in TEXT_KINDS:
        return question.field == field and bool(question.evidence[:1] == [cell["read"]])
    if question.kind == REQUIRED:
        return question.field == field and bool(question.answer in columns)
    if question.kind == Groups.name and isinstance(question.answer, list):
        return bool(columns & set(question.columns))
    if question.kind in COLUMN_KINDS:
        return field in paths_of(question.answer) and bool(columns & set(question.columns))
    if question.kind in WHOLE_KINDS:
        return bool(columns & set(question.columns))
    return question.field == field
