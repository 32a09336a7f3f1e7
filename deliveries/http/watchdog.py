"""Stop what takes too long: library timeouts count per read, a deadline counts from the start."""

import heapq
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count


class Watchdog:
    """One thread that calls ``stop`` for each watched block that exceeds its deadline."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._heap: list[tuple[float, int]] = []
        self._stops: dict[int, Callable[[], None]] = {}
        self._numbers = count()
        self._thread: threading.Thread | None = None

    @contextmanager
    def watching(self, *, seconds: float, stop: Callable[[], None]) -> Iterator[None]:
        """Call ``stop`` from another thread if the block still runs after ``seconds``."""
        number = self._add(time.monotonic() + seconds, stop)
        try:
            yield
        finally:
            with self._changed:
                self._stops.pop(number, None)

    def _add(self, deadline: float, stop: Callable[[], None]) -> int:
        with self._changed:
            number = next(self._numbers)
            self._stops[number] = stop
            heapq.heappush(self._heap, (deadline, number))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
                self._thread.start()
            elif self._heap[0][1] == number:
                self._changed.notify()
            return number

    def _run(self) -> None:
        while True:
            with self._changed:
                stop = self._next_overdue()
            if stop is not None:
                stop()

    def _next_overdue(self) -> Callable[[], None] | None:
        """Drop finished blocks, wait for the earliest deadline; return the stop of one overdue."""
        while self._heap and self._heap[0][1] not in self._stops:
            heapq.heappop(self._heap)
        if not self._heap:
            self._changed.wait()
            return None
        deadline, number = self._heap[0]
        if (left := deadline - time.monotonic()) > 0:
            self._changed.wait(left)
            return None
        heapq.heappop(self._heap)
        return self._stops.pop(number, None)
