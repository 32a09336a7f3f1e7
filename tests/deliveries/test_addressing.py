"""Each delivery arrives at its own registration's URL, whatever opened the connection."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from common import clock
from common.ids import new_id
from deliveries.models import Attempt, Delivery
from deliveries.services.attempt import new_client
from deliveries.services.dispatch import Dispatcher
from licensing.models import Tenant
from tests.deliveries.conftest import NOON, answers, assert_own_deliveries, drops
from tests.tries import tries

pytestmark = pytest.mark.django_db(transaction=True)

PATHS = ("/", "/apply", "/apply/two", "/apply?token=1", "/apply?token=2", "/%C3%BC")


def test_deliveries_over_a_kept_connection_arrive_at_their_own_urls(
    make_host, make_registration, make_delivery
):
    host = make_host()
    meant = {}
    for path in ("/one?token=1", "/two", "/three?a=b&c"):
        registration = make_registration(host.url.replace("/apply", path))
        meant |= {make_delivery(registration).public_id: path for _ in range(4)}

    Dispatcher(client=new_client(), threads=2).run()

    assert {item.delivery_id: item.path for item in host.received} == meant
    assert set(Delivery.objects.values_list("state", flat=True)) == {"delivered"}


def closes(call) -> None:
    answers(200, connection="close")(call)


def sends_an_interim_answer(call) -> None:
    call.wfile.write(b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n")
    answers(200)(call)


BEHAVIOURS = {
    "keeps": answers(200),
    "fails": answers(503),
    "closes": closes,
    "breaks": drops,
    "hints": sends_an_interim_answer,
}


@pytest.fixture
def neighbours(make_host):
    """Start three hosts: two with the same port at other addresses, two at the same address."""
    first = make_host()
    return [first, make_host(address="127.0.0.2", port=first.port), make_host()]


@pytest.fixture
def registrations(neighbours, make_registration):
    """Register every path of every host for two tenants."""
    tenants = [Tenant.objects.create(public_id=new_id("tnt_"), created_at=NOON) for _ in range(2)]
    return [
        make_registration(host.url.replace("/apply", path), tenant=tenant)
        for host in neighbours
        for path in PATHS
        for tenant in tenants
    ]


def test_random_deliveries_of_several_tenants_arrive_at_their_own_urls(
    neighbours, registrations, make_delivery
):
    client = new_client()

    @settings(
        max_examples=tries(15),
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],  # report a failing example at once: each costs a second
    )
    @given(
        st.lists(st.integers(0, len(registrations) - 1), min_size=1, max_size=16),
        st.lists(st.sampled_from(sorted(BEHAVIOURS)), max_size=8),
        st.integers(1, 4),
    )
    def arrive(places, behaviours, threads):
        for host in neighbours:
            host.plan = [*(BEHAVIOURS[name] for name in behaviours), answers(200)]
            host.received.clear()
        made = [make_delivery(registrations[place], rows=1, at=clock.now()) for place in places]
        while Delivery.objects.filter(state="pending").update(due_at=clock.now()):
            Dispatcher(client=client, threads=threads).run()

        arrived = Counter(item.delivery_id for host in neighbours for item in host.received)
        tried = Counter(Attempt.objects.values_list("delivery__public_id", flat=True))
        assert arrived == {item.public_id: tried[item.public_id] for item in made}
        for host in neighbours:
            assert_own_deliveries(host)

    arrive()


def test_an_attempt_records_where_it_was_sent_without_the_query(
    make_host, make_registration, make_delivery
):
    host = make_host()
    registration = make_registration(f"{host.url}/%C3%BC?token=s3cret")
    delivery = make_delivery(registration)

    Dispatcher(client=new_client()).run()

    attempt = Attempt.objects.get(delivery=delivery)
    assert attempt.sent_to == f"{host.url}/%C3%BC"
    assert attempt.sent_to_key == registration.url_key


def test_an_attempt_that_sent_nothing_records_no_address(make_registration, make_delivery):
    delivery = make_delivery(make_registration())
    Delivery.objects.update(body_name="bodies/gone")

    Dispatcher(client=new_client()).run()

    attempt = Attempt.objects.get(delivery=delivery)
    assert (attempt.error_class, attempt.sent_to, attempt.sent_to_key) == ("body_missing", "", "")
