"""The states of a delivery, driven at random: what must stay true whatever happens."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from common.actors import ENGINE
from common.errors import Conflict
from deliveries import bodies, services
from deliveries.fairness import Slots
from deliveries.http.client import Answer
from deliveries.models import Attempt, Delivery, Registration
from deliveries.services.claims import claim_due
from deliveries.services.outcomes import Sent, record_outcomes
from deliveries.verdict import WAITS_S
from tests.deliveries.conftest import NOON, small_body
from tests.tries import tries

STATUSES = st.sampled_from([200, 204, 302, 400, 413, 429, 500, 503, None])


def answer(status: int | None) -> Answer:
    return Answer(status, "" if status else "timeout", 1)


class DeliveryStates(RuleBasedStateMachine):
    """Two dispatchers, a person and a clock share one delivery."""

    def __init__(self) -> None:
        super().__init__()
        self.now = NOON
        self.under_way: list[Delivery] = []
        self.tries = 0
        self.delivered_without_redelivery = False
        self.registration = services.register(
            tenant=self.tenant, url="https://host.example/", at=NOON
        ).registration
        self.delivery = self.enqueue()

    def teardown(self) -> None:
        """Release the URL for the next example."""
        services.delete_registration(registration=self.registration, at=self.now)

    def enqueue(self) -> Delivery:
        number = Delivery.objects.count()
        return services.enqueue(
            tenant=self.tenant,
            registration=self.registration,
            delivery_id=f"dlv_{number}",
            record_id="rec_1",
            changeset_id="chg_1",
            action="submit",
            body=self.body,
            row_count=0,
            at=NOON,
        )

    def row(self) -> Delivery:
        return Delivery.objects.get(pk=self.delivery.pk)

    @rule(seconds=st.integers(0, 200_000))
    def time_passes(self, seconds):
        self.now += timedelta(seconds=seconds)

    @rule()
    def a_dispatcher_claims(self):
        before = self.row()
        claimed = claim_due(slots=Slots(), at=self.now)
        mine = [delivery for delivery, _ in claimed if delivery.pk == self.delivery.pk]
        assert not (mine and self.delivered_without_redelivery)
        assert not mine or before.due_at <= self.now
        self.under_way += mine

    @precondition(lambda self: self.under_way)
    @rule(data=st.data(), status=STATUSES)
    def a_dispatcher_settles(self, data, status):
        place = data.draw(st.integers(0, len(self.under_way) - 1))
        claimed = self.under_way.pop(place)
        before = self.row()
        record_outcomes([Sent(claimed, answer(status), self.now, self.now)], at=self.now)
        self.tries += 1
        after = self.row()
        if before.claim_no != claimed.claim_no and status not in {200, 204}:
            assert after.state == before.state
        if after.state == "delivered":
            self.delivered_without_redelivery = True

    @rule()
    def a_person_redelivers(self):
        delivery = self.row()
        try:
            services.redeliver(delivery=delivery, actor=ENGINE, at=self.now)
        except Conflict:
            assert delivery.state == "sending" or self.registration_is_gone()
        else:
            assert delivery.state != "sending"
            self.delivered_without_redelivery = False

    @rule()
    def a_stale_person_loses(self):
        stale = self.row()
        Delivery.objects.filter(pk=stale.pk).update(version=stale.version + 1)
        with pytest.raises(Conflict):
            services.redeliver(delivery=stale, actor=ENGINE, at=self.now)

    @rule()
    def the_registration_is_deleted(self):
        services.delete_registration(registration=self.registration, at=self.now)
        assert self.row().state not in Delivery.UNSETTLED

    def registration_is_gone(self) -> bool:
        return Registration.objects.get(pk=self.registration.pk).deleted_at is not None

    @invariant()
    def work_is_due_until_it_is_settled(self):
        row = self.row()
        assert (row.due_at is not None) == (row.state in Delivery.UNSETTLED)
        assert (row.settled_at is None) == (row.state in Delivery.UNSETTLED)

    @invariant()
    def every_attempt_is_logged_once(self):
        numbers = list(Attempt.objects.filter(delivery=self.delivery).values_list("number"))
        assert numbers == [(number,) for number in range(1, self.tries + 1)]
        assert self.row().attempts == self.tries

    @invariant()
    def the_waits_are_never_more_than_the_schedule_has(self):
        assert self.row().waits_used <= len(WAITS_S)


@pytest.mark.django_db
def test_whatever_happens_a_delivery_stays_consistent(tenant):
    from hypothesis.stateful import run_state_machine_as_test

    DeliveryStates.tenant = tenant
    DeliveryStates.body = bodies.store(small_body("dlv_0", "rec_1", 0))

    run_state_machine_as_test(
        DeliveryStates,
        settings=settings(
            max_examples=tries(40),
            stateful_step_count=25,
            suppress_health_check=list(HealthCheck),
        ),
    )
