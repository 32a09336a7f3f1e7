"""A license that expires soon is announced to hosts, once for each of 30, 7 and 1 days."""

import json
import threading
from datetime import timedelta

import pytest
from django.db import connections

from common import clock
from common.models import Event
from deliveries import bodies
from deliveries.models import Delivery
from deliveries.services.expiring import announce_expiring
from licensing.models import License, Tenant
from tests.api.test_delivered import validator
from tests.deliveries.conftest import NOON

pytestmark = pytest.mark.django_db
END = NOON + timedelta(days=60)


@pytest.fixture
def key(tenant):
    """Return a function that adds a license of a tenant, which ends in 60 days."""

    def key(name: str = "lic_1", owner: Tenant = tenant) -> License:
        return License.objects.create(
            public_id=name, tenant=owner, label="secret label", issued_at=NOON, expires_at=END
        )

    return key


def before_the_end(**left) -> None:
    announce_expiring(at=END - timedelta(**left))


def sent() -> list[dict]:
    queued = Delivery.objects.filter(event="license.expiring").order_by("pk")
    return [json.loads(bodies.content(delivery)) for delivery in queued]


def test_each_step_is_sent_once_also_after_a_restart(key, make_registration):
    make_registration(events_wanted=["license.expiring"])
    key()
    for days in (31, 30, 29, 8, 7, 6, 2, 1, 0.5):
        before_the_end(days=days)
        before_the_end(days=days)  # by another worker, or after a restart

    assert [(notice["subject"], notice["days"]) for notice in sent()] == [
        ("lic_1", 30), ("lic_1", 7), ("lic_1", 1),
    ]  # fmt: skip
    assert {notice["expiresAt"] for notice in sent()} == {clock.iso(END)}
    assert "secret" not in json.dumps(sent())
    for notice in sent():
        validator("LicenseExpiringEvent").validate(notice)


def test_an_engine_that_was_off_announces_the_step_that_is_left(key, make_registration):
    make_registration(events_wanted=["license.expiring"])
    key()
    before_the_end(hours=3)

    assert [notice["days"] for notice in sent()] == [1]


def test_only_hosts_of_its_tenant_that_ask_hear_of_it(key, make_registration):
    stranger = Tenant.objects.create(public_id="tnt_stranger", created_at=NOON)
    make_registration()
    make_registration(tenant=stranger, events_wanted=["license.expiring"])
    key()
    before_the_end(days=7)

    assert sent() == []
    assert Event.objects.filter(kind="license.expires").count() == 1


def test_a_notice_that_cannot_be_queued_is_sent_at_the_next_look(
    key, make_registration, monkeypatch
):
    make_registration(events_wanted=["license.expiring"])
    key()
    with monkeypatch.context() as patched:
        patched.setattr("deliveries.services.notices.enqueue", lambda **_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            before_the_end(days=7)

    before_the_end(days=7)
    assert [notice["days"] for notice in sent()] == [7]


@pytest.mark.django_db(transaction=True)
def test_workers_at_the_same_moment_send_it_once(key, make_registration):
    make_registration(events_wanted=["license.expiring"])
    for number in range(3):
        key(f"lic_{number}")
    together = threading.Barrier(3)

    def race() -> None:
        together.wait()
        before_the_end(days=7)
        connections.close_all()

    racers = [threading.Thread(target=race) for _ in range(3)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()

    assert sorted(notice["subject"] for notice in sent()) == ["lic_0", "lic_1", "lic_2"]
