"""The worker's task runs what is due in threads, and no tenant's feeds delay another's."""

import threading
from collections import Counter

import pytest

from feeds import runs, tasks
from feeds.models import Feed
from tests.feeds.conftest import make_feed


def test_each_thread_runs_feeds_until_none_is_due(monkeypatch):
    left, ran, came = list(range(20)), [], threading.local()
    all_run = threading.Barrier(tasks.AT_ONCE)

    def run_next() -> bool:
        if not hasattr(came, "once"):
            came.once = True
            all_run.wait(60)  # only as many threads as there should be come past it
        if not left:
            return False
        ran.append(left.pop())
        return True

    monkeypatch.setattr(runs, "run_next", run_next)
    tasks.run_due()

    assert sorted(ran) == list(range(20))


def test_a_second_call_has_the_first_use_its_free_threads(monkeypatch):
    hangs, others_ended, ran_again = threading.Event(), threading.Event(), threading.Event()
    goes_on, lock, ended = threading.Event(), threading.Lock(), []

    def run_next() -> bool:
        with lock:
            if not hangs.is_set():
                hangs.set()
            elif others_ended.is_set():
                ran_again.set()
                return False
            else:
                ended.append(1)
                if len(ended) == tasks.AT_ONCE - 1:
                    others_ended.set()
                return False
        return not goes_on.wait(60)

    monkeypatch.setattr(runs, "run_next", run_next)
    first = threading.Thread(target=tasks.run_due)
    first.start()
    assert others_ended.wait(60)
    tasks.run_due()  # it does not wait for the place that hangs
    is_used = ran_again.wait(60)
    goes_on.set()
    first.join()

    assert is_used


def test_a_stopping_worker_begins_no_other_feed(monkeypatch):
    stopping, ran = threading.Event(), []
    monkeypatch.setattr(tasks, "_stopping", stopping)
    monkeypatch.setattr(tasks, "AT_ONCE", 1)

    def run_next() -> bool:
        ran.append(1)
        tasks.wind_down()
        return True

    monkeypatch.setattr(runs, "run_next", run_next)
    tasks.run_due()

    assert (ran, stopping.is_set()) == ([1], True)


@pytest.mark.django_db
def test_a_tenant_has_more_threads_while_no_other_waits(feed, time, owner, monkeypatch):
    for number in range(9):
        make_feed(owner, time, name=f"Feed {number}")
    time.at = feed.due_at
    nested = []

    def run_more(claimed):
        nested.append(claimed.pk)
        runs.run_next()

    monkeypatch.setattr(runs, "run_claimed", run_more)
    runs.run_next()

    assert len(nested) == runs.MOST_OF_A_TENANT
    assert not any(runs._running.values())


@pytest.mark.django_db
def test_with_another_tenant_waiting_a_tenant_has_its_share(feed, time, owner, monkeypatch):
    from common import clock
    from licensing.models import Tenant

    other = Tenant.objects.create(public_id="tnt_other", created_at=clock.now())
    for number in range(9):
        make_feed(owner, time, name=f"Feed {number}")
    for late in (make_feed(owner, time), make_feed(owner, time)):
        Feed.objects.filter(pk=late.pk).update(tenant=other)
    time.at = feed.due_at
    nested = []

    def run_more(claimed):
        nested.append(claimed.tenant_id)
        runs.run_next()

    monkeypatch.setattr(runs, "run_claimed", run_more)
    runs.run_next()

    assert Counter(nested[: runs.OF_A_TENANT + 2]) == {owner.pk: runs.OF_A_TENANT, other.pk: 2}
