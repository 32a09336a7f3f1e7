"""The processes an engine consists of, as command lines."""

import sys

from django.conf import settings

from importengine.supervisor import Program
from imports.fairness import RESERVED

PYTHON = sys.executable
DISPATCHERS = 2  # one sends, one is there when the next wake-up comes
CELERY = [PYTHON, "-m", "celery", "-A", "importengine"]
QUIET = ["--loglevel", "WARNING"]
# Workers of one engine tell each other nothing: what they would say is in the database.
ALONE = ["--without-gossip", "--without-mingle", "--without-heartbeat", *QUIET]


def web(*, host: str, port: int, processes: int) -> Program:
    """Serve HTTP with granian over ASGI."""
    command = [PYTHON, "-m", "granian", "--interface", "asgi", "importengine.asgi:application"]
    command += ["--host", host, "--port", str(port), "--workers", str(processes)]
    command += ["--loop", "asyncio", "--no-ws", "--respawn-failed-workers"]
    return Program("web", command, gives_pulse=False)  # it is asked over HTTP


def embedded_worker() -> Program:
    """Do all background work in one process: threads for both queues."""
    queues = ["-Q", "imports,deliveries"]
    threads = str(settings.JOBS_AT_ONCE + RESERVED + DISPATCHERS)
    command = [*CELERY, "worker", "--pool", "threads", "--concurrency", threads, *queues]
    return Program("worker", [*command, *ALONE, "-n", "embedded@%h"])


def import_worker() -> Program:
    """Read and transform: a thread an import, whose jobs run in children."""
    threads = str(settings.JOBS_AT_ONCE + RESERVED)
    command = [*CELERY, "worker", "--pool", "threads", "--concurrency", threads]
    return Program("imports", [*command, "-Q", "imports", *ALONE, "-n", "imports@%h"])


def delivery_worker() -> Program:
    """Send deliveries: one dispatcher, its own threads."""
    command = [*CELERY, "worker", "--pool", "threads", "--concurrency", str(DISPATCHERS)]
    return Program("deliveries", [*command, "-Q", "deliveries", *ALONE, "-n", "deliveries@%h"])


def beat() -> Program:
    """Ring the sweeps."""
    return Program("beat", [*CELERY, "beat", *QUIET])
