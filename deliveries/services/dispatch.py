"""Send what is due: claim a batch, send it in a pool of threads, record the results."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections

from common import clock
from common.logs import context
from common.secrets import SecretUnreadable
from common.work.claims import LEASE, RENEWAL_S
from deliveries import transitions
from deliveries.fairness import CLAIMS, THREADS, Candidate, Slots
from deliveries.http.client import Answer, Client
from deliveries.http.connections import Exchange
from deliveries.http.request import Request
from deliveries.http.sender_pool import SenderPool
from deliveries.models import Delivery
from deliveries.services.attempt import post, request_of, secrets_of
from deliveries.services.claims import claim_due, renew
from deliveries.services.outcomes import Sent, record_outcomes, unrecorded

logger = logging.getLogger(__name__)

TOGETHER_S = 0.05  # results within this time are recorded together
TOGETHER = 64  # this many are recorded at once: a killed worker loses unrecorded ones
MOSTLY, SELDOM = 0.6, 0.3  # shares of the time a dispatcher waits for answers
POLL_S = 0.2  # how often to look for new work while attempts are running
DATABASE_PAUSE_S = 0.5
SECRET_UNREADABLE = Answer(None, "secret_unreadable", 0)
NOT_SENT = Answer(None, "claim_lost", 0)  # the claim was lost before the attempt started

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shipment:
    """A claimed delivery, its request, and the exchange that sends it."""

    delivery: Delivery
    candidate: Candidate
    request: Request
    secrets: Sequence[str] = field(repr=False)  # for signing; empty if their key is missing
    exchange: Exchange


class Dispatcher:
    """One run over what is due; ``look_again`` wakes it from another thread."""

    def __init__(self, *, client: Client, threads: int = THREADS, claims: int = CLAIMS) -> None:
        self._client = client
        self._claims = Slots(count=claims)
        self._held: dict[int, Shipment] = {}
        self._senders: SenderPool[Shipment, Sent] = SenderPool(self._send_named, threads=threads)
        self._renewed_at = clock.now()
        self._look_at = 0.0  # monotonic
        self._gathered_at = time.monotonic()
        self._is_ending = False

    def look_again(self) -> None:
        """Look for due work now instead of at the next poll."""
        self._look_at = 0.0
        self._senders.nudge()

    def wind_down(self) -> None:
        """Start nothing more; complete and record running attempts. Callable from any thread."""
        self._is_ending = True
        self._senders.nudge()

    def run(self) -> None:
        """Send until nothing is due and nothing is running."""
        try:
            while self._claim() or self._held:
                self._end(self._gather())
                self._renew()
        finally:
            self._senders.close()

    def _gather(self) -> list[Sent]:
        """
        Wait for answers, and adjust the number of threads by how long that takes.

        A dispatcher that mostly waits is waiting for hosts, so more requests can run at once. One
        that never waits lacks CPU time, which more threads would only compete for.
        """
        began = time.monotonic()
        sent = self._senders.gather(
            enough=min(TOGETHER, len(self._held)), wait_s=POLL_S, together_s=TOGETHER_S
        )
        ended = time.monotonic()
        idle = (ended - began) / (ended - self._gathered_at)
        self._gathered_at = ended
        if idle > MOSTLY:
            self._senders.widen()
        elif idle < SELDOM:
            self._senders.narrow()
        return sent

    def _claim(self) -> int:
        """Claim what is due and may start or wait here; return how many."""
        if self._is_ending:
            self._give_back(self._senders.withdraw_all())
            return 0
        # A few at a time are rarely worth their transaction, except for registrations without any.
        is_crowded = self._claims.free < self._claims.count // 4
        is_early = time.monotonic() < self._look_at
        if is_early and (is_crowded or not self._senders.is_running_dry):
            return 0
        self._look_at = time.monotonic() + POLL_S
        claimed = self._stubbornly(lambda: claim_due(slots=self._claims, at=clock.now()))
        shipments = [
            Shipment(
                delivery,
                candidate,
                request_of(delivery),
                _secrets(delivery),
                self._client.exchange(delivery.body_size),
            )
            for delivery, candidate in claimed
        ]
        self._held |= {shipment.delivery.pk: shipment for shipment in shipments}
        self._senders.add(shipments)
        return len(shipments)

    def _end(self, sent: list[Sent]) -> None:
        made = [item for item in sent if item.answer is not NOT_SENT]
        failing = self._record(made) if made else set()
        self._let_go([item.delivery.pk for item in sent])
        if failing:
            self._give_back(self._senders.withdraw(failing))

    def _give_back(self, waiting: list[Shipment]) -> None:
        if unsent := [shipment.delivery for shipment in waiting]:
            self._stubbornly(lambda: transitions.give_back(unsent))
            self._let_go([delivery.pk for delivery in unsent])

    def _record(self, made: list[Sent]) -> set[int]:
        try:
            return record_outcomes(made, at=clock.now())
        except (OperationalError, InterfaceError):
            close_old_connections()
        return self._stubbornly(lambda: record_outcomes(unrecorded(made), at=clock.now()))

    def _let_go(self, keys: list[int]) -> None:
        for key in keys:
            self._claims.leave(key)
            del self._held[key]

    def _renew(self) -> None:
        """Keep the claims of held deliveries; end those that were lost."""
        at = clock.now()
        if not self._held or abs((at - self._renewed_at).total_seconds()) < RENEWAL_S:
            return
        deliveries = [shipment.delivery for shipment in self._held.values()]
        kept = self._stubbornly(lambda: renew(deliveries, until=at + LEASE))
        for key in self._held.keys() - kept:
            self._held[key].exchange.abort("claim_lost")
        self._renewed_at = at

    def _stubbornly(self, step: Callable[[], T]) -> T:
        """Repeat a step while the database is unavailable: received answers must not be lost."""
        while True:
            try:
                return step()
            except (OperationalError, InterfaceError) as error:
                if not self._held:
                    raise
                logger.warning(
                    "database unavailable (%s); keeping the results", type(error).__name__
                )
                close_old_connections()
                time.sleep(DATABASE_PAUSE_S)

    def _send_named(self, shipment: Shipment) -> Sent:
        """Send, with the delivery named in every line of the log."""
        delivery = shipment.delivery
        with context.about({"delivery": delivery.public_id, "import": delivery.record_id}):
            return self._send(shipment)

    def _send(self, shipment: Shipment) -> Sent:
        delivery, started_at = shipment.delivery, clock.now()
        if shipment.exchange.aborted_because:
            return Sent(delivery, NOT_SENT, started_at, started_at)
        if not shipment.secrets:
            return Sent(delivery, SECRET_UNREADABLE, started_at, _after(started_at))
        answer = Answer(None, "engine", 0)
        try:
            answer = post(
                self._client,
                shipment.request,
                secrets=shipment.secrets,
                exchange=shipment.exchange,
                at=started_at,
            )
        except Exception:
            logger.exception("sending %s failed in the engine", delivery.public_id)
        return Sent(delivery, answer, started_at, _after(started_at))


def _secrets(delivery: Delivery) -> list[str]:
    try:
        return secrets_of(delivery.registration, at=clock.now())
    except SecretUnreadable as error:
        logger.error("%s is not sent: %s", delivery.public_id, error.sentence)
        return []


def _after(started_at: datetime) -> datetime:
    """Return the time, never before the start, even if the clock was set back meanwhile."""
    return max(started_at, clock.now())
