"""
Counts of days, one row for each tenant and one for all: what the overview and its charts show.

They are counted from the histories as those of the metrics are, with cursors of their own. So an
engine that gets them by an upgrade counts its whole history once, batch by batch.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import Min, QuerySet

from analytics.models import Day
from common import clock
from common.models import Move
from deliveries.models import Attempt, Delivery
from imports.allowances import stored_by
from imports.models import ImportRecord
from ledger.models import Question
from licensing.models import TEST_SUFFIX, Tenant

KEPT = timedelta(days=90)
ALL_TENANTS = ""
STEPS = 4  # of a time that doubles: a median is right within a tenth

# Names of counts; the last four are followed by a code or a step.
UPLOADED, APPLIED, FAILED, CANCELLED = "uploaded", "applied", "failed", "cancelled"
ROWS, WITHOUT_QUESTION = "rows", "without_question"
DELIVERED, NOT_DELIVERED = "delivered", "not_delivered"
STORED = "stored_bytes"  # measured, not counted: what is stored at the end of the day
PROBLEM, ATTEMPT, TO_REVIEW, TO_APPLY = "problem:", "attempt:", "to_review:", "to_apply:"

Counts = Counter[str]
Days = dict[tuple[str, date], Counts]
State = ImportRecord.State
COUNTED = (ImportRecord.Purpose.IMPORT, ImportRecord.Purpose.CORRECTION)
OF_DELIVERY: dict[str, str] = {
    Delivery.State.DELIVERED: DELIVERED,
    Delivery.State.REJECTED: NOT_DELIVERED,
    Delivery.State.EXHAUSTED: NOT_DELIVERED,
}


def of_moves(moves: list[Move]) -> Days:
    """Return what these moves of imports and deliveries add to each day."""
    recent = [move for move in moves if move.at > clock.now() - KEPT]
    days: Days = {}
    _count_imports([move for move in recent if move.subject.startswith("rec_")], days)
    ended = [move for move in recent if move.to_state in OF_DELIVERY]
    tenants = dict(
        Delivery.objects.filter(
            public_id__in={move.subject for move in ended}, is_test=False
        ).values_list("public_id", "tenant__public_id")
    )
    for move in ended:
        if move.subject in tenants:
            _add(days, tenants[move.subject], move.at, {OF_DELIVERY[move.to_state]: 1})
    return days


def of_attempts(attempts: list[Attempt]) -> Days:
    """Return what these attempts add to each day: their number by class of status or error."""
    recent = [attempt for attempt in attempts if attempt.finished_at > clock.now() - KEPT]
    keys = {attempt.delivery_id for attempt in recent}
    about = _with_rows(Delivery.objects.filter(pk__in=keys))
    tenants = dict(about.values_list("pk", "tenant__public_id"))
    days: Days = {}
    for attempt in recent:
        status = attempt.http_status
        name = f"{status // 100}xx" if status else attempt.error_class
        if attempt.delivery_id in tenants:
            owner = tenants[attempt.delivery_id]
            _add(days, owner, attempt.finished_at, {f"{ATTEMPT}{name}": 1})
    return days


def add(days: Days) -> None:
    """Add counts to the stored ones, in one transaction."""
    if not days:
        return
    with transaction.atomic():
        Day.objects.bulk_create(
            [Day(tenant=tenant, day=day) for tenant, day in days], ignore_conflicts=True
        )
        # In the order of their keys: two processes that add at once wait, and never for each other.
        rows = Day.objects.select_for_update().filter(day__in={day for _, day in days})
        stored = rows.filter(tenant__in={tenant for tenant, _ in days}).order_by("pk")
        changed = [row for row in stored if (row.tenant, row.day) in days]
        for row in changed:
            row.counts = Counter(row.counts) + days[row.tenant, row.day]
        Day.objects.bulk_update(changed, ["counts"])


def measure_storage(at: datetime) -> None:
    """Write how many bytes are stored for each tenant that did something lately, and for all."""
    lately = Day.objects.filter(day__gte=(at - KEPT).date()).values("tenant")
    stored_bytes = {
        tenant.public_id: stored_by(tenant)
        for tenant in Tenant.objects.filter(public_id__in=lately).iterator()
    }
    stored_bytes[ALL_TENANTS] = sum(
        size for tenant, size in stored_bytes.items() if not tenant.endswith(TEST_SUFFIX)
    )
    for tenant, size in stored_bytes.items():
        with transaction.atomic():
            Day.objects.get_or_create(tenant=tenant, day=at.date())
            row = Day.objects.select_for_update().get(tenant=tenant, day=at.date())
            row.counts[STORED] = size
            row.save(update_fields=["counts"])


def last_stored() -> int | None:
    """Return how many bytes were stored for all tenants at the last measurement; None before it."""
    rows = Day.objects.filter(tenant=ALL_TENANTS).order_by("-day").values_list("counts", flat=True)
    return next((counts[STORED] for counts in rows[:2] if STORED in counts), None)


def forget(at: datetime) -> None:
    """Delete the counts of days that are no longer shown."""
    Day.objects.filter(day__lt=(at - KEPT).date()).delete()


def stored(tenants: Iterable[str], *, since: date) -> dict[date, Counts]:
    """Return the counts of each day of some tenants; days without any are missing."""
    days: dict[date, Counts] = {}
    rows = Day.objects.filter(tenant__in=tenants, day__gte=since)
    for day, counts in rows.values_list("day", "counts"):
        days.setdefault(day, Counter()).update(counts)
    return days


def step(seconds: float) -> int:
    """
    Return the step of a duration: each is a quarter of a doubling.

    >>> step(0.5), step(60), step(61), step(3_600)
    (0, 24, 24, 47)
    """
    return max(0, math.ceil(STEPS * math.log2(max(1.0, seconds)) - 0.5))


def median(counts: Mapping[str, int], kind: str) -> float | None:
    """
    Return the median of the durations of a kind in seconds, within a tenth; None without any.

    >>> median({"to_review:24": 3, "to_review:40": 2}, TO_REVIEW)
    64.0
    """
    steps = {int(name[len(kind) :]): n for name, n in counts.items() if name.startswith(kind)}
    half = sum(steps.values()) / 2
    for number in sorted(steps):
        half -= steps[number]
        if half <= 0:
            return float(2 ** (number / STEPS))
    return None


def _count_imports(moves: list[Move], days: Days) -> None:
    records = {
        record.public_id: record
        for record in ImportRecord.objects.filter(
            public_id__in={move.subject for move in moves}, purpose__in=COUNTED
        )
        .select_related("tenant")
        .only("public_id", "tenant__public_id", "created_at", "counts")
    }
    reviewed = dict(
        Move.objects.filter(subject__in=records, to_state=State.REVIEW)
        .values_list("subject")
        .annotate(first=Min("version"))
    )
    applied = {move.subject for move in moves if move.to_state == State.APPLIED}
    questions = set(_questions(applied).values_list("subject", flat=True))
    for move in moves:
        if (record := records.get(move.subject)) is None:
            continue
        seconds = (move.at - record.created_at).total_seconds()
        if move.version == 1:
            _add(days, record.tenant.public_id, record.created_at, {UPLOADED: 1})
        counts = Counts()
        if move.to_state == State.REVIEW and move.version == reviewed[move.subject]:
            counts[f"{TO_REVIEW}{step(seconds)}"] = 1
        elif move.to_state == State.FAILED:
            counts.update({FAILED: 1, f"{PROBLEM}{move.reason}": 1})
        elif move.to_state == State.CANCELLED:
            counts[CANCELLED] = 1
        elif move.to_state == State.APPLIED and move.from_state == State.APPLYING:
            counts.update({APPLIED: 1, ROWS: (record.counts or {}).get("imported", 0)})
            counts[f"{TO_APPLY}{step(seconds)}"] = 1
            counts[WITHOUT_QUESTION] = int(move.subject not in questions)
        _add(days, record.tenant.public_id, move.at, counts)


def _questions(subjects: Iterable[str]) -> QuerySet[Question]:
    """Return what the engine put to a person about these imports; remembered answers are not."""
    questions = Question.objects.filter(subject__in=subjects, learned_from="")
    return questions.exclude(state=Question.State.SUPERSEDED)


def _with_rows(deliveries: QuerySet[Delivery]) -> QuerySet[Delivery]:
    """Leave out notices and the test deliveries of a receiver."""
    return deliveries.filter(is_test=False, event="")


def _add(days: Days, tenant: str, at: datetime, counts: Mapping[str, int]) -> None:
    if not any(counts.values()):
        return
    owners = (tenant,) if tenant.endswith(TEST_SUFFIX) else (tenant, ALL_TENANTS)
    for owner in owners:
        days.setdefault((owner, at.date()), Counter()).update(counts)
