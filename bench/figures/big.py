"""Ten million rows through the HTTP surface of an embedded engine: time and memory."""

from __future__ import annotations

import json
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests

from bench import jobs
from bench.deliveries.rate import running
from bench.figures.figure import Figure, Measured
from bench.figures.services import scaled
from bench.jobs.engine import Engine
from bench.replacing import answer_of
from tests.buckets import free_ports

ROWS, SEED = 10_000_000, 20_260_102
PAGES, PART_ROWS = 100, 100_000
REVIEW_S, REPLACE_S, PAGE_MS, MEMORY_MB = 60, 15, 30, 700
MOST_S = 1_800  # for each step
LOOK_EVERY_S = 0.5
HEADER = (
    "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status;Bemerkung\n"
)
ARTICLES = ("Stuhl", "Tisch", "Lampe", "Regal", "Schrank")
STATES = ("offen", "bezahlt", "storniert")
NOTES = ("", "bitte anrufen", "an der Rampe", "zweimal klingeln")
BOUNDARY = "of-the-benchmark"
SETTINGS = {
    "IMPORT_LIMIT_ROWS": str(2 * ROWS),
    "IMPORT_MAX_FILE_BYTES": str(4 * 1024**3),
    "IMPORT_WEBHOOK_ALLOW_NETWORKS": "127.0.0.0/8",
}


def ten_million() -> Iterator[Measured]:
    """Measure one import from the upload to its last part delivered."""
    rows = scaled(ROWS)
    with (
        tempfile.TemporaryDirectory(prefix="bench-big-") as name,
        jobs.running(jobs.shapes()["embedded"] | SETTINGS) as engine,
    ):
        file = Path(name) / "orders.csv"
        write(rows, file)
        yield Figure(f"the file of {rows:,} rows", file.stat().st_size / 1e6, "MB")
        jobs.warm_up(engine)
        yield from _measured(engine, file, rows)


def write(rows: int, file: Path) -> None:
    """Write orders: the same bytes each time."""
    chance = random.Random(SEED)
    ends = [_end(chance) for _ in range(997)]
    with file.open("w", encoding="utf-8") as lines:
        lines.write(HEADER)
        for start in range(0, rows, 10_000):
            numbers = range(start, min(start + 10_000, rows))
            lines.write("".join(_line(number, ends[number % 997]) for number in numbers))


def _line(number: int, end: str) -> str:
    day, month = number % 28 + 1, number % 12 + 1
    who = f"Kunde {number};k{number}@example.com"
    return f"A-{number};{day:02d}.{month:02d}.2026;{who};{end}\n"


def _end(chance: random.Random) -> str:
    count, price = chance.randrange(1, 9), chance.randrange(1, 999)
    words = (chance.choice(ARTICLES), chance.choice(STATES), chance.choice(NOTES))
    return f"{words[0]};{count};{price},00;{count * price},00;{words[1]};{words[2]}"


def _measured(engine: Engine, file: Path, rows: int) -> Iterator[Figure]:
    with watched(engine) as peak:
        start = time.perf_counter()
        record_id = _upload(engine, file)
        answered = time.perf_counter()
        engine.until_review(record_id)
        ended = time.perf_counter()
    yield Figure("from the answered upload to review", ended - answered, "s", REVIEW_S)
    yield Figure("the upload itself", answered - start, "s")
    yield from _memory("reading", peak)
    yield from _pages(engine, record_id, rows)
    base = f"{engine.base}/imports/{record_id}"
    wanted = {
        "revision": _get(engine, base)["revision"],
        "inFields": ["orders.customer"],
        "find": "Kunde",
        "replace": "Client",
    }
    with watched(engine) as peak:
        start = time.perf_counter()
        answer = answer_of(engine, f"{base}/rows/replace", wanted)
        what = f"find and replace, {answer['cells']:,} cells"
        yield Figure(what, time.perf_counter() - start, "s", REPLACE_S)
    yield from _memory("replacing", peak)
    with watched(engine) as peak:
        start = time.perf_counter()
        parts = _deliver(engine, record_id)
        yield Figure(f"delivered in {parts:,} parts", time.perf_counter() - start, "s")
    yield from _memory("delivering", peak)


def _memory(what: str, peak: dict[str, float]) -> Iterator[Figure]:
    name = f"peak memory of all processes, {what}"
    yield Figure(name, peak["Pss"], "MB", MEMORY_MB)
    yield Figure(f"{name}, without mapped files", peak["Pss_Anon"], "MB")


