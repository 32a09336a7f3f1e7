"""Ask a person about each finding of a feed's file: is it right, or is the file wrong?"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from feeds.applying.rules import Reason
from imports.advice.held_reasons import sentence_of
from imports.models import ImportRecord
from ledger import services as ledger
from ledger.models import Question
from ledger.selectors import questions_about
from pipeline.kinds import with_fingerprints
from pipeline.kinds.drift import CANDIDATES, NAME
from tabular.model.issue import NewQuestion
from tabular.model.issue import Question as Asked


def not_accepted(record: ImportRecord, reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """Return the findings that no person has said to be right; nothing is written."""
    answered = questions_about(record.tenant, record.public_id).filter(
        kind=NAME, state=Question.State.ANSWERED
    )
    accepted = set(answered.values_list("fingerprint", flat=True))
    return tuple(
        reason
        for reason in reasons
        if not accepted & {q.fingerprint for q in questions_of([reason])}
    )


def ask_about(record: ImportRecord, reasons: Iterable[Reason], *, at: datetime) -> None:
    """Ask about each finding that is not answered; former ones are asked no more."""
    ledger.ask_all(
        tenant=record.tenant,
        subject=record.public_id,
        new_questions=questions_of(reasons),
        kinds={NAME},
        at=at,
    )


def questions_of(reasons: Iterable[Reason]) -> list[NewQuestion]:
    """Return a question for each finding, with the sentence that has both sides."""
    questions = [
        Asked(
            NAME, columns=_columns(reason), candidates=CANDIDATES, evidence=(sentence_of(reason),)
        )
        for reason in reasons
    ]
    return with_fingerprints(questions, read=None, catalog_key="")


def _columns(reason: Reason) -> tuple[str, ...]:
    column = reason.get("column")
    return (column,) if column else ()
