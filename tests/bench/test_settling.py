"""Memory at rest is measured when processes have started and are at rest, or not at all."""

import subprocess
import sys
from itertools import count

import psutil
import pytest

from bench.figures import imports
from bench.jobs.engine import busy_of


@pytest.fixture(autouse=True)
def short_waits(monkeypatch):
    monkeypatch.setattr(imports, "SETTLES_S", 0.01)
    monkeypatch.setattr(imports, "SETTLES_MOST_S", 0.5)


def test_processes_at_rest_are_measured():
    imports.settle(lambda: 5.0)


def test_processes_that_work_are_not_measured():
    spent = count(5)
    with pytest.raises(SystemExit, match="do not come to rest"):
        imports.settle(lambda: next(spent))


def test_processes_that_wait_for_their_turn_to_start_are_not_measured():
    with pytest.raises(SystemExit, match="do not come to rest"):
        imports.settle(lambda: 0.2)


def test_a_process_that_ended_is_not_measured():
    process = subprocess.Popen([sys.executable, "-c", ""])
    seen = psutil.Process(process.pid)
    process.wait()

    with pytest.raises(SystemExit, match="ended"):
        busy_of(seen)
