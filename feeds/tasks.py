"""Feeds as tasks: the database knows what is due, a task only announces that work is."""

import threading
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from celery import shared_task
from celery.signals import worker_shutting_down
from django.db import connections

from common import clock
from feeds import runs
from feeds.applying import judging

AT_ONCE = 8  # feeds that one process runs at the same time; they mostly wait for the network
RUN = "feeds.tasks.run_due"
JUDGE = "feeds.tasks.judge"
LOOK_S = 0.5  # for a second call, while feeds run
_working = threading.Lock()
_again = threading.Event()  # a call came since the threads were last filled
_judging = threading.Lock()
_stopping = threading.Event()


@shared_task
def run_due() -> None:
    """
    Run the feeds that are due until none is.

    A second call in this process ends at once, and has the first use its free threads: slow places
    of one tenant delay no other feeds, and hold one thread of the worker at most.
    """
    _again.set()
    if not _working.acquire(blocking=False):
        return
    try:
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="feed") as threads:
            running: set[Future[None]] = set()
            while running or _again.is_set():
                if _again.is_set():
                    _again.clear()
                    free = AT_ONCE - len(running)
                    running |= {threads.submit(_run_all) for _ in range(free)}
                ended, running = wait(running, timeout=LOOK_S, return_when=FIRST_COMPLETED)
                for result in ended:
                    result.result()
    finally:
        _working.release()


@shared_task
def judge() -> None:
    """Apply or hold the imports of feeds that are ready; safe to run twice or late."""
    if not _judging.acquire(blocking=False):
        return
    try:
        judging.judge_all(at=clock.now())
    finally:
        _judging.release()


@shared_task
def forget_runs() -> None:
    """Forget runs that ended long ago."""
    runs.forget_runs(at=clock.now())


def _run_all() -> None:
    try:
        while not _stopping.is_set() and runs.run_next():
            pass
    finally:
        connections.close_all()


@worker_shutting_down.connect
def wind_down(**_: Any) -> None:
    """Have a stopping worker end the feeds that it runs, and begin no other."""
    _stopping.set()
