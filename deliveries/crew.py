"""A few threads that send what is claimed, each registration within its share of them."""

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, Protocol, TypeVar

from deliveries.fairness import Candidate, Lanes


class Task(Protocol):
    """Something to send, as far as the crew cares."""

    @property
    def candidate(self) -> Candidate:
        """Whose it is and how large."""


T = TypeVar("T", bound=Task)
R = TypeVar("R")


class Crew(Generic[T, R]):
    """
    Carries out tasks in threads and hands back what came of them, in the order they end.

    A thread that ends a task takes the next one itself, so that sending goes on while the
    dispatcher waits for its database.
    """

    def __init__(self, send: Callable[[T], R], *, lanes: Lanes) -> None:
        self._send = send
        self._lanes = lanes
        self._lock = threading.Lock()
        self._waiting: deque[T] = deque()
        self._finished: queue.SimpleQueue[R | None] = queue.SimpleQueue()
        self._pool = ThreadPoolExecutor(lanes.slots, "delivery")

    def add(self, tasks: Iterable[T]) -> None:
        """Take tasks on; those that find no slot wait."""
        with self._lock:
            self._waiting.extend(tasks)
            while (task := self._next()) is not None:
                self._pool.submit(self._work, task)

    def withdraw(self, registrations: set[int]) -> list[T]:
        """Give back the tasks of some registrations that have not begun."""
        with self._lock:
            kept, given = deque[T](), list[T]()
            for task in self._waiting:
                (given if task.candidate.registration in registrations else kept).append(task)
            self._waiting = kept
        return given

    def withdraw_all(self) -> list[T]:
        """Give back every task that has not begun."""
        with self._lock:
            given, self._waiting = list(self._waiting), deque[T]()
        return given

    def nudge(self) -> None:
        """End a ``gather`` that waits, from any thread."""
        self._finished.put(None)

    def gather(self, *, at_most: int, wait_s: float, linger_s: float) -> list[R]:
        """
        Wait for results; give what arrived, which may be nothing.

        wait_s: for the first result. linger_s: for each further one.
        """
        results: list[R] = []
        timeout = wait_s
        while len(results) < at_most:
            try:
                result = self._finished.get(timeout=timeout)
            except queue.Empty:
                break
            if result is None:
                break
            results.append(result)
            timeout = linger_s
        return results

    def close(self) -> None:
        """Wait for what has begun, begin nothing more."""
        with self._lock:
            self._waiting.clear()
        self._pool.shutdown()

    def _work(self, task: T) -> None:
        following: T | None = task
        while following is not None:
            current = following
            self._finished.put(self._send(current))
            with self._lock:
                self._lanes.leave(current.candidate.key)
                following = self._next()

    def _next(self) -> T | None:
        """Take the first waiting task that finds a slot."""
        for place, task in enumerate(self._waiting):
            if self._lanes.enter(task.candidate):
                del self._waiting[place]
                return task
        return None
