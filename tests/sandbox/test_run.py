"""The child process: results, problems, limits, and nothing of ours in its reach."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from sandbox import JobCancelled, JobFailed, JobKilled, run_job
from sandbox.children import CODE_ROOT, environment
from sandbox.limits import limits_of
from sandbox.run import _outcome
from tabular.model.problem import LimitExceeded, Limits, TabularProblem
from tabular.protocol.requests import ReadRequest, SuggestRequest
from tests.jobs import reading_of

CATALOG = {"key": "people", "entries": [{"id": "p", "fields": [{"key": "name"}, {"key": "age"}]}]}


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a read job on some bytes in a separate folder."""
    folder = tmp_path / "job"
    folder.mkdir()

    def run(content: bytes, *, limits: Limits | None = None, cancelled=lambda: False, reports=None):
        (tmp_path / "input").write_bytes(content)
        request = reading_of(tmp_path / "input", catalog=CATALOG, limits=limits or Limits())
        progress = (
            (lambda *line: reports.append(line)) if reports is not None else lambda *line: None
        )
        return run_job(folder, request, progress=progress, cancelled=cancelled)

    run.folder = folder
    return run


def test_a_file_is_read_and_its_mapping_proposed(run):
    messages: list[tuple[str, int, int | None]] = []
    result = run(b"name;age\nAda;36\nGrace;45\n", reports=messages)

    assert (result.columns, result.rows) == (("name", "age"), 2)
    assert [c.field for c in result.proposal.columns] == ["p.name", "p.age"]
    assert (run.folder / "out" / "source.arrow").exists()
    assert messages


def test_a_problem_of_the_file_comes_back_as_a_problem(run):
    with pytest.raises(TabularProblem) as caught:
        run(b"%PDF-1.7\n%%EOF")

    assert caught.value.code == "malformed"


@pytest.mark.parametrize(
    ("limits", "limit"),
    [(Limits(rows=1), "rows"), (Limits(columns=1), "columns"), (Limits(cells=3), "cells")],
)
def test_a_limit_is_a_problem_that_names_it(run, limits, limit):
    with pytest.raises(TabularProblem) as caught:
        run(b"name;age\nAda;36\nGrace;45\n", limits=limits)

    assert caught.value.as_dict()["limit"] == limit


def test_a_table_of_more_rows_may_have_more_cells():
    assert limits_of({}) == Limits()
    assert limits_of({"IMPORT_LIMIT_ROWS": "10"}) == Limits(rows=10, cells=400)


def test_a_child_over_its_time_is_killed(run):
    with pytest.raises(LimitExceeded) as caught:
        run(b"name;age\n" + b"Ada;36\n" * 2_000_000, limits=Limits(seconds=0))

    assert caught.value.code == "timeout"


def test_a_child_over_its_memory_is_killed(run):
    with pytest.raises(LimitExceeded) as caught:
        run(b"name;age\n" + b"Ada;36\n" * 2_000_000, limits=Limits(memory_bytes=1_000_000))

    assert caught.value.as_dict()["limit"] == "memory_bytes"


def test_a_cancelled_child_is_killed(run):
    with pytest.raises(JobCancelled):
        run(b"name;age\n" + b"Ada;36\n" * 2_000_000, cancelled=lambda: True)


def test_a_child_that_breaks_is_our_bug_and_says_where(tmp_path):
    request = SuggestRequest(input=str(tmp_path / "nothing"), title="T")

    with pytest.raises(JobFailed, match="FileNotFoundError"):
        run_job(tmp_path, request, progress=lambda *line: None, cancelled=lambda: False)


def test_the_child_sees_nothing_of_ours(monkeypatch, tmp_path):
    monkeypatch.setenv("IMPORT_SECRET_KEY", "s3cret")
    monkeypatch.setenv("IMPORT_POSTGRES_URL", "postgresql://u:p@h/d")

    assert not [name for name in environment(tmp_path) if name.startswith("IMPORT")]


