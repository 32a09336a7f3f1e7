"""Dead processes are restarted, hanging ones ended, unstartable ones reported. Real processes."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from importengine.processes.supervisor import MOST_DEATHS, KeepsDying, Program, Supervisor

LIVES = "import time; time.sleep(600)"
PULSES = "from importengine.processes import pulse; pulse.begin(); " + LIVES
DIES = "import sys; sys.exit(3)"
LIMIT_S = 300


@pytest.fixture(autouse=True)
def looks_often_and_pauses_shortly(monkeypatch) -> None:
    monkeypatch.setattr("importengine.processes.supervisor.LOOK_EVERY_S", 0.02)
    monkeypatch.setattr("importengine.processes.supervisor.LONGEST_PAUSE_S", 0.01)


@pytest.fixture(autouse=True)
def former_handlers() -> Iterator[None]:
    former = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in former.items():
        signal.signal(number, handler)


def program(code: str) -> Program:
    return Program("one", [sys.executable, "-c", code])


def run(watched: Program, step: Callable[[], bool], *, silent_s: float = 60) -> list[str]:
    """Supervise until a step, called at each check, returns that it is enough."""
    messages: list[str] = []
    supervisor = Supervisor([watched], say=messages.append, silent_s=silent_s)
    end = time.monotonic() + LIMIT_S

    def look() -> tuple[str, ...]:
        assert time.monotonic() < end
        if watched.process is not None and step():
            supervisor.stop()
        return ()

    supervisor.run(look=look)
    return messages


class Kills:
    """A step that sends a signal to the first process and waits for another."""

    def __init__(self, watched: Program, number: int, *, is_ready: Callable[[], bool]) -> None:
        self._watched, self._number, self._is_ready = watched, number, is_ready
        self.first = 0

    def __call__(self) -> bool:
        assert self._watched.process is not None
        if not self.first and self._is_ready():
            self.first = self._watched.process.pid
            os.kill(self.first, self._number)
        return self.first not in {0, self._watched.process.pid}


def test_a_program_that_was_killed_is_started_again_at_once():
    watched = program(LIVES)
    kills = Kills(watched, signal.SIGKILL, is_ready=lambda: True)

    output = run(watched, kills)

    assert output == ["one ended with status -9; starting it again at once"]
    assert not psutil.pid_exists(kills.first)


def test_a_program_that_falls_silent_is_ended_and_started_again():
    watched = program(PULSES)
    kills = Kills(watched, signal.SIGSTOP, is_ready=lambda: watched.heard_at is not None)

    output = run(watched, kills, silent_s=1.5)

    assert output[0] == "one gives no sign of life; starting it again"
    assert not psutil.pid_exists(kills.first)


def test_a_program_that_gives_no_sign_at_all_is_left_alone():
    watched = program(LIVES)
    began = time.monotonic()

    assert run(watched, lambda: time.monotonic() - began > 0.5, silent_s=0.1) == []


def test_a_program_that_keeps_dying_is_said_to_and_ends_the_engine():
    with pytest.raises(KeepsDying, match=rf"one ended {MOST_DEATHS} times .* \(status 3\)"):
        run(program(DIES), lambda: False)


def test_a_program_that_came_up_once_is_started_however_often_it_dies():
    watched = program("from importengine.processes import pulse; pulse.begin(); " + LIVES)
    pids: list[int] = []

    def step() -> bool:
        """Signal the first process once it is heard; each one ends with an error of its own."""
        assert watched.process is not None
        if watched.process.pid not in pids and (watched.heard_at is not None or pids):
            pids.append(watched.process.pid)
            if len(pids) == 1:
                watched.command = [sys.executable, "-c", DIES]
                watched.signal(signal.SIGSEGV)
        return len(pids) > MOST_DEATHS + 3

    output = run(watched, step)

    assert sum("status 3" in line for line in output) > MOST_DEATHS


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_program_that_is_ended_again_and_again_is_started_each_time(number):
    watched = program(LIVES)
    ended: set[int] = set()

    def step() -> bool:
        assert watched.process is not None
        if watched.process.pid not in ended:
            ended.add(watched.process.pid)
            os.kill(watched.process.pid, number)
        return len(ended) > MOST_DEATHS + 2

    output = run(watched, step)

    assert {line.rpartition("; ")[2] for line in output} == {"starting it again at once"}


def test_what_a_killed_program_leaves_behind_is_not_a_zombie(tmp_path):
    started = tmp_path / "child"
    child = f"subprocess.Popen([sys.executable, '-c', {LIVES!r}], start_new_session=True)"
    path = repr(str(started))  # only the first program reports: the second one keeps its child
    tell = f"os.path.exists({path}) or open({path}, 'w').write(str(child.pid))"
    watched = program(f"import os, subprocess, sys; child = {child}; {tell}; {LIVES}")
    kills = Kills(watched, signal.SIGKILL, is_ready=lambda: has_text(started))

    def step() -> bool:
        if not kills():
            return False
        orphan = int(started.read_text()) if not killed else killed[0]
        if not killed:
            os.kill(orphan, signal.SIGKILL)
            killed.append(orphan)
        return not psutil.pid_exists(orphan)

    killed: list[int] = []
    run(watched, step)

    assert killed


def has_text(path: Path) -> bool:
    return path.exists() and bool(path.read_text())
