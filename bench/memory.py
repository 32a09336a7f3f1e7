"""
The cost of every call at extreme sizes: CPU one by one, then memory of the web process.

``BENCH_MINUTES`` (10) sets the duration, ``SEED`` repeats a run. docs/operating.md.
"""

from __future__ import annotations

import multiprocessing
import os
import secrets
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from multiprocessing.synchronize import Event
from queue import Queue
from typing import Any

import psutil
import requests

from bench.jobs import with_engines
from bench.jobs.engine import Engine, orders
from importengine.processes.memory import default_bound
from tests.calls import Call, Drawing

TENANT = "tnt_bench"
CLIENTS, ALONE = 4, 800  # calls whose CPU is measured, one after another
MOST_CPU_S, MOST_BYTES = 1.0, 1_000_000
LONG_ROWS, WIDE_ROWS, WIDE_COLUMNS, WIDE_TEXT = 200_000, 60, 200, 5_000
DOCUMENTS = ("/catalogs/", "/contracts", "/openapi.json")  # as large as they were uploaded
STREAMS = ("/export", "/file", "stream")
SWOLLEN = 0.3  # of the bodies
SIGN_IN = """
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.auth.models import Group
from django.contrib.sessions.backends.db import SessionStore
from licensing.models import Membership, Tenant
user = get_user_model().objects.create_user("bench", is_staff=True)
user.groups.add(*Group.objects.all())
tenant = Tenant.objects.get(public_id="tnt_bench")
Membership.objects.create(user=user, tenant=tenant, role="editor")
session = SessionStore()
session[SESSION_KEY] = str(user.pk)
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.save()
print(session.session_key)
"""
Json = Any
Headers = dict[str, str]
CallResult = tuple[str, int, str, int]  # the call, status, code of a problem, bytes


def main() -> None:
    """Print CPU, sizes and failures of random calls, and the memory of the web process."""
    with_engines(_measure)


def _measure(engine: Engine) -> None:
    seed = os.environ.get("SEED") or str(secrets.randbelow(2**32))
    minutes = float(os.environ.get("BENCH_MINUTES", "10"))
    print(f"   SEED={seed}", flush=True)
    keys, known = _keys(engine), _known(engine)
    document = requests.get(f"{engine.base}/openapi.json", timeout=60).json()
    _one_by_one(engine, keys, Drawing(document, known, seed, swollen=SWOLLEN))
    web = engine.web()
    stop = multiprocessing.Event()
    results: multiprocessing.Queue[Any] = multiprocessing.Queue()
    clients = [
        multiprocessing.Process(
            target=_send,
            args=(engine.base, keys, Drawing(document, known, f"{seed}:{n}", swollen=SWOLLEN)),
            kwargs={"stop": stop, "results": results},
            daemon=True,
        )
        for n in range(CLIENTS)
    ]
    for client in clients:
        client.start()
    peak, end = 0, time.monotonic() + minutes * 60
    while time.monotonic() < end and web.is_running():
        with suppress(psutil.NoSuchProcess):
            peak = max(peak, web.memory_info().rss)
        time.sleep(0.2)
    stop.set()
    items = [item for _ in clients for item in results.get(timeout=300)]
    for client in clients:
        client.join()
    bound = int(os.environ.get("IMPORT_MEMORY_BYTES", default_bound()))
    lived = web.is_running() and engine.web().pid == web.pid
    verdict = "ok" if lived and peak <= bound else "TOO MUCH"
    print(
        f"   {minutes:.0f} minutes of {CLIENTS} clients, {len(items)} calls: the web process held "
        f"{peak / 1024**2:.0f} MB at most  (bound {bound / 1024**2:.0f} MB) {verdict}; "
        f"{'it survived' if lived else 'IT WAS STARTED AGAIN'}",
        flush=True,
    )
    _print_failures(items)


def _one_by_one(engine: Engine, keys: dict[str, Headers], drawing: Drawing) -> None:
    """Send calls one after another, and print those with the most CPU time of the web process."""
    web, spent, answers = engine.web(), [], []
    kinds = cycle(keys.items())
    for call in drawing.calls(ALONE):
        kind, headers = next(kinds)
        before = _cpu(web)
        answer = _answered(engine.base, headers, call)
        spent.append((_cpu(web) - before, f"{kind}: {answer[0]} -> {answer[1]}"))
        answers.append(answer)
    spent.sort(reverse=True)
    over = sum(seconds > MOST_CPU_S for seconds, _ in spent)
    verdict = "ok" if not over else "TOO MUCH"
    print(
        f"   {ALONE} calls one by one, four kinds of keys: most CPU {spent[0][0]:.2f} s, "
        f"{over} above {MOST_CPU_S:.0f} s  {verdict}",
        flush=True,
    )
    for seconds, request in spent[:5]:
        print(f"     {seconds:5.2f} s  {request[:150]}")
    _print_failures(answers)


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _print_failures(answers: list[CallResult]) -> None:
    statuses = Counter(status for _, status, _, _ in answers)
    full = sum(code == "out_of_memory" for _, _, code, _ in answers)
    failed = [
        item for item in answers if (item[1] >= 500 and item[2] != "out_of_memory") or not item[1]
    ]
    large = [item for item in answers if item[3] > MOST_BYTES]
    print(
        f"   {len(failed)} failed (5xx but out_of_memory, or no answer), {full} out_of_memory, "
        f"{len(large)} answers above 1 MB; statuses {dict(sorted(statuses.items()))}",
        flush=True,
    )
    for call, status, code, size in [*failed[:5], *large[:5]]:
        print(f"     {status} {code} {size:,} bytes: {call[:300]}")


