"""A command that forks its own jobs: what they inherit, and what they do not."""

import json
import os
import subprocess
import sys

import pytest

from sandbox import forks
from sandbox.children import CODE_ROOT
from tabular.commands.clean_start import OF_JOBS, clean

pytestmark = pytest.mark.skipif(not forks.is_possible(), reason="no server forks here")

SEEN = """
import json, os, sys
from pathlib import Path
from tabular import job
def seen(folder):
    held = {"secrets": "secret-word" in repr(os.environ), "cwd": os.getcwd(), "path": sys.path,
            "zone": os.environ["TZ"], "parent": os.getppid(),
            "group": os.getpgid(0), "open": sorted(os.listdir("/proc/self/fd"))}
    (folder / "seen").write_text(json.dumps(held))
    print(json.dumps({"stage": "printed", "done": 1, "total": None}), flush=True)
    return 0
job.run = seen
"""
START = (
    SEEN
    + """
from sandbox import forks, own_fork
assert own_fork.is_safe()
print("printed before", end="")
servers = forks.Servers()
servers.fork_own()
places = [Path(sys.argv[1]) / name for name in ("first", "second")]
for place in places:
    place.mkdir()
    child = servers.start_job(place)
    output = child.output.read()
    assert child.wait(60) == 0 and child.peak_bytes > 0
    child.end()
    assert output == b'{"stage": "printed", "done": 1, "total": null}\\n', output
pid = servers.pid
servers.close()
assert servers.lost() == 0
print(json.dumps([pid, os.getpid(), *(json.loads((p / "seen").read_text()) for p in places)]))
"""
)
HISTORY = """
import json, os
with open(os.environ["PYTHONSTARTED"], "a") as file:
    print(json.dumps(dict(os.environ)), file=file)
"""


def started(folder, *command, **variables):
    environment = {"PYTHONPATH": str(CODE_ROOT), "PATH": os.environ["PATH"], **variables}
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )


def test_jobs_come_from_one_fork_and_inherit_neither_output_nor_descriptors(tmp_path):
    done = started(tmp_path, "-P", "-c", START, str(tmp_path))

    before, _, printed = done.stdout.partition("[")
    server, own, *jobs = json.loads(f"[{printed}")
    assert before == "printed before"
    assert server != own
    for name, job in zip(("first", "second"), jobs, strict=True):
        assert job["parent"] == server
        assert job["cwd"] == str(tmp_path / name)
        assert job["path"][0] == str(CODE_ROOT)
        assert job["zone"] == "UTC"
        assert job["group"] not in {server, own}
        assert len(job["open"]) == 4  # the three of a job, and the list itself


def test_a_command_starts_again_without_secrets(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(HISTORY)
    (tmp_path / "pyarrow.py").write_text("raise RuntimeError('not for jobs')")  # only they load it
    (tmp_path / "a.csv").write_text("id;name\n1;Ada\n2;Bob\n")
    history = tmp_path / "history"
    variables = {
        "PYTHONPATH": os.pathsep.join((str(tmp_path), str(CODE_ROOT))),
        "PYTHONSTARTED": str(history),
        "IMPORT_SECRET_KEY": "secret-word",
        "AWS_SESSION_TOKEN": "secret-word",
        "IMPORT_LIMIT_ROWS": "7",
    }

    done = started(tmp_path, "-m", "tabular", "read", "a.csv", "--jsonl", **variables)

    assert json.loads(done.stdout)["tables"][0]["rows"] == [["1", "Ada"], ["2", "Bob"]]
    first, *again = map(json.loads, history.read_text().splitlines())
    assert "secret-word" in first.values()
    assert len(again) == 1  # the job is a fork, not a third interpreter
    assert "secret-word" not in again[0].values()
    assert again[0]["IMPORT_LIMIT_ROWS"] == "7"
    assert again[0].items() >= OF_JOBS.items()


def test_a_command_that_another_program_calls_starts_nothing_again(tmp_path):
    (tmp_path / "a.csv").write_text("id;name\n1;Ada\n")
    code = "import runpy, sys; sys.argv = ['tabular', 'read', 'a.csv']; print('once');"
    code += "runpy.run_module('tabular', run_name='__main__')"

    done = started(tmp_path, "-c", code, IMPORT_SECRET_KEY="secret-word")

    assert done.stdout.count("once") == 1
    assert "2 columns" in done.stdout


def test_a_clean_environment_is_clean_already():
    variables = clean({"PATH": "/bin", "LC_ALL": "C", "DATABASE_URL": "x", "LD_LIBRARY_PATH": "y"})

    assert variables == {"PATH": "/bin", "LC_ALL": "C", "LD_LIBRARY_PATH": "y", **OF_JOBS}
    assert clean(variables) == variables
