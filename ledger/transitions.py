"""
Every move of a question from one state to another: answered, dismissed, superseded, restored.

No other module moves a question. See docs/states.md.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction

from common import events
from common.actors import Actor
from ledger.models import Question
from ledger.recalled import Recalled, first_given
from tabular.model.sentences import Sentence

State = Question.State
UNDONE = "undone or redone with the rows"


def answer(
    *,
    question: Question,
    value: Any,
    actor: Actor,
    at: datetime,
    remember: bool = True,
    recalled: Recalled | None = None,
) -> Question:
    """
    Answer a question, or change its answer. Raise IllegalMove if it is superseded.

    remember: whether the answer may be kept for later. recalled: the kept answer it repeats. Who
    gives the answer that was given before confirms it.
    """
    learned_from = recalled.answer_id if recalled else ""
    with transaction.atomic():
        question.write(
            answer=value,
            remember=remember,
            given=_given_before(question, value),
            learned_from=learned_from,
            recalled=recalled.as_json() if recalled else None,
        )
        question.move_to(State.ANSWERED, at=at, actor=actor)
        rule = Sentence("remembered answer {id}", id=learned_from) if learned_from else ""
        _note("question.answered", question, actor, at, rule=rule)
    return question


def _given_before(question: Question, value: Any) -> dict[str, Any] | None:
    """Return who gave this very answer first, or None."""
    if question.state != State.ANSWERED or question.answer != value:
        return None
    if earlier := question.recalled:
        return {"by": earlier["by"], "at": earlier["at"]}
    if question.learned_from:
        return None  # an earlier version did not record who
    return first_given(question, question.answered_at)


def dismiss(*, question: Question, actor: Actor, at: datetime, rule: str = "") -> Question:
    """Dismiss a question. Raise IllegalMove if it is not open. rule: why the engine does it."""
    with transaction.atomic():
        question.move_to(State.DISMISSED, rule, at=at, actor=actor)
        _note("question.dismissed", question, actor, at, rule=rule)
    return question


def _note(
    kind: events.Kind, question: Question, actor: Actor, at: datetime, *, rule: str = ""
) -> None:
    about = {"kind": question.kind, "field": question.field, "columns": question.columns}
    events.note(
        tenant=question.tenant.public_id,
        kind=kind,
        subject=question.public_id,
        record=question.subject,
        actor=actor,
        at=at,
        rule=rule,
        about=about,
    )


def supersede(*, questions: Iterable[Question], at: datetime, reason: str) -> None:
    """Supersede questions that are no longer asked."""
    for question in questions:
        question.move_to(State.SUPERSEDED, reason, at=at)


def restore(question: Question, kept: dict[str, Any], *, actor: Actor, at: datetime) -> None:
    """
    Restore the saved state of a question, and its answer, whatever moves are otherwise allowed.

    kept: the columns it had, with its state. No state is final here: undo restores what was before.
    """
    columns = {**kept}
    question.restore(columns.pop("state"), columns, UNDONE, at=at, actor=actor)
