"""``?wait=`` on an import delays the answer until its deliveries have been tried too."""

from datetime import timedelta

import pytest

from common import clock
from deliveries.models import Delivery
from deliveries.selectors import is_under_way
from deliveries.services import register
from tests.changesets.test_applying import NOON, apply, loopback_allowed, url_of
from tests.deliveries.conftest import outcome
from tests.staging.conftest import in_review

__all__ = ["in_review", "loopback_allowed"]  # fixtures

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def applied(in_review):
    """Return an applied import with one delivery that is due."""
    record = in_review()
    register(tenant=record.tenant, url=url_of("any"), at=NOON)
    apply(record)
    return record


@pytest.fixture
def read(applied, mint_key, client_of):
    client = client_of(mint_key("tnt_owner"))
    url = f"/api/import/v1/imports/{applied.public_id}?wait=10"
    return lambda: client.get(url).json()["deliveries"]


def test_the_answer_shows_what_the_host_said(read, monkeypatch):
    def time_passes(_: float) -> None:
        Delivery.objects.update(**outcome("delivered"))

    monkeypatch.setattr("schemas.wait.time.sleep", time_passes)

    assert [delivery["state"] for delivery in read()] == ["delivered"]


@pytest.mark.parametrize("columns", [outcome("rejected"), {"due_at": clock.now() + HOUR}])
def test_nothing_waits_for_what_is_settled_or_tried_later(read, monkeypatch, columns):
    def never(_: float) -> None:
        raise AssertionError("waited")

    Delivery.objects.update(**columns)
    monkeypatch.setattr("schemas.wait.time.sleep", never)

    assert len(read()) == 1


@pytest.mark.parametrize(
    ("columns", "under_way"),
    [
        ({"due_at": NOON}, True),
        ({"due_at": NOON + HOUR}, False),
        ({"state": "sending", "due_at": NOON + HOUR, "claimed_until": NOON + HOUR}, True),
        (outcome("delivered"), False),
        (outcome("exhausted"), False),
    ],
)
def test_a_delivery_is_under_way_while_it_is_sent_or_about_to_be(applied, columns, under_way):
    Delivery.objects.update(**columns)
    tenant, record_id = applied.tenant, applied.public_id

    assert is_under_way(tenant, record_id, until=NOON + timedelta(minutes=1)) == under_way
    assert not is_under_way(tenant, "rec_other", until=NOON + HOUR)
