"""A file at one end, a host that verifies signatures at the other, and HTTP between them."""

import json
import time
from collections.abc import Callable
from ipaddress import ip_network

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from deliveries.services.attempt import new_client
from deliveries.services.dispatch import Dispatcher
from examples.django_receiver.verify import verify
from tests.deliveries.conftest import Host, make_host
from tests.imports.asked import V1, Imported
from tests.imports.conftest import carry_on
from tests.receiving import assert_delivery

__all__ = ["make_host"]  # fixtures

Send = Callable[..., "FromFile"]


class Receiver:
    """A registered host; it refuses bodies with an invalid signature."""

    def __init__(self, client, host: Host) -> None:
        made = client.post(f"{V1}/webhooks", {"url": host.url}, format="json").json()
        self._secret, self._host, self.webhook = made["signingSecret"], host, made["id"]

    def took(self) -> list[dict]:
        """Send what is due; return every verified body so far, the oldest apply first."""
        Dispatcher(client=new_client()).run()
        for item in self._host.received:
            assert_delivery(item, url=self._host.url)
            header = item.headers["x-import-signature"]
            verify(item.body, header, [self._secret], arrived_at=time.time())
        bodies = [json.loads(item.body) for item in self._host.received]
        return sorted(bodies, key=lambda body: body["occurredAt"])


class FromFile(Imported):
    """An import of an uploaded file, and everything a person does with it."""

    def __init__(self, client, content: str | bytes, name="list.csv", **members):
        raw = content.encode() if isinstance(content, str) else content
        body = {"file": SimpleUploadedFile(name, raw), **members}
        answer = client.post(f"{V1}/imports", body)
        assert answer.status_code == 202, answer.json()
        self.client, self.id = client, answer.json()["recordId"]
        self.record = carry_on(client, self.id)

    def call(self, method, path, body=None, *, who="Ada", status=200):
        """Call a path below the import as a person; row changes send the revision they saw."""
        send = getattr(self.client, method)
        answer = send(self.url(path), body, format="json", HTTP_X_IMPORT_ACTOR=who)
        assert answer.status_code == status, answer.content
        content = answer.json()
        self.record = carry_on(self.client, self.id)
        return content

    def change(self, method, path, *, who="Ada", status=200, **members):
        """Change the current rows."""
        body = {"revision": self.record["revision"], **members}
        return self.call(method, path, body, who=who, status=status)

    def edit(self, row, field, text, *, who="Ada"):
        edits = [{"row": row, "field": field, "text": text}]
        return self.change("patch", "rows", edits=edits, who=who)

    def map(self, mapping, *steps, who="Ada", status=202, **members):
        recipe = {"version": 1, "steps": list(steps)} if steps else None
        body = {"mapping": mapping, "recipe": recipe, **members}
        return self.call("put", "mapping", body, who=who, status=status)

    def rows(self, **view):
        return self.call("post", "rows/query", {"view": view})["rows"]

    def shown(self, *fields):
        """Return these values of the included rows."""
        return [
            tuple(row["values"][field] for field in fields)
            for row in self.rows()
            if not row["excluded"]
        ]

    def delivered_to(self, receiver: Receiver, **wishes):
        """Apply; return the body that the host accepted."""
        known = len(receiver.took())
        answer = self.apply(**wishes)
        assert (answer.status_code, self.state) == (202, "applied"), answer.json()
        (body,) = receiver.took()[known:]
        assert body["recordId"] == self.id
        return body


@pytest.fixture
def receiver(client, make_host, settings) -> Receiver:
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    return Receiver(client, make_host())


@pytest.fixture
def send(client) -> Send:
    """Return a function that uploads a file and runs it until a person must act."""
    return lambda content, **members: FromFile(client, content, **members)


def values(body, *fields):
    """Return these values of a body's rows."""
    return [tuple(row[field] for field in fields) for row in body["rows"]]
