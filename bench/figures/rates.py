"""Calls per second of one engine: ``license/verify`` and ``rows/query``, over kept connections."""

from __future__ import annotations

import json
import multiprocessing
import socket
import statistics
import time
from collections.abc import Iterator
from typing import BinaryIO
from urllib.parse import urlsplit

from bench import jobs
from bench.figures.figure import Figure, Measured, Skipped
from bench.figures.imports import named
from bench.figures.services import NEEDS, scaled
from bench.jobs.engine import Engine, orders

ROWS, SECONDS = 10_000, 10
CONNECTIONS = 4
VERIFIED, VERIFIED_P99_MS, QUERIED = 500, 25, 150
WARM_UP_S = 1.0


def calls() -> Iterator[Measured]:
    """Measure both in each way of running."""
    for shape, services in jobs.shapes().items():
        with jobs.running(services) as engine:
            record_id = engine.upload(orders(scaled(ROWS)))
            engine.until_review(record_id)
            time.sleep(3)
            for figure in (*_verified(engine), *_queried(engine, record_id)):
                yield named(figure, shape)
    if "production" not in jobs.shapes():
        yield Skipped("production: license/verify and rows/query", NEEDS)


def _verified(engine: Engine) -> Iterator[Figure]:
    spent = _latencies(engine, "GET", "/license/verify", b"")
    yield Figure("license/verify", len(spent) / _seconds(), "a second", VERIFIED, is_least=True)
    yield Figure(
        f"license/verify over {CONNECTIONS} connections, p99",
        _p99_ms(spent),
        "ms",
        VERIFIED_P99_MS,
    )


def _queried(engine: Engine, record_id: str) -> Iterator[Figure]:
    body = json.dumps({"offset": scaled(ROWS) // 2, "limit": 100}).encode()
    spent = _latencies(engine, "POST", f"/imports/{record_id}/rows/query", body)
    yield Figure(
        "rows/query, 100 rows", len(spent) / _seconds(), "a second", QUERIED, is_least=True
    )
    yield Figure("rows/query, p99", _p99_ms(spent), "ms")


def _seconds() -> float:
    return scaled(SECONDS, least=5)


def _p99_ms(spent: list[float]) -> float:
    if len(spent) < 2:
        raise SystemExit(f"{len(spent)} calls were answered in {_seconds():.0f} seconds")
    return statistics.quantiles(spent, n=100)[-1] * 1000


def _latencies(engine: Engine, method: str, path: str, body: bytes) -> list[float]:
    """Return the latencies of what is answered while each connection sends call after call."""
    address = urlsplit(engine.base + path)
    lines = [
        f"{method} {address.path} HTTP/1.1",
        f"host: {address.netloc}",
        *(f"{name}: {text}" for name, text in engine.headers.items()),
        "content-type: application/json",
        f"content-length: {len(body)}",
    ]
    request = "\r\n".join([*lines, "", ""]).encode() + body
    where = (str(address.hostname), int(address.port or 80))
    with multiprocessing.Pool(CONNECTIONS) as pool:
        each = [(where, request, _seconds())] * CONNECTIONS
        return [seconds for part in pool.starmap(_call, each, chunksize=1) for seconds in part]


def _call(where: tuple[str, int], request: bytes, seconds: float) -> list[float]:
    """Send a request again and again over one connection."""
    spent = []
    with socket.create_connection(where, timeout=60) as connection:
        answers = connection.makefile("rb")
        connection.sendall(request)
        _read_answer(answers)  # the first one loads modules and opens files
        begin = time.perf_counter() + WARM_UP_S
        while (start := time.perf_counter()) < begin + seconds:
            connection.sendall(request)
            _read_answer(answers)
            if start >= begin:
                spent.append(time.perf_counter() - start)
    return spent


def _read_answer(answers: BinaryIO) -> None:
    """Read one answer to its end. Exits if it is not a success."""
    status, length = answers.readline(), -1
    if not status.startswith(b"HTTP/1.1 2"):
        raise SystemExit(f"a call was answered with {status!r}")
    while (line := answers.readline().strip()) != b"":
        name, _, text = line.lower().partition(b":")
        if name == b"content-length":
            length = int(text)
    if length >= 0:
        answers.read(length)
        return
    while size := int(answers.readline(), 16):
        answers.read(size + 2)
    answers.readline()
