"""Whatever is killed, at whatever moment, and however often: everything is done in the end."""

import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from typing import Any

import psutil
import pytest
import requests

from sandbox.run import CRASHES
from tests.processes.conftest import Engine, Receiver, until
from tests.processes.template import ROOT

pytestmark = pytest.mark.processes
HEADER = "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status\n"
LINE = "A-{0};05.02.2026;Kunde {0};k{0}@example.com;Stuhl;2;1.249,00;2.498,00;offen\n"
FILE = (HEADER + "".join(map(LINE.format, range(500)))).encode()
IMPORTS = 8
KILLS = 16
PATIENTLY_S = 900  # a limit for a machine under load; without load nothing takes a tenth of it


class Host:
    """A caller that uploads and applies, and retries without an answer."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.ids: list[str] = []

    def upload(self, count: int) -> None:
        for number in range(count):
            key = {"Idempotency-Key": f"{threading.get_ident()}-{number}"}
            file = {"file": ("f.csv", FILE)}
            answer = self._post("/imports", key, "recordId", files=file, data={"autoMap": "1"})
            self.ids.append(answer["recordId"])

    def apply(self) -> None:
        for record_id in self.ids:
            self._post(f"/imports/{record_id}/apply", {}, "", json={"invalidRows": "exclude"})

    def states(self) -> set[str]:
        return {self._state(record_id)["state"] for record_id in self.ids}

    def deliveries(self) -> set[str]:
        return {item["state"] for i in self.ids for item in self._state(i).get("deliveries", [])}

    def _state(self, record_id: str) -> dict:
        with suppress(requests.RequestException, ValueError):
            answer = self._engine.get(f"/imports/{record_id}")
            if "state" in answer:
                return answer
        return {"state": "unknown", "deliveries": [{"state": "unknown"}]}

    def _post(self, path: str, headers: dict[str, str], wanted: str, **body) -> dict:
        """
        Send a request until it is answered; an already completed call counts too.

        wanted: a member that the answer must have. A call whose process was killed is answered 409
        for a while: the engine cannot know yet that the process is gone.
        """
        end = time.monotonic() + PATIENTLY_S
        while True:
            answer: Any = None
            with suppress(requests.RequestException, ValueError):
                answer = requests.post(
                    self._engine.base + path,
                    headers=self._engine.headers | headers,
                    timeout=30,
                    **body,
                )
                if answer.status_code < 500 and (not wanted or wanted in answer.json()):
                    return answer.json()
            assert time.monotonic() < end, answer and answer.text
            time.sleep(0.5)


def kill_at_random(engine: Engine, seed: int, kills: int, numbers: list[int]) -> Counter[str]:
    """Send signals to random processes of the engine at random times."""
    choice = random.Random(seed)
    struck: Counter[str] = Counter()
    while struck.total() < kills:
        time.sleep(choice.uniform(0.1, 1.5))
        assert engine._process is not None
        assert engine._process.poll() is None, f"the supervisor ended: {engine.output()}"
        family = engine.family()
        with suppress(psutil.NoSuchProcess, IndexError):
            process = choice.choice(family)
            words = " ".join(process.cmdline()[2:5])
            number = choice.choice(numbers)
            if number in {*CRASHES, signal.SIGKILL} and is_job(process):
                number = signal.SIGTERM  # other signals of a child alone mean a harmful file
            process.send_signal(number)
            struck[words] += 1
    return struck


LEASES = " UNION ALL ".join(
    f"SELECT COALESCE(SUM(claim_no), 0) FROM {table}"
    for table in ("imports_importrecord", "deliveries_delivery")
)


def leases(engine: Engine) -> tuple[int, ...]:
    """Return the number of leases ever taken, on imports and on deliveries, from the database."""
    return tuple(int(taken) for (taken,) in engine.ask_database(LEASES))


def is_job(process: psutil.Process) -> bool:
    parent = process.parent()
    return parent is not None and "sandbox" in parent.cmdline()


@pytest.fixture
def host(engine: Engine, receiver: Receiver) -> Host:
    engine.start()
    engine.post("/webhooks", json={"url": receiver.url})
    return Host(engine)


@pytest.mark.parametrize(
    ("seed", "numbers"),
    [
        (2, [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV]),
        (3, [signal.SIGKILL, signal.SIGSTOP]),  # stopped: alive for the system, and doing nothing
    ],
)
def test_whatever_is_killed_everything_is_read_applied_and_delivered(
    engine: Engine, host: Host, receiver: Receiver, seed: int, numbers: list[int]
):
    """
    After the killing ends, everything settles within two leases: the dead worker's and the next.

    They are counted in the database, not by a clock: a slow machine needs no more of them.
    """
    uploads = threading.Thread(target=host.upload, args=(IMPORTS,))
    uploads.start()
    struck = kill_at_random(engine, seed, KILLS, numbers)
    uploads.join()
    at_rest = leases(engine)
    until(lambda: host.states() == {"review"}, f"all in review; struck {struck}", PATIENTLY_S)
    assert leases(engine)[0] - at_rest[0] <= 2 * IMPORTS

    applies = threading.Thread(target=host.apply)
    applies.start()
    kill_at_random(engine, seed + 100, KILLS // 2, numbers)
    applies.join()
    at_rest = leases(engine)
    until(lambda: host.states() == {"applied"}, "all applied", PATIENTLY_S)
    until(lambda: host.deliveries() == {"delivered"}, "all delivered", PATIENTLY_S)

    taken = [after - before for after, before in zip(leases(engine), at_rest, strict=True)]
    assert max(taken) <= 2 * IMPORTS, taken
    assert len(host.ids) == IMPORTS
    assert len(set(receiver.delivery_ids())) == IMPORTS
    assert len(set(receiver.bodies)) == IMPORTS


def test_the_supervisor_itself_is_killed_and_nothing_of_it_stays(engine: Engine, host: Host):
    host.upload(2)
    kill_supervisor(engine)
    engine.start()
    until(lambda: host.states() == {"review"}, "review under the next supervisor", PATIENTLY_S)


def test_the_supervisor_is_killed_while_a_web_process_starts_and_nothing_of_it_stays(
    engine: Engine,
):
    def web() -> list[psutil.Process]:
        return [item for item in engine.family() if "granian" in "".join(item.cmdline())]

    engine.launch()
    until(lambda: len(web()) == 2, "granian has started its worker")  # which is loading Django
    kill_supervisor(engine)


def kill_supervisor(engine: Engine) -> None:
    """Kill it, and assert that its programs end."""
    family = engine.family()
    assert engine._process is not None
    engine._process.send_signal(signal.SIGKILL)
    engine._process.wait()
    engine._process = None

    psutil.wait_procs(family, timeout=PATIENTLY_S)
    assert [process for process in family if process.is_running()] == []


SEND = """
from common.work.wakeups import wake
from imports.transitions import ADVANCE
for number in range(2_500):
    wake(ADVANCE, f"rec_nobody{number}")
"""


def test_ten_thousand_wake_ups_of_four_processes_end_no_worker(engine: Engine, host: Host):
    workers = {item.pid for item in engine.family() if "worker" in item.cmdline()}
    command = [sys.executable, "scripts/development.py", "shell", "-v", "0", "-c", SEND]
    senders = [
        subprocess.Popen(command, cwd=ROOT, env=engine._environment, stdout=subprocess.DEVNULL)
        for _ in range(4)
    ]
    host.upload(3)
    assert [sender.wait() for sender in senders] == [0, 0, 0, 0]
    until(lambda: host.states() == {"review"}, "imports behind all the others", PATIENTLY_S)

    assert workers
    assert {item.pid for item in engine.family() if "worker" in item.cmdline()} == workers
    assert "Unrecoverable" not in (engine.folder / "serve.log").read_text()
