"""How soon a delivery starts while another tenant's receivers are slow. docs/webhooks.md."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import requests

from bench.jobs import with_engines
from bench.jobs.engine import Engine

SLOW_RECEIVERS, SLOW_S = 100, 10.0
QUICK_TIMES, PAUSE_S = 12, 2.0
MOST_S = 1.0


def main() -> None:
    """Print the seconds until each delivery of the second tenant arrived."""
    with_engines(_measure)


class Receiver:
    """A host with a delay below ``/slow`` that records when the other deliveries arrive."""

    def __init__(self) -> None:
        self.arrived: dict[str, float] = {}  # monotonic, by delivery
        self.slow = 0
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                if self.path.startswith("/slow/"):
                    receiver.slow += 1
                    time.sleep(SLOW_S)
                elif self.path == "/quick":
                    delivery_id = self.headers["x-import-delivery-id"]
                    receiver.arrived[delivery_id] = time.monotonic()
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait_for(self, delivery_id: str) -> float:
        """Return when a delivery arrived."""
        while delivery_id not in self.arrived:
            time.sleep(0.01)
        return self.arrived[delivery_id]


def _measure(engine: Engine) -> None:
    receiver = Receiver()
    slow = [_register(engine, f"{receiver.url}/slow/{n}") for n in range(SLOW_RECEIVERS)]
    other = engine.as_tenant("tnt_neighbour")
    quick = _register(other, f"{receiver.url}/quick")
    spent = []
    for turn in range(QUICK_TIMES):
        if turn % 4 == 0:  # so that the slow ones never run out of work
            for webhook in slow:
                _test(engine, webhook)
        began = time.monotonic()
        spent.append(receiver.wait_for(_test(other, quick)) - began)
        time.sleep(PAUSE_S)
    receiver.server.shutdown()
    verdict = "ok" if max(spent) <= MOST_S else "TOO SLOW"
    each = ", ".join(f"{seconds:.2f}" for seconds in spent)
    print(
        f"   a delivery arrived next to {SLOW_RECEIVERS} receivers of another tenant that take "
        f"{SLOW_S:.0f} s: {each} s  (limit {MOST_S:.0f} s) {verdict}  "
        f"{receiver.slow} slow ones were sent meanwhile",
        flush=True,
    )


def _register(engine: Engine, url: str) -> str:
    return str(_post(engine, "/webhooks", {"url": url})["id"])


def _test(engine: Engine, webhook: str) -> str:
    return str(_post(engine, f"/webhooks/{webhook}/test", {})["id"])


def _post(engine: Engine, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = requests.post(engine.base + path, json=body, headers=engine.headers, timeout=60)
    answer.raise_for_status()
    return dict(answer.json())
