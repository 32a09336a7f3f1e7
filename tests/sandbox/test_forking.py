"""The server that forks jobs: what it survives, and what survives it."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from sandbox import JobCancelled, JobFailed, JobKilled, forks
from sandbox.children import CODE_ROOT
from tabular.model.problem import LimitExceeded, Limits, TabularProblem
from tests.sandbox.conftest import STAND_IN, ends

pytestmark = pytest.mark.skipif(not forks.is_possible(), reason="no server forks here")
UNCONFINED = ("--without", "landlock", "--without", "seccomp", "--without", "hook")
ONCE = """
marker = folder / "began"
is_second = marker.exists()
marker.touch()
"""


def kill(servers: forks.Servers) -> None:
    with suppress(ProcessLookupError):  # it was killed before, and is not replaced yet
        os.kill(servers.pid, signal.SIGKILL)


def test_one_server_forks_job_after_job(serve, take_over):
    servers = serve()
    pids = {take_over("import os; answer = (os.getppid(), os.getpid())")[1] for _ in range(3)}

    assert len(pids) == 3
    assert take_over("import os; answer = os.getppid()") == servers.pid


def test_a_server_that_was_killed_is_started_again(serve, take_over):
    servers = serve()
    first = take_over("import os; answer = os.getppid()")
    kill(servers)

    assert take_over("import os; answer = os.getppid()") != first


def test_servers_that_were_killed_are_counted_and_those_that_were_closed_are_not(serve, take_over):
    servers = serve()
    take_over("answer = 0")
    assert servers.lost() == 0

    killed = psutil.Process(servers.pid)
    kill(servers)
    psutil.wait_procs([killed])
    assert servers.lost() == 1
    take_over("answer = 1")
    assert servers.lost() == 1

    servers.close()
    take_over("answer = 2")
    assert servers.lost() == 1


def test_a_job_whose_server_is_killed_runs_again(serve, take_over, job_slot):
    servers = serve()
    began = job_slot / "job" / "began"

    def kill_when_begun() -> None:
        while not began.exists():
            time.sleep(0.01)
        kill(servers)

    killer = threading.Thread(target=kill_when_begun)
    killer.start()
    answer = take_over(ONCE + "import time\nif not is_second: time.sleep(60)\nanswer = 'done'")
    killer.join()

    assert answer == "done"


def test_a_child_that_is_killed_while_its_server_lives_is_told_apart(serve, take_over):
    serve()

    with pytest.raises(JobKilled):
        take_over("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")


def test_a_server_killed_at_any_moment_loses_no_job(serve, take_over):
    servers = serve()
    answers = [take_over("answer = -1")]
    for number in range(12):
        killer = threading.Timer(number * 0.002, kill, [servers])
        killer.start()
        answers.append(take_over(f"answer = {number}"))
        killer.join()

    assert answers == list(range(-1, 12))


@pytest.mark.parametrize("whom", ["getppid", "getpid"])
def test_a_server_or_a_job_that_was_stopped_goes_on(serve, take_over, whom):
    serve(*UNCONFINED)

    assert take_over(f"import os, signal; os.kill(os.{whom}(), signal.SIGSTOP); answer = 1") == 1


def test_a_server_that_was_stopped_takes_the_next_job(serve, take_over):
    servers = serve()
    take_over("answer = 0")
    os.kill(servers.pid, signal.SIGSTOP)

    assert take_over("answer = 1") == 1


def test_a_server_that_cannot_fork_says_so_and_goes_on(serve, take_over):
    refuse = """
import os
fork, tries = os.fork, []
def refused():
    tries.append(1)
    if len(tries) == 1:
        raise BlockingIOError(11, "Resource temporarily unavailable")
    return fork()
os.fork = refused
"""
    serve("--first", refuse)

    with pytest.raises(JobFailed, match="no process could be started"):
        take_over("answer = 1")

    assert take_over("answer = 2") == 2


def test_a_server_that_never_answers_is_given_up(serve, take_over, monkeypatch):
    monkeypatch.setattr(forks, "START_S", 0.2)
    serve("--first", "import time; time.sleep(3600)")

    with pytest.raises(JobFailed, match="lost"):
        take_over("answer = 1")


def test_a_server_is_replaced_after_so_many_forks(serve, take_over, monkeypatch):
    monkeypatch.setattr(forks, "MOST_FORKS", 2)
    serve()
    servers = [take_over("import os; answer = os.getppid()") for _ in range(5)]

    assert servers[0] == servers[1] != servers[2] == servers[3] != servers[4]
    assert not psutil.pid_exists(servers[0])


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS])
def test_a_reader_that_crashes_is_a_damaged_file(serve, take_over, number):
    serve()

    with pytest.raises(TabularProblem) as caught:
        take_over(f"import os; os.kill(os.getpid(), {int(number)})")

    assert caught.value.code == "damaged_file"


def test_an_exit_status_arrives(serve, take_over):
    serve()

    with pytest.raises(JobFailed, match="status 7"):
        take_over("import os; os._exit(7)")


def test_a_job_that_hangs_is_ended(serve, take_over):
    serve()

    with pytest.raises(LimitExceeded) as caught:
        take_over("import time; time.sleep(600)", limits=Limits(seconds=0))

    assert caught.value.code == "timeout"


def test_what_is_cancelled_has_ended_when_we_hear_of_it(serve, take_over, job_slot):
    serve()
    file = job_slot / "job" / "pid"
    code = "import os, time; (folder / 'pid').write_text(str(os.getpid())); time.sleep(600)"

    with pytest.raises(JobCancelled):
        take_over(code, cancelled=file.exists)

    assert not psutil.pid_exists(int(file.read_text() or 0))


def test_nothing_that_a_job_started_outlives_it_even_where_it_is_not_confined(
    serve, take_over, job_slot
):
    serve(*UNCONFINED)
    daemon = """
