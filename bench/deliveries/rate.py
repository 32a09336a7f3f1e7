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

import psutil

from bench import jobs
from bench.figures.figure import RATIO, Figure

COUNT = 4_000
ROUNDS = 3
WAITING = 10_000
BODY_BYTES = 1_500
RATE_PER_S = 2_000
MOST_S = 180
PORT = 9_377


def main() -> None:
    """Print the figures."""
    for figure in figures(COUNT):
        figure.show()


def figures(count: int) -> Iterator[Figure]:
    """Measure in a separate database and folder."""
    redis = urlsplit(os.environ["IMPORT_REDIS_URL"])
    services = {
        "IMPORT_POSTGRES_URL": os.environ["IMPORT_POSTGRES_URL"],
        "IMPORT_REDIS_URL": urlunsplit(redis._replace(path="/13")),
    }
    with tempfile.TemporaryDirectory() as folder, jobs.emptied(services) as own:
        os.environ |= {
            **own,
            "DJANGO_SETTINGS_MODULE": "importengine.settings",
            "IMPORT_DATA_DIR": folder,
            "IMPORT_SECRET_KEY": "bench",
            "IMPORT_ENCRYPTION_KEYS": "bench",
            "IMPORT_LICENSE_PUBLIC_KEY": public_key(),
            "IMPORT_WEBHOOK_ALLOW_NETWORKS": "127.0.0.0/8",
            "IMPORT_LOG_LEVEL": "ERROR",
        }
        receiver = [sys.executable, "-m", "bench.deliveries.receiver", str(PORT)]
        with running(receiver):
            yield from _measured(count)


def public_key() -> str:
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
    ours, spent = zip(*(stage.rate_of_the_dispatcher() for _ in range(ROUNDS)), strict=True)
    yield Figure(
        "deliveries through one worker", median(ours), "a second", RATE_PER_S, is_least=True
    )
    yield Figure("CPU of the worker for each", median(spent), "ms")
    usual, spent = zip(*(stage.rate_of_the_usual_build() for _ in range(ROUNDS)), strict=True)
    yield Figure("deliveries against a task for each", median(ours) / median(usual), RATIO)
    yield Figure("a task for each, a child for each core", median(usual), "a second")
    yield Figure("CPU of its children for each", median(spent), "ms")
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

    def rate_of_the_dispatcher(self) -> tuple[float, float]:
        """Return deliveries per second through one worker of ours, and its CPU ms for each."""
        self.fill(self._count)
        command = celery("importengine", "deliveries", "--pool=threads", "--concurrency=2")
        with running(command) as worker:
            return self.rate(wake, worker)

    def rate_of_the_usual_build(self) -> tuple[float, float]:
        """Return the same with one task each: one worker with a child per core."""
        from importengine.celery import app

        keys = self.fill(self._count)
        with running(celery("bench.deliveries.usual", "usual", "--concurrency=2")) as worker:
            return self.rate(
                lambda: [app.send_task("usual.deliver", (key,), queue="usual") for key in keys],
                worker,
            )

    def rate(
        self, start: Callable[[], Any], worker: subprocess.Popen[bytes]
    ) -> tuple[float, float]:
        """Start; after the worker has booted and finished its first delivery, time the others."""
        start()
        first, spent = self.wait_for(1, worker), cpu_s(worker)
        began = time.monotonic()
        self.wait_for(self._count, worker)
        seconds, count = time.monotonic() - began, self._count - first
        return count / seconds, (cpu_s(worker) - spent) / count * 1000

    def wait_for(self, count: int, worker: subprocess.Popen[bytes]) -> int:
        """Wait until this many are delivered; return how many are."""
        end = time.monotonic() + MOST_S
        while (delivered := self.delivered()) < count:
            if worker.poll() is not None:
                raise SystemExit(f"the worker ended with exit code {worker.returncode}")
            if time.monotonic() > end:
                raise SystemExit(f"{delivered} of {count} deliveries arrived in {MOST_S} seconds")
            time.sleep(0.02)
        return delivered

    def delivered(self) -> int:
        """Return how many are delivered."""
        from deliveries.models import Delivery

        return Delivery.objects.filter(state="delivered").count()

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
        command = celery("importengine", "deliveries", "--pool=threads", "--concurrency=2")
        with running(command) as worker:
            wake()
            self.wait_for(1, worker)
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
            end = time.monotonic() + MOST_S
            while Delivery.objects.filter(record_id="rec_2", attempts=0).exists():
                if time.monotonic() > end:
                    raise SystemExit(f"an attempt was not made in {MOST_S} seconds")
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


def cpu_s(worker: subprocess.Popen[bytes]) -> float:
    """Return the CPU seconds of a worker and its children so far."""
    own = psutil.Process(worker.pid)
    times = [process.cpu_times() for process in (own, *own.children(recursive=True))]
    return sum(each.user + each.system for each in times)


@contextmanager
def running(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process during the block."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
