"""Decide which options texts mean, many texts at once."""

from datetime import datetime
from typing import Any

from django.db import transaction

from common.actors import Actor
from common.errors import InvalidRequest
from common.http.pointers import escaped
from imports import transitions
from imports.answers.options import is_option, options_of, require_options
from imports.answers.snapshots import save_snapshot
from imports.models import ImportRecord
from imports.questions.model import text_fingerprint
from imports.transitions import NotWaiting
from ledger import services as ledger
from ledger import transitions as moves
from ledger.services import NewQuestion
from tabular.model.issue import Candidate

State = ImportRecord.State


def confirm_values(
    *,
    record: ImportRecord,
    field: str,
    values: dict[str, Any],
    remember: bool = True,
    actor: Actor,
    at: datetime,
) -> ImportRecord:
    """
    Decide what texts of a field mean and transform the rows again, once.

    values: text, as written in the cell, to an option's value, or null to empty the cell.
    """
    if record.state != State.REVIEW:
        raise NotWaiting(f"The import is {record.state}; values can be answered in review.")
    _check(record, field, values)
    with transaction.atomic():
        save_snapshot(record)
        for text, value in values.items():
            question = ledger.ask(
                tenant=record.tenant,
                subject=record.public_id,
                asked=_asked(record, field, text),
                at=at,
            )
            moves.answer(question=question, value=value, actor=actor, at=at, remember=remember)
        return transitions.transform_again(record, actor=actor, at=at)


def _asked(record: ImportRecord, field: str, text: str) -> NewQuestion:
    column_of = {path: column for column, path in (record.mapping or {}).items()}
    return NewQuestion(
        kind="category_value",
        fingerprint=text_fingerprint(field, text, catalog_key=record.catalog_key),
        field=field,
        columns=(column_of[field],) if field in column_of else (),
        candidates=tuple(
            Candidate(option.value, option.label) for option in options_of(record, field)
        ),
        evidence=(text,),
    )


def _check(record: ImportRecord, field: str, values: dict[str, Any]) -> None:
    require_options(record, field)
    wrong = [
        {
            "pointer": f"/values/{escaped(text)}",
            "code": "unknown_option",
            "detail": f"{value!r} is not an option of {field}.",
        }
        for text, value in values.items()
        if not is_option(record, field, value)
    ]
    if wrong:
        raise InvalidRequest("Some values are not options.", code="unknown_option", errors=wrong)
