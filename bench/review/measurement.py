"""Stage one file, then time the calls of a person's review. Takes the path of the file."""

from __future__ import annotations

import random
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.management import call_command

from bench.figures.figure import Figure
from bench.review import memory, steps, upload
from bench.review.catalog import CATALOG, KEYS


class Review:
    """One import in review, called over HTTP in this process."""

    def __init__(self, file: Path) -> None:
        from rest_framework.test import APIClient

        self._client = APIClient()
        self.tenant, self.key = tenant_with(CATALOG)
        self._client.credentials(HTTP_AUTHORIZATION=f"Bearer {self.key}")
        self.url = ""
        self._file = file

    def open(self) -> Iterator[Figure]:
        """Bring the file to review; yield what it took."""
        bare = Path(settings.DATA_DIR) / "bare"
        return upload.compared(
            self._file, bare, lambda: self.upload(self._file), lambda at: _stage(self, at)
        )

    def call(self, path: str, body: Any = None, method: str = "post") -> Any:
        """Call a path below the import; return the JSON of a success."""
        address = f"{self.url}{path}".rstrip("/")
        answer = getattr(self._client, method)(address, body, format="json")
        if answer.status_code >= 300:
            raise SystemExit(f"{path}: {answer.status_code} {answer.content[:500]!r}")
        return answer.json()

    def stream(self, path: str) -> Any:
        """Get a file of the import, as a stream."""
        return self._client.get(f"{self.url}{path}")

    def upload(self, file: Path) -> str:
        """Upload a file; return the URL of its import."""
        with file.open("rb") as content:
            answer = self._client.post("/api/import/v1/imports", {"file": content})
        record_id: str = answer.json()["recordId"]
        return record_id


def tenant_with(catalog: dict[str, Any]) -> tuple[Any, str]:
    """Create a tenant with a published catalog; return it and a license key."""
    import json

    from cryptography.hazmat.primitives.asymmetric import ec

    from catalogs import services as catalogs
    from common import clock
    from common.actors import ENGINE
    from common.ids import new_id
    from licensing.models import Tenant
    from licensing.tokens import keyfiles, keys

    private = ec.generate_private_key(ec.SECP256R1())
    settings.LICENSE_PUBLIC_KEY = keyfiles.public_pem(private.public_key()).decode()
    tenant = Tenant.objects.create(public_id=new_id("tnt_"), created_at=clock.now())
    text = json.dumps(catalog).encode()
    catalogs.publish_document(
        tenant=tenant, key=catalog["key"], text=text, at=clock.now(), actor=ENGINE
    )
    claims = keys.Claims(
        tenant_id=tenant.public_id,
        license_id=new_id("lic_"),
        issued_at=int(time.time()),
        expires_at=int(time.time()) + 3600,
        plan="",
        entitlements=frozenset(),
        origins=None,
    )
    return tenant, keys.mint(private, claims)


def _stage(review: Review, record_id: str) -> None:
    """Map an uploaded file by position, and bring it to review."""
    from workflow.worker import advance

    review.url = f"/api/import/v1/imports/{record_id}/"
    advance(record_id)
    columns = [column["column"] for column in review.call("mapping", method="get")["columns"]]
    fields = [f"o.{key}" for key in KEYS]
    mapping = dict(zip(columns, fields, strict=True))
    review.call("mapping", {"mapping": mapping}, method="put")
    advance(record_id)


def timed(what: str, work: Callable[[], Any], *, limit_ms: float, times: int = 1) -> Any:
    """Run a function; print its time, the p95 of several runs, with its limit and its CPU time."""
    spent, busy, answer = measured(work, times)
    wall, cpu_ms = p95(spent), p95(busy)
    name = "once" if times == 1 else f"p95 of {times}"
    verdict = "ok" if wall <= limit_ms else "TOO SLOW"
    figures = f"{wall:8.1f} ms  cpu {cpu_ms:8.1f} ms"
    print(f"   {what:31} {figures}  ({name}, limit {limit_ms:.0f} ms) {verdict}", flush=True)
    return answer


