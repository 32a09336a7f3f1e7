"""Follow up on changesets after their hosts answered: learn, or finish a revert."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from changesets import known_entities, reversal
from changesets.bodies import APPLYING
from changesets.models import Changeset
from common import clock
from common.errors import Conflict
from deliveries.models import Delivery
from deliveries.services.registrations import DELETE

logger = logging.getLogger(__name__)
MOST = 100  # changesets per pass
OVER = (Delivery.State.REJECTED, Delivery.State.EXHAUSTED)


def follow_due() -> None:
    """Learn from confirmed changesets and finish reverted ones; safe to run twice or late."""
    at = clock.now()
    for changeset in _due(Q(state=Changeset.State.REVERTING)):
        with _alone(changeset):
            reversal.follow_revert(changeset=changeset, at=at)
    waiting = Q(state=Changeset.State.APPLIED, learned_at__isnull=True) & ~Q(prepared="")
    waiting &= Q(record__purged_at__isnull=True)  # otherwise its rows are gone
    for changeset in _due(waiting & confirmed()):
        with _alone(changeset):
            known_entities.learn(changeset=changeset, at=at)


@contextmanager
def _alone(changeset: Changeset) -> Iterator[None]:
    """Log what goes wrong with one changeset; those of others are followed all the same."""
    try:
        yield
    except Conflict:
        logger.info("%s: another worker followed it", changeset.public_id)
    except Exception:
        logger.exception("%s: not followed now", changeset.public_id)


def _due(which: Q) -> "QuerySet[Changeset]":
    changesets = Changeset.objects.filter(which).order_by("pk")
    if not changesets.exists():  # asked every few seconds: the rows take longer to ask for
        return changesets.none()
    return changesets.select_related("record__tenant", "tenant")[:MOST]


def confirmed() -> Q:
    """
    Return which changesets hosts have: all deliveries arrived, or results are acknowledged.

    A refused deletion that a later import outdated is never sent again: nothing waits for it.
    """
    sent = Delivery.objects.filter(
        tenant=OuterRef("tenant"),
        record_id=OuterRef("record__public_id"),
        changeset_id=OuterRef("public_id"),
        action__in=APPLYING,
        parts__isnull=True,  # rows resent in parts are confirmed by the parts
    ).exclude(state=Delivery.State.CANCELLED)
    sent = sent.exclude(action=DELETE, is_outdated=True, state__in=OVER)
    arrived = Exists(sent) & ~Exists(sent.exclude(state=Delivery.State.DELIVERED))
    by_browser = Q(apply_mode="browser")
    return (by_browser & Q(acknowledged_at__isnull=False)) | (~by_browser & Q(arrived))


def acknowledge(*, changeset: Changeset, at: datetime) -> Changeset:
    """Record that the host has the browser results, and learn from them."""
    Changeset.objects.filter(pk=changeset.pk, acknowledged_at=None).update(acknowledged_at=at)
    changeset.refresh_from_db()
    return changeset
