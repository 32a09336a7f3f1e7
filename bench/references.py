"""
Resolve 100,000 rows against 1,000,000 known entities, and compare as many with them.

Goals: exact within 3 s, by similarity within 60 s, a diff within 5 s, memory below 1.5 GB. The keys
of known entities are created once, by the first import that searches them; this is shown
separately.
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
from pathlib import Path
from typing import Any

from tabular.protocol.answers import Answers

ROOT = Path(__file__).resolve().parent.parent
KNOWN = int(os.environ.get("BENCH_KNOWN", "1000000"))
ROWS = int(os.environ.get("BENCH_ROWS", "100000"))
GOALS = {"exact": 3.0, "fuzzy": 60.0, "diff": 5.0}
MOST_MB = 1_536
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


def main(sets: Path) -> None:
    """Measure in a separate process, on a separate embedded database."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("IMPORT_")},
            "DJANGO_SETTINGS_MODULE": "importengine.settings",
            "IMPORT_DATA_DIR": folder,
            "PYTHONPATH": str(ROOT),
        }
        command = [sys.executable, "-m", "bench.references"]
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
def measured(what: str) -> Iterator[None]:
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
        print(f"{what:28} {took}, {memory:.0f} MB (goal {MOST_MB})", flush=True)


def fill() -> Any:
    """Create a million known customers."""
    from django.db import connection, transaction

    from common import clock
    from licensing.models import Tenant
    from references.services import set_of

    at = clock.now()
    owner = Tenant.objects.create(public_id="tnt_bench", created_at=at)
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
    from tabular.resolving import graph
    from tabular.resolving.resolution import resolve, wanted_of
    from tabular.types.value_texts import json_texts

    used, names = frozenset(columns), ["customer"]
    wanted = wanted_of(catalog, used=used, values=columns.__getitem__, names=names)
    resolution = resolve(
        catalog, used=used, values=columns.__getitem__, answers=Answers(), names=names,
        known=known_for({"customer": (known_set,)}, wanted),
    )  # fmt: skip
    compared = graph.compare(
        resolution,
        "customer",
        lambda path: json_texts(columns[path]).cast(pa.string()),
        fed={path.partition(".")[2]: path for path in columns},
        empty_clears=False,
    )
    return int((compared.statuses == graph.CHANGED).sum())


def measure() -> None:
    """Print every figure."""
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
    numbers = [(n * 7919) % KNOWN for n in range(ROWS)]
    with measured("exact"):
        texts = pa.array([f"C-{n:07d}" for n in numbers])
        print(f"  {resolve(catalog, known_set, {'order.exact': texts}):,} found")
    with measured("diff"):
        rows = {
            "customer.number": texts,
            "customer.name": pa.array([name_of(n) if n % 3 else "Other" for n in numbers]),
            "customer.city": pa.array([f"City {n % 999}" for n in numbers]),
        }
        print(f"  {diff(catalog, known_set, rows):,} changed")
    with measured("keys of a name, blocks too"):
        key_index.require(known_set, ["name"], blocks=True)
    with measured("fuzzy"):
        # One letter is missing from each name, at a varying position.
        names = [name_of(n) for n in numbers]
        misspelt = [name[: n % 6 + 2] + name[n % 6 + 3 :] for n, name in enumerate(names)]
        print(f"  {resolve(catalog, known_set, {'order.fuzzy': pa.array(misspelt)}):,} found")


if __name__ == "__main__":
    measure()
