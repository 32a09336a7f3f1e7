"""The rows of an import are on disk once, for any number of hosts."""

import hashlib
import json

import pytest

from common import storage
from common.errors import StaleState
from deliveries import bodies
from deliveries.models import Delivery, Registration
from deliveries.services import delete_registration, purge_import
from tests.changesets.test_parts import NOON, applied
from tests.staging.conftest import ADA

__all__ = ["applied"]  # a fixture

pytestmark = pytest.mark.django_db


def files() -> list:
    return sorted(path.name for path in (storage.root() / "bodies").iterdir())


def test_a_hundred_registrations_cost_one_body(applied):
    record = applied(*[None] * 100)

    sent = list(Delivery.objects.filter(record_id=record.public_id))

    assert len(sent) == 100
    assert len(files()) == 1


def test_each_body_is_whole_and_differs_in_its_delivery_alone(applied):
    record = applied(None, None)
    first, second = Delivery.objects.filter(record_id=record.public_id).order_by("pk")

    texts = [bodies.content(item) for item in (first, second)]

    assert texts[0].replace(first.public_id.encode(), b"?") == texts[1].replace(
        second.public_id.encode(), b"?"
    )
    for delivery, text in zip((first, second), texts, strict=True):
        assert json.loads(text)["deliveryId"] == delivery.public_id
        assert delivery.body_size == len(text)
        assert delivery.body_sha256 == hashlib.sha256(text).hexdigest()


def test_hosts_that_take_the_same_slices_share_them(applied):
    applied(4, 4, None)

    assert len(files()) == 3  # two slices, and the whole


def test_a_shared_body_goes_when_its_last_delivery_forgets_it(applied):
    record = applied(None, None)
    first, _second = Registration.objects.order_by("pk")

    delete_registration(registration=first, at=NOON)
    kept = files()
    purge_import(tenant=record.tenant, record_id=record.public_id, actor=ADA, at=NOON)

    assert len(kept) == 1
    assert files() == []


def test_what_was_cancelled_with_its_registration_leaves_no_bytes(applied):
    applied(None)

    delete_registration(registration=Registration.objects.get(), at=NOON)

    assert files() == []
    assert Delivery.objects.get().body_name == ""


def test_an_apply_that_is_lost_leaves_no_bodies_behind(applied, monkeypatch):
    def lost(*args, **kwargs):
        raise StaleState

    monkeypatch.setattr("changesets.services.enqueue", lost)

    with pytest.raises(StaleState):
        applied(None, None)

    assert files() == []
