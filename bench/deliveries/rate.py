"""Small deliveries per second through one worker, compared with the usual design."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from bench.figures.figure import RATIO, Figure

COUNT = 4_000
ROUNDS = 3
WAITING = 10_000
BODY_BYTES = 1_500
RATE_PER_S = 2_000
MOST_S = 180
PORT = 9_377
DATABASE = "bench_deliveries"


def main() -> None:
    """Print the figures."""
    for figure in figures(COUNT):
        figure.show()


def figures(count: int) -> Iterator[Figure]:
    """Measure in a separate database and folder."""
    server = urlsplit(os.environ["IMPORT_POSTGRES_URL"])
    redis = urlsplit(os.environ["IMPORT_REDIS_URL"])
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "importengine.settings",
            "IMPORT_POSTGRES_URL": urlunsplit(server._replace(path=f"/{DATABASE}")),
            "IMPORT_REDIS_URL": urlunsplit(redis._replace(path="/13")),
            "IMPORT_DATA_DIR": folder,
            "IMPORT_SECRET_KEY": "bench",
            "IMPORT_ENCRYPTION_KEYS": "bench",
            "IMPORT_LICENSE_PUBLIC_KEY": _public_key(),
            "IMPORT_WEBHOOK_ALLOW_NETWORKS": "127.0.0.0/8",
            "IMPORT_LOG_LEVEL": "ERROR",
        }
        subprocess.run([sys.executable, "scripts/make_database.py"], check=True)
        receiver = [sys.executable, "-m", "bench.deliveries.receiver", str(PORT)]
        with running(receiver):
            yield from _measured(count)


def _public_key() -> str:
    """Return a key that signs nothing: a worker does not start without one."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    pem, form = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    return key.public_bytes(pem, form).decode()


def _measured(count: int) -> Iterator[Figure]:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0, skip_checks=True)
    stage = Stage(count)
    ours = [stage.rate_of_the_dispatcher() for _ in range(ROUNDS)]
    yield Figure(
        "deliveries through one worker", median(ours), "a second", RATE_PER_S, is_least=True
    )
    usual = [stage.rate_of_the_usual_build() for _ in range(ROUNDS)]
    yield Figure("deliveries against a task for each", median(ours) / median(usual), RATIO)
    yield Figure("a task for each, a child for each core", median(usual), "a second")
    yield Figure("the receiver alone, requests written beforehand", ceiling(count), "a second")
    p95 = stage.p95_of_the_first_attempt()
    yield Figure("first attempt next to a backlog of another host, p95", p95, "s")
    empty, waiting = stage.cost_of_looking()
    yield Figure("a look for due work, CPU", empty, "ms")
    yield Figure(f"a look for due work, {WAITING:,} waiting, CPU", waiting, "ms")


