"""Decide which options texts mean, many texts at once."""

from datetime import datetime
from typing import Any

from django.db import transaction

from common.actors import Actor
from common.errors import InvalidRequest
from common.http.pointers import escaped
from common.wording.messages import Message
from imports import inputs, transitions
from imports.answers.snapshots import save_snapshot
from imports.models import ImportRecord
from imports.selectors import options_to_choose
from imports.transitions import NotWaiting
from ledger import services as ledger
from ledger import transitions as moves
from pipeline.kind import text_fingerprint
from tabular.model.issue import Candidate, NewQuestion

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
        raise NotWaiting("not_waiting.values", state=record.state)
    _check(record, field, values)
    with transaction.atomic():
        save_snapshot(record)
        for text, value in values.items():
            question = ledger.ask(
                tenant=record.tenant,
                subject=record.public_id,
                question=_question_about(record, field, text),
                at=at,
            )
            moves.answer(question=question, value=value, actor=actor, at=at, remember=remember)
        return transitions.transform_again(record, actor=actor, at=at)


def _question_about(record: ImportRecord, field: str, text: str) -> NewQuestion:
    column_of = {path: column for column, path in (record.mapping or {}).items()}
    return NewQuestion(
        kind="category_value",
        fingerprint=text_fingerprint(field, text, catalog_key=record.catalog_key),
        field=field,
        columns=(column_of[field],) if field in column_of else (),
        candidates=tuple(
            Candidate(option.value, option.label)
            for option in inputs.target_of(record).options_of(field)
        ),
        evidence=(text,),
    )


def _check(record: ImportRecord, field: str, values: dict[str, Any]) -> None:
    options_to_choose(record, field)
    target = inputs.target_of(record)
    wrong = [
        {
            "pointer": f"/values/{escaped(text)}",
            "code": "unknown_option",
            "detail": Message("unknown_option.of", value=value, field=field),
        }
        for text, value in values.items()
        if not target.is_option(field, value)
    ]
    if wrong:
        raise InvalidRequest("unknown_option", errors=wrong)
