"""
Every move of a delivery from one state to another.

Workers move many deliveries at a time, by updates that compare ``claim_no``; an Attempt is the
history row of each. People move one at a time, compared by its version. No other module moves a
delivery. See docs/states.md.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet

from common.actors import Actor
from common.errors import IllegalMove
from common.models import Move
from common.work.claims import claim
from common.work.life import tell
from common.work.wakeups import wake_on_commit
from deliveries.models import Delivery
from deliveries.verdict import Final

State = Delivery.State
DISPATCH = "deliveries.tasks.dispatch_due"


def claim_for_sending(due: "QuerySet[Delivery]", *, limit: int, at: datetime) -> list[Delivery]:
    """Claim due deliveries, each for one worker that sends it; return those that it got."""
    return claim(due, at=at, limit=limit, state=State.SENDING, version=F("version") + 1)


def give_back(unsent: Sequence[Delivery]) -> None:
    """Release claims whose attempts have not started; they are due as before."""
    before, after = State.SENDING, State.PENDING
    with transaction.atomic():
        for delivery in sorted(
            unsent, key=lambda delivery: delivery.pk
        ):  # the same lock order as settling
            held = Delivery.objects.filter(pk=delivery.pk, claim_no=delivery.claim_no, state=before)
            given_back = held.update(
                state=after,
                version=F("version") + 1,
                claim_no=F("claim_no") + 1,
                claimed_until=None,
            )
            if given_back:
                about = {**delivery.log_members(), "cause": "given_back"}
                tell("delivery", delivery.public_id, before=before, after=after, about=about)


def wait_for_retry(delivery: Delivery, *, due_at: datetime) -> None:
    """Wait for the next attempt; the caller holds the lock and its claim."""
    Delivery.objects.filter(pk=delivery.pk).update(
        state=State.PENDING,
        version=F("version") + 1,
        attempts=F("attempts") + 1,
        due_at=due_at,
        claimed_until=None,
        waits_used=F("waits_used") + 1,
    )


def finish(keys: Sequence[int], outcome: Final, *, at: datetime) -> None:
    """Settle deliveries whose last attempt has one outcome; the caller holds their locks."""
    Delivery.objects.filter(pk__in=keys).update(
        state=outcome.state,
        version=F("version") + 1,
        attempts=F("attempts") + 1,
        claim_no=F("claim_no") + 1,
        due_at=None,
        claimed_until=None,
        settled_at=at,
        hint=outcome.hint,
    )


def cancel(unsettled: Sequence[Delivery], *, actor: Actor, at: datetime, reason: str) -> None:
    """Cancel unfinished deliveries; call it in a transaction that has them locked."""
    Delivery.objects.filter(pk__in=[delivery.pk for delivery in unsettled]).update(
        state=State.CANCELLED,
        version=F("version") + 1,
        claim_no=F("claim_no") + 1,  # a worker that is sending it loses the claim
        due_at=None,
        claimed_until=None,
        settled_at=at,
        hint=reason,
    )
    Move.objects.bulk_create(
        Move(
            subject=delivery.public_id,
            from_state=delivery.state,
            to_state=State.CANCELLED,
            version=delivery.version + 1,
            actor=actor.as_dict(),
            reason=reason,
            at=at,
        )
        for delivery in unsettled
    )
    for delivery in unsettled:
        about = {"by": actor.kind, "import": delivery.record_id}
        after = State.CANCELLED
        tell("delivery", delivery.public_id, before=delivery.state, after=after, about=about)


def redeliver(delivery: Delivery, *, actor: Actor, at: datetime) -> None:
    """
    Have a delivery sent again now; the schedule of waits restarts.

    Raise IllegalMove while it is being sent: only the dispatcher moves it from there.
    """
    if delivery.state == State.SENDING:
        raise IllegalMove("illegal_move.sending", id=delivery.public_id)
    with transaction.atomic():
        delivery.move_to(State.PENDING, "redeliver", at=at, actor=actor)
        wake_dispatcher()


def keep_rejected(delivery: Delivery, *, hint: str, actor: Actor, at: datetime) -> None:
    """Leave a delivery rejected whose rows are sent in parts. hint: what was done instead."""
    delivery.move_to(State.REJECTED, hint, at=at, actor=actor)


def wake_dispatcher() -> None:
    """Wake a worker that sends deliveries, once the transaction is committed."""
    wake_on_commit(DISPATCH)
