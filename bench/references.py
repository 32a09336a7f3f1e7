"""
Resolve 100,000 rows against 1,000,000 known entities, and compare as many with them.

Goals: exact within 3 s, by similarity within 60 s, a diff within 5 s, memory below 1.5 GB; the plan
of as many rows within 3 s and 400 MB, and after one edit within 100 ms; the keys of as many rows
looked up at a host that answers in 50 ms within 8 s. The keys of known entities are created once,
by the first import that searches them; this is shown separately.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from tabular.protocol.answers import Answers

ROOT = Path(__file__).resolve().parent.parent
KNOWN = int(os.environ.get("BENCH_KNOWN", "1000000"))
ROWS = int(os.environ.get("BENCH_ROWS", "100000"))
GOALS = {
    "exact": 3.0,
    "fuzzy": 60.0,
    "diff": 5.0,
    "plan": 3.0,
    "plan after one edit": 0.1,
    "lookup": 8.0,
}
ANSWER_S = 0.05  # of the host that is asked
MOST_MB = 1_536
PLAN_MB = 400
OWNER = "tnt_bench"
V1 = "/api/import/v1"
WORDS = ("Maschinenbau", "Logistik", "Pharma", "Textil", "Bau", "Energie", "Foods", "Medien")
ENTRIES = [
    {
        "id": "order",
        "fields": [
            {"key": "no"},
            {
                "key": "exact",
                "reference": {
                    "entity": "customer", "matchOn": ["number"], "cardinality": "one",
                    "onMissing": "error",
                },
            },
            {
                "key": "fuzzy",
                "reference": {
                    "entity": "customer", "matchOn": ["name"], "cardinality": "one",
                    "onMissing": "error",
                    "resolve": {"exact": True, "fuzzy": True, "learned": False},
                },
            },
        ],
    },
    {"id": "customer", "fields": [{"key": "number"}, {"key": "name"}, {"key": "city"}]},
]  # fmt: skip


def main() -> None:
    """Measure in a separate process, on a separate embedded database."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("IMPORT_")},
            "DJANGO_SETTINGS_MODULE": "importengine.settings",
            "IMPORT_SECRET_KEY": "for the benchmark",
            "IMPORT_ENCRYPTION_KEYS": "for the benchmark",
            "IMPORT_LOG_LEVEL": "ERROR",
            "IMPORT_DATA_DIR": folder,
            "PYTHONPATH": str(ROOT),
        }
        for part in ("resolving", "plan", "lookup"):
            command = [sys.executable, "-m", "bench.references", part]
            subprocess.run(command, cwd=ROOT, env=environment, check=True)


