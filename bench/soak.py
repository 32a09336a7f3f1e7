"""
The embedded engine under four clients for half an hour: no worker exit, and flat memory.

``python -m bench.soak [--minutes 30] [--clients 4] [--port 8000]``. It starts an engine of its own
in a folder that is removed afterwards, uploads, applies and receives; ends with 1 when a program
ended, an import failed, or memory grew.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psutil
import requests

ROOT = Path(__file__).resolve().parent.parent
HEADER = "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status\n"
LINE = "A-{0};05.02.2026;Kunde {0};k{0}@example.com;Stuhl;2;1.249,00;2.498,00;offen\n"
SIZES = (20, 200, 2_000, 10_000)
PATH = "/apply?of=soak"
LONGEST_S = 300.0  # for one import, on a shared machine
MOST_GROWTH = 1.15  # the last third relative to the second
LOOK_EVERY_S = 10.0


class Receiver:
    """A host that accepts everything."""

    def __init__(self) -> None:
        self.count, self.strays = 0, 0
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                is_ours = self.path == PATH and "x-import-delivery-id" in self.headers
                receiver.count += is_ours
                receiver.strays += not is_ours
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Engine:
    """``manage.py serve`` with separate data, and the memory of its programs."""

    def __init__(self, folder: Path, port: int) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("IMPORT_")}
        self.environment = kept | {"IMPORT_DATA_DIR": str(folder / "data")}
        self.base = f"http://127.0.0.1:{port}/api/import/v1"
        self.log = folder / "log"
        (folder / "data").mkdir()
        self.manage("migrate", "--verbosity", "0")
        self.key = self.manage("license", "mint", "--tenant", "tnt_soak").strip().splitlines()[-1]
        catalog = str(ROOT / "examples" / "catalogs" / "orders.json")
        self.manage("catalog", "publish", catalog, "--tenant", "tnt_soak")
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                self._command("serve", "--port", str(port)),
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
            )
        while not self.call("get", "/license/verify").get("verified"):
            time.sleep(0.5)

    def _command(self, *arguments: str) -> list[str]:
        return [sys.executable, "scripts/development.py", *arguments]

    def manage(self, *arguments: str) -> str:
        """Run a command of the engine; return its output."""
        return subprocess.check_output(
            self._command(*arguments), cwd=ROOT, env=self.environment, text=True
        )

    def call(self, method: str, path: str, **body: Any) -> dict[str, Any]:
        """Call the API; return nothing if there is no answer."""
        headers = {"Authorization": f"Bearer {self.key}"}
        with suppress(requests.RequestException, ValueError):
            answer = requests.request(method, self.base + path, headers=headers, timeout=60, **body)
            return dict(answer.json())
        return {}

    def memory_mb(self) -> dict[str, float]:
        """Return the memory of each program with all its children."""
        held = {}
        for program in psutil.Process(self.process.pid).children():
            with suppress(psutil.NoSuchProcess):
                words = program.cmdline()
                name = next(
                    (item for item in ("granian", "worker", "beat") if item in words), "other"
                )
                family = [program, *program.children(recursive=True)]
                held[name] = sum(_rss(process) for process in family) / 1e6
        return held

    def exits(self) -> list[str]:
        """Return the lines in which the supervisor reports that a program ended."""
        text = self.log.read_text("utf-8", "replace")
        return [line for line in text.splitlines() if "starting it again" in line]


def _rss(process: psutil.Process) -> int:
    with suppress(psutil.NoSuchProcess):
        return int(process.memory_info().rss)
    return 0


class Client(threading.Thread):
    """Uploads and applies repeatedly until the time is over."""

    def __init__(self, engine: Engine, seed: int, until: float) -> None:
        super().__init__(daemon=True)
        self._engine, self._until = engine, until
        self._choice = random.Random(seed)
        self.done, self.failed = 0, 0

    def run(self) -> None:
        """Take one import after another from the file to applied."""
        while time.monotonic() < self._until:
            if self._one():
                self.done += 1
            else:
                self.failed += 1

    def _one(self) -> bool:
        rows = self._choice.choice(SIZES)
        content = (HEADER + "".join(map(LINE.format, range(rows)))).encode()
        made = self._engine.call(
            "post", "/imports", files={"file": ("f.csv", content)}, data={"autoMap": "1"}
        )
        path = f"/imports/{made.get('recordId')}"
        if not self._reaches(path, "review"):
            return False
        self._engine.call("post", f"{path}/apply", json={"openQuestions": "dismiss"})
        return self._reaches(path, "applied")

    def _reaches(self, path: str, state: str) -> bool:
        end = time.monotonic() + LONGEST_S
        while time.monotonic() < end:
            reached = self._engine.call("get", f"{path}?wait=10").get("state")
            if reached == state:
                return True
            if reached in {"failed", "mapping", "cancelled"}:
                return False
        return False


def _watch(engine: Engine, clients: list[Client], receiver: Receiver, until: float) -> list[float]:
    """Print a line a minute; return the total memory of all programs over time."""
    held: list[float] = []
    said_at = began = time.monotonic()
    while (now := time.monotonic()) < until:
        memory = engine.memory_mb()
        held.append(sum(memory.values()))
        if now - said_at >= 60 or len(held) == 1:
            said_at = now
            parts = "  ".join(f"{name} {mb:5.0f}" for name, mb in sorted(memory.items()))
            done = sum(client.done for client in clients)
            print(
                f"{(now - began) / 60:5.1f} min  {done:5} imports  {receiver.count:5} deliveries  "
                f"MB: {parts}  exits {len(engine.exits())}",
                flush=True,
            )
        time.sleep(LOOK_EVERY_S)
    return held


def _verdict(held: list[float], exits: list[str], failed: int) -> int:
    third = max(1, len(held) // 3)
    second, last = (statistics.median(part) for part in (held[third : 2 * third], held[-third:]))
    growth = last / second
    print(f"memory: {second:.0f} MB in the second third, {last:.0f} MB in the last ({growth:.2f})")
    print(f"exits: {len(exits)}; imports that failed: {failed}")
    for line in exits[:5]:
        print(f"  {line}")
    return int(bool(exits) or failed > 0 or growth > MOST_GROWTH)


def main() -> int:
    """Run the soak test and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        engine, receiver = Engine(Path(name), options.port), Receiver()
        url = f"http://127.0.0.1:{receiver.server.server_port}{PATH}"
        engine.call("post", "/webhooks", json={"url": url})
        until = time.monotonic() + options.minutes * 60
        clients = [Client(engine, seed, until) for seed in range(options.clients)]
        for client in clients:
            client.start()
        held = _watch(engine, clients, receiver, until)
        for client in clients:
            client.join(timeout=2 * LONGEST_S)
        exits = engine.exits()
        engine.process.terminate()
        engine.process.wait(timeout=60)
        print(f"calls to another address than the registered one: {receiver.strays}")
        return _verdict(held, exits, sum(client.failed for client in clients) + receiver.strays)


if __name__ == "__main__":
    sys.exit(main())
