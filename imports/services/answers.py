"""
Answer or dismiss a question: the ledger records it, and the import follows. docs/questions.md.

An answer applies to the whole import: a choice about the file reads it again, an answer about
columns changes the mapping, one about values transforms the rows again.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction

from common.actors import Actor
from common.errors import Conflict
from imports import inputs, transitions
from imports.answers.questions import (
    checked_value,
    dismiss_open,
    open_questions_of,
    record_questions,
)
from imports.answers.snapshots import save_snapshot
from imports.models import ImportRecord
from imports.transitions import WAITING, NotWaiting
from ledger import transitions as moves
from ledger.models import Question
from licensing.models import Tenant
from pipeline.decide import Answers, decide
from pipeline.draft import MappingDraft
from pipeline.kinds import (
    COLUMN_KINDS,
    FILE_KINDS,
    PERSON_KINDS,
    TEXT_KINDS,
    cancels,
    chosen_by,
    followed,
)
from pipeline.kinds.required_field import NAME as REQUIRED
from pipeline.proposal import Decider, Proposal

State = ImportRecord.State
ANSWERED_SO = "a question about the file"


class NeedsLook(Conflict):
    """Only a person may answer this question."""

    code = "needs_look"


def answer_question(
    *, question: Question, value: Any, remember: bool = True, actor: Actor, at: datetime
) -> ImportRecord:
    """Answer a question and apply the answer. Raise InvalidRequest if it is not a valid answer."""
    with transaction.atomic():
        record = _asking(question)
        checked = checked_value(question, value, inputs.target_of(record))
        if question.kind in PERSON_KINDS:
            _require_look(actor)
            remember = False  # the next file is another one
        formerly = _in_force(question)
        moves.answer(question=question, value=checked, actor=actor, at=at, remember=remember)
        if cancels(question.kind, checked):
            return transitions.cancel(record, actor=actor, at=at, reason=ANSWERED_SO)
        if question.kind in TEXT_KINDS or checked != formerly:
            return _follow(record, question, checked, actor=actor, at=at)
        return go_on(record, actor=actor, at=at)


def dismiss_question(*, question: Question, actor: Actor, at: datetime) -> ImportRecord:
    """Dismiss a question, so that its default applies, for this import only."""
    with transaction.atomic():
        record = _asking(question)
        if question.kind in PERSON_KINDS:
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
        proposal = record.proposes
        if record.state == State.MAPPING:
            for question in dismissed:
                proposal = with_answer(proposal, question, question.default)
        go_on(record, proposal, actor=actor, at=at)
    return dismissed


def _require_look(actor: Actor) -> None:
    """Raise NeedsLook for an agent: people see the file, and the host's server speaks for some."""
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
        raise NotWaiting("not_waiting.questions", state=record.state)
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
    if question.kind in PERSON_KINDS:
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
    proposal = with_answer(record.proposes, question, value)
    return go_on(record, proposal, actor=actor, at=at)


def _is_same(draft: MappingDraft, mapping: Any, steps: Sequence[Any]) -> bool:
    return dict(draft.mapping) == mapping and list(draft.steps) == list(steps)


def with_answer(proposal: Proposal, question: Question, value: Any) -> Proposal:
    """Return the proposal after an answer; one that is not about columns changes nothing."""
    if question.kind not in COLUMN_KINDS:
        return proposal
    draft = followed(proposal.draft, question, value, samples=proposal.samples)
    return proposal.with_draft(draft, by=Decider("question", question.public_id))


def go_on(
    record: ImportRecord, proposal: Proposal | None = None, *, actor: Actor, at: datetime
) -> ImportRecord:
    """
    Decide again about the mapping; transform if the import is set to do so and nothing blocks it.

    proposal: after answers about columns; None where they changed nothing.
    """
    if record.state != State.MAPPING or record.catalog_version is None:
        return record
    before = record.proposes
    answers = Answers(
        open=tuple(open_questions_of(record)),
        left_empty=inputs.left_empty(record),
        memory=inputs.memory_of(record),
    )
    decision = decide(proposal or before, answers, inputs.policy_of(record, record.file_read))
    required, known = decision.required, decision.known
    record_questions(record, required, kinds={REQUIRED}, known=known, at=at)
    if decision.proposal != before:
        record.write(parsed=replace(record.parsed, proposal=decision.proposal.as_json()))
    if not decision.transforms:
        return record
    return transitions.transform_again(record, decision.draft, actor=actor, at=at)
