"""Go on with changesets once their hosts have answered: learn, or end a revert."""

import logging
from datetime import datetime

from django.db.models import Q, QuerySet

from changesets import learning, reverting
from changesets.models import Changeset
from common import clock
from common.errors import Conflict
from deliveries.models import Delivery

logger = logging.getLogger(__name__)
MOST = 100  # changesets of one look


def follow_due() -> None:
    """Learn from what is confirmed, and end what was reverted; harmless twice or late."""
    at = clock.now()
    for changeset in _due(Q(state=Changeset.State.REVERTING)):
        try:
            reverting.follow_revert(changeset=changeset, at=at)
        except Conflict:
            logger.info("%s: somebody else ended the revert", changeset.public_id)
    waiting = Q(state=Changeset.State.APPLIED, learned_at__isnull=True) & ~Q(prepared="")
    waiting &= Q(record__purged_at__isnull=True)  # its rows are gone
    for changeset in _due(waiting):
        if is_confirmed(changeset):
            learning.learn(changeset=changeset, at=at)


def _due(which: Q) -> "QuerySet[Changeset]":
    found = Changeset.objects.filter(which).select_related("record__tenant", "tenant")
    return found.order_by("pk")[:MOST]


def is_confirmed(changeset: Changeset) -> bool:
    """Whether hosts have the rows: every delivery arrived, or browser results are acknowledged."""
    if changeset.apply_mode == "browser":
        return changeset.acknowledged_at is not None
    sent = Delivery.objects.filter(
        tenant=changeset.tenant,
        record_id=changeset.record.public_id,
        changeset_id=changeset.public_id,
        action="submit",
    ).filter(parts__isnull=True)  # what was resent in parts is confirmed by them
    states = set(sent.values_list("state", flat=True)) - {Delivery.State.CANCELLED}
    return states == {Delivery.State.DELIVERED}


def acknowledge(*, changeset: Changeset, at: datetime) -> Changeset:
    """Note that browser results are in the host's hands, and learn from them."""
    Changeset.objects.filter(pk=changeset.pk, acknowledged_at=None).update(acknowledged_at=at)
    changeset.refresh_from_db()
    return changeset
