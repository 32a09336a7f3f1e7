"""The health check of a container: a worker touches a file, a web process answers ``/readyz``."""

import os
import subprocess
import sys
import time

import pytest
from django.test import Client

from importengine.processes import pulse
from tests.importengine.test_house import ROOT
from tests.processes.conftest import until

PROBE = ROOT / "deploy" / "probe.py"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "pulse"


def probe(file, *arguments):
    environment = {**os.environ, "PULSE_FILE": str(file)}
    done = subprocess.run(
        [sys.executable, str(PROBE), *arguments], env=environment, capture_output=True, text=True
    )
    return done.returncode, done.stdout


def test_a_worker_that_gives_a_pulse_is_healthy(file, monkeypatch):
    monkeypatch.setenv(pulse.FILE, str(file))
    monkeypatch.delenv(pulse.VARIABLE, raising=False)

    pulse.begin()
    until(file.exists, "the first pulse", seconds=30)

    assert probe(file) == (0, "")


def test_a_worker_whose_pulse_stopped_is_not(file):
    file.touch()
    os.utime(file, times=(time.time() - 90,) * 2)

    status, printed = probe(file)

    assert status == 1
    assert printed.startswith("no sign of life for 9")


def test_under_a_supervisor_no_file_is_touched(file, monkeypatch):
    reading, writing = os.pipe()
    monkeypatch.setenv(pulse.FILE, str(file))
    monkeypatch.setenv(pulse.VARIABLE, str(writing))

    pulse.begin()

    assert os.read(reading, 1) == b"."
    assert not file.exists()
    os.close(reading)


@pytest.mark.django_db(transaction=True)
def test_a_web_process_that_lacks_something_says_what(file, live_server):
    port = live_server.url.rpartition(":")[2]

    status, printed = probe(file, port)

    assert Client().get("/readyz").status_code == 503
    assert status == 1
    assert "no worker with -Q imports" in printed


def test_a_program_that_does_not_answer_is_not_healthy(file):
    status, printed = probe(file, "9")

    assert status == 1
    assert "refused" in printed
