"""Record what a step asked, and answer at once what is remembered."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db.models import QuerySet

from imports.models import ImportRecord
from imports.recalling import LEARNED, Known
from ledger import selectors
from ledger import services as ledger
from ledger.models import Question
from ledger.services import Asked


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
            ledger.answer(question=question, value=found.value, actor=LEARNED, at=at)


def is_blocked(record: ImportRecord) -> bool:
    """Whether a question must be answered before the import may go on by itself."""
    return bool(blocking_questions(record))


def blocking_questions(record: ImportRecord) -> QuerySet[Question]:
    """List the open questions that block an import."""
    return selectors.open_questions(record.tenant, record.public_id).filter(blocking=True)
