"""A few threads that send claimed deliveries, each registration within its share."""

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, Protocol, TypeVar

from deliveries.fairness import FEW_THREADS, Candidate, Slots


class Task(Protocol):
    """A unit of work, reduced to what the pool needs."""

    @property
    def candidate(self) -> Candidate:
        """The tenant, registration and size."""


T = TypeVar("T", bound=Task)
R = TypeVar("R")


class SenderPool(Generic[T, R]):
    """
    Runs tasks in threads and returns their results in the order in which they end.

    A thread that ends a task takes the next one itself, so that sending continues while the
    dispatcher waits for its database. It begins with a few threads; ``widen`` and ``narrow`` change
    how many there are, up to ``threads``.
    """

    def __init__(self, send: Callable[[T], R], *, threads: int) -> None:
        self._send = send
        self._most = threads
        self._fewest = min(FEW_THREADS, threads)
        self._slots = Slots(count=self._fewest)
        self._lock = threading.Lock()
        self._waiting: deque[T] = deque()
        self._finished: queue.SimpleQueue[R | None] = queue.SimpleQueue()
        self._pool = ThreadPoolExecutor(threads, "delivery")

    def add(self, tasks: Iterable[T]) -> None:
        """Accept tasks; those without a slot wait."""
        with self._lock:
            self._waiting.extend(tasks)
            self._start()

    def widen(self) -> None:
        """Use more threads if tasks wait: the current ones are waiting for hosts."""
        with self._lock:
            if self._waiting:
                self._slots.count = min(self._slots.count * 2, self._most)
                self._start()

    def narrow(self) -> None:
        """Use fewer threads; surplus ones finish the task they have."""
        with self._lock:
            self._slots.count = max(self._slots.count // 2, self._fewest)

    def withdraw(self, registrations: set[int]) -> list[T]:
        """Return the tasks of some registrations that have not started."""
        with self._lock:
            kept, given = deque[T](), list[T]()
            for task in self._waiting:
                (given if task.candidate.registration in registrations else kept).append(task)
            self._waiting = kept
        return given

    def withdraw_all(self) -> list[T]:
        """Return every task that has not started."""
        with self._lock:
            given, self._waiting = list(self._waiting), deque[T]()
        return given

    @property
    def is_running_dry(self) -> bool:
        """Return whether threads may soon run out of tasks."""
        return len(self._waiting) < self._most

    def nudge(self) -> None:
        """End a ``gather`` that waits for its first result, from any thread."""
        self._finished.put(None)

    def gather(self, *, enough: int, wait_s: float, together_s: float) -> list[R]:
        """
        Wait for results; return all that arrived, possibly none.

        enough: stop waiting at this number of results. wait_s: for the first one. together_s: after
        the first one, for those that are recorded together with it.
        """
        results: list[R] = []
        end = time.monotonic() + wait_s
        while True:
            left = 0.0 if len(results) >= enough else end - time.monotonic()
            try:
                result = self._finished.get(timeout=max(0.0, left))
            except queue.Empty:
                break
            if result is not None:
                end = end if results else time.monotonic() + together_s
                results.append(result)
            elif not results:
                break
        return results

    def close(self) -> None:
        """Wait for running tasks and start no others."""
        with self._lock:
            self._waiting.clear()
        self._pool.shutdown()

    def _start(self) -> None:
        while (task := self._next()) is not None:
            self._pool.submit(self._work, task)

    def _work(self, task: T) -> None:
        following: T | None = task
        while following is not None:
            current = following
            self._finished.put(self._send(current))
            with self._lock:
                self._slots.leave(current.candidate.key)
                following = self._next()

    def _next(self) -> T | None:
        """Return the first waiting task that gets a slot."""
        for place, task in enumerate(self._waiting):
            if self._slots.enter(task.candidate):
                del self._waiting[place]
                return task
        return None
