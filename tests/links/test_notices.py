"""What happens to a link reaches the hosts that ask for it, and nothing of what it contains."""

import json

import pytest

from common import clock
from deliveries import bodies, services
from deliveries.models import Delivery
from links.services import expire_due
from tests.links.conftest import V1, start
from tests.links.test_pages import expire

pytestmark = pytest.mark.django_db
KINDS = ["link.opened", "link.used", "link.expired", "link.revoked"]


@pytest.fixture
def sent(owner):
    """Return a function that returns the notices that were queued, in order."""
    services.register(
        tenant=owner, url="https://h.example/x", at=clock.now(), events_wanted=KINDS, actions=[]
    )

    def bodies_of() -> list[dict]:
        queued = Delivery.objects.order_by("pk")
        return [json.loads(bodies.content(delivery)) for delivery in queued]

    return bodies_of


def kinds(notices: list[dict]) -> list[str]:
    return [notice["event"] for notice in notices]


def test_opening_and_using_up_are_announced_with_the_link_alone(create, host, visitor, sent):
    link = create(scope="secret-scope", meta={"ticket": "secret"})
    start(visitor(link))

    assert kinds(sent()) == ["link.opened", "link.used"]
    assert {notice["subject"] for notice in sent()} == {link["id"]}
    assert "secret" not in json.dumps(sent())
    assert link["url"].rsplit("/", 1)[1] not in json.dumps(sent())
    assert {host.get(notice["url"]).json()["id"] for notice in sent()} == {link["id"]}


def test_revoking_and_expiring_are_announced_once(create, host, sent):
    revoked, expired = create(), create()
    host.delete(f"{V1}/links/{revoked['id']}")
    host.delete(f"{V1}/links/{revoked['id']}")
    expire(expired)
    expire_due(at=clock.now())
    expire_due(at=clock.now())

    assert [(notice["event"], notice["subject"]) for notice in sent()] == [
        ("link.revoked", revoked["id"]),
        ("link.expired", expired["id"]),
    ]
