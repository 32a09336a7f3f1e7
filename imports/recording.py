"""Record what a job asked, answer at once what is remembered, and close what is over."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db.models import QuerySet

from imports.models import ImportRecord
from imports.recalling import LEARNED, Known
from ledger import selectors
from ledger import services as ledger
from ledger.models import Question
from ledger.services import Asked
from staging.issues import texts_with
from staging.selectors import at_revision

# What a question is about while it is open: its text has an issue of this code.
CODE_OF = {"category_value": "unknown_option", "reference": "ambiguous_reference"}


def record_questions(
    record: ImportRecord,
    asked: Sequence[Asked],
    *,
    kinds: Iterable[str],
    known: Mapping[str, Known],
    at: datetime,
) -> None:
    """Ask, supersede what is no longer asked, and say of what was reused that it was learned."""
    questions = ledger.ask_all(
        tenant=record.tenant, subject=record.public_id, asked=asked, kinds=kinds, at=at
    )
    for question in questions:
        found = known.get(question.fingerprint)
        if found and found.is_learned and question.state == Question.State.OPEN:
            ledger.answer(
                question=question,
                value=found.value,
                actor=LEARNED,
                at=at,
                remember=False,
                learned_from=found.source,
            )


def open_questions_of(record: ImportRecord) -> QuerySet[Question]:
    """List what an import asks and nobody answered or dismissed."""
    return selectors.open_questions(record.tenant, record.public_id)


def end_questions(record: ImportRecord, *, at: datetime, reason: str) -> None:
    """Ask nothing any more: the import ended."""
    ledger.supersede(questions=open_questions_of(record), at=at, reason=reason)


def drop_settled(record: ImportRecord, *, at: datetime) -> None:
    """Ask no more about a text that no row has any longer: it was edited or left out."""
    about: dict[tuple[str, str], list[Question]] = {}
    for question in open_questions_of(record).filter(kind__in=CODE_OF):
        about.setdefault((question.field, CODE_OF[question.kind]), []).append(question)
    table = at_revision(record.public_id, record.revision) if about else None
    if table is None:
        return
    for (field, code), questions in about.items():
        still = {one["value"] for one in texts_with(table, field=field, code=code)}
        gone = [question for question in questions if question.evidence[0] not in still]
        ledger.supersede(questions=gone, at=at, reason="no row has the text any more")
