"""Deadlines that count from the start."""

import threading
import time

from deliveries.http.watchdog import Watchdog


def test_what_outlives_its_deadline_is_stopped():
    stopped = threading.Event()

    with Watchdog().watching(seconds=0.01, stop=stopped.set):
        assert stopped.wait(5)


def test_what_ends_in_time_is_left_alone():
    stopped = threading.Event()
    watchdog = Watchdog()

    with watchdog.watching(seconds=0.05, stop=stopped.set):
        pass
    with watchdog.watching(seconds=0.1, stop=threading.Event().set):
        time.sleep(0.15)

    assert not stopped.is_set()


def test_a_later_and_shorter_deadline_is_not_delayed_by_a_longer_one():
    stopped = threading.Event()
    watchdog = Watchdog()

    with (
        watchdog.watching(seconds=60, stop=threading.Event().set),
        watchdog.watching(seconds=0.01, stop=stopped.set),
    ):
        assert stopped.wait(5)
