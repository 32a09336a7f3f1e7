"""Concurrent calls, each in a thread with its own database connection."""

import threading
from collections.abc import Callable

from django.db import connections


def at_once(*calls: Callable[[], object]) -> list:
    """Run calls concurrently, started together; return their results in order."""
    results: list = [None] * len(calls)
    start = threading.Barrier(len(calls))

    def run(place: int, call: Callable[[], object]) -> None:
        try:
            start.wait()
            results[place] = call()
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