def measured(work: Callable[[], Any], times: int = 1) -> tuple[list[float], list[float], Any]:
    """Run a function; return its times and its CPU times in ms, and its last answer."""
    spent, busy, answer = [], [], None
    for _ in range(times):
        start, cpu = time.perf_counter(), time.process_time()
        answer = work()
        spent.append((time.perf_counter() - start) * 1000)
        busy.append((time.process_time() - cpu) * 1000)
    return spent, busy, answer


def p95(spent: list[float]) -> float:
    """Return the 95th percentile; the value itself where there is one."""
    return spent[0] if len(spent) == 1 else statistics.quantiles(spent, n=20)[-1]


def ready() -> None:
    """Set up Django with an empty database."""
    django.setup()
    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)


def main(file: Path) -> None:
    """Print the figures."""
    ready()
    review, chance = Review(file), random.Random(7)
    for figure in review.open():
        figure.show()
    total = review.call("rows/query", {"limit": 1})["total"]

    def page(view: Any, size: int) -> Callable[[], Any]:
        return lambda: review.call(
            "rows/query", {"view": view, "offset": chance.randrange(max(1, size - 100))}
        )

    timed("page at any offset", page({}, total), limit_ms=60, times=100)
    for what, view, limit in VIEWS:
        body = timed(f"first page, {what}", page(view, 1), limit_ms=limit)
        timed(f"page, {what}", page(view, body["total"]), limit_ms=60, times=60)
    timed("issues counted", lambda: review.call("issues", method="get"), limit_ms=150, times=5)
    timed("fixes of all groups", lambda: review.call("issues/fixes", method="get"), limit_ms=1000)
    for by in ("unique", "all"):
        body = timed(
            f"duplicates by {by}",
            partial(review.call, f"duplicates?by={by}", method="get"),
            limit_ms=2000,
        )
        print(f"     {body['groups']} groups of {body['rows']} rows")
    steps.marking(review.call, total)
    _changes(review, chance, total)
    steps.across(review.call, review.url, timed)
    views = [{}, *(view for _, view, _ in VIEWS)]
    memory.flat(lambda: page(chance.choice(views), 1_000)())
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"   memory at its highest           {used:8.0f} MB")


VIEWS: list[tuple[str, dict[str, Any], float]] = [
    ("errors", {"filter": "error"}, 150),
    ("errors of a field", {"filter": "error", "field": "o.email"}, 150),
    ("sorted by a number", {"sort": {"field": "o.amount"}}, 2500),
    ("sorted by a text", {"sort": {"field": "o.note", "descending": True}}, 2500),
    ("changed", {"filter": "changed"}, 2500),
    ("search everywhere", {"search": "weber4"}, 2500),
    ("search, sorted", {"search": "express", "sort": {"field": "o.ordered"}}, 2500),
]


def _changes(review: Review, chance: random.Random, total: int) -> None:
    state = {"revision": 1}

    def edit() -> None:
        key = chance.choice(["note", "amount", "customer", "email"])
        cell = {"row": chance.randrange(total), "field": f"o.{key}", "text": str(chance.random())}
        body = {**state, "edits": [cell]}
        state["revision"] = review.call("rows", body, method="patch")["revision"]

    def replace() -> None:
        body = {**state, "inFields": ["o.category"], "find": "o", "replace": "oo"}
        changed = review.call("rows/replace", body)
        state["revision"] = changed["revision"]
        print(f"     {changed['cells']} cells")

    def travel(where: str) -> None:
        state["revision"] = review.call(where, dict(state))["revision"]

    edit()
    timed("edit of one cell", edit, limit_ms=80, times=100)
    timed("undo of an edit", lambda: travel("undo"), limit_ms=2000)
    timed("redo of an edit", lambda: travel("redo"), limit_ms=2000)
    timed("find and replace", replace, limit_ms=5000)
    timed("undo of it", lambda: travel("undo"), limit_ms=2000)
    errors = {"view": {"filter": "error"}, **state}
    timed("errors after it", lambda: review.call("rows/query", errors), limit_ms=150)
    timed("redo of it", lambda: travel("redo"), limit_ms=2000)
    timed("edit after it", edit, limit_ms=80, times=20)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
