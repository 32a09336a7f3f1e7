"""How soon a notice reaches a host after its cause. docs/webhooks.md, Events."""

from __future__ import annotations

import json
import statistics
import threading
import time
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import requests

from bench.jobs import with_engines
from bench.jobs.engine import Engine, orders

FILES, ROWS, MOST_WAIT_S = 30, 20, 60.0
P95_S = 1.0
KINDS = ("import.received", "import.waiting", "import.applied")


def main() -> None:
    """Print the seconds from a cause to the arrival of its notice, by kind."""
    with_engines(_measure)


class Receiver:
    """A host on this machine that records how old each notice is when it arrives."""

    def __init__(self) -> None:
        self.ages: dict[str, list[float]] = {kind: [] for kind in KINDS}  # seconds
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                arrived = datetime.now(UTC)
                notice = json.loads(self.rfile.read(int(self.headers["content-length"])))
                age = arrived - datetime.fromisoformat(notice["occurredAt"])
                receiver.ages[notice["event"]].append(age.total_seconds())
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait_for(self, count: int) -> None:
        """Wait until so many notices of each kind arrived, or a minute."""
        until = time.monotonic() + MOST_WAIT_S
        while min(map(len, self.ages.values())) < count and time.monotonic() < until:
            time.sleep(0.05)


def _measure(engine: Engine) -> None:
    engine.until_review(engine.upload(orders(ROWS)))
    receiver = Receiver()
    wanted = {"url": receiver.url, "actions": [], "events": list(KINDS)}
    answer = requests.post(
        f"{engine.base}/webhooks", json=wanted, headers=engine.headers, timeout=60
    )
    answer.raise_for_status()
    for _ in range(FILES):
        engine.apply(engine.upload(orders(ROWS)))
    receiver.wait_for(FILES)
    receiver.server.shutdown()
    for kind, ages in receiver.ages.items():
        _print(kind, ages)
    _print("all", [age for ages in receiver.ages.values() for age in ages])


def _print(kind: str, ages: list[float]) -> None:
    p95 = statistics.quantiles(ages, n=20)[-1]
    verdict = "ok" if p95 <= P95_S else "TOO SLOW"
    print(
        f"   {kind:16} {len(ages):3} notices, p50 {statistics.median(ages):.2f} s, p95 {p95:.2f} s"
        f"  (limit {P95_S:.0f} s) {verdict}",
        flush=True,
    )
