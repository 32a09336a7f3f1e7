"""The threads that send: few while hosts answer at once, more while they wait for hosts."""

import threading
from dataclasses import dataclass, field

import pytest

from deliveries.fairness import FEW_THREADS, Candidate
from deliveries.http.sender_pool import SenderPool


@dataclass
class Job:
    candidate: Candidate
    begun: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)


def job(key: int, *, tenant: int | None) -> Job:
    """Return a job of a registration of its own; of a tenant of its own, if none is named."""
    whose = key if tenant is None else tenant
    return Job(
        Candidate(key=key, tenant=whose, registration=key, host="", size=1, is_failing=False)
    )


def carry_out(job: Job) -> int:
    job.begun.set()
    job.go_on.wait(20)
    return job.candidate.key


@pytest.fixture
def senders():
    senders = SenderPool(carry_out, threads=64)
    made: list[Job] = []
    senders.made = made
    yield senders
    for job in made:
        job.go_on.set()
    senders.close()


def take_on(senders, count: int, *, tenant: int | None = None) -> list[Job]:
    first = len(senders.made)
    added = [job(key, tenant=tenant) for key in range(first, first + count)]
    senders.made += added
    senders.add(added)
    return added


def begun(added: list[Job], count: int) -> int:
    """Wait for the first ``count`` of them; return how many have started."""
    assert all(job.begun.wait(20) for job in added[:count])
    return sum(job.begun.is_set() for job in added)


def test_a_crew_begins_with_a_few_threads(senders):
    assert begun(take_on(senders, 64), FEW_THREADS) == FEW_THREADS


def test_a_crew_that_waits_for_its_hosts_is_widened_up_to_all_threads(senders):
    added = take_on(senders, 70)

    for _ in range(5):
        senders.widen()

    assert begun(added, 64) == 64


def test_while_a_tenants_hosts_hold_all_its_slots_anothers_delivery_is_sent(senders):
    slow = take_on(senders, 200, tenant=1_000)
    for _ in range(5):
        senders.widen()
    assert begun(slow, 32) == 32

    (quick,) = take_on(senders, 1, tenant=1_001)

    assert quick.begun.wait(20)
    assert sum(job.begun.is_set() for job in slow) == 32  # none of them was released


def test_a_crew_without_anything_waiting_is_not_widened(senders):
    take_on(senders, 1)

    senders.widen()

    assert begun(take_on(senders, 63)[: FEW_THREADS * 2], FEW_THREADS - 1) == FEW_THREADS - 1


def test_after_narrowing_a_thread_too_many_takes_nothing_more(senders):
    added = take_on(senders, 64)
    senders.widen()
    assert begun(added, 2 * FEW_THREADS) == 2 * FEW_THREADS

    senders.narrow()
    for job in added[:FEW_THREADS]:
        job.go_on.set()
    ended = senders.gather(enough=FEW_THREADS, wait_s=20, together_s=20)

    assert len(ended) == FEW_THREADS
    assert begun(added, 2 * FEW_THREADS) == 2 * FEW_THREADS


def test_results_that_are_there_are_gathered_together_beyond_what_is_enough(senders):
    for job in take_on(senders, 8):
        job.go_on.set()
    first = senders.gather(enough=8, wait_s=20, together_s=20)
    take_on(senders, 8)

    assert len(first) == 8
    assert senders.gather(enough=1, wait_s=0, together_s=0) == []


def test_a_nudge_ends_a_wait_and_loses_no_result(senders):
    senders.nudge()
    nothing = senders.gather(enough=1, wait_s=20, together_s=20)
    take_on(senders, 1)[0].go_on.set()

    assert nothing == []
    assert senders.gather(enough=1, wait_s=20, together_s=0) == [0]
