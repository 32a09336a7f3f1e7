"""What is said of an answer that was given for another import: when first, and by whom. Pure."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from ledger.models import Answer, Question

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Recalled:
    """
    An answer as it was first given, for an earlier import.

    answer_id: the remembered answer; blank where the import was started again from the earlier one.
    at: an ISO moment. confirmed_by: who gave the same answer last, where that is another person.
    """

    answer_id: str
    by: Mapping[str, str]
    at: str
    confirmed_by: Mapping[str, str] | None

    def as_json(self) -> Json:
        """Write it as a question keeps it."""
        return asdict(self)


def recall(kept: Answer) -> Recalled:
    """Return when a remembered answer was first given, and by whom."""
    return _recalled(kept, kept.public_id)


def recalled_by(question: Question) -> Json | None:
    """Return the same for an answered question that another import takes over."""
    known: Json | None = question.recalled
    if known or question.state != Question.State.ANSWERED:
        return known
    return _recalled(question, question.learned_from).as_json()


def first_given(known: Answer | Question, at: datetime | None) -> Json:
    """Return who gave the answer in force first; at: when it was last given."""
    return known.given or {"by": known.answered_by, "at": at.isoformat() if at else ""}


def _recalled(known: Answer | Question, answer_id: str) -> Recalled:
    first = first_given(known, known.answered_at)
    last: Mapping[str, str] | None = known.answered_by
    confirmed_by = last if last != first["by"] else None
    return Recalled(answer_id, first["by"], first["at"], confirmed_by)
