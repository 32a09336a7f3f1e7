"""The cast: two tenants, an editor, a colleague, and a catalog that fits."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from catalogs import services
from common.actors import Actor
from licensing.models import Tenant

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
EDITOR = Actor(kind="person", id="lic_editor", label="Edith")
COLLEAGUE = Actor(kind="person", id="lic_colleague", label="Carl")


def text_of(key="people", title="People", field="name"):
    entries = [{"id": "person", "fields": [{"key": field}]}]
    return json.dumps({"key": key, "title": title, "entries": entries})


@pytest.fixture
def acme(db):
    return Tenant.objects.create(public_id="tnt_acme", created_at=NOON)


@pytest.fixture
def stranger(db):
    return Tenant.objects.create(public_id="tnt_stranger", created_at=NOON)


@pytest.fixture
def save(acme):
    def _save(text=None, *, key="people", tenant=acme, actor=EDITOR, **options):
        return services.save_draft(
            tenant=tenant, key=key, text=text or text_of(key), at=NOON, actor=actor, **options
        )

    return _save


@pytest.fixture
def publish(acme, save):
    def _publish(text=None, *, key="people", tenant=acme, at=LATER, **options):
        save(text, key=key, tenant=tenant)
        return services.publish(tenant=tenant, key=key, at=at, actor=EDITOR, **options)

    return _publish
