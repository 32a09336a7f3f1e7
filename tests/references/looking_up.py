"""A host that answers lookups over HTTP: from its records, or as a test wants it to."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import ip_network

import pytest

from changesets.lookups.worker import look_up_due
from common import clock
from deliveries import services
from tests.deliveries.conftest import Host, QuietServer, Receiver, answers
from tests.receiving import Received

__all__ = ["look_up_due"]
EVENT = "references.lookup"


def answer(*items, **members) -> bytes:
    """Return the body of an answer. Each item: ref and values."""
    listed = [{"ref": ref, "values": values} for ref, values in items]
    return json.dumps({"items": listed, **members}).encode()


@dataclass
class Records(Host):
    """A host with records. by_key: the items it answers, of any entity."""

    key: str = "number"
    by_key: dict[str, tuple[str, dict]] = field(default_factory=dict)

    def has(self, **refs) -> None:
        """Replace its records: ref to values."""
        self.by_key = {values[self.key]: (ref.strip("_"), values) for ref, values in refs.items()}

    def bodies(self) -> list[dict]:
        """Return the bodies that it received."""
        return [json.loads(call.body) for call in self.received]

    def keys(self) -> list[str]:
        """Return the keys that it was sent, in order."""
        return [key for body in self.bodies() for key in body["keys"]]


def from_records(call: Receiver) -> None:
    """Answer with the records of the host."""
    host = call.host
    received = Received.of(call)
    with host.lock:
        host.received.append(received)
    keys = json.loads(received.body)["keys"]
    content = answer(*(host.by_key[key] for key in keys if key in host.by_key))
    call.send_response(200)
    call.send_header("content-length", str(len(content)))
    call.end_headers()
    call.wfile.write(content)


def says(content: bytes, status: int = 200):
    """Return a behaviour that answers with these bytes, whatever the keys are."""
    return answers(status, content)


@pytest.fixture
def serve(owner, settings) -> Iterator:
    """Yield a function that starts a host and registers it for lookups."""
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    servers = []

    def serve(*plan, **more) -> Records:
        host = Records(plan=list(plan) or [from_records])
        server = QuietServer(("127.0.0.1", 0), type("Bound", (Receiver,), {"host": host}))
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        servers.append(server)
        host.url = f"http://127.0.0.1:{server.server_port}/lookup"
        registered = services.register(
            tenant=owner, url=host.url, at=clock.now(), actions=["lookup"], **more
        )
        host.registration, host.secret = registered.registration, registered.secret
        return host

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()
