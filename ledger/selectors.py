"""Queries for the ledger, always of one tenant."""

from collections.abc import Iterable

from django.db.models import QuerySet

from common.errors import NotFound
from common.rows import the_only
from ledger.models import Answer, Question
from licensing.models import Tenant


class UnknownQuestion(NotFound):
    """There is no such question."""

    code = "unknown_question"


class UnknownAnswer(NotFound):
    """There is no such remembered answer."""

    code = "unknown_answer"


def questions_about(tenant: Tenant, subject: str) -> QuerySet[Question]:
    """Return the questions about a subject, in the order they were asked."""
    return Question.objects.filter(tenant=tenant, subject=subject).order_by("public_id")


def questions_of(tenant: Tenant) -> QuerySet[Question]:
    """Return the questions about all subjects of a tenant, in the order they were asked."""
    return Question.objects.filter(tenant=tenant).order_by("pk")


def open_questions(tenant: Tenant, subject: str) -> QuerySet[Question]:
    """Return the questions that wait for an answer."""
    return questions_about(tenant, subject).filter(state=Question.State.OPEN)


def asking(tenant: Tenant, subjects: Iterable[str]) -> set[str]:
    """Return those of some subjects that have an open question."""
    open_ = Question.objects.filter(tenant=tenant, state=Question.State.OPEN)
    return set(open_.filter(subject__in=list(subjects)).values_list("subject", flat=True))


def question_of(tenant: Tenant, question_id: str) -> Question:
    """Return a question of a tenant. Raise UnknownQuestion if it has no such question."""
    row = the_only(Question.objects.filter(tenant=tenant, public_id=question_id))
    if row is None:
        raise UnknownQuestion
    return row


def remembered_answers(tenant: Tenant) -> QuerySet[Answer]:
    """Return the answers that a tenant's later imports reuse."""
    return Answer.objects.filter(tenant=tenant)


def remembered(tenant: Tenant, scope: str, fingerprints: Iterable[str]) -> dict[str, Answer]:
    """Return the remembered answers to some questions, by fingerprint."""
    mine = remembered_answers(tenant).filter(scope=scope, fingerprint__in=set(fingerprints))
    return {answer.fingerprint: answer for answer in mine}


def answer_of(tenant: Tenant, answer_id: str) -> Answer:
    """Return a remembered answer of a tenant. Raise UnknownAnswer if it has no such answer."""
    row = the_only(remembered_answers(tenant).filter(public_id=answer_id))
    if row is None:
        raise UnknownAnswer
    return row