import os, time
file = folder / "pid"
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        file.write_text(str(os.getpid()))
        time.sleep(600)
    os._exit(0)
while not (file.exists() and file.read_text()):
    time.sleep(0.01)
answer = int(file.read_text())
"""

    assert not psutil.pid_exists(take_over(daemon))


def test_a_worker_that_is_killed_takes_its_server_and_three_running_jobs_along(job_slot):
    worker = subprocess.Popen(
        [sys.executable, "-c", _WORKER, STAND_IN, str(job_slot)],
        env={"PYTHONPATH": str(CODE_ROOT), "PATH": os.environ["PATH"]},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert worker.stdout is not None
    worker.stdout.readline()
    family = psutil.Process(worker.pid).children(recursive=True)
    worker.kill()
    worker.wait()
    worker.stdout.close()

    assert len(family) == 4
    assert all(ends(process) for process in family)


_WORKER = """
import sys, threading, time
from pathlib import Path
from sandbox import forks, run_job
from tabular.model.places import ReadingChoices
from tabular.protocol.requests import ReadRequest
forks.SERVERS = forks.Servers([sys.executable, "-P", sys.argv[1]])
place = Path(sys.argv[2])
def run(number):
    folder = place / str(number)
    folder.mkdir()
    code = "(folder / 'begun').touch(); import time; time.sleep(600)"
    run_job(folder, ReadRequest(input=str(folder), choices=ReadingChoices(password=code)),
             progress=lambda *line: None, cancelled=lambda: False)
for number in range(3):
    threading.Thread(target=run, args=(number,), daemon=True).start()
while len(list(place.glob("*/begun"))) < 3:
    time.sleep(0.05)
print("ready", flush=True)
time.sleep(600)
"""


def test_a_process_that_is_forked_starts_a_server_of_its_own(serve, take_over):
    servers = serve()
    ours = take_over("import os; answer = os.getppid()")
    pid = os.fork()
    if pid == 0:
        try:
            servers.forget()
            os._exit(0 if servers.pid is None else 1)
        finally:
            os._exit(2)
    _, status = os.waitpid(pid, 0)

    assert os.waitstatus_to_exitcode(status) == 0
    assert take_over("import os; answer = os.getppid()") == ours


def test_jobs_leave_nothing_open(serve, take_over):
    servers = serve()
    take_over("answer = 0")
    processes = (psutil.Process(), psutil.Process(servers.pid))

    def held() -> list[tuple[int, int]]:
        return [(process.num_fds(), process.num_threads()) for process in processes]

    before = held()
    for number in range(50):
        take_over(f"answer = {number}")

    # An answer is here a moment before the server has closed its end of the job.
    deadline = time.monotonic() + 60
    while any(now > then for now, then in zip(sum(held(), ()), sum(before, ()), strict=True)):
        assert time.monotonic() < deadline, f"{before} became {held()}"
        time.sleep(0.01)


@pytest.mark.processes
def test_hundreds_of_jobs_in_a_row_leave_memory_flat(job_slot):
    # In a process of its own: what other tests leave in this one moves its memory, too.
    output = subprocess.run(
        [sys.executable, "-c", _HUNDREDS, STAND_IN, str(job_slot)],
        env={"PYTHONPATH": str(CODE_ROOT), "PATH": os.environ["PATH"]},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    held = [[int(size) for size in line.split()] for line in output.stdout.splitlines()]

    # Something may move once; a leak of jobs grows in both halves.
    grown = [min(middle - first, last - middle) for first, middle, last in zip(*held, strict=True)]
    assert len(grown) == 2
    assert max(grown) < 2 * 1024**2


_HUNDREDS = """
import gc, shutil, sys
from pathlib import Path
import psutil
from sandbox import forks, run_job
from tabular.model.places import ReadingChoices
from tabular.protocol.requests import ReadRequest
forks.SERVERS = servers = forks.Servers([sys.executable, "-P", sys.argv[1]])
place = Path(sys.argv[2])
folder, given = place / "job", place / "input"
given.write_bytes(b"name;age\\nAda;36\\n")
def run(count):
    for number in range(count):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        choices = ReadingChoices(password=f"answer = {number}")
        run_job(folder, ReadRequest(input=str(given), choices=choices),
                progress=lambda *line: None, cancelled=lambda: False)
def tell():
    gc.collect()
    processes = psutil.Process(), psutil.Process(servers.pid)
    print(*[process.memory_full_info().uss for process in processes], flush=True)
run(50)
tell()
for _ in range(2):
    run(200)
    tell()
servers.close()
"""


def test_a_link_that_a_job_leaves_has_no_effect(serve, take_over):
    serve(*UNCONFINED)

    with pytest.raises(JobFailed, match="is not a file"):
        take_over("(folder / 'out' / 'source.arrow').symlink_to('/etc/passwd')")


def test_a_pipe_in_place_of_a_result_holds_nothing_up(serve, take_over):
    serve(*UNCONFINED)

    with pytest.raises(JobFailed, match="is not a file"):
        take_over("import os; os.mkfifo(folder / 'out' / 'pipe')")


def test_the_server_is_alone_in_its_process(serve, take_over):
    servers = serve()
    take_over("answer = 0")
    tasks = Path(f"/proc/{servers.pid}/task").iterdir()
    names = [(task / "comm").read_text().strip() for task in tasks]

    # jemalloc's own thread knows of forks: it holds its locks over them.
    assert len([name for name in names if name != "jemalloc_bg_thd"]) == 1
