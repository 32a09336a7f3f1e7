"""
Run the feeds that are due: claim one, look at its place, take its files, set the next time.

A worker that dies leaves the claim, which expires; the next one takes over. What was missed while
the engine was down runs once.
"""

import logging
from collections import Counter
from datetime import datetime, timedelta
from threading import Lock

from django.db import transaction

from common import clock
from common.errors import ServiceError
from common.ids import PREFIXES, new_id
from common.work.claims import ClaimLost, claim, due, renewed
from feeds.connection import connected, problem_of
from feeds.errors import FeedNotLicensed
from feeds.events import announce_failed
from feeds.files import Taking, last_of, take_new
from feeds.models import Feed, FeedRun
from feeds.schedule import next_run, wait_after
from feeds.selectors import license_of
from feeds.sources.protocol import Source, SourceError
from licensing.models import Tenant

logger = logging.getLogger(__name__)
Outcome, Why, Health = FeedRun.Outcome, Feed.Why, Feed.Health
LOOK_AGAIN = timedelta(seconds=30)
KEPT_FOR = timedelta(days=90)  # the history
OF_A_LOOK = ("listed", "waiting")  # counted at each look, as is what a listing left out
OF_A_TENANT = 4  # feeds that run at once in one process while another tenant's are due
MOST_OF_A_TENANT = 6  # otherwise; the other threads are left for a tenant that comes later

_running: Counter[int] = Counter()  # by tenant, in this process
_lock = Lock()


def is_due() -> bool:
    """Return whether a feed is due and unclaimed."""
    return Feed.objects.filter(due(clock.now()), state=Feed.State.ACTIVE).exists()


def run_next() -> bool:
    """Run the next feed that is due; return False if there is none."""
    with _lock:
        feed = _claim(OF_A_TENANT) or _claim(MOST_OF_A_TENANT)
        if feed is None:
            return False
        _running[feed.tenant_id] += 1
    try:
        run_claimed(feed)
    finally:
        with _lock:
            _running[feed.tenant_id] -= 1
    return True


def _claim(most: int) -> Feed | None:
    """Claim a feed of a tenant of which fewer than so many run here."""
    full = [tenant for tenant, count in _running.items() if count >= most]
    active = Feed.objects.filter(state=Feed.State.ACTIVE).exclude(tenant__in=full)
    claimed = claim(active, at=clock.now(), limit=1)
    return claimed[0] if claimed else None


def run_claimed(feed: Feed) -> None:
    """Run a feed that this worker claimed; what goes wrong is recorded, never raised."""
    run = _begin(feed, at=clock.now())
    taking, problem = Taking(), None
    try:
        with renewed([feed]):
            _look(feed, run, taking)
    except ClaimLost:
        logger.info("%s: another worker has it, or it was paused", feed.public_id)
        return
    except (SourceError, ServiceError) as error:
        problem = problem_of(error)
    except Exception as error:
        logger.exception("%s: its run failed", feed.public_id)
        problem = problem_of(error)
    try:
        _settle(feed, run, taking, problem, at=clock.now())
    except ClaimLost:
        logger.info("%s: the claim was lost before the end was written", feed.public_id)


def _look(feed: Feed, run: FeedRun, taking: Taking) -> None:
    if not is_licensed(feed.tenant, at=clock.now()):
        raise FeedNotLicensed
    with connected(feed, seen=last_of(feed)) as source:
        try:
            take_new(feed, run, source, taking)
        finally:
            _pin(feed, source)
        taking.position = source.position


def _pin(feed: Feed, source: Source) -> None:
    """Remember the host key that was shown at the first contact."""
    if source.fingerprint and not feed.host_key:
        feed.update_as_claimed(host_key=source.fingerprint)


def _begin(feed: Feed, *, at: datetime) -> FeedRun:
    """Begin a run, or go on with the one whose files were still being written."""
    open_runs = FeedRun.objects.filter(feed=feed, ended_at=None)
    if feed.due_why == Why.LOOK:
        run = open_runs.filter(outcome=Outcome.WAITING).order_by("-pk").first()
        if run is not None:
            return run
    with transaction.atomic():
        open_runs.update(ended_at=at, outcome=Outcome.LOST)
        return FeedRun.objects.create(
            public_id=new_id(PREFIXES["feed run"]),
            feed=feed,
            why=feed.due_why,
            due_at=feed.due_at or at,
            started_at=at,
        )


def _settle(
    feed: Feed, run: FeedRun, taking: Taking, problem: dict[str, object] | None, *, at: datetime
) -> None:
    outcome = _outcome(taking, problem)
    is_well = outcome not in {Outcome.FAILED, Outcome.REFUSED}
    failures = feed.failures + 1 if outcome == Outcome.FAILED else 0
    turns = not is_well and feed.health != Health.FAILING
    why, due_at = _next(feed, outcome, taking, failures, at)
    counts = Counter(run.counts) + taking.counts
    for name in counts:
        if name in OF_A_LOOK or name.startswith("source_"):
            counts[name] = taking.counts[name]
    run.outcome, run.problem = outcome, problem or taking.problem
    run.counts = {name: count for name, count in counts.items() if count} | taking.left_out
    run.ended_at = None if outcome == Outcome.WAITING else at
    with transaction.atomic():
        feed.update_as_claimed(
            due_at=due_at,
            due_why=why,
            claimed_until=None,
            health=Health.GOOD if is_well else Health.FAILING,
            failures=failures,
            position=(taking.position if run.ended_at else "") or feed.position,
            failing_since=(feed.failing_since or at) if failures else None,
            last_run_at=at,
        )
        run.save(update_fields=["outcome", "problem", "counts", "ended_at"])
        if turns:
            announce_failed(feed, run, at=at)


def _outcome(taking: Taking, problem: dict[str, object] | None) -> FeedRun.Outcome:
    if problem is not None:
        return Outcome.FAILED
    if taking.waits:
        return Outcome.WAITING
    if taking.problem is not None:
        return Outcome.REFUSED
    return Outcome.TAKEN if taking.counts["imported"] + taking.counts["same"] else Outcome.NOTHING


def _next(
    feed: Feed, outcome: str, taking: Taking, failures: int, at: datetime
) -> tuple[Feed.Why, datetime]:
    """Return when the feed is due next, and why."""
    if outcome == Outcome.FAILED:
        return Why.RETRY, at + wait_after(failures)
    scheduled = next_run(feed.schedule, feed.time_zone, at)
    if outcome == Outcome.WAITING and at + LOOK_AGAIN < scheduled:
        return Why.LOOK, at + LOOK_AGAIN
    return Why.SCHEDULE, scheduled


def is_licensed(tenant: Tenant, *, at: datetime) -> bool:
    """Return whether a license key of the tenant is valid now and has the entitlement."""
    return license_of(tenant, at=at) is not None


def forget_runs(*, at: datetime) -> int:
    """
    Delete the runs that ended long ago; return how many rows there were.

    What was taken is kept as long as its feed: no file is taken twice.
    """
    return FeedRun.objects.filter(ended_at__lt=at - KEPT_FOR).delete()[0]
