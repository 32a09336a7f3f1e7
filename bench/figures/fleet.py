"""Three machines of one engine against one, all on the cores of this machine."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import cycle
from pathlib import Path

import requests

from bench import jobs
from bench.figures.figure import RATIO, Figure, Measured, Skipped
from bench.figures.services import NEEDS, NO_STORE, Bucket, bucket, scaled
from bench.jobs.engine import CATALOG, ROOT, orders, with_keys
from tests.buckets import free_ports

ROWS, CALLERS = 1_000, 6
SECONDS = 15
ALL = ["web", "worker"]
ONE, THREE = [[*ALL, "beat"]], [[*ALL, "beat"], ALL, ALL]
MACHINE = "tests.faults.machine"  # starts the programs of one machine
STARTS_S, WARMS_S, IMPORT_S = 120, 60, 60  # each is the most that it may take


def three_against_one() -> Iterator[Measured]:
    """Measure imports a minute of one machine, of three, and of one again."""
    what = "three machines against one on the same cores, imports a minute"
    services = jobs.shapes().get("production")
    if services is None:
        yield Skipped(what, NEEDS)
        return
    with bucket() as store:
        if store is None:
            yield Skipped(what, NO_STORE)
            return
        rates = list(_rates(services, store))
    alone, together = (statistics.mean(each) for each in (rates[::3], rates[1:3]))
    yield Figure(what, together / alone, RATIO, 1.0, is_least=True)
    yield Figure(f"imports of {ROWS:,} rows a minute, one machine", alone, "a minute")
    yield Figure(f"imports of {ROWS:,} rows a minute, three machines", together, "a minute")


def _rates(services: dict[str, str], store: Bucket) -> Iterator[float]:
    """Yield the imports a minute of each shape in turn, on one database and one bucket."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-fleet-") as name,
        jobs.emptied(services) as own,
    ):
        given = {
            **os.environ,
            **own,
            **store.settings("fleet"),
            "DJANGO_SETTINGS_MODULE": "bench.settings",
            "IMPORT_RATE_PER_MINUTE": "1000000",
            "IMPORT_LOG_LEVEL": "ERROR",
        }
        shared, headers = _prepared(given, Path(name) / "m0")
        for shape in (ONE, THREE, THREE, ONE):
            with _machines(Path(name), shared, shape, headers) as bases:
                rate = _imports_a_minute(bases, headers, scaled(SECONDS, least=5))
            print(f"   {len(shape)} of the machines: {rate:.0f} imports a minute", flush=True)
            yield rate


def _prepared(given: dict[str, str], folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Make the tables and a tenant; return the settings of machines, and a caller's headers."""
    shared = with_keys({**given, "IMPORT_DATA_DIR": str(folder)})
    _manage(shared, "migrate", "--verbosity", "0")
    key = _manage(shared, "license", "mint", "--tenant", "tnt_bench").strip()
    _manage(shared, "catalog", "publish", str(CATALOG), "--tenant", "tnt_bench")
    # Again, now with the public key that minting wrote.
    return with_keys(shared), {"Authorization": f"Bearer {key}"}


@contextmanager
def _machines(
    folder: Path, shared: dict[str, str], shape: list[list[str]], headers: dict[str, str]
) -> Iterator[list[str]]:
    """Run machines that share their keys; yield their addresses."""
    started, bases = [], []
    with ExitStack() as stack:
        for number, programs in enumerate(shape):
            (port,), data = free_ports(1), folder / f"m{number}"
            data.mkdir(exist_ok=True)
            process = subprocess.Popen(
                [sys.executable, "-m", MACHINE, str(port), f"m{number}", *programs],
                cwd=ROOT,
                env={**shared, "IMPORT_DATA_DIR": str(data)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            started.append(process)
            bases.append(f"http://127.0.0.1:{port}/api/import/v1")
        stack.callback(_stop, started)
        for process, base in zip(started, bases, strict=True):
            _wait(process, base, headers)
        yield bases


def _manage(given: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "scripts/development.py", *arguments]
    return subprocess.check_output(command, cwd=ROOT, env=given, text=True)


def _stop(machines: list[subprocess.Popen[bytes]]) -> None:
    for machine in machines:
        machine.terminate()
    for machine in machines:
        try:
            machine.wait(timeout=30)
        except subprocess.TimeoutExpired:
            machine.kill()
            machine.wait()


def _wait(machine: subprocess.Popen[bytes], base: str, headers: dict[str, str]) -> None:
    end = time.monotonic() + STARTS_S
    while time.monotonic() < end:
        if machine.poll() is not None:
            raise SystemExit(f"a machine ended with exit code {machine.returncode}")
        with suppress(requests.RequestException):
            if requests.get(f"{base}/license/verify", headers=headers, timeout=5).ok:
                return
        time.sleep(0.2)
    raise SystemExit(f"{base} does not answer within {STARTS_S} seconds")


def _imports_a_minute(bases: list[str], headers: dict[str, str], seconds: float) -> float:
    """Let callers import one file after another; count what is in review after a warm-up."""
    content, over = orders(ROWS), threading.Event()
    ends: list[float] = []

    def call(turn: Iterator[str]) -> None:
        with requests.Session() as session:
            session.headers.update(headers)
            while not over.is_set():
                _import(session, next(turn), content)
                ends.append(time.monotonic())

    places = [at % len(bases) for at in range(CALLERS)]
    turns = [cycle(bases[place:] + bases[:place]) for place in places]
    callers = [threading.Thread(target=call, args=(turn,), daemon=True) for turn in turns]
    for caller in callers:
        caller.start()
    warm = time.monotonic() + WARMS_S
    while len(ends) < 2 * CALLERS and time.monotonic() < warm:  # the first imports are slower
        _refuse_ended(callers)
        time.sleep(0.05)
    if len(ends) < 2 * CALLERS:
        raise SystemExit(f"{len(ends)} imports were in review after {WARMS_S} seconds")
    start = time.monotonic()
    time.sleep(seconds)
    _refuse_ended(callers)
    over.set()
    counted = sum(start < end <= start + seconds for end in list(ends))
    for caller in callers:
        caller.join(timeout=IMPORT_S)
    return counted * 60 / seconds


def _refuse_ended(callers: list[threading.Thread]) -> None:
    if not all(caller.is_alive() for caller in callers):
        raise SystemExit("a caller failed")


def _import(session: requests.Session, base: str, content: bytes) -> None:
    files, form = {"file": ("orders.csv", content)}, {"autoMap": "true"}
    answer = session.post(f"{base}/imports", files=files, data=form, timeout=60)
    answer.raise_for_status()
    path, state = f"{base}/imports/{answer.json()['recordId']}?wait=10", ""
    end = time.monotonic() + IMPORT_S
    while state != "review":
        if time.monotonic() > end:
            raise SystemExit(f"an import is {state} after {IMPORT_S} seconds")
        state = session.get(path, timeout=60).json()["state"]
        if state in {"failed", "cancelled", "mapping"}:
            raise SystemExit(f"an import is {state}")
