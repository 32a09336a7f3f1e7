"""Nothing that people wrote, and no secret, is in what any program prints. Real processes."""

from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil
import pytest
import requests

from tests.processes.conftest import Engine, Receiver, until

pytestmark = pytest.mark.processes
MARK = "markerseen"
NAMES = "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status"
HEADER = f"{NAMES};{MARK}-header\n"
LINE = f"A-{{0}};05.02.2026;{MARK} {{0}};{MARK}@example.com;{MARK};2;1,00;2,00;offen;{MARK}-x\n"
BIG = 60_000
DATE_WITH_MARK = LINE.replace("05.02.2026", f"{MARK}-date")


def content(rows: int) -> bytes:
    return (HEADER + "".join(map(LINE.format, range(rows))) + DATE_WITH_MARK.format(rows)).encode()


class Life:
    """A host whose data all has the marker, and the secrets of both sides."""

    def __init__(self, engine: Engine, receiver: Receiver) -> None:
        self.engine, self.receiver, self.killed = engine, receiver, 0
        self.secrets = set(engine.key.removeprefix("imp_lic_").split("."))
        receiver.url += f"?token={MARK}-query"
        receiver.body = f"{MARK}-answer".encode()
        receiver.answer = lambda count: 503 if count == 1 else 200

    def begin(self) -> None:
        hook = self.engine.post("/webhooks", json={"url": self.receiver.url})
        wanted = {
            "scope": f"{MARK}-scope",
            "meta": {"customer": f"{MARK}-meta"},
            "actor": {"id": f"{MARK}-id", "label": f"{MARK}-label"},
        }
        token = self.engine.post("/sessions", json=wanted)["token"]
        self.secrets |= {
            hook["signingSecret"].removeprefix("whsec_"),
            token.removeprefix("imp_ses_"),
        }
        self.call("GET", "/license/verify", token)

    def call(self, method: str, path: str, token: str = "", **more) -> requests.Response:
        key = {"Authorization": f"Bearer {token or self.engine.key}"}
        return requests.request(method, self.engine.base + path, headers=key, timeout=60, **more)

    def upload(self, filename: str, content: bytes) -> str:
        file = {"file": (f"{MARK}-{filename}", content)}
        answer = self.engine.post("/imports", files=file, data={"autoMap": "1"})
        return answer["recordId"]

    def until_state(self, record_id: str, state: str) -> None:
        until(lambda: self.engine.state(record_id) == state, f"{record_id} in {state}")

    def lose_a_worker(self) -> str:
        """Kill a worker and its child while a large file is read."""
        record_id = self.upload("big.csv", content(BIG))
        until(lambda: self.engine.state(record_id) != "received", "reading, or what follows it")
        assert self.engine.kill("celery", "sandbox")
        self.until_state(record_id, "review")
        return record_id

    def lose_a_child(self) -> str:
        """Kill only the process that reads a file; a small file would be read before."""
        while True:
            record_id = self.upload("again.csv", content(BIG))
            until(partial(self._is_over, record_id), "a child")
            if self.killed:
                self.until_state(record_id, "review")
                return record_id

    def _is_over(self, record_id: str) -> bool:
        """Return whether a child was killed, or the file was read before that."""
        return bool(self._kill_jobs()) or self.engine.state(record_id) == "review"

    def _kill_jobs(self) -> int:
        for process in self.engine.family():
            with suppress(psutil.NoSuchProcess):
                parent = process.parent()
                if parent is not None and "sandbox" in parent.cmdline():
                    process.kill()
                    self.killed += 1
        return self.killed

    def deliver(self) -> str:
        record_id = self.upload("small.csv", content(20))
        self.until_state(record_id, "review")
        self.call("POST", f"/imports/{record_id}/apply", json={"invalidRows": "exclude"})
        address = f"/imports/{record_id}"
        until(
            lambda: [d["state"] for d in self.engine.get(address)["deliveries"]] == ["delivered"],
            "delivered at the second attempt",
        )
        self.call("DELETE", address)
        return record_id

    def fail(self) -> str:
        """Send an unreadable file, and calls that are refused."""
        record_id = self.upload("broken.xlsx", b"PK\x03\x04" + MARK.encode() * 100)
        self.until_state(record_id, "failed")
        self.call("GET", f"/imports/{MARK}?cursor={MARK}-parameter")
        self.call("GET", "/license/verify", f"imp_lic_{MARK}.{MARK}.{MARK}")
        self.call("GET", "/license/verify", f"imp_ses_{MARK}")
        self.call("POST", "/imports", files={"file": (f"{MARK}.exe", MARK.encode())})
        self.call("POST", "/webhooks", json={"url": f"http://{MARK}.invalid/?{MARK}"})
        self.call("PUT", f"/catalogs/{MARK}/draft", data=f'{{"{MARK}": "{MARK}')
        self.call("POST", f"/imports/{record_id}/rows/query", json={MARK: MARK})
        return record_id


@pytest.fixture
def life(engine: Engine, receiver: Receiver) -> Life:
    life = Life(engine, receiver)
    engine.start()
    return life


def test_no_program_prints_what_people_wrote_or_a_secret(life: Life):
    life.begin()
    delivered, failed = life.deliver(), life.fail()
    without_child, without_worker = life.lose_a_child(), life.lose_a_worker()
    life.engine.stop()

    output = printed(life.engine.folder)
    for record_id in (delivered, failed, without_child, without_worker):
        assert record_id in output
    for happened in ("reading -> failed", "sending -> pending", "sending -> delivered"):
        assert happened in output
    assert [line for line in output.splitlines() if MARK in line] == []
    lines = [line for line in output.splitlines() if any(item in line for item in life.secrets)]
    assert lines == []
    assert [secret for secret in kept_secrets(life.engine.folder) if secret in output] == []


def printed(folder: Path) -> str:
    return "".join(path.read_text("utf-8", "replace") for path in folder.glob("*.log"))


def kept_secrets(folder: Path) -> set[str]:
    """Return each word of the files with the engine's own secrets."""
    files = [path for path in (folder / "data" / "keys").iterdir() if "public" not in path.name]
    assert len(files) >= 3
    return {word for path in files for word in path.read_text().split() if len(word) >= 20}
