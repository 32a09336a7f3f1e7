"""The measurement of deliveries starts its workers, and ends when one of them does."""

import os
import subprocess
import sys

import pytest

from bench.deliveries import rate

STARTS_A_WORKER = """
from celery.signals import celeryd_init
import bench.deliveries.usual
celeryd_init.send(sender="usual", instance=None, conf=None, options={"queues": ["usual"]})
"""


def test_the_usual_build_serves_a_queue_that_the_engine_does_not_know():
    required = {
        "IMPORT_SECRET_KEY": "bench",
        "IMPORT_ENCRYPTION_KEYS": "bench",
        "IMPORT_LICENSE_PUBLIC_KEY": rate.public_key(),
    }
    done = subprocess.run(
        [sys.executable, "-c", STARTS_A_WORKER],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, **required},
    )

    assert done.returncode == 0, done.stderr


def test_a_worker_that_ended_ends_the_measurement(monkeypatch):
    monkeypatch.setattr(rate, "MOST_S", 30)
    ended = [sys.executable, "-c", "raise SystemExit(3)"]
    stage = object.__new__(rate.Stage)
    monkeypatch.setattr(rate.Stage, "delivered", lambda self: 0)

    with rate.running(ended) as worker, pytest.raises(SystemExit, match="exit code 3"):
        stage.wait_for(1, worker)
