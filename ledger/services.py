"""
Write the ledger: ask, remember, forget. What is asked is answered by ``ledger.transitions``.

This package does not know what an answer does; the app above decides that, in the same transaction.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db import transaction

from common.actors import Actor
from common.ids import new_id
from common.rows import the_only
from ledger import transitions
from ledger.models import Answer, ModelAnswer, Question
from ledger.recalled import first_given, recalled_by
from ledger.selectors import open_questions, questions_about, remembered_answers
from licensing.models import Tenant
from tabular.model.issue import NewQuestion

State = Question.State
MOST_TEACHERS = 100  # subjects that an answer lists


def ask(*, tenant: Tenant, subject: str, question: NewQuestion, at: datetime) -> Question:
    """Record an open question; an existing one is returned with its state, but fresh evidence."""
    known = questions_about(tenant, subject).exclude(state=State.SUPERSEDED)
    row = the_only(known.filter(fingerprint=question.fingerprint))
    shown = {
        "field": question.field or "",
        "columns": list(question.columns),
        "candidates": [asdict(candidate) for candidate in question.candidates],
        "evidence": list(question.evidence),
        "default": question.default,
        "blocking": question.blocking,
    }
    if row is None:
        return Question.objects.create(
            public_id=new_id("qst_"),
            tenant=tenant,
            subject=subject,
            kind=question.kind,
            fingerprint=question.fingerprint,
            state=State.OPEN,
            asked_at=at,
            **shown,
        )
    Question.objects.filter(pk=row.pk).update(**shown)
    for name, value in shown.items():
        setattr(row, name, value)
    return row


def ask_all(
    *,
    tenant: Tenant,
    subject: str,
    new_questions: Sequence[NewQuestion],
    kinds: Iterable[str],
    at: datetime,
) -> list[Question]:
    """Record the questions of a step; its former questions of these kinds are superseded."""
    with transaction.atomic():
        questions = [
            ask(tenant=tenant, subject=subject, question=item, at=at) for item in new_questions
        ]
        still = {question.pk for question in questions}
        left = open_questions(tenant, subject).filter(kind__in=set(kinds)).exclude(pk__in=still)
        transitions.supersede(questions=left, at=at, reason="no longer asked")
    return questions


KEPT = (
    "public_id", "state", "field", "columns", "candidates", "evidence", "default", "blocking",
    "answer", "answered_by", "answered_at", "remember", "given", "learned_from", "recalled",
)  # fmt: skip


def kept(*, tenant: Tenant, subject: str) -> list[dict[str, Any]]:
    """Return every question about a subject with its state, for ``restore``."""
    questions = questions_about(tenant, subject).exclude(state=State.SUPERSEDED).values(*KEPT)
    return [{**item, "answered_at": _as_text(item["answered_at"])} for item in questions]


def _as_text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def restore(
    *,
    tenant: Tenant,
    subject: str,
    kept: Sequence[dict[str, Any]],
    apart: Collection[str] = (),
    actor: Actor,
    at: datetime,
) -> None:
    """
    Restore the saved state of every question about a subject; later ones are superseded.

    apart: kinds whose later questions stay, since they are about more than what is undone.
    No state of a question is final here: undo restores what was before.
    """
    wanted = {item["public_id"]: item for item in kept}
    questions = list(questions_about(tenant, subject))
    # Superseded ones come first: a question may be open only once at a time.
    for question in sorted(questions, key=lambda question: question.public_id in wanted):
        if question.kind in apart and question.public_id not in wanted:
            continue
        stood = wanted.get(question.public_id, {"state": State.SUPERSEDED})
        when = stood.get("answered_at")
        changes = {**stood, **({"answered_at": datetime.fromisoformat(when)} if when else {})}
        if any(getattr(question, name) != value for name, value in changes.items()):
            transitions.restore(question, changes, actor=actor, at=at)


def remember(*, question: Question, scope: str) -> Answer:
    """Remember a question's answer for the tenant's later imports; the newest answer counts."""
    kept = {
        "field": question.field,
        "columns": question.columns,
        "evidence": question.evidence,
        "value": question.answer,
        "answered_by": question.answered_by,
        "answered_at": question.answered_at,
        "given": question.given,
        "taught_by": [question.subject],
    }
    key = {"tenant": question.tenant, "scope": scope, "kind": question.kind}
    with transaction.atomic():
        answer, is_new = Answer.objects.select_for_update().get_or_create(
            **key,
            fingerprint=question.fingerprint,
            defaults={"public_id": new_id("ans_"), **kept},
        )
        if not is_new:
            if answer.value == question.answer:
                kept["taught_by"] = taught_also(answer.taught_by, question.subject)
                kept["given"] = first_given(answer, answer.answered_at)
            for name, value in kept.items():
                setattr(answer, name, value)
            answer.save()
    return answer


def taught_also(teachers: Sequence[str], subject: str) -> list[str]:
    """Return the teachers with a subject added as the newest; the oldest are dropped."""
    return [*(teacher for teacher in teachers if teacher != subject), subject][-MOST_TEACHERS:]


def copy_answers(*, tenant: Tenant, subject: str, to: str, at: datetime) -> None:
    """Copy what was answered or dismissed about one subject to another, as recalled."""
    answered = questions_about(tenant, subject).filter(state__in=[State.ANSWERED, State.DISMISSED])
    for question in answered:
        question.pk, question.public_id, question.subject = None, new_id("qst_"), to
        question._state.adding = True
        question.recalled = recalled_by(question)
        question.asked_at, question.version = at, 0
        question.save(force_insert=True)


def forget_taught(*, tenant: Tenant, subject: str) -> None:
    """Forget the answers that were learned from one subject alone."""
    for kept in remembered_answers(tenant).filter(taught_by__contains=f'"{subject}"'):
        kept.taught_by = [item for item in kept.taught_by if item != subject]
        if kept.taught_by:
            kept.save(update_fields=["taught_by"])
        else:
            kept.delete()


def forget(*, answer: Answer) -> None:
    """Forget a remembered answer; imports that used it do not change."""
    answer.delete()


def purge(*, tenant: Tenant, subject: str, at: datetime) -> None:
    """Close the open questions about a purged subject; delete cell values and models' answers."""
    with transaction.atomic():
        ModelAnswer.objects.filter(tenant=tenant, subject=subject).delete()
        transitions.supersede(questions=open_questions(tenant, subject), at=at, reason="purged")
        questions_about(tenant, subject).update(evidence=[], candidates=[])