def _send(
    base: str,
    keys: dict[str, Headers],
    drawing: Drawing,
    *,
    stop: Event,
    results: Queue[list[CallResult]],
) -> None:
    """Send random calls until stopped."""
    answers, kinds = [], cycle(keys.values())
    for call in _forever(drawing):
        if stop.is_set():
            break
        answers.append(_answered(base, next(kinds), call))
    results.put(answers)


def _forever(drawing: Drawing) -> Iterator[Call]:
    while True:
        yield from drawing.calls(100)


def _answered(base: str, headers: Headers, call: Call) -> CallResult:
    """Return the response of a call; a stream, a catalog and a contract may have any size."""
    path = base + call.path.removeprefix("/api/import/v1")
    about = {**headers, **call.headers}
    files = None if call.form is None else {n: (None, text) for n, text in call.form.items()}
    if files is None:
        about["Content-Type"] = "application/json"
    try:
        answer = requests.request(
            call.method, path, params=call.query, headers=about, data=call.body, files=files,
            timeout=300,
        )  # fmt: skip
    except UnicodeError:  # an unpaired surrogate, which a client cannot send in an address
        return call.text, 400, "not_sent", 0
    except requests.RequestException as error:
        return call.text, 0, type(error).__name__, 0
    kind = answer.headers.get("Content-Type", "")
    code = ""
    if kind.startswith("application/problem+json"):
        code = str(answer.json().get("code", ""))
    is_bounded = "json" in kind and "ndjson" not in kind and not _is_exempt(path)
    return call.text, answer.status_code, code, len(answer.content) if is_bounded else 0


def _is_exempt(path: str) -> bool:
    return any(part in path for part in (*DOCUMENTS, *STREAMS))


def _keys(engine: Engine) -> dict[str, Headers]:
    """Return the headers of four kinds of keys."""
    agent = engine.agent_headers()
    session = requests.post(
        f"{engine.base}/sessions", json={"catalogKey": "orders"}, headers=agent, timeout=60
    )
    cookie = subprocess.check_output(
        engine.command("shell", "--verbosity", "0", "-c", SIGN_IN),
        env=engine.environment, text=True,
    ).strip().splitlines()[-1]  # fmt: skip
    token = "x" * 32
    return {
        "license": {"Authorization": f"Bearer {engine.key_of(TENANT, 'catalogEditor').strip()}"},
        "page": {"Authorization": f"Bearer {session.json()['token']}"},
        "agent": agent,
        "staff": {
            "X-Import-Tenant": TENANT,
            "Cookie": f"sessionid={cookie}; csrftoken={token}",
            "X-CSRFToken": token,
        },
    }


def _known(engine: Engine) -> dict[str, list[Json]]:
    """Create a long import, a wide one and an applied one; return their ids."""
    long_id = engine.upload(orders(LONG_ROWS))
    wide_id, small_id = engine.upload(_wide()), engine.upload(orders(1_000))
    for record_id in (long_id, small_id):
        engine.until_review(record_id)

    def get(path: str) -> Json:
        return requests.get(engine.base + path, headers=engine.headers, timeout=120).json()

    while get(f"/imports/{wide_id}?wait=10")["state"] not in {"mapping", "review", "failed"}:
        pass
    columns = [column["column"] for column in get(f"/imports/{wide_id}/mapping")["columns"]]
    fields = _fields(get("/catalogs/orders"))
    mapping = dict(zip(columns, fields, strict=False))
    requests.put(
        f"{engine.base}/imports/{wide_id}/mapping",
        json={"mapping": mapping, "allowMissing": True}, headers=engine.headers, timeout=60,
    )  # fmt: skip
    requests.post(
        f"{engine.base}/imports/{small_id}/apply",
        json={"applyMode": "browser", "openQuestions": "dismiss", "invalidRows": "include"},
        headers=engine.headers, timeout=60,
    )  # fmt: skip
    engine.until_review(wide_id)
    changesets = [item["id"] for item in get("/changesets")["items"]]
    questions = [item["id"] for item in get(f"/imports/{wide_id}/questions")["items"]]
    return {
        "record_id": [long_id, wide_id, small_id],
        "changeset_id": changesets or ["chg_x"],
        "question_id": questions or ["qst_x"],
        "field": fields,
        "inFields": fields,
        "key": ["orders"],
        "catalogKey": ["orders"],
        "revision": [1],
        "row": [0, 1, LONG_ROWS - 1],
        "column": columns,
        "limit": [500, 500, 10_000, 1],
        "entity": ["e"],
    }


def _fields(catalog: Json) -> list[str]:
    return [
        f"{entry['id']}.{field['key']}" for entry in catalog["entries"] for field in entry["fields"]
    ]


def _wide() -> bytes:
    names = [f"Column {n}" for n in range(WIDE_COLUMNS)]
    lines = [
        [f"{row}-{n} " + "é" * (WIDE_TEXT // 2) for n in range(WIDE_COLUMNS)]
        for row in range(WIDE_ROWS)
    ]
    return "\n".join(";".join(line) for line in [names, *lines]).encode()
