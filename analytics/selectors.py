"""What is there now: counts of what is not finished. Every query reads an index."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min, Q

from analytics import history_counts
from common.work.claims import Claimable, due
from deliveries.models import Delivery, Registration
from imports.bulk_changes.model import BulkChange
from imports.models import ImportRecord, Workbook
from ledger.models import Question
from licensing.models import License
from licensing.tokens.expiry import ANNOUNCED_DAYS

QUEUES: dict[str, type[Claimable]] = {
    "imports": ImportRecord,
    "deliveries": Delivery,
    "workbooks": Workbook,
    "bulk_changes": BulkChange,
}
ANNOUNCED = tuple(timedelta(days=days) for days in ANNOUNCED_DAYS)


@dataclass(frozen=True, slots=True)
class Now:
    """What is not finished on this engine."""

    at: datetime
    imports: dict[str, int]  # by state, without those that ended
    deliveries: dict[str, int]  # by state, without those that ended
    oldest_due: dict[str, timedelta]  # how long work has been due that no worker holds, by queue
    questions: int  # open ones
    oldest_question: timedelta
    receivers: int
    failing_receivers: int
    failing_for: timedelta  # of the receiver that has failed longest
    expiring: dict[int, int]  # licenses that end within so many days; 0: ended in the last 30
    counted: timedelta | None  # since the histories were counted; None: never


def now(at: datetime) -> Now:
    """Return what is not finished."""
    questions = Question.objects.filter(state=Question.State.OPEN)
    open_questions = questions.aggregate(number=Count("pk"), oldest=Min("asked_at"))
    receivers = Registration.objects.filter(deleted_at=None).aggregate(
        number=Count("pk"),
        failing=Count("pk", filter=Q(consecutive_failures__gt=0)),
        since=Min("failing_since"),
    )
    return Now(
        at=at,
        imports=_by_state(ImportRecord.objects.exclude(state__in=ImportRecord.ENDED)),
        deliveries=_by_state(Delivery.objects.filter(due_at__isnull=False)),
        oldest_due={name: _waited(model, at) for name, model in QUEUES.items()},
        questions=open_questions["number"],
        oldest_question=_since(open_questions["oldest"], at),
        receivers=receivers["number"],
        failing_receivers=receivers["failing"],
        failing_for=_since(receivers["since"], at),
        expiring=_expiring(at),
        counted=history_counts.age(at),
    )


def _by_state(rows: Any) -> dict[str, int]:
    counted = rows.order_by().values_list("state").annotate(number=Count("*"))
    return dict(counted)


def _waited(model: type[Claimable], at: datetime) -> timedelta:
    oldest = model._default_manager.filter(due(at)).aggregate(oldest=Min("due_at"))["oldest"]
    return _since(oldest, at)


def _since(moment: datetime | None, at: datetime) -> timedelta:
    return timedelta() if moment is None else max(timedelta(), at - moment)


def _expiring(at: datetime) -> dict[int, int]:
    usable = License.objects.filter(revoked_at=None, tenant__test_of=None)
    counts = {
        span.days: Count("pk", filter=Q(expires_at__gt=at, expires_at__lte=at + span))
        for span in ANNOUNCED
    }
    ended = Count("pk", filter=Q(expires_at__lte=at, expires_at__gt=at - ANNOUNCED[-1]))
    named = {f"within_{days}": count for days, count in (counts | {0: ended}).items()}
    by_name = usable.aggregate(**named)
    return {int(name.removeprefix("within_")): number for name, number in by_name.items()}
