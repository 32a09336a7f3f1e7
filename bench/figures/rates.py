"""Calls per second of one engine, over kept connections, and people who review at once."""

from __future__ import annotations

import json
import multiprocessing
import socket
import statistics
import time
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO
from urllib.parse import urlsplit

from bench import jobs
from bench.figures import people
from bench.figures.figure import Figure, Measured, Skipped
from bench.figures.imports import named
from bench.figures.services import NEEDS, scaled
from bench.jobs.engine import Engine, orders

ROWS, SECONDS = 10_000, 10
CONNECTIONS = 4
VERIFIED, VERIFIED_P99_MS, QUERIED = 500, 25, 150
WARM_UP_S = 1.0


def calls() -> Iterator[Measured]:
    """Measure calls and people in each way of running."""
    for shape, services in jobs.shapes().items():
        with jobs.running(services) as engine:
            record_id = engine.upload(orders(scaled(ROWS)))
            engine.until_review(record_id)
            time.sleep(3)
            for measure in (_verified, partial(_queried, record_id), people.at_once):
                for figure in measure(engine):
                    yield named(figure, shape)
    if "production" not in jobs.shapes():
        yield Skipped("production: license/verify, rows/query, and people at once", NEEDS)


def _verified(engine: Engine) -> Iterator[Figure]:
    spent, cpu_ms = _latencies(engine, "GET", "/license/verify", b"")
    yield Figure("license/verify", len(spent) / _seconds(), "a second", VERIFIED, is_least=True)
    yield Figure(
        f"license/verify over {CONNECTIONS} connections, p99",
        _p99_ms(spent),
        "ms",
        VERIFIED_P99_MS,
    )
    yield Figure("license/verify, CPU of all processes for each", cpu_ms, "ms")


def _queried(record_id: str, engine: Engine) -> Iterator[Figure]:
    body = json.dumps({"offset": scaled(ROWS) // 2, "limit": 100}).encode()
    spent, cpu_ms = _latencies(engine, "POST", f"/imports/{record_id}/rows/query", body)
    yield Figure(
        "rows/query, 100 rows", len(spent) / _seconds(), "a second", QUERIED, is_least=True
    )
    yield Figure("rows/query, p99", _p99_ms(spent), "ms")
    yield Figure("rows/query, CPU of all processes for each", cpu_ms, "ms")


def _seconds() -> float:
    return scaled(SECONDS, least=5)


def _p99_ms(spent: list[float]) -> float:
    if len(spent) < 2:
        raise SystemExit(f"{len(spent)} calls were answered in {_seconds():.0f} seconds")
    return statistics.quantiles(spent, n=100)[-1] * 1000


def _latencies(engine: Engine, method: str, path: str, body: bytes) -> tuple[list[float], float]:
    """
    Send call after call over each connection.

    Return the latencies of what is answered, and the CPU ms of the engine for each call.
    """
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
        each, busy = [(where, request, _seconds())] * CONNECTIONS, engine.busy()
        parts = pool.starmap(_call, each, chunksize=1)
        sent = sum(count for _, count in parts)
        cpu_ms = (engine.busy() - busy) / sent * 1000
    return [seconds for spent, _ in parts for seconds in spent], cpu_ms


def _call(where: tuple[str, int], request: bytes, seconds: float) -> tuple[list[float], int]:
    """Send a request again and again; return the latencies after the warm-up, and all it sent."""
    spent, sent = [], 1
    with socket.create_connection(where, timeout=60) as connection:
        answers = connection.makefile("rb")
        connection.sendall(request)
        _read_answer(answers)  # the first one loads modules and opens files
        begin = time.perf_counter() + WARM_UP_S
        while (start := time.perf_counter()) < begin + seconds:
            connection.sendall(request)
            _read_answer(answers)
            sent += 1
            if start >= begin:
                spent.append(time.perf_counter() - start)
    return spent, sent


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
