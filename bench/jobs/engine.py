"""An engine of a checkout as real processes, measured by a client and on the machine."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import Any, Self

import psutil
import requests

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from development import environment as development_keys  # noqa: E402 (the path is set above)

CATALOG = ROOT / "examples" / "catalogs" / "orders.json"
HEADER = "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status\n"
LINE = "A-{0};05.02.2026;Kunde {0};k{0}@example.com;Stuhl;2;1.249,00;2.498,00;offen\n"


def orders(rows: int) -> bytes:
    """Return a CSV of orders."""
    return (HEADER + "".join(LINE.format(number) for number in range(rows))).encode()


def with_keys(given: dict[str, str]) -> dict[str, str]:
    """Return an environment with the files of a development engine's keys; make missing ones."""
    return development_keys(given)


def _fixed_settings(checkout: Path) -> dict[str, str]:
    """Return the environment that names a benchmark's settings, where the checkout has them."""
    has_some = (checkout / "bench" / "settings.py").is_file()
    return {"DJANGO_SETTINGS_MODULE": "bench.settings"} if has_some else {}


class Engine:
    """``manage.py serve`` with a separate data folder, and optionally a database."""

    def __init__(self, checkout: Path, folder: Path, services: dict[str, str]) -> None:
        self._checkout = checkout
        self._log = folder / "serve.log"
        (folder / "data").mkdir(parents=True)
        self._environment = {
            **os.environ,
            **services,
            "IMPORT_DATA_DIR": str(folder / "data"),
            "IMPORT_RATE_PER_MINUTE": "1000000",
            "IMPORT_MAX_REGISTRATIONS": "1000",
            **_fixed_settings(checkout),
            "IMPORT_LOG_LEVEL": "ERROR",
        }
        self._agent: dict[str, str] | None = None
        self._manage("migrate", "--verbosity", "0")
        self._headers = self._headers_of("tnt_bench")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self._base = f"http://127.0.0.1:{port}/api/import/v1"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command("serve", "--port", str(port)),
                cwd=checkout,
                env=self._environment,
                stdout=log,
                stderr=log,
            )
        try:
            self._wait_until_it_answers()
        except BaseException:  # an interruption, too: its programs would stay
            self.stop()
            raise

    def _command(self, *arguments: str) -> list[str]:
        return [sys.executable, str(self._checkout / "scripts" / "development.py"), *arguments]

    def _manage(self, *arguments: str) -> str:
        return subprocess.run(
            self._command(*arguments),
            cwd=self._checkout,
            env=self._environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout

    def _headers_of(self, tenant: str) -> dict[str, str]:
        key = self._manage("license", "mint", "--tenant", tenant).strip()
        self._manage("catalog", "publish", str(CATALOG), "--tenant", tenant)
        return {"Authorization": f"Bearer {key}"}

    @property
    def base(self) -> str:
        """The address of the API."""
        return self._base

    @property
    def headers(self) -> dict[str, str]:
        """The headers for calls of its tenant."""
        return self._headers

    @property
    def environment(self) -> dict[str, str]:
        """The environment of its programs."""
        return self._environment

    def command(self, *arguments: str) -> list[str]:
        """Return the command line of one of its commands."""
        return self._command(*arguments)

    def agent_headers(self) -> dict[str, str]:
        """Return the headers of an agent of its tenant that may answer and apply."""
        if self._agent is None:
            entitled = ("--plan", "enterprise", "--entitlement", "agentAccess")
            key = self._manage("license", "mint", "--tenant", "tnt_bench", *entitled).strip()
            self._agent = {"Authorization": f"Bearer {key}"}
        return self._agent

    def key_of(self, tenant: str, *entitlements: str) -> str:
        """Mint a key that may do more than import."""
        more = [word for name in entitlements for word in ("--entitlement", name)]
        return self._manage("license", "mint", "--tenant", tenant, "--plan", "enterprise", *more)

    def output(self) -> str:
        """Return the output of its programs."""
        return self._log.read_text("utf-8", "replace")

    def web(self) -> psutil.Process:
        """Return the process that serves HTTP: the largest child of the web server."""
        (server,) = (child for child in self.family()[0].children() if "granian" in child.cmdline())
        return max(server.children(recursive=True), key=lambda process: process.memory_info().rss)

    def as_tenant(self, tenant: str) -> Self:
        """Return this engine as seen by another tenant."""
        seen = copy(self)
        seen._headers = self._headers_of(tenant)
        return seen

    def program_environment(self) -> dict[str, str]:
        """Return the environment of its programs with the files of its keys."""
        return with_keys(self._environment)

    def _wait_until_it_answers(self) -> None:
        for _ in range(600):
            with suppress(requests.RequestException, KeyError):
                if requests.get(
                    f"{self._base}/license/verify", headers=self._headers, timeout=5
                ).ok:
                    return
            time.sleep(0.2)
        raise SystemExit(f"the engine does not answer: {self._log.read_text()[-2000:]}")

    def upload(self, content: bytes) -> str:
        """Upload a file with automatic mapping; return the id of its import."""
        answer = requests.post(
            f"{self._base}/imports",
            headers=self._headers,
            files={"file": ("orders.csv", content)},
            data={"autoMap": "true"},
            timeout=60,
        )
        if answer.status_code != 202:
            raise SystemExit(f"an upload was answered with {answer.status_code}: {answer.text}")
        record_id: str = answer.json()["recordId"]
        return record_id

    def until_review(self, record_id: str) -> None:
        """Wait until an import is in review."""
        state = ""
        while state != "review":
            state = self._get(f"/imports/{record_id}?wait=10")["state"]
            if state in {"failed", "cancelled", "mapping"}:
                raise SystemExit(f"{record_id} is {state}: {self._log.read_text()[-2000:]}")

    def apply(self, record_id: str) -> None:
        """Wait until an import is in review, apply it, and wait until it is applied."""
        self.until_review(record_id)
        answer = requests.post(
            f"{self._base}/imports/{record_id}/apply",
            headers=self._headers,
            json={"applyMode": "browser"},
            timeout=60,
        )
        if answer.status_code != 202:
            raise SystemExit(f"an apply was answered with {answer.status_code}: {answer.text}")
        while (state := self._get(f"/imports/{record_id}?wait=10")["state"]) != "applied":
            if state != "applying":
                raise SystemExit(f"{record_id} is {state}: {self._log.read_text()[-2000:]}")

    def waiting(self) -> int:
        """Count this tenant's newest imports, at most a hundred, that are still in progress."""
        items = self._get("/imports?limit=100")["items"]
        return sum(item["state"] in {"reading", "transforming"} for item in items)

    def _get(self, path: str) -> Any:
        return requests.get(self._base + path, headers=self._headers, timeout=60).json()

    def family(self) -> list[psutil.Process]:
        """Return every process of the engine."""
        own = psutil.Process(self._process.pid)
        return [own, *own.children(recursive=True)]

    def memory(self) -> int:
        """Return the memory of all processes in bytes; shared memory is counted once."""
        return sum(_pss(process) for process in self.family())

    def busy(self) -> float:
        """Return the CPU seconds of all processes so far, including those that ended."""
        spent = 0.0
        for process in self.family():
            with suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                spent += times.user + times.system + times.children_user + times.children_system
        return spent

    def stop(self) -> None:
        """Stop it."""
        self._process.terminate()
        self._process.wait(timeout=60)


def busy_of(process: psutil.Process) -> float:
    """Return the CPU seconds of a process. Exits if it has ended."""
    if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
        raise SystemExit("a process of the engine ended")
    times = process.cpu_times()
    return float(times.user + times.system)


def pss_of(process: psutil.Process) -> int:
    """Return the memory of a process and its children in bytes; what they share counts once."""
    return sum(_pss(each) for each in (process, *process.children(recursive=True)))


def _pss(process: psutil.Process) -> int:
    with suppress(psutil.NoSuchProcess):
        return int(process.memory_full_info().pss)
    return 0