@pytest.mark.parametrize(
    "attempt",
    [
        "socket.create_connection(('127.0.0.1', 6379), 2)",
        "socket.getaddrinfo('example.com', 80)",
        "subprocess.Popen(['true'])",
        "os.system('true')",
    ],
)
def test_a_job_reaches_no_network_and_starts_no_program(attempt):
    isolated = "import socket, subprocess, os; from tabular.job.isolation import isolate; isolate()"
    child = subprocess.Popen(
        [sys.executable, "-c", f"{isolated}\n{attempt}"],
        env={"PYTHONPATH": str(CODE_ROOT)},
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with child:
        assert child.stderr is not None
        output = child.stderr.read()

    assert "PermissionError" in output


def test_a_child_ends_when_its_parent_is_killed(tmp_path):
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT, str(tmp_path)],
        env={"PYTHONPATH": str(CODE_ROOT), "PATH": os.environ["PATH"]},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    child = psutil.Process(int(parent.stdout.readline()))
    parent.kill()
    parent.wait()
    parent.stdout.close()

    assert _ends(child)


_PARENT = """
import subprocess, sys, time
child = subprocess.Popen(
    [sys.executable, "-c",
     "import time; from tabular.job.isolation import isolate; isolate(); time.sleep(60)"],
    stdin=subprocess.PIPE, start_new_session=True)
time.sleep(0.5)
print(child.pid, flush=True)
time.sleep(60)
"""


def _ends(process: psutil.Process) -> bool:
    for _ in range(100):
        if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.05)
    return False


def test_the_request_is_the_only_thing_a_job_is_given(tmp_path):
    assert set(environment(Path(tmp_path))) == {
        "PATH",
        "PYTHONPATH",
        "PYTHONHASHSEED",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONUTF8",
        "TZ",
        "LC_ALL",
        "HOME",
        "TMPDIR",
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "PYDANTIC_DISABLE_PLUGINS",
        "ARROW_DEFAULT_MEMORY_POOL",
    }


def test_a_reader_that_the_file_crashed_says_that_the_file_is_damaged(tmp_path):
    with pytest.raises(TabularProblem) as caught:
        _outcome(ReadRequest(input=""), -signal.SIGABRT, tmp_path)

    assert caught.value.code == "damaged_file"


def test_a_library_that_aborts_for_want_of_memory_names_the_limit(tmp_path):
    (tmp_path / "stderr.txt").write_text("memory allocation of 17179869184 bytes failed\n")

    with pytest.raises(LimitExceeded) as caught:
        _outcome(ReadRequest(input=""), -signal.SIGABRT, tmp_path)

    assert caught.value.as_dict()["limit"] == "memory_bytes"


def test_the_same_failure_has_the_same_sign_whatever_its_words(tmp_path):
    def sign(words):
        traceback = f'Traceback:\n  File "/x/a.py", line 5, in f\n    f()\nKeyError: {words}\n'
        (tmp_path / "stderr.txt").write_text(traceback)
        with pytest.raises(JobFailed) as failed:
            _outcome(ReadRequest(input=""), 1, tmp_path)
        return failed.value.sign

    assert sign("'/tmp/one'") == sign("'/tmp/two'") == "status 1: KeyError /x/a.py:5"


def test_a_child_that_was_killed_alone_has_a_sign_so_that_it_is_not_killed_for_ever(tmp_path):
    with pytest.raises(JobKilled) as failed:
        _outcome(ReadRequest(input=""), -signal.SIGKILL, tmp_path)

    assert failed.value.sign == "killed"


def test_a_child_that_its_operator_ended_may_succeed_next_time(tmp_path):
    with pytest.raises(JobFailed) as failed:
        _outcome(ReadRequest(input=""), -signal.SIGTERM, tmp_path)

    assert failed.value.sign == ""


def test_lines_in_pictures_are_found_in_the_child_too(run):
    from tests.tabular.reading.pdf.test_pictures import HEADER, ROWS, paper

    result = run(paper(([HEADER, *ROWS], False), (ROWS, True)))

    assert (result.columns, result.rows) == (tuple(HEADER), 2 * len(ROWS))
