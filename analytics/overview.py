"""
What the first page of the admin shows: what is there now, and what happened in 30 days.

Every query reads an index or the counts of days, so that the page takes as long with a million
imports as with ten.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from analytics import days
from analytics.days import Counts
from analytics.selectors import ANNOUNCED, Now, now
from common.work.claims import due, held
from deliveries.models import Delivery, Registration
from imports.models import ImportRecord
from licensing.models import License, Tenant

DAYS = 30
MOST = 5  # problems, receivers and licenses that are named
State = ImportRecord.State
PEOPLE = (State.MAPPING, State.REVIEW, State.STAGED)
FAILING = Q(consecutive_failures__gt=0)
UNENDED = [state for state in State.values if state not in ImportRecord.ENDED]


@dataclass(frozen=True, slots=True)
class Standing:
    """What is there now."""

    waiting: int  # imports with work due that no worker holds
    running: int  # imports that a worker holds
    people: Mapping[str, int]  # imports that wait for a person, by state
    failed: int
    deliveries: int  # that have not ended
    retried: int  # of them, those tried before
    receivers: int
    failing: Sequence[Registration]  # the first of them that fail, longest first
    failing_count: int
    licenses: Sequence[License]  # those that expire next, within 30 days
    licenses_count: int


@dataclass(frozen=True, slots=True)
class Period:
    """What happened in some days."""

    counts: Counts

    @property
    def success(self) -> float | None:
        """The share of imports that were applied, of those that ended or failed."""
        ended = self.counts[days.APPLIED] + self.counts[days.FAILED] + self.counts[days.CANCELLED]
        return self.counts[days.APPLIED] / ended if ended else None

    @property
    def without_question(self) -> float | None:
        """The share of applied imports that asked no person."""
        applied = self.counts[days.APPLIED]
        return self.counts[days.WITHOUT_QUESTION] / applied if applied else None

    @property
    def to_review(self) -> float | None:
        """The median of seconds from the upload to the first review."""
        return days.median(self.counts, days.TO_REVIEW)

    @property
    def to_apply(self) -> float | None:
        """The median of seconds from the upload to the apply."""
        return days.median(self.counts, days.TO_APPLY)

    def most_frequent(self, kind: str) -> list[tuple[str, int]]:
        """Return the most frequent codes of a kind of count, with their numbers."""
        codes = {name[len(kind) :]: n for name, n in self.counts.items() if name.startswith(kind)}
        return Counter(codes).most_common(MOST)


@dataclass(frozen=True, slots=True)
class Overview:
    """What is there now, today and in 30 days."""

    at: datetime
    now: Standing
    today: Period
    month: Period
    by_day: Sequence[tuple[date, Counts]]  # 30 days, the oldest first
    stored_bytes: int | None  # None: not measured yet


def overview(
    tenants: "QuerySet[Tenant] | None", *, at: datetime, engine: Now | None = None
) -> Overview:
    """
    Return the overview of some tenants; None: of all.

    engine: What is there now on the whole engine, if it was read already; only for all tenants.
    """
    names = [days.ALL_TENANTS] if tenants is None else tenants.values_list("public_id", flat=True)
    first = at.date() - timedelta(days=DAYS - 1)
    stored = days.stored(names, since=first)
    by_day = [(day, stored.get(day, Counts())) for day in _from(first, DAYS)]
    month = Counts()
    for _, counts in by_day:
        month.update(counts)
    measured = [counts[days.STORED] for _, counts in by_day if days.STORED in counts]
    return Overview(
        at=at,
        now=_of_all(engine or now(at)) if tenants is None else _of(list(tenants), at),
        today=Period(by_day[-1][1]),
        month=Period(month),
        by_day=by_day,
        stored_bytes=measured[-1] if measured else None,
    )


def _from(first: date, count: int) -> list[date]:
    return [first + timedelta(days=n) for n in range(count)]


def _of_all(engine: Now) -> Standing:
    """Return what is there now of all tenants, without what the engine's own counts tell."""
    return _standing({}, engine.at, engine.imports, engine.receivers, engine.failing_receivers)


def _of(tenants: Sequence[Tenant], at: datetime) -> Standing:
    mine = {"tenant__in": tenants}
    # The index by tenant and state is read, and not that of what has not ended.
    imports = ImportRecord.objects.filter(**mine, state__in=UNENDED)
    states = dict(imports.order_by().values_list("state").annotate(number=Count("*")))
    receivers = Registration.objects.filter(**mine, deleted_at=None).aggregate(
        number=Count("pk"), failing=Count("pk", filter=FAILING)
    )
    return _standing(mine, at, states, receivers["number"], receivers["failing"])


def _standing(
    mine: dict[str, Any], at: datetime, states: Mapping[str, int], receivers: int, failing: int
) -> Standing:
    at_work = ImportRecord.objects.filter(**mine, due_at__isnull=False)
    if mine:
        at_work = at_work.filter(state__in=ImportRecord.WORKING)
    work = at_work.aggregate(
        waiting=Count("pk", filter=due(at)), running=Count("pk", filter=held(at))
    )
    unsettled = Delivery.objects.filter(
        **mine, due_at__isnull=False, state__in=Delivery.UNSETTLED
    ).aggregate(number=Count("pk"), retried=Count("pk", filter=Q(attempts__gt=0)))
    named = Registration.objects.filter(FAILING, **mine, deleted_at=None).only(
        "public_id", "label", "failing_since"
    )  # no secret, which may be unreadable
    licenses = License.objects.filter(
        **mine, revoked_at=None, expires_at__gt=at, expires_at__lte=at + ANNOUNCED[-1]
    )
    return Standing(
        waiting=work["waiting"],
        running=work["running"],
        people={state: states.get(state, 0) for state in PEOPLE},
        failed=states.get(State.FAILED, 0),
        deliveries=unsettled["number"],
        retried=unsettled["retried"],
        receivers=receivers,
        failing=list(named.order_by(F("failing_since").asc(nulls_last=True))[:MOST])
        if failing
        else [],
        failing_count=failing,
        licenses=list(licenses.select_related("tenant").order_by("expires_at")[:MOST]),
        licenses_count=licenses.count(),
    )