def name_of(number: int) -> str:
    """Return a company name: two syllables that depend on the number, and a trade."""
    letters = "bdfgklmnprstvwz"
    vowels = "aeiou"
    text, left = "", number * 2_654_435_761 % 75**4  # scattered, so that neighbours are not similar
    for _ in range(4):
        text += letters[left % 15] + vowels[left // 15 % 5]
        left //= 75
    return f"{text.title()}er {WORDS[number % 8]} GmbH"


@contextmanager
def measured(what: str, most_mb: int = MOST_MB) -> Iterator[None]:
    """Print the seconds of a block, and the peak memory of this process during it."""
    import psutil

    process, most, done = psutil.Process(), [0], threading.Event()

    def look() -> None:
        while not done.wait(0.05):
            most[0] = max(most[0], process.memory_info().rss)

    watcher = threading.Thread(target=look)
    watcher.start()
    began, busy = time.monotonic(), time.process_time()
    try:
        yield
    finally:
        seconds, cpu = time.monotonic() - began, time.process_time() - busy
        done.set()
        watcher.join()
        goal = GOALS.get(what)
        shown = f" (goal {goal:g} s)" if goal else ""
        memory = most[0] / 1024**2
        took = f"{seconds:8.2f} s{shown}, {cpu:.2f} s of CPU"
        print(f"{what:28} {took}, {memory:.0f} MB (goal {most_mb})", flush=True)


def fill() -> Any:
    """Create a million known customers."""
    from django.db import connection, transaction

    from common import clock
    from licensing.models import Tenant
    from references.services import set_of

    at = clock.now()
    owner = Tenant.objects.create(public_id=OWNER, created_at=at)
    known_set = set_of(tenant=owner, scope="", entity="customer")
    insert = (
        'INSERT INTO references_knownentity (known_set_id, ref, "values", changed_at) '
        "VALUES (%s, %s, %s, %s)"
    )
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany(
            insert, [(known_set.pk, str(n), json.dumps(values_of(n)), at) for n in range(KNOWN)]
        )
    return known_set


def values_of(number: int) -> dict[str, str]:
    """Return the values of one customer."""
    return {"number": f"C-{number:07d}", "name": name_of(number), "city": f"City {number % 999}"}


def resolve(catalog: Any, known_set: Any, columns: dict[str, Any]) -> int:
    """Search for what the texts may mean, and decide; return how many are resolved."""
    import numpy as np

    from references.lookup import known_for
    from tabular.resolving.deciding import FOUND
    from tabular.resolving.resolution import resolve, wanted_of

    used = frozenset(columns)
    wanted = wanted_of(catalog, used=used, values=columns.__getitem__)
    known = known_for({"customer": (known_set,)}, wanted)
    resolution = resolve(
        catalog, used=used, values=columns.__getitem__, known=known, answers=Answers()
    )
    return sum(int(np.isin(field.outcomes, FOUND).sum()) for field in resolution.fields)


def diff(catalog: Any, known_set: Any, columns: dict[str, Any]) -> int:
    """Classify each row as new, changed or unchanged; return how many changed."""
    import pyarrow as pa

    from references.lookup import known_for
    from tabular.resolving import graph, merging
    from tabular.resolving.resolution import resolve, wanted_of
    from tabular.types.value_texts import json_texts

    used, names = frozenset(columns), ["customer"]
    wanted = wanted_of(catalog, used=used, values=columns.__getitem__, names=names)
    resolution = resolve(
        catalog, used=used, values=columns.__getitem__, answers=Answers(), names=names,
        known=known_for({"customer": (known_set,)}, wanted),
    )  # fmt: skip
    compared = merging.compare(
        resolution.entities["customer"],
        lambda path: json_texts(columns[path]).cast(pa.string()),
        fed={path: catalog.live_fields[path] for path in columns},
        policies={},
    )
    return int((compared.statuses == graph.CHANGED).sum())


def changed_columns(numbers: list[int]) -> dict[str, Any]:
    """Return what a file says of some customers; a third has another name."""
    import pyarrow as pa

    return {
        "customer.name": pa.array([name_of(n) if n % 3 else "Other" for n in numbers]),
        "customer.city": pa.array([f"City {n % 999}" for n in numbers]),
    }


def sample() -> list[int]:
    """Return the numbers of the customers in the file."""
    return [(n * 7919) % KNOWN for n in range(ROWS)]


def measure_plan() -> None:
    """Print the figures of a plan, each as the answer to a call of the API."""
    import django
    from django.conf import settings

    django.setup()
    settings.ALLOWED_HOSTS = ["testserver"]
    from rest_framework.test import APIClient

    from bench.review.measurement import tenant_with
    from references.models import KnownSet

    document = {"key": "bench", "title": "Bench", "entries": ENTRIES}
    tenant, key = tenant_with(document)
    KnownSet.objects.update(tenant=tenant)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
    address = in_review(client)
    with measured("plan", PLAN_MB):
        plan = client.get(f"{address}/plan").json()
    print(f"  {plan['counts']}")
    edits = [{"row": 5, "field": "customer.city", "text": "Rome"}]
    body = {"revision": plan["revision"], "edits": edits}
    client.patch(f"{address}/rows", body, format="json")
    with measured("plan after one edit", PLAN_MB):
        plan = client.get(f"{address}/plan", {"limit": 100}).json()
    print(f"  {plan['counts']}")


class Host(BaseHTTPRequestHandler):
    """Answers lookups: it has every second customer."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer 50 ms after the question arrived."""
        began = time.monotonic()
        question = json.loads(self.rfile.read(int(self.headers["content-length"])))
        numbers = [n for key in question["keys"] if (n := int(key[2:])) % 2]
        items = [{"ref": str(n), "values": values_of(n)} for n in numbers]
        content = json.dumps({"items": items}).encode()
        time.sleep(max(0.0, ANSWER_S - (time.monotonic() - began)))
        self.send_response(200)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def serve() -> None:
    """Answer lookups until the process is ended; print the port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Host)
    print(server.server_port, flush=True)
    server.serve_forever()


@contextmanager
def host() -> Iterator[str]:
    """Start a host in a process of its own; yield its address."""
    command = [sys.executable, "-m", "bench.references", "host"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            port = next(iter(process.stdout or ())).strip()
            yield f"http://127.0.0.1:{port}/lookup"
        finally:
            process.terminate()


def measure_lookup() -> None:
    """Print how long it takes to ask a host about the keys of a file, and to make them known."""
    import django
    from django.conf import settings

    django.setup()
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    from rest_framework.test import APIClient

    from bench.review.measurement import tenant_with
    from changesets.lookups.worker import look_up_due
    from common import clock
    from deliveries.services import register

    document = {"key": "lookups", "title": "Lookups", "entries": ENTRIES}
    tenant, key = tenant_with(document)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
    with host() as url:
        register(tenant=tenant, url=url, at=clock.now(), actions=["lookup"])
        address = in_review(client, "lookups")
        with measured("lookup", PLAN_MB):
            look_up_due()
    print(f"  {client.get(f'{address}/plan').json()['counts']}")


def in_review(client: Any, catalog_key: str = "bench") -> str:
    """Bring a file about known customers to review; return the address of the import."""
    from io import BytesIO

    from workflow.worker import advance

    columns = changed_columns(sample())
    lines = zip(sample(), *(column.to_pylist() for column in columns.values()), strict=True)
    text = "\n".join(["number,name,city", *(f"C-{n:07d},{name},{city}" for n, name, city in lines)])
    file = BytesIO(text.encode())
    file.name = "customers.csv"
    made = client.post(f"{V1}/imports", {"file": file, "catalogKey": catalog_key}).json()
    advance(made["recordId"])
    address = f"{V1}/imports/{made['recordId']}"
    mapping = {name: f"customer.{name}" for name in ("number", "name", "city")}
    client.put(f"{address}/mapping", {"mapping": mapping}, format="json")
    advance(made["recordId"])
    return address


def measure() -> None:
    """Print the figures of resolving and comparing."""
    import django
    import orjson
    import pyarrow as pa
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0, skip_checks=True)
    from references import key_index
    from tabular.model.catalog import Catalog

    document = {"key": "bench", "title": "Bench", "entries": ENTRIES}
    catalog = Catalog.model_validate_json(orjson.dumps(document))
    with measured("upload"):
        known_set = fill()
    with measured("keys of a number"):
        key_index.require(known_set, ["number"], blocks=False)
    numbers = sample()
    with measured("exact"):
        texts = pa.array([f"C-{n:07d}" for n in numbers])
        print(f"  {resolve(catalog, known_set, {'order.exact': texts}):,} found")
    with measured("diff"):
        rows = {"customer.number": texts, **changed_columns(numbers)}
        print(f"  {diff(catalog, known_set, rows):,} changed")
    with measured("keys of a name, blocks too"):
        key_index.require(known_set, ["name"], blocks=True)
    with measured("fuzzy"):
        # One letter is missing from each name, at a varying position.
        names = [name_of(n) for n in numbers]
        misspelt = [name[: n % 6 + 2] + name[n % 6 + 3 :] for n, name in enumerate(names)]
        print(f"  {resolve(catalog, known_set, {'order.fuzzy': pa.array(misspelt)}):,} found")


if __name__ == "__main__":
    PARTS = {"plan": measure_plan, "lookup": measure_lookup, "host": serve}
    PARTS.get(sys.argv[1], measure)()
