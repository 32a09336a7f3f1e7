"""
Answer or dismiss a question: the ledger records it, and the import follows. docs/questions.md.

An answer applies to the whole import: a choice about the file reads it again, an answer about
columns changes the mapping, one about values transforms the rows again.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from common.actors import Actor
from common.errors import Conflict
from imports import transitions
from imports.answers.record import open_questions_of
from imports.answers.snapshots import save_snapshot
from imports.mapping.draft import MappingDraft
from imports.mapping.precedence import with_defaults
from imports.mapping.proposal import Decider
from imports.mapping.required_fields import ask_required, is_complete
from imports.models import ImportRecord
from imports.questions import (
    COLUMN_KINDS,
    FILE_KINDS,
    TEXT_KINDS,
    checked_value,
    chosen_by,
    followed,
)
from imports.questions.recognised_text import NAME as LOOK
from imports.transitions import WAITING, NotWaiting
from ledger import transitions as moves
from ledger.models import Question
from licensing.models import Tenant

State = ImportRecord.State


class NeedsLook(Conflict):
    """A person compares what was recognised in a picture, and answers the question."""

    code = "needs_look"


def answer_question(
    *, question: Question, value: Any, remember: bool = True, actor: Actor, at: datetime
) -> ImportRecord:
    """Answer a question and apply the answer. Raise InvalidRequest if it is not a valid answer."""
    with transaction.atomic():
        record = _asking(question)
        checked = checked_value(question, value, record)
        if question.kind == LOOK:
            _require_look(actor)
            remember = False  # the next picture is another one
        formerly = _in_force(question)
        moves.answer(question=question, value=checked, actor=actor, at=at, remember=remember)
        if question.kind in TEXT_KINDS or checked != formerly:
            return _follow(record, question, checked, actor=actor, at=at)
        return go_on(record, actor=actor, at=at)


def dismiss_question(*, question: Question, actor: Actor, at: datetime) -> ImportRecord:
    """Dismiss a question, so that its default applies, for this import only."""
    with transaction.atomic():
        record = _asking(question)
        if question.kind == LOOK:
            raise NeedsLook
        moves.dismiss(question=question, actor=actor, at=at)
        if question.kind in COLUMN_KINDS:
            return _follow(record, question, question.default, actor=actor, at=at)
        return go_on(record, actor=actor, at=at)


def dismiss_all(*, record: ImportRecord, actor: Actor, at: datetime) -> list[Question]:
    """Dismiss all open questions, for this import only; return those that were open."""
    with transaction.atomic():
        record = held(record.tenant, record.public_id)
        dismissed = dismiss_open(record=record, actor=actor, at=at)
        if record.state == State.MAPPING:
            for question in dismissed:
                map_proposed(record, question, question.default)
        go_on(record, actor=actor, at=at)
    return dismissed


def dismiss_open(*, record: ImportRecord, actor: Actor, at: datetime) -> list[Question]:
    """
    Dismiss all open questions but the one for a look, inside the caller's transaction.

    The rows in review already use the defaults, so nothing else changes there.
    """
    found = list(open_questions_of(record).exclude(kind=LOOK))
    for question in found:
        moves.dismiss(question=question, actor=actor, at=at)
    return found


def _require_look(actor: Actor) -> None:
    """Raise NeedsLook for an agent: people see the page, and the host's server speaks for some."""
    if actor.kind == "agent":
        raise NeedsLook


def _asking(question: Question) -> ImportRecord:
    """Return the import of a question, locked against a concurrent answer."""
    record = held(question.tenant, question.subject)
    question.refresh_from_db()
    return record


def held(tenant: Tenant, record_id: str) -> ImportRecord:
    """Return an import that waits for a person, locked and saved for undo. Raise NotWaiting."""
    mine = ImportRecord.objects.select_for_update(of=("self",)).select_related(
        "catalog_version__catalog", "tenant"
    )
    record = mine.get(tenant=tenant, public_id=record_id)
    if record.state not in WAITING:
        raise NotWaiting(
            f"The import is {record.state}; questions can be answered in mapping or review."
        )
    save_snapshot(record)
    return record


def _in_force(question: Question) -> Any:
    """Return the value the import works with now; None for questions about columns."""
    if question.state == Question.State.ANSWERED:
        return question.answer
    return object() if question.kind in COLUMN_KINDS else question.default


def _follow(
    record: ImportRecord, question: Question, value: Any, *, actor: Actor, at: datetime
) -> ImportRecord:
    if question.kind == LOOK:
        return go_on(record, actor=actor, at=at)
    if question.kind in FILE_KINDS:
        choices = chosen_by(question.kind, value, record.chosen, record.file_read)
        if choices == record.chosen:
            return go_on(record, actor=actor, at=at)
        return transitions.read_again(record, choices, actor=actor, at=at)
    if question.kind in COLUMN_KINDS:
        return _map(record, question, value, actor=actor, at=at)
    if record.state == State.REVIEW:
        return transitions.transform_again(record, actor=actor, at=at)
    return go_on(record, actor=actor, at=at)


def _map(
    record: ImportRecord, question: Question, value: Any, *, actor: Actor, at: datetime
) -> ImportRecord:
    if record.state == State.REVIEW:
        samples = record.proposes.samples
        steps = tuple((record.recipe or {}).get("steps", ()))
        draft = followed(
            MappingDraft(record.mapping or {}, steps), question, value, samples=samples
        )
        if _is_same(draft, record.mapping, steps):
            return record
        return transitions.transform_again(record, draft, actor=actor, at=at)
    map_proposed(record, question, value)
    return go_on(record, actor=actor, at=at)


def _is_same(draft: MappingDraft, mapping: Any, steps: Sequence[Any]) -> bool:
    return dict(draft.mapping) == mapping and list(draft.steps) == list(steps)


def map_proposed(record: ImportRecord, question: Question, value: Any) -> None:
    """Update the proposal after an answer about columns."""
    if question.kind not in COLUMN_KINDS:
        return
    proposal = record.proposes
    draft = followed(proposal.draft, question, value, samples=proposal.samples)
    decider = Decider("question", question.public_id)
    record.proposal = proposal.with_draft(draft, by=decider).as_json()
    record.save(update_fields=["proposal"])


def go_on(record: ImportRecord, *, actor: Actor, at: datetime) -> ImportRecord:
    """Transform automatically if the import is set to do so and nothing blocks it."""
    if record.state != State.MAPPING or record.catalog_version is None:
        return record
    draft = with_defaults(record.proposes, record.proposed, open_questions_of(record))
    ask_required(record, draft, at=at)
    if not record.auto_map or not is_complete(record, draft):
        return record
    return transitions.transform_again(record, draft, actor=actor, at=at)
