"""The threads that send: few while hosts answer at once, more while they wait for hosts."""

import threading
from dataclasses import dataclass, field

import pytest

from deliveries.crew import Crew
from deliveries.fairness import FEW_THREADS, Candidate


@dataclass
class Job:
    candidate: Candidate
    begun: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)


def jobs(count: int, *, first: int = 0) -> list[Job]:
    """Make jobs of a registration each, so that fairness holds none of them back."""
    return [
        Job(Candidate(key=key, registration=key, host="", size=1, is_failing=False))
        for key in range(first, first + count)
    ]


def carry_out(job: Job) -> int:
    job.begun.set()
    job.go_on.wait(20)
    return job.candidate.key


@pytest.fixture
def crew():
    crew = Crew(carry_out, threads=64)
    made: list[Job] = []
    crew.made = made
    yield crew
    for job in made:
        job.go_on.set()
    crew.close()


def take_on(crew, count: int) -> list[Job]:
    added = jobs(count, first=len(crew.made))
    crew.made += added
    crew.add(added)
    return added


def begun(added: list[Job], count: int) -> int:
    """Wait for the first ``count`` of them; give how many have begun."""
    assert all(job.begun.wait(20) for job in added[:count])
    return sum(job.begun.is_set() for job in added)


def test_a_crew_begins_with_a_few_threads(crew):
    assert begun(take_on(crew, 64), FEW_THREADS) == FEW_THREADS


def test_a_crew_that_waits_for_its_hosts_is_widened_up_to_all_threads(crew):
    added = take_on(crew, 70)

    for _ in range(5):
        crew.widen()

    assert begun(added, 64) == 64


def test_a_crew_without_anything_waiting_is_not_widened(crew):
    take_on(crew, 1)

    crew.widen()

    assert begun(take_on(crew, 63)[: FEW_THREADS * 2], FEW_THREADS - 1) == FEW_THREADS - 1


def test_after_narrowing_a_thread_too_many_takes_nothing_more(crew):
    added = take_on(crew, 64)
    crew.widen()
    assert begun(added, 2 * FEW_THREADS) == 2 * FEW_THREADS

    crew.narrow()
    for job in added[:FEW_THREADS]:
        job.go_on.set()
    ended = crew.gather(enough=FEW_THREADS, wait_s=20, together_s=20)

    assert len(ended) == FEW_THREADS
    assert begun(added, 2 * FEW_THREADS) == 2 * FEW_THREADS


def test_results_that_are_there_are_gathered_together_beyond_what_is_enough(crew):
    for job in take_on(crew, 8):
        job.go_on.set()
    first = crew.gather(enough=8, wait_s=20, together_s=20)
    take_on(crew, 8)

    assert len(first) == 8
    assert crew.gather(enough=1, wait_s=0, together_s=0) == []


def test_a_nudge_ends_a_wait_and_loses_no_result(crew):
    crew.nudge()
    nothing = crew.gather(enough=1, wait_s=20, together_s=20)
    take_on(crew, 1)[0].go_on.set()

    assert nothing == []
    assert crew.gather(enough=1, wait_s=20, together_s=0) == [0]
