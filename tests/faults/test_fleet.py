"""Three machines on one database, broker and bucket: they fail in turn, and nothing is lost."""

import json
import os
import random
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
import requests

from common.ids import new_id
from tests.buckets import KEY, SECRET, running_store
from tests.faults.conftest import LEASE_S, Cluster, OwnRedis
from tests.faults.machines import SERVICES, Machine
from tests.processes.conftest import Receiver, until, with_settings
from tests.processes.template import Template
from tests.receiving import assert_delivery

pytestmark = [pytest.mark.processes, pytest.mark.large]
HEADER = "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status\n"
LINE = "{0};05.02.2026;Kunde {0};k{0}@example.com;Stuhl;2;1.249,00;2.498,00;offen\n"
ROWS = 300
ROUNDS = int(os.environ.get("FLEET_ROUNDS", "1"))
SEED = int(os.environ.get("SEED", "1"))
CALLERS = 3
PATIENTLY_S = 900  # a limit for a machine under load


class Fleet:
    """Two machines with web and worker, a third with worker and beat, and a receiver."""

    def __init__(self, folder: Path, given: dict[str, str], key: str, receiver: Receiver) -> None:
        keys = Path(given["IMPORT_DATA_DIR"]) / "keys"
        shared = {
            "IMPORT_SECRET_KEY_FILE": str(keys / "secret-key"),
            "IMPORT_ENCRYPTION_KEYS_FILE": str(keys / "encryption-keys"),
            "IMPORT_LICENSE_PUBLIC_KEY_FILE": str(keys / "license-public.pem"),
        }
        shapes = {"a": ["web", "worker"], "b": ["web", "worker"], "c": ["worker", "beat"]}
        self.machines = [
            Machine(folder / name, programs, given | shared) for name, programs in shapes.items()
        ]
        self._webs = [machine for machine in self.machines if "web" in machine.programs]
        self._headers = {"Authorization": f"Bearer {key}"}
        self._receiver = receiver
        self.files: dict[str, list[str]] = {}  # the order numbers of each import
        self.secret = ""

    def start(self) -> None:
        """Start all machines, and register the receiver."""
        for machine in self.machines:
            machine.start()
        about = {"url": self._receiver.url}
        answer = self.ask("POST", "/webhooks", wanted="signingSecret", json=about)
        self.secret = answer["signingSecret"]

    def ask(self, method: str, path: str, *, wanted: str, key: str = "", **body) -> dict:
        """Send a request to any web until one answers with the wanted member."""
        end = time.monotonic() + PATIENTLY_S
        answer = None
        while True:
            base = random.choice(self._webs).base
            headers = self._headers | ({"Idempotency-Key": key} if key else {})
            with suppress(requests.RequestException, ValueError):
                answer = requests.request(method, base + path, headers=headers, timeout=15, **body)
                if answer.status_code < 300 and wanted in answer.json():
                    return answer.json()
            assert time.monotonic() < end, f"{path}: {answer is not None and answer.text}"
            time.sleep(0.2)

    def import_file(self) -> None:
        """Upload a file of its own, apply it when it is in review, and wait until it is applied."""
        name = new_id("A-")
        numbers = [f"{name}-{number}" for number in range(ROWS)]
        file = (HEADER + "".join(map(LINE.format, numbers))).encode()
        path = "/imports"
        sent = {"files": {"file": ("f.csv", file)}, "data": {"autoMap": "1"}}
        record = self.ask("POST", path, wanted="recordId", key=name, **sent)["recordId"]
        self.files[record] = numbers
        end = time.monotonic() + PATIENTLY_S
        while (now := self.ask("GET", f"{path}/{record}", wanted="state"))["state"] != "applied":
            assert now["state"] != "failed", now
            assert time.monotonic() < end, now
            if now["state"] == "review":
                with suppress(requests.RequestException):
                    requests.post(
                        f"{random.choice(self._webs).base}{path}/{record}/apply",
                        headers=self._headers,
                        json={"invalidRows": "exclude"},
                        timeout=15,
                    )
            time.sleep(0.3)

    def deliveries(self, record: str) -> list[str]:
        """Return the states of an import's deliveries."""
        answer = self.ask("GET", f"/imports/{record}", wanted="deliveries")
        return [delivery["state"] for delivery in answer["deliveries"]]


