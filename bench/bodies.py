"""
The latency of `license/verify` while another tenant sends the worst bodies. docs/operating.md.

Six processes send them over one connection each, as fast as they are answered.
"""

from __future__ import annotations

import json
import multiprocessing
import statistics
import time
from collections import Counter
from http.client import HTTPConnection, HTTPException
from multiprocessing.synchronize import Event
from queue import Queue
from typing import Any
from urllib.parse import urlsplit

import requests

from bench.jobs import with_engines
from bench.jobs.engine import Engine, orders

CONNECTIONS, CALLS, PAUSE_S = 6, 400, 0.02
WARM_UP_S = 3.0
MOST_S = 0.1
JSON_BYTES, DOCUMENT_BYTES = 1024**2 - 1_024, 4 * 1024**2 - 1_024

Body = tuple[str, str, bytes]  # method, path below the API, bytes


def main() -> None:
    """Print the latencies of another tenant, without and with the bad connections."""
    with_engines(_measure)


def worst_bodies(record_id: str) -> dict[str, Body]:
    """Return bodies that are expensive to parse or to validate, each of maximum size, by name."""
    record = f"/imports/{record_id}"
    return {**_of_an_import(f"{record}/rows", f"{record}/mapping"), **_of_documents(), **_others()}


def _of_an_import(rows: str, mapping: str) -> dict[str, Body]:
    wrong = {"row": "a", "field": [], "text": 1}
    steps = {"version": 1, "steps": [{"do": 1}] * 80_000}
    return {
        "100,000 edits": ("PATCH", rows, _written({"revision": 1, "edits": [1] * 100_000})),
        "9,000 wrong edits": ("PATCH", rows, _written({"revision": 1, "edits": [wrong] * 9_000})),
        "10,000 row numbers": (
            "PATCH",
            rows,
            _written({"revision": 1, "exclude": list(range(10**9, 10**9 + 10_000))}),
        ),
        "40,000 unknown members": (
            "PATCH",
            rows,
            _written({f"member-{n}": n for n in range(40_000)}),
        ),
        "deep lists": ("PATCH", rows, b"[" * (JSON_BYTES // 2) + b"]" * (JSON_BYTES // 2)),
        "80,000 recipe steps": ("PUT", mapping, _written({"mapping": {"a": "b"}, "recipe": steps})),
        "60,000 unknown columns": (
            "PUT",
            mapping,
            _written({"mapping": {f"x{n}": "y" for n in range(60_000)}}),
        ),
    }


def _of_documents() -> dict[str, Body]:
    fields = [{"key": "a", "x": 1}] * 20_000
    return {
        "a contract of escapes": (
            "POST",
            "/contracts/verify",
            b'{"bundle":"' + b"\\u0041" * ((DOCUMENT_BYTES - 20) // 6) + b'"}',
        ),
        "a contract of numbers": (
            "POST",
            "/contracts/verify",
            b'{"bundle":{"a":[' + b"1," * 70_000 + b"1]}}",
        ),
        "a catalog of fields": (
            "PUT",
            "/catalogs/worst/draft",
            _written({"title": "W", "entries": [{"id": "e", "fields": fields}]}),
        ),
    }


def _others() -> dict[str, Body]:
    return {
        "marks alone": ("POST", "/imports", b"[" + b"{}," * (JSON_BYTES // 3 - 2) + b"{}]"),
        "10,000 references": (
            "PUT",
            "/references/e",
            _written({"items": [{"ref": "a", "values": {"a": n}} for n in range(10_000)]}),
        ),
        "rows of no catalog": (
            "POST",
            "/imports",
            _written({"catalogKey": "none", "rows": [["a"] * 8] * 10_000}),
        ),
        "a long address": ("POST", "/webhooks", _written({"url": "http://" + "a" * 900_000})),
    }


def _written(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _measure(engine: Engine) -> None:
    record_id = engine.upload(orders(20))
    engine.until_review(record_id)
    key = engine.key_of("tnt_bench", "catalogEditor").strip()
    other = engine.as_tenant("tnt_neighbour")
    time.sleep(WARM_UP_S)
    alone = _latencies(other)
    stop = multiprocessing.Event()
    measurements: multiprocessing.Queue[Any] = multiprocessing.Queue()
    senders = [
        multiprocessing.Process(
            target=_send, args=(engine.base, key, record_id, first, stop, measurements), daemon=True
        )
        for first in range(CONNECTIONS)
    ]
    for sender in senders:
        sender.start()
    time.sleep(WARM_UP_S)
    beside = _latencies(other)
    stop.set()
    spent: dict[str, list[float]] = {}
    statuses: Counter[int] = Counter()
    for _ in senders:
        for name, status, seconds in measurements.get(timeout=120):
            spent.setdefault(name, []).append(seconds)
            statuses[status] += 1
    for sender in senders:
        sender.join()
    _print(alone, beside, spent, statuses)


def _latencies(engine: Engine) -> list[float]:
    """Return the latencies of repeated calls of ``license/verify`` over one connection."""
    latencies = []
    with requests.Session() as session:
        session.headers.update(engine.headers)
        for _ in range(CALLS):
            start = time.perf_counter()
            session.get(f"{engine.base}/license/verify", timeout=60).raise_for_status()
            latencies.append(time.perf_counter() - start)
            time.sleep(PAUSE_S)
    return latencies


def _send(
    base: str,
    key: str,
    record_id: str,
    first: int,
    stop: Event,
    measurements: Queue[list[tuple[str, int, float]]],
) -> None:
    """Send one body repeatedly until stopped; report the cost of each request."""
    bodies = list(worst_bodies(record_id).items())
    address = urlsplit(base)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    sent: list[tuple[str, int, float]] = []
    connection = HTTPConnection(str(address.hostname), address.port, timeout=120)
    number = first * 5
    while not stop.is_set():
        name, (method, path, body) = bodies[number % len(bodies)]
        number += 1
        start = time.perf_counter()
        try:
            connection.request(method, address.path + path, body, headers)
            answer = connection.getresponse()
            answer.read()
            sent.append((name, answer.status, time.perf_counter() - start))
        except (OSError, HTTPException):  # refused before all of it was sent
            sent.append((name, 0, time.perf_counter() - start))
            connection.close()
    measurements.put(sent)


def _print(
    alone: list[float],
    beside: list[float],
    spent: dict[str, list[float]],
    statuses: Counter[int],
) -> None:
    quiet, loud = (statistics.quantiles(item, n=20)[-1] for item in (alone, beside))
    for what, answers in (("alone", alone), (f"next to {CONNECTIONS} bad connections", beside)):
        p95 = statistics.quantiles(answers, n=20)[-1]
        print(
            f"   license/verify {what:26} p50 {1e3 * statistics.median(answers):6.1f} ms  "
            f"p95 {1e3 * p95:6.1f} ms  max {1e3 * max(answers):6.1f} ms",
            flush=True,
        )
    verdict = "ok" if loud <= MOST_S else "TOO SLOW"
    print(
        f"   p95 {loud / quiet:.1f} times that alone  (limit {1e3 * MOST_S:.0f} ms) {verdict}; "
        f"answers to the bad ones: {dict(sorted(statuses.items()))}"
    )
    for name, seconds in sorted(spent.items(), key=lambda timing: -statistics.median(timing[1])):
        print(
            f"     {name:28} {len(seconds):4} times, median {statistics.median(seconds):5.2f} s, "
            f"max {max(seconds):5.2f} s"
        )
