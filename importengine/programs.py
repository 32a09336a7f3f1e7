"""The processes an engine consists of, as command lines."""

import sys

from importengine.supervisor import Program

PYTHON = sys.executable
CELERY = [PYTHON, "-m", "celery", "-A", "importengine"]


def web(*, host: str, port: int, processes: int, threads: int) -> Program:
    """Serve HTTP with granian over WSGI."""
    command = [PYTHON, "-m", "granian", "--interface", "wsgi", "importengine.wsgi:application"]
    command += ["--host", host, "--port", str(port), "--workers", str(processes)]
    command += ["--blocking-threads", str(threads), "--respawn-failed-workers"]
    return Program("web", command)


def embedded_worker() -> Program:
    """Do all background work in one process: threads for both queues, beat inside."""
    queues = ["-Q", "imports,deliveries"]
    command = [*CELERY, "worker", "--pool", "threads", "--concurrency", "4", *queues, "-B"]
    return Program("worker", [*command, "--loglevel", "WARNING", "-n", "embedded@%h"])


def import_workers(processes: int) -> Program:
    """Read and transform: one import a process."""
    command = [*CELERY, "worker", "--pool", "prefork", "--concurrency", str(processes)]
    return Program(
        "imports", [*command, "-Q", "imports", "--loglevel", "WARNING", "-n", "imports@%h"]
    )


def delivery_worker() -> Program:
    """Send deliveries: one dispatcher, its own threads."""
    command = [*CELERY, "worker", "--pool", "threads", "--concurrency", "2"]
    name = ["--loglevel", "WARNING", "-n", "deliveries@%h"]
    return Program("deliveries", [*command, "-Q", "deliveries", *name])


def beat() -> Program:
    """Ring the sweeps."""
    return Program("beat", [*CELERY, "beat", "--loglevel", "WARNING"])
