"""The memory of a process is limited, and a call that reaches the limit is told so."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from common import errors
from importengine.processes.memory import LEAST, PART, FreeMemory, default_bound
from tests.imports.conftest import client, owner, publish

__all__ = ["client", "owner", "publish"]  # fixtures

ROOT = Path(__file__).resolve().parent.parent.parent
MACHINE = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
GREEDY = """
import json, resource, sys
from importengine.processes.memory import bound_memory
bound_memory(600 * 1024**2)
found = {"hard": resource.getrlimit(resource.RLIMIT_DATA)[1] == resource.RLIM_INFINITY}
try:
    bytearray(700 * 1024**2)
except MemoryError:
    found["python"] = "refused"
import numpy as np, pyarrow as pa
for name, make in {
    "numpy": lambda: np.ones(700 * 1024**2, np.int8),
    "arrow": lambda: pa.array(["a" * 1024**2]).take(pa.array([0] * 700)),
}.items():
    try:
        make()
    except MemoryError:
        found[name] = "refused"
found["after"] = len(bytearray(10 * 1024**2))
print(json.dumps(found))
"""


@pytest.mark.parametrize(
    ("written", "bound"),
    [
        (None, max(LEAST, MACHINE // PART)),  # no group: the machine
        ("max\n", max(LEAST, MACHINE // PART)),
        (f"{12 * 2**30}\n", max(LEAST, min(12 * 2**30, MACHINE) // PART)),
        ("1000\n", LEAST),
    ],
)
def test_the_bound_follows_from_the_machine_or_the_container(tmp_path, written, bound):
    limit = tmp_path / "memory.max"
    if written is not None:
        limit.write_text(written)

    assert default_bound(limit) == bound


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, mapped memory is not counted")
def test_what_goes_beyond_the_bound_is_refused_and_the_process_goes_on():
    done = subprocess.run(
        [sys.executable, "-c", GREEDY], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert json.loads(done.stdout) == {
        "hard": True,
        "python": "refused",
        "numpy": "refused",
        "arrow": "refused",
        "after": 10 * 1024**2,
    }


def test_every_program_of_the_engine_is_bounded(tmp_path):
    code = (
        "import django, resource; django.setup(); "
        "print(resource.getrlimit(resource.RLIMIT_DATA)[0])"
    )
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "importengine.settings",
        "IMPORT_DATA_DIR": str(tmp_path),
        "IMPORT_MEMORY_BYTES": str(900 * 1024**2),
    }

    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    assert int(done.stdout) == 900 * 1024**2


@pytest.mark.django_db
def test_a_call_that_meets_the_bound_is_answered_503(client, monkeypatch):
    def meets_it(*_args, **_kwargs):
        raise MemoryError

    monkeypatch.setattr("api.v1.license.caller_of", meets_it)

    answer = client.get("/api/import/v1/license/verify")

    assert (answer.status_code, answer.json()["code"]) == (503, errors.OutOfMemory.code)
    assert answer["Retry-After"] == "5"
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.django_db
def test_a_call_that_gets_no_thread_is_answered_503(client, monkeypatch):
    def meets_it(*_args, **_kwargs):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("api.v1.license.caller_of", meets_it)

    answer = client.get("/api/import/v1/license/verify")

    assert (answer.status_code, answer.json()["code"]) == (503, errors.OutOfMemory.code)


@pytest.mark.parametrize(("pages", "is_left"), [(700, True), (750, True), (751, False)])
def test_there_is_memory_until_three_quarters_are_used(tmp_path, pages, is_left):
    used = tmp_path / "statm"
    used.write_text(f"9000 800 100 20 0 {pages} 0\n")

    free = FreeMemory(1000 * os.sysconf("SC_PAGE_SIZE"), used=used)

    assert free.is_left() is is_left


def test_there_is_memory_where_the_system_does_not_tell(tmp_path):
    assert FreeMemory(1, used=tmp_path / "missing").is_left()
