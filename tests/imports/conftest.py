"""A tenant with a key and published catalogs, whose imports run in this process."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from catalogs import services as catalogs
from common import clock
from common.actors import ENGINE
from common.ids import new_id
from imports.models import ImportRecord
from licensing.models import Tenant
from workflow import worker
from workflow.fairness import JobSlots
from workflow.worker import advance

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
State = ImportRecord.State
EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"


@pytest.fixture
def owner(db) -> Tenant:
    return Tenant.objects.create(public_id="tnt_owner", created_at=clock.now())


@pytest.fixture
def publish(owner):
    """Return a function that publishes an example catalog for the owner."""

    def publish(name: str, *, tenant: Tenant = owner):
        return catalogs.publish_document(
            tenant=tenant,
            key=name,
            text=(EXAMPLES / "catalogs" / f"{name}.json").read_bytes(),
            at=clock.now(),
            actor=ENGINE,
        )

    return publish


@pytest.fixture
def client(owner, mint_key, client_of):
    return client_of(mint_key("tnt_owner"))


@pytest.fixture
def upload(client):
    """Return a function that uploads an example, runs the import, and returns its JSON."""

    def upload(name: str, **members):
        with (EXAMPLES / name).open("rb") as file:
            answer = client.post("/api/import/v1/imports", {"file": file, **members})
        if answer.status_code != 202:
            return answer.json()
        return carry_on(client, answer.json()["recordId"])

    return upload


def carry_on(client, record_id: str) -> dict:
    """Run what is due for an import, then read it."""
    advance(record_id)
    return client.get(f"/api/import/v1/imports/{record_id}").json()


@pytest.fixture
def waits(db):
    """Return a function that creates a due import of a tenant."""

    def make(tenant: str, *, minutes: int = 0, size: int = 0) -> str:
        owner, _ = Tenant.objects.get_or_create(public_id=tenant, defaults={"created_at": NOON})
        record = ImportRecord.objects.create(
            public_id=new_id("rec_"), tenant=owner, state=State.READING, created_at=NOON,
            due_at=NOON + timedelta(minutes=minutes), size=size,
        )  # fmt: skip
        return record.public_id

    return make


@pytest.fixture
def worked(monkeypatch) -> list[str]:
    """Replace the reading job with one that records the import, and ends it."""
    order = []

    def job(record, reporter):
        order.append(record.tenant.public_id)
        record.move_to(State.MAPPING, at=clock.now())

    monkeypatch.setattr(worker, "job_of", lambda _: job)
    monkeypatch.setattr(worker, "JOB_SLOTS", JobSlots(2))
    return order
