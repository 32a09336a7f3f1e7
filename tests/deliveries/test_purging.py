"""Expired bodies are deleted; the audit log remains."""

from datetime import timedelta

import pytest

from common import storage
from common.actors import ENGINE
from deliveries import services
from tests.deliveries.conftest import NOON, outcome


@pytest.fixture
def is_stored():
    return lambda delivery: (
        bool(delivery.body_name) and storage.local_path(delivery.body_name).exists()
    )


def test_deleting_an_import_cancels_and_removes_its_bodies(tenant, make_delivery, is_stored):
    waiting = make_delivery(record_id="rec_gone")
    settled = make_delivery(record_id="rec_gone", **outcome("delivered"))
    other = make_delivery(record_id="rec_kept")
    paths = [storage.local_path(item.body_name) for item in (waiting, settled)]

    services.purge_import(tenant=tenant, record_id="rec_gone", actor=ENGINE, at=NOON)

    for item in (waiting, settled, other):
        item.refresh_from_db()
    assert [item.state for item in (waiting, settled, other)] == [
        "cancelled",
        "delivered",
        "pending",
    ]
    assert [path.exists() for path in paths] == [False, False]
    assert "deleted" in waiting.hint
    assert is_stored(other)


def test_old_bodies_are_removed_once_they_are_settled(make_delivery, is_stored):
    old = make_delivery(**outcome("delivered") | {"settled_at": NOON - timedelta(days=9)})
    recent = make_delivery(**outcome("delivered"))
    waiting = make_delivery(at=NOON - timedelta(days=9))

    services.purge_finished(before=NOON - timedelta(days=1))

    for item in (old, recent, waiting):
        item.refresh_from_db()
    assert [is_stored(item) for item in (old, recent, waiting)] == [False, True, True]
