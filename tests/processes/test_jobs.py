"""The servers that fork jobs are killed on a running engine, and a worker with its jobs."""

import os
import signal
import time
from contextlib import suppress

import psutil
import pytest

from tests.processes.conftest import SHORT, Engine, copy_of, until, with_settings

pytestmark = pytest.mark.processes
HEADER = "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status\n"
LINE = "A-{0};05.02.2026;Kunde {0};k{0}@example.com;Stuhl;2;1.249,00;2.498,00;offen\n"
SERVER = ["-m", "sandbox"]


@pytest.fixture(scope="module")
def engine(tmp_path_factory, template):
    """Yield a started engine, whose workers hand over what they do as soon as they shall stop."""
    more = SHORT | with_settings(GRACE_S=0)
    with copy_of(template, tmp_path_factory.mktemp("jobs"), more) as engine:
        engine.start()
        yield engine


@pytest.fixture
def upload(engine: Engine):
    def upload(rows: int) -> str:
        content = (HEADER + "".join(map(LINE.format, range(rows)))).encode()
        answer = engine.post("/imports", files={"file": ("f.csv", content)}, data={"autoMap": "1"})
        return answer["recordId"]

    return upload


def servers_and_jobs(engine: Engine) -> list[psutil.Process]:
    processes = []
    for process in engine.family():
        with suppress(psutil.NoSuchProcess):
            if process.cmdline()[-2:] == SERVER:
                processes.append(process)
    return processes


def test_servers_of_jobs_are_killed_again_and_again_and_no_import_is_lost(engine, upload):
    ids = [upload(3_000) for _ in range(6)]
    killed = 0
    while killed < 8:
        if {engine.state(id_) for id_ in ids} == {"review"}:
            ids.append(upload(3_000))  # this machine was faster than the killing
        for process in servers_and_jobs(engine):
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGKILL)
                killed += 1
        time.sleep(1.5)
    until(lambda: {engine.state(id_) for id_ in ids} == {"review"}, "all in review", 400)

    rows = {engine.get(f"/imports/{id_}")["counts"]["rows"] for id_ in ids}
    assert rows == {3_000}


def test_workers_that_are_killed_take_their_servers_and_jobs_along(engine, upload):
    ids = [upload(20_000) for _ in range(3)]
    until(lambda: len(servers_and_jobs(engine)) >= 3, "a server and its jobs", 200)
    before = servers_and_jobs(engine)
    for process in engine.family():
        with suppress(psutil.NoSuchProcess):
            if "worker" in process.cmdline():
                process.send_signal(signal.SIGKILL)

    until(lambda: not any(map(is_alive, before)), "servers and jobs end", 60)
    until(lambda: {engine.state(id_) for id_ in ids} == {"review"}, "all in review", 400)


def is_alive(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


def test_the_environment_of_a_running_worker_is_closed_to_its_own_user(engine, upload):
    upload(10)
    workers = [item.pid for item in engine.family() if "worker" in item.cmdline()]

    assert workers
    assert all(os.stat(f"/proc/{pid}/environ").st_uid == 0 for pid in workers)


def test_a_worker_that_is_asked_to_stop_leaves_its_job_to_the_next(engine, upload):
    record_id = upload(60_000)
    until(lambda: paused_jobs(engine), "a job, which is paused")

    for process in engine.family():
        with suppress(psutil.NoSuchProcess):
            if "worker" in process.cmdline():
                process.terminate()

    until(lambda: engine.state(record_id) == "review", "review")
    lines = [line for line in engine.output().splitlines() if record_id in line]
    assert any("cause=handed_over" in line for line in lines)
    assert not any("cause=lease_expired" in line for line in lines)


def paused_jobs(engine: Engine) -> list[psutil.Process]:
    """Pause the jobs that run, as if they took hours, and return them."""
    servers = {process.pid for process in servers_and_jobs(engine)}
    jobs = [process for process in servers_and_jobs(engine) if process.ppid() in servers]
    for process in jobs:
        with suppress(psutil.NoSuchProcess):
            process.suspend()
    return [process for process in jobs if process.is_running()]
