"""Record the questions of a job, answer remembered ones at once, and close obsolete ones."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db.models import QuerySet

from common.actors import ENGINE
from common.models import Move
from imports.answers.recall import LEARNED
from imports.models import ImportRecord
from ledger import selectors
from ledger import services as ledger
from ledger import transitions as moves
from ledger.models import Question
from pipeline.kinds import ISSUE_OF, WHOLE_KINDS
from pipeline.recall import RecalledAnswer
from staging.issues import texts_with
from staging.selectors import at_revision
from tabular.model.issue import NewQuestion

BY_EVIDENCE = "evidence in the file"


def record_questions(
    record: ImportRecord,
    new_questions: Sequence[NewQuestion],
    *,
    kinds: Iterable[str],
    known: Mapping[str, RecalledAnswer],
    at: datetime,
) -> None:
    """
    Ask, supersede questions no longer asked, and mark reused answers as learned.

    A question that the file itself decides is dismissed at once, with its evidence: people see it
    and can answer otherwise. Once the file no longer decides, it is asked.
    """
    _ask_again(record, [item.fingerprint for item in new_questions if not item.decided], at=at)
    decided = {item.fingerprint for item in new_questions if item.decided}
    questions = ledger.ask_all(
        tenant=record.tenant,
        subject=record.public_id,
        new_questions=new_questions,
        kinds=kinds,
        at=at,
    )
    for question in questions:
        recalled = known.get(question.fingerprint)
        if recalled and recalled.is_learned and question.state == Question.State.OPEN:
            moves.answer(
                question=question,
                value=recalled.value,
                actor=LEARNED,
                at=at,
                remember=False,
                recalled=recalled.recalled,
            )
        elif question.fingerprint in decided and question.state == Question.State.OPEN:
            moves.dismiss(question=question, actor=ENGINE, at=at, rule=BY_EVIDENCE)


def _ask_again(record: ImportRecord, fingerprints: Sequence[str], *, at: datetime) -> None:
    """Reopen questions that were dismissed by evidence that no longer exists."""
    dismissed = selectors.questions_about(record.tenant, record.public_id).filter(
        kind__in=WHOLE_KINDS, fingerprint__in=fingerprints, state=Question.State.DISMISSED
    )
    for question in dismissed:
        if Move.objects.filter(subject=question.public_id, reason=BY_EVIDENCE).exists():
            moves.supersede(questions=[question], at=at, reason="the file no longer decides")


def open_questions_of(record: ImportRecord) -> QuerySet[Question]:
    """Return the questions of an import that are neither answered nor dismissed."""
    return selectors.open_questions(record.tenant, record.public_id)


def end_questions(record: ImportRecord, *, at: datetime, reason: str) -> None:
    """Close all questions, because the import ended."""
    moves.supersede(questions=open_questions_of(record), at=at, reason=reason)


def close_outdated(record: ImportRecord, *, at: datetime) -> None:
    """Close questions about a text that no row has any longer: it was edited or excluded."""
    about: dict[tuple[str, str], list[Question]] = {}
    for question in open_questions_of(record).filter(kind__in=ISSUE_OF):
        about.setdefault((question.field, ISSUE_OF[question.kind]), []).append(question)
    table = at_revision(record.public_id, record.revision) if about else None
    if table is None:
        return
    for (field, code), questions in about.items():
        still = {text["value"] for text in texts_with(table, field=field, code=code)}
        gone = [question for question in questions if question.evidence[0] not in still]
        moves.supersede(questions=gone, at=at, reason="no row has the text any more")
