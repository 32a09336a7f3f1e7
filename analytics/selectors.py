"""What is there now: counts of what is not finished. Every query reads an index."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import BooleanField, Count, Func, Min, Q, Value

from analytics import history_counts
from common.work.claims import Claimable, due
from deliveries.models import Delivery, Registration
from feeds.models import Feed
from imports.bulk_changes.model import BulkChange
from imports.models import ImportRecord, Workbook
from ledger.models import Question
from licensing.models import License
from licensing.tokens.expiry import ANNOUNCED_DAYS
from mails.models import Mail
from mails.readers import is_on

QUEUES: dict[str, type[Claimable]] = {
    "imports": ImportRecord,
    "deliveries": Delivery,
    "workbooks": Workbook,
    "bulk_changes": BulkChange,
    "feeds": Feed,
    "mails": Mail,
}
ANNOUNCED = tuple(timedelta(days=days) for days in ANNOUNCED_DAYS)


class HasNotEnded(Func):
    """
    Whether a state of an import is not among ``ImportRecord.ENDED``.

    The condition of the index ``imports_not_ended``, in the same order and without parameters:
    otherwise SQLite reads the states of all imports instead.
    """

    template = "NOT (%(expressions)s IN ('applied', 'reverted', 'checked', 'cancelled'))"
    output_field = BooleanField()


@dataclass(frozen=True, slots=True)
class Feeds:
    """The active feeds."""

    by_health: dict[str, int]
    failing: int  # whose last run failed; one that refused a file is not among them
    failing_for: timedelta  # of the one that has failed longest


@dataclass(frozen=True, slots=True)
class Mails:
    """The mails that are not sent yet."""

    queued: int
    retried: int  # that the mail server did not take so far
    failing_for: timedelta  # since the oldest of these was written


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
    refusing_receivers: int  # that refused a delivery and accepted none since
    feeds: Feeds
    mails: Mails
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
        refusing=Count("pk", filter=Q(refusing_since__isnull=False)),
    )
    return Now(
        at=at,
        imports=_by_state(ImportRecord.objects.filter(HasNotEnded("state"))),
        deliveries=_by_state(Delivery.objects.filter(due_at__isnull=False)),
        oldest_due=_waited(at),
        questions=open_questions["number"],
        oldest_question=_since(open_questions["oldest"], at),
        receivers=receivers["number"],
        failing_receivers=receivers["failing"],
        failing_for=_since(receivers["since"], at),
        refusing_receivers=receivers["refusing"],
        feeds=_feeds(at),
        mails=_mails(at),
        expiring=_expiring(at),
        counted=history_counts.age(at),
    )


def _feeds(at: datetime) -> Feeds:
    active = Feed.objects.filter(state=Feed.State.ACTIVE).order_by()
    rows = active.values_list("health").annotate(
        number=Count("pk"), failing=Count("failing_since"), since=Min("failing_since")
    )
    counted = {health: (number, failing, since) for health, number, failing, since in rows}
    since = min((since for *_, since in counted.values() if since), default=None)
    return Feeds(
        by_health={health: counted.get(health, (0,))[0] for health in Feed.Health.values},
        failing=sum(failing for _, failing, _ in counted.values()),
        failing_for=_since(since, at),
    )


def _mails(at: datetime) -> Mails:
    tried = Q(tries__gt=0)
    row = Mail.objects.filter(due_at__isnull=False).aggregate(
        queued=Count("pk"),
        retried=Count("pk", filter=tried),
        since=Min("created_at", filter=tried),
    )
    return Mails(row["queued"], row["retried"], _since(row["since"], at))


def _by_state(rows: Any) -> dict[str, int]:
    counted = rows.order_by().values_list("state").annotate(number=Count("*"))
    return dict(counted)


def _waited(at: datetime) -> dict[str, timedelta]:
    """Return how long the oldest due work of each queue has waited, by one query."""
    due_rows = [
        model._default_manager.filter(due(at))
        .order_by()
        .values(queue=Value(name))
        .annotate(oldest=Min("due_at"))
        .values_list("queue", "oldest")
        for name, model in QUEUES.items()
        if name != "mails" or is_on()  # without a mail server, mails of before wait for good
    ]
    oldest = dict(due_rows[0].union(*due_rows[1:], all=True))
    return {name: _since(oldest.get(name), at) for name in QUEUES}


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
