"""Events for hosts that ask for them: sent like deliveries, and only to these hosts."""

import json

import pytest

from api.notified import schema_name_of
from common import storage
from deliveries import bodies, services
from deliveries.models import Delivery
from deliveries.services.notices import NOTICES, addresses
from licensing.models import Tenant
from tests.api.test_delivered import validator
from tests.deliveries.conftest import NOON, answers
from tests.deliveries.test_dispatching import make_due, run_dispatcher

pytestmark = pytest.mark.django_db(transaction=True)


def announce(tenant: Tenant, **about) -> int:
    return services.announce(
        tenant=tenant, kind="link.opened", subject="lnk_1", at=NOON, **{"catalog_key": "a", **about}
    )


def test_a_notice_is_signed_and_says_what_happened_without_rows(
    tenant, make_host, make_registration
):
    host = make_host(answers(200, b'{"results": [{"row": 0, "status": "created"}]}'))
    make_registration(host.url, events_wanted=["link.opened"])

    assert announce(tenant) == 1
    run_dispatcher()

    (received,) = host.received  # its signature and headers are checked by `make_host`
    sent = Delivery.objects.get()
    assert (sent.state, sent.action, sent.host_results) == ("delivered", "notify", None)
    assert json.loads(received.body) == {
        "event": "link.opened",
        "deliveryId": sent.public_id,
        "tenantId": "tnt_owner",
        "subject": "lnk_1",
        "occurredAt": "2024-11-20T12:00:00.000Z",
        "url": "/api/import/v1/links/lnk_1",
        "adminUrl": "/admin/links/link/?q=lnk_1",
        "catalogKey": "a",
    }


@pytest.mark.parametrize("kind", sorted(NOTICES))
def test_every_kind_is_signed_and_names_the_pages_of_its_subject(
    kind, tenant, make_host, make_registration
):
    host = make_host(answers(200))
    make_registration(host.url, events_wanted=[kind])
    services.announce(tenant=tenant, kind=kind, subject="x_1", at=NOON)
    run_dispatcher()

    (received,) = host.received  # its signature and headers are checked by `make_host`
    notice = json.loads(received.body)
    assert (notice["event"], notice["subject"]) == (kind, "x_1")
    assert {name: notice[name] for name in addresses(kind, "x_1")} == addresses(kind, "x_1")
    assert notice["adminUrl"].endswith("x_1")


def test_a_notice_about_a_test_says_so_and_names_the_tenant_of_the_host(
    tenant, make_host, make_registration
):
    side = Tenant.objects.create(public_id="tnt_owner.test", test_of=tenant, created_at=NOON)
    host = make_host(answers(200))
    make_registration(host.url, tenant=side, events_wanted=["link.opened"])

    assert (announce(tenant), announce(side)) == (0, 1)
    run_dispatcher()

    sent = json.loads(host.received[0].body)
    assert (sent["tenantId"], sent["test"]) == ("tnt_owner", True)


def test_a_notice_needs_no_file(tenant, make_registration, monkeypatch):
    def no_space(*arguments, **members):
        raise storage.StorageFull

    make_registration(events_wanted=["link.opened"])
    monkeypatch.setattr(storage, "store", no_space)

    assert announce(tenant) == 1


def test_a_notice_is_retried_like_a_delivery(tenant, make_host, make_registration):
    host = make_host(answers(500), answers(200))
    make_registration(host.url, events_wanted=["link.opened"])
    announce(tenant)

    run_dispatcher()
    sent = Delivery.objects.get()
    assert (sent.state, sent.waits_used) == ("pending", 1)
    make_due(sent)
    run_dispatcher()

    sent.refresh_from_db()
    assert sent.state == "delivered"
    assert host.received[0].body == host.received[1].body


@pytest.mark.parametrize(
    ("wishes", "is_sent"),
    [
        ({}, False),  # as every registration that exists
        ({"events_wanted": ["link.used"]}, False),
        ({"events_wanted": ["link.opened"]}, True),
        ({"events_wanted": ["link.opened"], "actions": []}, True),
        ({"events_wanted": ["link.opened"], "catalog_keys": ["a"]}, True),
        ({"events_wanted": ["link.opened"], "catalog_keys": ["b"]}, False),
    ],
)
def test_a_notice_goes_to_those_that_ask_for_it(wishes, is_sent, tenant, make_registration):
    make_registration(**wishes)
    stranger = Tenant.objects.create(public_id="tnt_stranger", created_at=NOON)
    make_registration(tenant=stranger, events_wanted=["link.opened"])

    assert announce(tenant) == int(is_sent)
    assert Delivery.objects.filter(tenant=tenant).count() == int(is_sent)


def test_one_that_asks_for_events_alone_gets_no_rows(make_registration):
    registration = make_registration(events_wanted=["link.opened"], actions=[])

    assert not registration.takes("submit", "a")


def test_a_delivery_that_is_given_up_is_announced_and_a_notice_is_not(
    make_host, make_registration, make_delivery, settings
):
    settings.WEBHOOK_WAITS_S = ()
    failing = make_registration(make_host(answers(500)).url, events_wanted=["delivery.exhausted"])
    delivery = make_delivery(failing)

    run_dispatcher()
    run_dispatcher()

    notice = Delivery.objects.exclude(pk=delivery.pk).get()
    delivery.refresh_from_db()
    assert (delivery.state, notice.state) == ("exhausted", "exhausted")
    assert notice.event == "delivery.exhausted"


def test_a_feed_that_fails_is_announced_with_its_code_to_those_who_ask(tenant, make_registration):
    make_registration(events_wanted=["feed.failed"], catalog_keys=["orders"])
    make_registration("https://other.example", events_wanted=["import.failed"])
    failed = {"tenant": tenant, "feed_id": "fed_1", "code": "source_refused", "at": NOON}

    counts = [
        services.announce_failed_feed(catalog_key=key, **failed) for key in ("orders", "people")
    ]

    assert counts == [1, 0]
    sent = json.loads(bodies.content(Delivery.objects.get()))
    assert (sent["event"], sent["subject"], sent["code"]) == (
        "feed.failed", "fed_1", "source_refused",
    )  # fmt: skip
    assert sent["adminUrl"] == "/admin/feeds/feed/?q=fed_1"
    validator(schema_name_of("feed.failed")).validate(sent)