def _pages(engine: Engine, record_id: str, rows: int) -> Iterator[Figure]:
    chance, spent = random.Random(SEED), []
    with requests.Session() as session:
        session.headers.update(engine.headers)
        for _ in range(scaled(PAGES, least=20) + 1):
            query = {"offset": chance.randrange(max(1, rows - 100)), "limit": 100}
            start = time.perf_counter()
            url = f"{engine.base}/imports/{record_id}/rows/query"
            session.post(url, json=query, timeout=60).raise_for_status()
            spent.append((time.perf_counter() - start) * 1000)
    yield Figure("the first page", spent[0], "ms")
    yield Figure(
        "page at any offset, p95", statistics.quantiles(spent[1:], n=20)[-1], "ms", PAGE_MS
    )


def _upload(engine: Engine, file: Path) -> str:
    """Upload a file block by block; return the id of its import."""
    part = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="'
    before = (
        f'{part}autoMap"\r\n\r\ntrue\r\n'
        f'{part}file"; filename="orders.csv"\r\nContent-Type: text/csv\r\n\r\n'
    ).encode()
    after = f"\r\n--{BOUNDARY}--\r\n".encode()

    def blocks() -> Iterator[bytes]:
        yield before
        with file.open("rb") as content:
            while block := content.read(1 << 20):
                yield block
        yield after

    address = urlsplit(f"{engine.base}/imports")
    headers = {
        **engine.headers,
        "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
        "Content-Length": str(len(before) + file.stat().st_size + len(after)),
    }
    connection = HTTPConnection(str(address.hostname), int(address.port or 80), timeout=MOST_S)
    connection.request("POST", address.path, blocks(), headers)
    with connection.getresponse() as answer:
        content = answer.read()
    connection.close()
    if answer.status != 202:
        raise SystemExit(f"the upload was answered with {answer.status}: {content[:300]!r}")
    return str(json.loads(content)["recordId"])


def _deliver(engine: Engine, record_id: str) -> int:
    """Apply to a receiver on this machine; return how many parts it got."""
    (port,) = free_ports(1)
    with running([sys.executable, "-m", "bench.deliveries.receiver", str(port)]):
        hook = {"url": f"http://127.0.0.1:{port}/", "maxRowsPerDelivery": scaled(PART_ROWS)}
        _post(engine, f"{engine.base}/webhooks", hook)
        _post(engine, f"{engine.base}/imports/{record_id}/apply", {"applyMode": "webhook"})
        end = time.monotonic() + MOST_S
        while time.monotonic() < end:
            record = _get(engine, f"{engine.base}/imports/{record_id}?wait=10")
            states = [delivery["state"] for delivery in record["deliveries"]]
            if record["state"] == "applied" and set(states) == {"delivered"}:
                return len(states)
            if record["state"] not in {"applying", "applied"}:
                raise SystemExit(f"the import is {record['state']} instead of applied")
            time.sleep(LOOK_EVERY_S)
    raise SystemExit(f"{states.count('delivered')} of {len(states)} parts were delivered")


@contextmanager
def watched(engine: Engine) -> Iterator[dict[str, float]]:
    """
    Watch the memory of all processes of an engine while the block runs.

    Yield the largest sums in MB, as the kernel names them: of all memory, and without mapped files;
    what processes share is counted once.
    """
    peak, done = {"Pss": 0.0, "Pss_Anon": 0.0}, threading.Event()

    def watch() -> None:
        while True:
            held = [memory_of(process.pid) for process in engine.family()]
            for kind in peak:
                peak[kind] = max(peak[kind], sum(each.get(kind, 0) for each in held) / 1024)
            if done.wait(LOOK_EVERY_S):
                return

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield peak
    finally:
        done.set()
        watching.join()


def memory_of(pid: int) -> dict[str, int]:
    """Return the memory of a process in kB, by kind; empty if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()[1:]
    except OSError:
        return {}
    return {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)}


def _get(engine: Engine, url: str) -> Any:
    answer = requests.get(url, headers=engine.headers, timeout=60)
    answer.raise_for_status()
    return answer.json()


def _post(engine: Engine, url: str, body: dict[str, Any]) -> Any:
    answer = requests.post(url, headers=engine.headers, json=body, timeout=MOST_S)
    if not answer.ok:
        raise SystemExit(f"{url} was answered with {answer.status_code}: {answer.text[:300]}")
    return answer.json()
