"""``?wait=``: hold an answer until work ends, for a bounded number of callers at once."""

import threading
import time
from collections.abc import Callable, Iterable
from typing import TypeVar

from rest_framework.request import Request

from schemas.parameters import refuse_others, wrong_parameter
from tabular.model.sentences import Sentence

MOST_SECONDS = 30
MOST_WAITERS = 8  # per process: waiting must never use up the threads that answer others
LOOK_FIRST_S, LOOK_LAST_S = 0.04, 0.25  # often at first: small files are ready soon
SLOWER = 1.1

_places = threading.BoundedSemaphore(MOST_WAITERS)
T = TypeVar("T")


def seconds_to_wait(request: Request, *, beside: Iterable[str] = ()) -> float:
    """
    Read ``wait``, at most 30; InvalidRequest when it is not a number.

    beside: parameters that the view itself reads.
    """
    refuse_others(request, {"wait", *beside})
    text = request.query_params.get("wait", "0")
    try:
        seconds = float(text)
    except ValueError:
        seconds = float("nan")
    if not 0 <= seconds <= MOST_SECONDS:
        most = Sentence(
            "Send a number of seconds from 0 to {n1}, not {text}.",
            n1=str(MOST_SECONDS),
            text=repr(text[:40]),
        )
        raise wrong_parameter("wait", most)
    return seconds


def wait_for(read: Callable[[], T], *, is_done: Callable[[T], bool], seconds: float) -> T:
    """Read until done or until the time is up; at once when no place is free."""
    current = read()
    if seconds <= 0 or is_done(current) or not _places.acquire(blocking=False):
        return current
    try:
        end, pause = time.monotonic() + seconds, LOOK_FIRST_S
        while not is_done(current) and time.monotonic() < end:
            time.sleep(pause)
            pause = min(pause * SLOWER, LOOK_LAST_S)
            current = read()
    finally:
        _places.release()
    return current
