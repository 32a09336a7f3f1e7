"""The processes of an engine, as command lines."""

import json
import sys
from pathlib import Path

from django.conf import settings

from importengine.processes.supervisor import Program
from workflow.fairness import RESERVED

PYTHON = sys.executable
WEB_GRACE_S = 10  # for requests under way; less than the supervisor waits for granian
DISPATCHERS = 2  # one sends, the other waits for the next wake-up
CELERY = [PYTHON, "-m", "celery", "-A", "importengine"]
if settings.LOG_FORMAT == "json":
    CELERY.append("--quiet")  # its banner is text
QUIET = ["--loglevel", "WARNING"]
# Workers do not communicate: everything they share is in the database.
ALONE = ["--without-gossip", "--without-mingle", "--without-heartbeat", *QUIET]


def web(*, host: str, port: int, processes: int) -> Program:
    """Return the program that serves HTTP with granian over ASGI."""
    command = [PYTHON, "-m", "granian", "--interface", "asgi", "importengine.asgi:application"]
    command += ["--host", host, "--port", str(port), "--workers", str(processes)]
    command += ["--loop", "asyncio", "--no-ws", "--respawn-failed-workers"]
    # A worker that still starts does not hear SIGTERM, and granian would wait for it forever.
    command += ["--workers-kill-timeout", str(WEB_GRACE_S)]
    if settings.LOG_FORMAT == "json":
        command += ["--log-config", str(_log_config())]
    return Program("web", command, gives_pulse=False)  # it is checked over HTTP


def _log_config() -> Path:
    """Write how granian's own process logs, and return the file."""
    path = Path(settings.DATA_DIR) / "granian-log.json"
    loggers = {"_granian": {"handlers": ["console"], "propagate": False}}
    about = {
        "formatters": {"json": {"()": "common.logs.lines.JsonLine"}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "json"}},
        "loggers": loggers,
    }
    path.write_text(json.dumps(about), "utf-8")
    return path


def make_broker_folders() -> None:
    """Create the folders of the embedded broker; a wake-up sent before they exist is lost."""
    for folder in ("queue", "control"):
        (Path(settings.BROKER_DIR) / folder).mkdir(parents=True, exist_ok=True)


def _import_threads() -> int:
    """Return the threads of a worker for imports: those that wait for hosts run no job."""
    from changesets.lookups.worker import AT_ONCE

    return settings.JOBS_AT_ONCE + RESERVED + AT_ONCE


def embedded_worker() -> Program:
    """
    Return the program for all background work: one process, threads for both queues.

    Without Redis, one of them is the beat.
    """
    queues = ["-Q", "imports,deliveries"]
    threads = str(_import_threads() + DISPATCHERS)
    command = [*CELERY, "worker", "--pool", "threads", "--concurrency", threads, *queues]
    return Program("worker", [*command, *ALONE, "-n", "embedded@%h"])


def import_worker() -> Program:
    """Return the program that reads and transforms: a thread per import, with jobs in children."""
    threads = str(_import_threads())
    command = [*CELERY, "worker", "--pool", "threads", "--concurrency", threads]
    return Program("imports", [*command, "-Q", "imports", *ALONE, "-n", "imports@%h"])


def delivery_worker() -> Program:
    """Return the program that sends deliveries: one dispatcher with its own threads."""
    command = [*CELERY, "worker", "--pool", "threads", "--concurrency", str(DISPATCHERS)]
    return Program("deliveries", [*command, "-Q", "deliveries", *ALONE, "-n", "deliveries@%h"])


def beat() -> Program:
    """Return the program that triggers the sweeps."""
    return Program("beat", [*CELERY, "beat", *QUIET])
