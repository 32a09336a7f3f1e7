"""Job slots: as many as configured, over threads and processes, and never lost."""

import subprocess
import sys
import threading

import pytest

from sandbox import POLICY, JobCancelled, slots
from sandbox.children import CODE_ROOT

_HOLDER = """
import sys, time
from pathlib import Path
from sandbox import slots
with slots.job_slot(Path(sys.argv[1]), slots=1, is_given_up=lambda: False):
    print("held", flush=True)
    time.sleep(600)
"""


def test_no_more_run_at_once_than_there_are_places(tmp_path):
    running, most, lock = [], [], threading.Lock()
    both = threading.Barrier(2)

    def work() -> None:
        with slots.job_slot(tmp_path, slots=2, is_given_up=lambda: False) as is_ours:
            assert is_ours
            with lock:
                running.append(1)
                most.append(len(running))
            both.wait(timeout=60)  # two are inside together
            with lock:
                running.pop()

    threads = [threading.Thread(target=work) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]

    assert len(most) == 8
    assert max(most) == 2


def test_the_place_of_a_process_that_was_killed_is_free(tmp_path):
    command = [sys.executable, "-c", _HOLDER, str(tmp_path)]
    holder = subprocess.Popen(
        command, env={"PYTHONPATH": str(CODE_ROOT)}, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    with slots.job_slot(tmp_path, slots=1, is_given_up=lambda: True) as while_held:
        pass
    holder.kill()
    holder.wait()
    holder.stdout.close()
    with slots.job_slot(tmp_path, slots=1, is_given_up=lambda: True) as afterwards:
        pass

    assert (while_held, afterwards) == (False, True)


def test_a_job_that_is_cancelled_while_it_waits_for_a_place_does_not_start(
    take_over, monkeypatch, tmp_path
):
    monkeypatch.setattr(POLICY, "slots", tmp_path)
    monkeypatch.setattr(POLICY, "at_once", 1)
    with slots.job_slot(tmp_path, slots=1, is_given_up=lambda: False), pytest.raises(JobCancelled):
        take_over("answer = 1", cancelled=lambda: True)