@pytest.fixture
def fleet(
    tmp_path: Path,
    cluster: Cluster,
    own_redis: OwnRedis,
    template: Template,
    receiver: Receiver,
) -> Iterator[Fleet]:
    own_redis.flush()
    template.copy_to(tmp_path / "first" / "data")  # its keys are those of all
    (tmp_path / "store").mkdir()
    with ExitStack() as stack:
        store = stack.enter_context(running_store(tmp_path / "store"))
        given = {
            **os.environ,
            **with_settings(LEASE_S=LEASE_S, WEBHOOK_WAITS_S=[1] * 60),
            "IMPORT_DATA_DIR": str(tmp_path / "first" / "data"),
            "IMPORT_POSTGRES_URL": cluster.new_database(template.database),
            "IMPORT_REDIS_URL": own_redis.url,
            "IMPORT_S3_URL": f"{store.url}/files/fleet",
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
        }
        fleet = Fleet(tmp_path, given, template.key, receiver)
        for machine in fleet.machines:
            stack.callback(machine.close)
        fleet.start()
        yield fleet


class Load:
    """Callers that import one file after another until they are stopped."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet
        self._over = threading.Event()
        self.done = 0
        self.errors: list[BaseException] = []
        self._threads = [threading.Thread(target=self._call) for _ in range(CALLERS)]
        for thread in self._threads:
            thread.start()

    def _call(self) -> None:
        try:
            while not self._over.is_set():
                self._fleet.import_file()
                self.done += 1
        except BaseException as error:  # noqa: BLE001 (raised in the test's own thread)
            self.errors.append(error)

    def finish(self) -> None:
        """Let each caller finish its import, and raise what went wrong."""
        self._over.set()
        for thread in self._threads:
            thread.join()
        if self.errors:
            logs = "\n".join(machine.output() for machine in self._fleet.machines)
            raise AssertionError(logs) from self.errors[0]

    def go_on(self) -> None:
        """Wait until the next import is applied."""
        before = self.done
        until(lambda: self.done > before or self.errors, "an import is applied", PATIENTLY_S)


def break_in_turn(machines: list[Machine], load: Load, choice: random.Random) -> None:
    """Kill each machine once, and cut one from each service, in a random order, while they work."""
    faults = choice.sample(["kill", "kill", *SERVICES, "kill"], 3 + len(SERVICES))
    victims = iter(choice.sample(machines, len(machines)))
    for fault in faults:
        load.go_on()
        if load.errors:
            return
        if fault == "kill":
            machine = next(victims)
            database = machine.relays["IMPORT_POSTGRES_URL"]
            until(lambda database=database: database.is_used, "the machine works")
            machine.kill()
            time.sleep(choice.uniform(0.5, 3))
            machine.start()
        else:
            relay = choice.choice(machines).relays[fault]
            relay.cut(silently=choice.random() < 0.5)
            until(lambda relay=relay: relay.felt, "a program of the machine notices")
            time.sleep(choice.uniform(1, 5))
            relay.mend()


def test_whichever_machine_fails_every_import_arrives_whole_and_once(
    fleet: Fleet, receiver: Receiver
):
    load = Load(fleet)
    choice = random.Random(SEED)
    for _ in range(ROUNDS):
        break_in_turn(fleet.machines, load, choice)
    load.finish()
    for record in fleet.files:
        until(lambda record=record: fleet.deliveries(record) == ["delivered"], record, PATIENTLY_S)

    arrived = defaultdict(set)
    for received in receiver.received:
        assert_delivery(received, url=receiver.url, secret=fleet.secret)
        arrived[json.loads(received.body)["recordId"]].add((received.delivery_id, received.body))
    assert arrived.keys() == fleet.files.keys()
    assert len(fleet.files) >= CALLERS
    for record, numbers in fleet.files.items():
        ((_, body),) = arrived[record]  # sent again, if at all, under the same id
        assert [row["orders.order_number"] for row in json.loads(body)["rows"]] == numbers
