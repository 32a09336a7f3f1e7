"""Answer or dismiss a question: the ledger records it, and the import follows. docs/questions.md.

An answer counts for the whole import: a choice about the file reads it again, an answer about
columns changes the mapping, one about values transforms the rows again.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from common.actors import Actor
from imports.answer_values import checked_value
from imports.asking import CHOICE_OF, COLUMN_KINDS
from imports.choosing import chosen_by
from imports.column_answers import Draft, answered
from imports.models import ImportRecord
from imports.proposing import ANSWERED, is_complete, samples_of, with_answer
from imports.recording import is_blocked
from imports.services.starting import FRESH, WAITING, NotWaiting, start
from ledger import services as ledger
from ledger.models import Question

State = ImportRecord.State


def answer_question(
    *, question: Question, value: Any, remember: bool = True, actor: Actor, at: datetime
) -> ImportRecord:
    """Answer a question and carry the answer out; InvalidRequest says what an answer may be."""
    with transaction.atomic():
        record = _asking(question)
        checked = checked_value(question, value, record)
        formerly = _in_force(question)
        ledger.answer(question=question, value=checked, actor=actor, at=at)
        if remember:
            ledger.remember(question=question, scope=record.scope, actor=actor, at=at)
        if question.kind == "category_value" or checked != formerly:
            return _follow(record, question, checked, actor=actor, at=at)
        return _go_on(record, actor=actor, at=at)


def dismiss_question(*, question: Question, actor: Actor, at: datetime) -> ImportRecord:
    """Let the default of a question stand, for this import only."""
    with transaction.atomic():
        record = _asking(question)
        ledger.dismiss(question=question, actor=actor, at=at)
        if question.kind in COLUMN_KINDS:
            return _follow(record, question, question.default, actor=actor, at=at)
        return _go_on(record, actor=actor, at=at)


def _asking(question: Question) -> ImportRecord:
    """Give the import that asks, held against a second answer at the same moment."""
    mine = ImportRecord.objects.select_for_update(of=("self",)).select_related(
        "catalog_version__catalog", "tenant"
    )
    record = mine.get(tenant=question.tenant, public_id=question.subject)
    question.refresh_from_db()
    if record.state not in WAITING:
        raise NotWaiting(
            f"The import is {record.state}; questions are answered in mapping or review."
        )
    return record


def _in_force(question: Question) -> Any:
    """Give the value the import works with now; columns that are asked about have none."""
    if question.state == Question.State.ANSWERED:
        return question.answer
    return object() if question.kind in COLUMN_KINDS else question.default


def _follow(
    record: ImportRecord, question: Question, value: Any, *, actor: Actor, at: datetime
) -> ImportRecord:
    if question.kind in CHOICE_OF:
        choices = chosen_by(question.kind, value, record.choices, record.reading or {})
        if choices == record.choices:
            return _go_on(record, actor=actor, at=at)
        return start(
            record, State.READING, actor=actor, at=at, choices=choices, mapping=None, **FRESH
        )
    if question.kind in COLUMN_KINDS:
        return _map(record, question.columns, value, actor=actor, at=at)
    if record.state == State.REVIEW:
        return start(record, State.TRANSFORMING, actor=actor, at=at, **FRESH)
    return _go_on(record, actor=actor, at=at)


def _map(
    record: ImportRecord, columns: Sequence[str], value: Any, *, actor: Actor, at: datetime
) -> ImportRecord:
    proposal = record.proposal or {}
    samples = samples_of(proposal)
    if record.state == State.REVIEW:
        steps = tuple((record.recipe or {}).get("steps", ()))
        draft = answered(Draft(record.mapping or {}, steps), columns, value, samples=samples)
        changes = {"mapping": dict(draft.mapping), "recipe": draft.recipe}
        return start(record, State.TRANSFORMING, actor=actor, at=at, **changes, **FRESH)
    draft = answered(record.proposed, columns, value, samples=samples)
    record.proposal = with_answer(proposal, draft, why=ANSWERED)
    record.save(update_fields=["proposal"])
    return _go_on(record, actor=actor, at=at)


def _go_on(record: ImportRecord, *, actor: Actor, at: datetime) -> ImportRecord:
    """Transform by itself, where the import was made to and nothing is in the way any more."""
    waits = record.state != State.MAPPING or not record.auto_map
    if waits or is_blocked(record) or not is_complete(record):
        return record
    draft = record.proposed
    changes = {"mapping": dict(draft.mapping), "recipe": draft.recipe}
    return start(record, State.TRANSFORMING, actor=actor, at=at, **changes, **FRESH)
