"""A catalog whose entries refer to each other, and imports into it over HTTP."""

import json

import pytest

from catalogs import services as catalogs
from common import clock
from common.actors import ENGINE
from tests.imports.conftest import carry_on, client, owner

__all__ = ["client", "owner"]  # fixtures
V1 = "/api/import/v1"
EVERY_WAY = {"exact": True, "fuzzy": True, "learned": True, "minScore": 85}


def reference(entity="customer", match_on=("number",), **more):
    return {"entity": entity, "matchOn": list(match_on), "cardinality": "one",
            "onMissing": "error", **more}  # fmt: skip


def entry(name, *fields):
    return {"id": name, "fields": [f if isinstance(f, dict) else {"key": f} for f in fields]}


def orders(customer=None, **members):
    """Return orders that refer to customers, who are in no column of the file."""
    who = {"key": "customer", "reference": customer or reference(), **members}
    return [entry("order", "no", who), entry("customer", "number", "name")]


@pytest.fixture
def published(owner):
    """Return a function that publishes entries as the catalog ``t``."""

    def publish(entries, **members):
        document = {"key": "t", "title": "T", "entries": entries, **members}
        return catalogs.publish_document(
            tenant=owner, key="t", text=json.dumps(document).encode(), at=clock.now(), actor=ENGINE
        )

    return publish


@pytest.fixture
def know(client):
    """Return a function that makes entities known: ref to values."""

    def know(entity, scope="", **values):
        items = [{"ref": ref.strip("_"), "values": value} for ref, value in values.items()]
        address = f"{V1}/references/{entity}?scope={scope}"
        assert client.put(address, {"items": items}, format="json").status_code == 200

    return know


@pytest.fixture
def bring(client):
    """Return a function that brings a table of texts to review; returns the record's JSON."""

    def bring(columns, *, mapping=None, **members):
        names = list(columns)
        rows = [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        body = {"rows": rows, "catalogKey": "t", **members}
        made = client.post(f"{V1}/imports", body, format="json")
        assert made.status_code == 202, made.content
        record_id = made.json()["recordId"]
        carry_on(client, record_id)
        settled = {"mapping": mapping or {name: name for name in names}}
        answer = client.put(f"{V1}/imports/{record_id}/mapping", settled, format="json")
        assert answer.status_code == 202, answer.content
        record = carry_on(client, record_id)
        assert record["state"] == "review", record
        return record

    return bring


@pytest.fixture
def issues(client):
    """Return a function that returns the issues of an import: row, field key, code."""

    def issues(record):
        body = {"view": {"filter": "all"}, "limit": 500}
        answer = client.post(
            f"{V1}/imports/{record['recordId']}/rows/query", body, format="json"
        ).json()
        return sorted(
            (row["row"], issue["field"], issue["code"])
            for row in answer["rows"]
            for issue in row["issues"]
        )

    return issues


@pytest.fixture
def webhook(owner, settings):
    """Return a function that registers a host that is never called; tests settle its answers."""
    from ipaddress import ip_network

    from deliveries.services import register

    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)

    def webhook(*actions, path="", **more):
        url = f"http://127.0.0.1:9/{path}"
        made = register(tenant=owner, url=url, at=clock.now(), actions=actions, **more)
        return made.registration

    return webhook


@pytest.fixture
def apply(client):
    """Return a function that applies an import, and runs it; returns the record's JSON."""

    def apply(record, status=202, **wishes):
        address = f"{V1}/imports/{record['recordId']}"
        answer = client.post(
            f"{address}/apply", {"invalidRows": "exclude", **wishes}, format="json"
        )
        assert answer.status_code == status, answer.content
        if status != 202:
            return answer.json()
        return carry_on(client, record["recordId"])

    return apply


def host_answers(status=200, *, content=b"", action="submit"):
    """Settle waiting deliveries, as if the host had sent this answer."""
    from deliveries.http.client import Answer
    from deliveries.models import Delivery
    from deliveries.services.outcomes import Sent, record_outcomes
    from deliveries.transitions import claim_for_sending

    at = clock.now()
    answer = Answer(status, "", 1, head=content.decode(), content=content)
    waiting = Delivery.objects.filter(action=action, state="pending")
    waiting.update(due_at=at)  # the wait since the last attempt is over
    for delivery in claim_for_sending(waiting, limit=100, at=at):
        record_outcomes([Sent(delivery, answer, at, at)], at=at)


def bodies_of(record, action="submit"):
    from deliveries import bodies
    from deliveries.models import Delivery

    sent = Delivery.objects.filter(record_id=record["recordId"], action=action).order_by("pk")
    return [json.loads(bodies.content(delivery)) for delivery in sent]


def known(client, entity="customer"):
    """Return the known entities, ref to values."""
    items = client.get(f"{V1}/references/{entity}?limit=500").json()["items"]
    return {item["ref"]: item["values"] for item in items}
