"""A small cast for deliveries: a tenant, its registration, and a host that can misbehave."""

import http.server
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from ipaddress import ip_network

import pytest

from common.ids import new_id
from deliveries import bodies, payload, services
from deliveries.http.targets import read_target
from deliveries.models import Delivery, Registration
from licensing.models import Tenant
from tests.receiving import Received, assert_delivery

NOON = datetime(2024, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def tenant(db) -> Tenant:
    return Tenant.objects.create(public_id="tnt_owner", created_at=NOON)


@pytest.fixture(autouse=True)
def loopback_allowed(settings, tmp_path):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    settings.DATA_DIR = tmp_path


@dataclass
class Host:
    """A receiver: ``plan`` holds what it does with each call, the last one repeats."""

    url: str = ""
    port: int = 0
    plan: list[Callable[["Receiver"], None]] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)
    open_at_once: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next_step(self) -> Callable[["Receiver"], None]:
        return self.plan.pop(0) if len(self.plan) > 1 else self.plan[0]


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    host: Host

    def do_POST(self) -> None:
        host = self.host
        with host.lock:
            host.open_at_once += 1
            host.most_at_once = max(host.most_at_once, host.open_at_once)
            step = host.next_step()
        try:
            step(self)
        finally:
            with host.lock:
                host.open_at_once -= 1

    def take(self) -> None:
        """Record the call."""
        received = Received.of(self)
        with self.host.lock:
            self.host.received.append(received)

    def log_message(self, *_: object) -> None:
        pass


def answers(status: int, body: bytes = b"ok", **headers: str) -> Callable[[Receiver], None]:
    """Return a behaviour that records the call and answers it."""

    def step(call: Receiver) -> None:
        call.take()
        call.send_response(status)
        for name, value in headers.items():
            call.send_header(name.replace("_", "-"), value)
        call.send_header("content-length", str(len(body)))
        call.end_headers()
        call.wfile.write(body)

    return step


def drops(call: Receiver) -> None:
    """Record the call and hang up."""
    call.take()
    call.close_connection = True
    call.connection.shutdown(socket.SHUT_RDWR)


class QuietServer(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_: object) -> None:
        """Ignore errors: cut connections are part of the tests."""


@pytest.fixture
def make_host(request) -> Iterator[Callable[..., Host]]:
    """
    Yield a function that starts a host.

    At the end of any test, each delivery that a host received was a POST to the URL of its own
    registration, with its own headers and bytes.
    """
    servers, hosts = [], []

    def make(*plan: Callable[[Receiver], None], address: str = "127.0.0.1", port: int = 0) -> Host:
        host = Host(plan=list(plan) or [answers(200)])
        server = QuietServer((address, port), type("Bound", (Receiver,), {"host": host}))
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        servers.append(server)
        hosts.append(host)
        host.port = server.server_port
        host.url = f"http://{address}:{host.port}/apply"
        return host

    make.hosts = hosts
    yield make
    for server in servers:
        server.shutdown()
        server.server_close()
    if request.node.get_closest_marker("django_db"):
        for host in hosts:
            assert_own_deliveries(host)


def assert_own_deliveries(host: Host) -> None:
    """Assert that each call a host received is the delivery in its headers, at its own URL."""
    for received in host.received:
        delivery = Delivery.objects.get(public_id=received.delivery_id)
        assert_delivery(
            received,
            url=delivery.registration.url,
            secret=delivery.registration.secret,
            sha256=delivery.body_sha256,
            delivery_id=delivery.public_id,
            event=delivery.event or payload.EVENT,
        )
        target = read_target(delivery.registration.url)
        logged = set(delivery.history.values_list("sent_to", "sent_to_key"))
        assert logged <= {(target.shown, target.key)}


@pytest.fixture
def make_registration(tenant) -> Callable[..., Registration]:
    def make(url: str = "", **wishes: object) -> Registration:
        wishes.setdefault("tenant", tenant)
        url = url or f"https://host.example/apply/{Registration.objects.count()}"
        return services.register(url=url, at=NOON, **wishes).registration

    return make


@pytest.fixture
def make_delivery(make_registration) -> Callable[..., Delivery]:
    """Return a function that queues a small real delivery, then changes given columns."""

    def make(
        registration: Registration | None = None, *, rows: int = 0, at: datetime = NOON, **columns
    ) -> Delivery:
        registration = registration or make_registration()
        delivery_id, record_id = new_id("dlv_"), columns.pop("record_id", "rec_1")
        delivery = services.enqueue(
            tenant=registration.tenant,
            registration=registration,
            delivery_id=delivery_id,
            record_id=record_id,
            changeset_id="chg_1",
            action="submit",
            body=bodies.store(small_body(delivery_id, record_id, rows)),
            row_count=rows,
            at=at,
        )
        if columns:
            Delivery.objects.filter(pk=delivery.pk).update(**columns)
            delivery.refresh_from_db()
        return delivery

    return make


def small_body(delivery_id: str, record_id: str, rows: int):
    import pyarrow as pa

    envelope = payload.Envelope(
        delivery_id=delivery_id,
        tenant_id="tnt_owner",
        record_id=record_id,
        action="submit",
        row_count=rows,
        mapping={"N": "p.n"},
        occurred_at="2026-11-20T12:00:00.000Z",
    )
    batch = pa.record_batch([pa.array(range(rows), pa.int64())], names=["p.n"])
    return payload.body(envelope, [batch], {"p.n": "int"})


def outcome(state: str) -> dict[str, object]:
    """Return the columns of a settled delivery."""
    return {"state": state, "due_at": None, "settled_at": NOON}