class Stage:
    """A tenant, a registration, and ways to send to it."""

    def __init__(self, count: int) -> None:
        from common import clock
        from common.ids import new_id
        from deliveries import bodies, services
        from licensing.models import Tenant

        self._count = count
        self.tenant = Tenant.objects.create(public_id=new_id("tnt_"), created_at=clock.now())
        self.registration = services.register(
            tenant=self.tenant, url=f"http://127.0.0.1:{PORT}/", at=clock.now()
        ).registration
        self.body = bodies.store([b'{"rows":["' + b"x" * BODY_BYTES + b'"]}'])

    def fill(self, count: int, **columns: Any) -> list[int]:
        """Create pending deliveries, due now; return their keys."""
        from common import clock
        from common.ids import new_id
        from deliveries.models import Delivery

        self.clear()
        now = clock.now()
        made = Delivery.objects.bulk_create(
            [
                Delivery(
                    **{
                        "public_id": new_id("dlv_"),
                        "state": "pending",
                        "tenant": self.tenant,
                        "registration": self.registration,
                        "record_id": "rec_1",
                        "changeset_id": "chg_1",
                        "action": "submit",
                        "body_name": self.body.file,
                        "body_size": self.body.size,
                        "body_sha256": self.body.sha256,
                        "row_count": 1,
                        "due_at": now,
                        "created_at": now,
                        **columns,
                    }
                )
                for _ in range(count)
            ],
            batch_size=1_000,
        )
        return [delivery.pk for delivery in made]

    def clear(self) -> None:
        """Delete every delivery, and reset the database statistics."""
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.execute("TRUNCATE deliveries_delivery, deliveries_attempt CASCADE")
            cursor.execute("ANALYZE deliveries_delivery")

    def rate_of_the_dispatcher(self) -> float:
        """Return deliveries per second through one worker of ours."""
        self.fill(self._count)
        with running(celery("importengine", "deliveries", "--pool=threads", "--concurrency=2")):
            return self.rate(wake)

    def rate_of_the_usual_build(self) -> float:
        """Return deliveries per second with one task each: one worker with a child per core."""
        from importengine.celery import app

        keys = self.fill(self._count)
        with running(celery("bench.deliveries.usual", "usual", "--concurrency=2")):
            return self.rate(
                lambda: [app.send_task("usual.deliver", (key,), queue="usual") for key in keys]
            )

    def rate(self, start: Callable[[], Any]) -> float:
        """Start; after the worker has booted and finished its first delivery, time the others."""
        start()
        first = self.wait_for(1)
        began = time.monotonic()
        self.wait_for(self._count)
        return (self._count - first) / (time.monotonic() - began)

    def wait_for(self, count: int) -> int:
        """Wait until this many are delivered; return how many are."""
        from deliveries.models import Delivery

        end = time.monotonic() + MOST_S
        while (delivered := Delivery.objects.filter(state="delivered").count()) < count:
            if time.monotonic() > end:
                raise SystemExit(f"{delivered} of {count} deliveries arrived in {MOST_S} seconds")
            time.sleep(0.02)
        return delivered

    def p95_of_the_first_attempt(self) -> float:
        """Return seconds from queueing to the first attempt, while another host has a backlog."""
        from common import clock
        from common.ids import new_id
        from deliveries import services
        from deliveries.models import Attempt, Delivery

        self.fill(self._count)
        quiet = services.register(
            tenant=self.tenant, url=f"http://127.0.0.1:{PORT}/quiet", at=clock.now()
        ).registration
        with running(celery("importengine", "deliveries", "--pool=threads", "--concurrency=2")):
            wake()
            self.wait_for(1)
            for _ in range(100):
                services.enqueue(
                    tenant=self.tenant,
                    registration=quiet,
                    delivery_id=new_id("dlv_"),
                    record_id="rec_2",
                    changeset_id="chg_2",
                    action="submit",
                    body=self.body,
                    row_count=1,
                    at=clock.now(),
                )
                time.sleep(0.03)
            while Delivery.objects.filter(record_id="rec_2", attempts=0).exists():
                time.sleep(0.05)
        rows = Attempt.objects.filter(delivery__record_id="rec_2", number=1)
        waits = [
            (began - made).total_seconds()
            for began, made in rows.values_list("started_at", "delivery__created_at")
        ]
        return quantiles(waits, n=20)[-1]

    def cost_of_looking(self) -> tuple[float, float]:
        """Return the CPU milliseconds of a search for due work, without and with retries."""
        from datetime import timedelta

        from common import clock

        self.clear()
        empty = self.look()
        self.fill(WAITING, due_at=clock.now() + timedelta(hours=1))
        return empty, self.look()

    def look(self) -> float:
        """Search 200 times; return CPU ms of this process, and the server's share of one search."""
        from common import clock
        from deliveries.fairness import Slots
        from deliveries.services.claims import claim_due

        began = time.process_time()
        for _ in range(200):
            claim_due(slots=Slots(), at=clock.now())
        return (time.process_time() - began) / 200 * 1000


def ceiling(count: int) -> float:
    """Return answers per second of the receiver to requests prepared beforehand."""
    head = f"POST / HTTP/1.1\r\nhost: 127.0.0.1:{PORT}\r\ncontent-length: {BODY_BYTES}\r\n\r\n"
    request = head.encode() + b"x" * BODY_BYTES
    sockets = [socket.create_connection(("127.0.0.1", PORT)) for _ in range(8)]
    began = time.monotonic()
    for _ in range(count // len(sockets)):
        for item in sockets:
            item.sendall(request)
        for item in sockets:
            item.recv(1_000)
    seconds = time.monotonic() - began
    for item in sockets:
        item.close()
    return count / seconds


def wake() -> None:
    """Wake the worker."""
    from importengine.celery import app

    app.send_task("deliveries.tasks.dispatch_due", queue="deliveries")


def celery(app: str, queue: str, *options: str) -> list[str]:
    """Return the command of one worker."""
    command = [sys.executable, "-m", "celery", "-A", app, "worker", "-Q", queue]
    return [*command, "--without-mingle", "--without-gossip", "-l", "ERROR", *options]


@contextmanager
def running(command: list[str]) -> Iterator[None]:
    """Run a process during the block."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
