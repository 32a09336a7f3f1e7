"""People who review at once: each opens a page, looks at it, and opens the next one."""

from __future__ import annotations

import json
import random
import statistics
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from urllib.parse import urlsplit

from bench.figures.figure import Figure
from bench.figures.services import scaled
from bench.jobs.engine import Engine, orders

PEOPLE, IMPORTS, ROWS = 200, 5, 2_000
LOOK_S = 4.0  # at a page, on average
SECONDS, P95_MS = 20, 250
PAGE_ROWS = 100
VIEWS: tuple[dict[str, object], ...] = (
    {},
    {},
    {"search": "kunde 1"},
    {"sort": {"field": "orders.amount", "descending": True}},
)
ENDS_S = 60


def at_once(engine: Engine) -> Iterator[Figure]:
    """Measure the pages of people who review a few imports at once."""
    ids = [engine.upload(orders(scaled(ROWS, least=200))) for _ in range(IMPORTS)]
    for record_id in ids:
        engine.until_review(record_id)
    spent = pages(engine.base, engine.headers, ids, scaled(SECONDS, least=5))
    what = f"{PEOPLE} people reviewing, a page each {LOOK_S:.0f} s"
    yield Figure(f"{what}, p95", statistics.quantiles(spent, n=20)[-1] * 1000, "ms", P95_MS)
    yield Figure(f"{what}, p50", statistics.median(spent) * 1000, "ms")


def pages(base: str, headers: dict[str, str], ids: list[str], seconds: float) -> list[float]:
    """Return the seconds of each page. Exits if a person got no answer, or an error."""
    spent: list[float] = []
    failures: list[str] = []
    begin = time.monotonic() + LOOK_S  # all have a connection and a first page by then
    end = begin + seconds

    def review(number: int) -> None:
        try:
            spent.extend(_review(base, headers, ids[number % len(ids)], number, begin, end))
        except (OSError, ValueError) as error:
            failures.append(f"{type(error).__name__}: {error}")

    people = [threading.Thread(target=review, args=(n,), daemon=True) for n in range(PEOPLE)]
    for person in people:
        person.start()
    for person in people:
        person.join(max(0.0, end + ENDS_S - time.monotonic()))
    if failures or any(person.is_alive() for person in people):
        raise SystemExit(failures[0] if failures else f"a page took more than {ENDS_S} seconds")
    return spent


def _review(
    base: str, headers: dict[str, str], record_id: str, number: int, begin: float, end: float
) -> Iterator[float]:
    """Open page after page, with pauses; yield the seconds of those after the beginning."""
    address, chance = urlsplit(base), random.Random(number)
    path = f"{address.path}/imports/{record_id}/rows/query"
    about = {**headers, "Content-Type": "application/json"}
    connection = HTTPConnection(str(address.hostname), int(address.port or 80), timeout=ENDS_S)
    time.sleep(chance.uniform(0, LOOK_S))  # people do not come at the same moment
    while (start := time.monotonic()) < end:
        query = {"offset": chance.randrange(100), "limit": PAGE_ROWS}
        body = json.dumps({**query, "view": chance.choice(VIEWS)})
        connection.request("POST", path, body, about)
        with connection.getresponse() as answer:
            content = answer.read()
        if answer.status != 200:
            raise ValueError(f"a page was answered with {answer.status}: {content[:200]!r}")
        if start >= begin:
            yield time.monotonic() - start
        time.sleep(chance.uniform(0.5, 1.5) * LOOK_S)
    connection.close()
