"""
Find and replace in every column of 400,000 rows, on a running engine: CPU and memory.

Measures the change and its preview. ``BENCH_AGAINST`` names another checkout to compare with.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psutil
import requests

from bench.jobs import with_engines
from bench.jobs.engine import HEADER, Engine

ROWS = 400_000
LINE = "A-{0};05.02.2026;Anna Maria {0};anna{0}@example.com;Alaska;2;1.249,00;2.498,00;offen\n"
WEB_CPU_S, WEB_MB, TIMEOUT_S = 5.0, 600, 600
LOOK_EVERY_S = 0.05


def main() -> None:
    """Print what the web process and the worker use, for each way of running."""
    with_engines(_measure)


def _measure(engine: Engine) -> None:
    content = (HEADER + "".join(map(LINE.format, range(ROWS)))).encode()
    record_id = engine.upload(content)
    engine.until_review(record_id)
    time.sleep(3)  # the work after the upload is done
    base = f"{engine.base}/imports/{record_id}"
    record = requests.get(base, headers=engine.headers, timeout=TIMEOUT_S).json()
    mapping = requests.get(f"{base}/mapping", headers=engine.headers, timeout=TIMEOUT_S).json()
    wanted = {
        "revision": record["revision"],
        "inFields": sorted(set(mapping["mapping"].values())),
        "find": "a",
        "replace": "b",
    }
    for what, body in (("preview", {**wanted, "preview": True}), ("replace", wanted)):
        with _watched(engine) as spent:
            start = time.perf_counter()
            answer = answer_of(engine, f"{base}/rows/replace", body)
            wall = time.perf_counter() - start
        _print(what, answer, wall, spent)


def answer_of(engine: Engine, url: str, body: dict[str, Any]) -> dict[str, Any]:
    """Request a change; if a worker makes it, wait for it."""
    answer = requests.post(url, headers=engine.headers, json=body, timeout=TIMEOUT_S)
    answer.raise_for_status()
    answer_body: dict[str, Any] = answer.json()
    while answer.status_code == 202 or answer_body.get("state") == "running":
        at = f"{url.rpartition('/')[0]}/changes/{answer_body['changeId']}?wait=20"
        answer = requests.get(at, headers=engine.headers, timeout=TIMEOUT_S)
        answer.raise_for_status()
        answer_body = answer.json()
    return answer_body


class Spent:
    """CPU seconds and peak memory of the processes of one kind."""

    def __init__(self, processes: list[psutil.Process]) -> None:
        self._processes = processes
        self._before = self._busy()
        self.memory = 0

    def look(self) -> None:
        """Record their current memory."""
        held = 0
        for process in self._processes:
            with suppress(psutil.NoSuchProcess):
                held += process.memory_info().rss
        self.memory = max(self.memory, held)

    @property
    def cpu(self) -> float:
        """CPU seconds since this object was created."""
        return self._busy() - self._before

    def _busy(self) -> float:
        spent = 0.0
        for process in self._processes:
            with suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                spent += times.user + times.system
        return spent


@contextmanager
def _watched(engine: Engine) -> Iterator[dict[str, Spent]]:
    """Yield the usage of the web process and the workers, watched while the block runs."""
    spent = {
        "web process": Spent(_with(engine, "granian")),
        "workers": Spent(_with(engine, "celery", "worker")),
    }
    done = threading.Event()

    def watch() -> None:
        while not done.wait(LOOK_EVERY_S):
            for item in spent.values():
                item.look()

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield spent
    finally:
        done.set()
        watching.join()


def _with(engine: Engine, *words: str) -> list[psutil.Process]:
    return [item for item in engine.family() if all(w in " ".join(item.cmdline()) for w in words)]


def _print(what: str, answer: dict[str, Any], wall: float, spent: dict[str, Spent]) -> None:
    print(f"   {what} of {ROWS} rows: {answer['cells']} cells in {wall:.1f} s", flush=True)
    for who, item in spent.items():
        memory = item.memory / 1024**2
        verdict = ""
        if who == "web process":
            is_bounded = item.cpu <= WEB_CPU_S and memory <= WEB_MB
            limits = f"(limits {WEB_CPU_S:.0f} s, {WEB_MB} MB)"
            verdict = f"{limits} {'ok' if is_bounded else 'TOO MUCH'}"
        print(f"     {who:12} cpu {item.cpu:7.1f} s  peak {memory:7.0f} MB  {verdict}", flush=True)
