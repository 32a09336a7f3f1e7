"""Leases on domain rows: the database knows who works on what, and fences off lost claims."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, ClassVar, Self, TypeVar

from django.conf import settings
from django.db import Error, connection, connections, models, transaction
from django.db.models import F, Q

from common import clock
from common.actors import Actor
from common.errors import Conflict
from common.work.life import tell
from common.work.states import StatefulModel

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=settings.LEASE_S)
RENEWAL_S = settings.LEASE_S / 4


class ClaimLost(Conflict):
    """The claim on this work expired or was taken over; its results are discarded."""

    code = "claim_lost"


class Claimable(StatefulModel):
    """
    A stateful row that has work due, done by one worker at a time.

    In a state of WORKING a worker has to act; in any other, no work is due and the row is
    free. Entering a state of REVOKED takes the row from the worker that holds it.
    """

    WORKING: ClassVar[frozenset[str]]
    REVOKED: ClassVar[frozenset[str]] = frozenset()

    due_at = models.DateTimeField(null=True, blank=True)
    claimed_until = models.DateTimeField(null=True, blank=True)
    claim_no = models.PositiveBigIntegerField(default=0)

    class Meta:
        abstract = True

    def entered(self, state: str, *, at: datetime, actor: Actor, reason: str) -> dict[str, Any]:
        """Return what is due in a state: work that is due already, and its claim, go on."""
        if state in self.WORKING:
            return {} if self.due_at else {"due_at": at, "claimed_until": None}
        work: dict[str, Any] = {"due_at": None, "claimed_until": None}
        return work | ({"claim_no": self.claim_no + 1} if state in self.REVOKED else {})

    def as_read(self) -> "models.QuerySet[Self]":
        """Return this row if it was neither moved nor claimed since it was read."""
        return super().as_read().filter(claim_no=self.claim_no)

    def is_claim_lost(self) -> bool:
        """Return whether the work was claimed or cancelled elsewhere since it was claimed here."""
        return not type(self)._default_manager.filter(pk=self.pk, claim_no=self.claim_no).exists()

    def require_claim(self) -> None:
        """Raise ClaimLost if this worker no longer holds the work."""
        if self.is_claim_lost():
            raise ClaimLost("claim_lost.named", id=self.public_id)

    def update_as_claimed(self, **changes: Any) -> None:
        """Write columns under the claim. Raise ClaimLost if this worker no longer holds it."""
        mine = type(self)._default_manager.filter(pk=self.pk, claim_no=self.claim_no)
        if mine.update(**changes) != 1:
            raise ClaimLost("claim_lost.named", id=self.public_id)
        for name, value in changes.items():
            setattr(self, name, value)


Work = TypeVar("Work", bound=Claimable)


def held(at: datetime) -> Q:
    """
    Return the condition for rows that a worker holds.

    A lease that ends later than any lease can was set by a clock that was ahead: it holds nothing.
    """
    return Q(claimed_until__gt=at, claimed_until__lte=at + 2 * LEASE)


def due(at: datetime) -> Q:
    """Return the condition for rows whose work is due and that no worker holds."""
    free = Q(claimed_until__isnull=True) | Q(claimed_until__lte=at)
    return Q(due_at__lte=at) & (free | Q(claimed_until__gt=at + 2 * LEASE))


def claim(
    candidates: "models.QuerySet[Work]",
    *,
    at: datetime,
    limit: int,
    lease: timedelta = LEASE,
    **changes: Any,
) -> list[Work]:
    """
    Claim up to ``limit`` due rows, each for one worker, and change the named columns with it.

    PostgreSQL skips rows that others are claiming; SQLite's immediate transactions queue. A row
    whose lease expired is taken over from its former holder, and this is logged.
    """
    model = candidates.model
    with transaction.atomic():
        chosen = candidates.filter(due(at)).order_by("due_at", "pk")
        if connection.features.has_select_for_update_skip_locked:
            chosen = chosen.select_for_update(skip_locked=True)
        held = {
            row[0]: row[1:] for row in chosen.values_list("pk", "claimed_until", "state")[:limit]
        }
        keys = list(held)
        if not keys:
            return []
        model._default_manager.filter(pk__in=keys).update(
            claimed_until=at + lease, claim_no=F("claim_no") + 1, **changes
        )
        claimed = model._default_manager.in_bulk(keys)
        for key, (lease, state) in held.items():
            if lease is not None:
                _tell_taken_over(claimed[key], state)
        return [claimed[key] for key in keys]


def _tell_taken_over(row: Claimable, before: str) -> None:
    about = {**row.log_members(), "claim": row.claim_no, "cause": "lease_expired"}
    kind = row._meta.verbose_name_raw
    tell(kind, row.public_id, before=before, after=before, about=about, level=logging.WARNING)


@contextmanager
def renewed(works: "list[Work]", *, on_lost: Callable[[], None] | None = None) -> Iterator[None]:
    """
    Renew the leases every 15 s from a thread of this process while the block runs.

    If the database is briefly unavailable, one renewal is lost, not the lease: three more follow.
    """
    done = threading.Event()

    def renew() -> None:
        while not done.wait(RENEWAL_S):
            try:
                kept = _renew(works, until=clock.now() + LEASE)
            except Error as error:
                logger.warning("leases were not renewed: %s", type(error).__name__)
                connections.close_all()
                continue
            if kept < len(works) and on_lost is not None:
                on_lost()
        connections.close_all()

    thread = threading.Thread(target=renew, name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _renew(works: "list[Work]", *, until: datetime) -> int:
    held = Q()
    for work in works:
        held |= Q(pk=work.pk, claim_no=work.claim_no)
    return type(works[0])._default_manager.filter(held).update(claimed_until=until)
