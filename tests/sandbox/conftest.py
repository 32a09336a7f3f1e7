"""Jobs of a server that runs stand-in code, and how they are watched."""

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from sandbox import forks, run_job
from tabular.model.places import ReadingChoices
from tabular.model.problem import Limits
from tabular.protocol.requests import ReadRequest

STAND_IN = str(Path(__file__).parent / "stand_in.py")


class Servers(forks.Servers):
    """A server of stand-in code."""

    def __init__(self, *arguments: str) -> None:
        super().__init__([sys.executable, "-P", STAND_IN, *arguments])


@pytest.fixture
def serve(monkeypatch):
    """Yield a function that replaces this process's server with one of stand-in code."""
    started = []

    def serve(*arguments: str) -> Servers:
        servers = Servers(*arguments)
        started.append(servers)
        monkeypatch.setattr(forks, "SERVERS", servers)
        return servers

    yield serve
    for servers in started:
        servers.close()


@pytest.fixture(scope="module")
def standing():
    """Yield a function for servers of stand-in code that stay for the tests of a module."""
    started: dict[tuple[str, ...], Servers] = {}

    def server(*arguments: str) -> Servers:
        if arguments not in started:
            started[arguments] = Servers(*arguments)
        return started[arguments]

    yield server
    for servers in started.values():
        servers.close()


@pytest.fixture
def job_slot():
    """Yield a folder that every user may pass through."""
    folder = Path(tempfile.mkdtemp(prefix="sandbox-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def take_over(job_slot):
    """Return a function that runs code in place of a reader; returns its ``answer``."""

    def take_over(
        code: str,
        *,
        cancelled=lambda: False,
        limits=None,
        user: int | None = None,
        content: bytes = b"name;age\nAda;36\n",
    ):
        folder = job_slot / "job"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        given = job_slot / "input"
        given.write_bytes(content)
        if user is not None:
            os.chown(folder, user, user)
            os.chown(given, user, user)
        # The code lies where a reader looks for a password: in the request of the job.
        request = ReadRequest(
            input=str(given),
            choices=ReadingChoices(password=code),
            limits=limits or Limits(),
        )
        before = os.umask(0o022)  # another user than the one who writes it reads the request
        try:
            result = run_job(
                folder,
                request,
                progress=lambda *line: None,
                cancelled=cancelled,
            )
        finally:
            os.umask(before)
        return result.questions[0].default

    return take_over


def ends(process: psutil.Process) -> bool:
    for _ in range(400):
        if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.05)
    return False
