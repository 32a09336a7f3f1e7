"""
What a customer's overlay costs: opening a session with a full one, and reviewing rows with one.

The review is compared with that of the same rows in a catalog that was published with the same
fields, call by call in turn, in one process; figures are its CPU time. SQLite.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
V1 = "/api/import/v1"
OPEN_MS, ALLOWED = 20, 1.05
FIELDS, EXTRA, OPTIONS = 60, 100, 200  # of the catalog; of an overlay: as many as it may have
ROWS, ROUNDS = 5_000, 100
SESSIONS = 300

Json = dict[str, Any]


def main() -> None:
    """Print both figures."""
    with tempfile.TemporaryDirectory(prefix="bench-customers-") as data:
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "importengine.settings",
            "IMPORT_SECRET_KEY": "for the benchmark",
            "IMPORT_ENCRYPTION_KEYS": "for the benchmark",
            "IMPORT_DATA_DIR": data,
            "IMPORT_LOG_LEVEL": "ERROR",
            "IMPORT_RATE_PER_MINUTE": "1000000",
        }
        program = [sys.executable, "-m", "bench.customers"]
        subprocess.run(program, check=True, cwd=ROOT, env=environment)


def option(number: int) -> Json:
    """Return one of many options."""
    return {"label": f"Option {number}", "type": "string", "value": f"option-{number}"}


def catalog() -> Json:
    """Return a catalog of texts, numbers and one list of options."""
    fields: list[Json] = [
        {
            "key": f"f{number}",
            "label": f"Field {number}",
            "columnType": ("string", "float")[number % 2],
        }
        for number in range(FIELDS)
    ]
    fields.append({"key": "kind", "columnType": "category", "dropdownOptions": [option(0)]})
    return {"key": "rows", "title": "Rows", "entries": [{"id": "o", "fields": fields}]}


def overlay() -> Json:
    """Return what is special for a customer, in every member."""
    changed = {
        f"o.f{number}": {
            "label": f"Own {number}",
            "example": "12",
            "alternativeMatches": [f"Own name {number}"],
            "validations": [{"validate": "regex", "regex": "^.{0,200}$"}],
            "readOnly": number % 2 == 0,
        }
        for number in range(0, FIELDS, 2)
    }
    extra = [
        {"entity": "o", "key": f"x{number}", "label": f"Extra {number}", "columnType": "int"}
        for number in range(EXTRA)
    ]
    return {"fields": changed, "extraFields": extra}


def context() -> Json:
    """Return a context with every member."""
    return {
        "region": "CH",
        "currency": "CHF",
        "defaults": {"o.f1": "7"},
        "options": {"o.kind": {"add": [option(number) for number in range(1, OPTIONS)]}},
    }


def rows() -> str:
    """Return a CSV that feeds the fields of the catalog and some of the customer's own."""
    names = [*(f"Field {n}" for n in range(FIELDS)), *(f"Extra {n}" for n in range(10))]
    lines = (
        ",".join(str(row * 7 % 1000 + place) for place in range(len(names))) for row in range(ROWS)
    )
    return "\n".join([",".join(names), *lines])


class Host:
    """A host's server that calls the API in this process."""

    def __init__(self) -> None:
        from cryptography.hazmat.primitives.asymmetric import ec
        from django.conf import settings
        from rest_framework.test import APIClient

        from common import clock
        from common.ids import new_id
        from licensing.models import Tenant
        from licensing.tokens import keyfiles, keys

        private = ec.generate_private_key(ec.SECP256R1())
        settings.LICENSE_PUBLIC_KEY = keyfiles.public_pem(private.public_key()).decode()
        settings.ALLOWED_HOSTS = ["testserver"]
        self.tenant = Tenant.objects.create(public_id=new_id("tnt_"), created_at=clock.now())
        claims = keys.Claims(
            tenant_id=self.tenant.public_id,
            license_id=new_id("lic_"),
            issued_at=int(time.time()),
            expires_at=int(time.time()) + 3600,
            entitlements=frozenset({keys.CATALOG_OVERLAYS}),
        )
        self._client = APIClient()
        self._client.credentials(HTTP_AUTHORIZATION=f"Bearer {keys.mint(private, claims)}")

    def publish(self, key: str, document: Json) -> None:
        """Publish a catalog."""
        from catalogs import services as catalogs
        from common import clock
        from common.actors import ENGINE

        catalogs.publish_document(
            tenant=self.tenant,
            key=key,
            text=json.dumps({**document, "key": key}),
            at=clock.now(),
            actor=ENGINE,
        )

    def call(self, method: str, path: str, body: Any = None) -> Json:
        """Call the API; return the JSON of a success."""
        answer = getattr(self._client, method)(f"{V1}/{path}", body, format="json")
        if answer.status_code >= 300:
            raise SystemExit(f"{path}: {answer.status_code} {answer.content[:500]!r}")
        content: Json = answer.json()
        return content

    def reviewed(self, **given: Any) -> str:
        """Bring the rows to review; return the path of their import."""
        from django.core.files.uploadedfile import SimpleUploadedFile

        from workflow.worker import advance

        file = SimpleUploadedFile("rows.csv", rows().encode())
        members = {
            name: value if isinstance(value, str) else json.dumps(value)
            for name, value in given.items()
        }
        form = {"file": file, "autoMap": "true", **members}
        answer = self._client.post(f"{V1}/imports", form, format="multipart")
        made = answer.json()
        path = f"imports/{made['recordId']}"
        advance(made["recordId"])
        if self.call("get", path)["state"] == "mapping":
            self.call("put", f"{path}/mapping", self.call("get", f"{path}/mapping")["proposed"])
            advance(made["recordId"])
        return path


def measure() -> None:
    """Measure in this process."""
    from catalogs.overlays import laid_over

    host = Host()
    host.publish("rows", catalog())
    host.publish("whole", laid_over(catalog(), overlay()))
    special = {"catalogKey": "rows", "context": context(), **overlay()}
    spent = [_spent_ms(lambda: host.call("post", "sessions", special)) for _ in range(SESSIONS)]
    wall, cpu = (statistics.quantiles(column, n=20)[-1] for column in zip(*spent, strict=True))
    print(
        f"a session with {len(json.dumps(special)) // 1024} KiB of overlay: p95 {wall:.1f} ms,"
        f" {cpu:.1f} ms of CPU (aim {OPEN_MS} ms)"
    )
    review(host)


def review(host: Host) -> None:
    """Print what the calls of a review cost with an overlay, compared with none."""
    paths = host.reviewed(catalogKey="whole"), host.reviewed(catalogKey="rows", **overlay())
    revisions = {path: host.call("get", path)["revision"] for path in paths}
    chance, spent = random.Random(7), dict[str, tuple[list[float], list[float]]]()
    for _ in range(ROUNDS):
        row, text = chance.randrange(ROWS), str(chance.randrange(1000))
        for place, path in enumerate(paths):
            for what, work in calls(host, path, revisions, row, text).items():
                spent.setdefault(what, ([], []))[place].append(_spent_ms(work)[1])
    without = {what: statistics.median(both[0]) for what, both in spent.items()}
    having = {what: statistics.median(both[1]) for what, both in spent.items()}
    for what, ms in without.items():
        print(f"   {what:8} {ms:7.2f} ms without, {having[what]:7.2f} ms with")
    ratio = sum(having.values()) / sum(without.values())
    print(f"a review with an overlay: {ratio:.3f} of the cost without (allowed {ALLOWED})")


def calls(
    host: Host, path: str, revisions: dict[str, int], row: int, text: str
) -> dict[str, Callable[[], object]]:
    """Return the calls of a review by their names."""

    def edit() -> None:
        edits = [{"row": row, "field": "o.f1", "text": text}]
        body = {"revision": revisions[path], "edits": edits}
        revisions[path] = host.call("patch", f"{path}/rows", body)["revision"]

    return {
        "import": lambda: host.call("get", path),
        "page": lambda: host.call("post", f"{path}/rows/query", {"offset": row, "limit": 100}),
        "issues": lambda: host.call("get", f"{path}/issues"),
        "edit": edit,
    }


def _spent_ms(work: Callable[[], object]) -> tuple[float, float]:
    """Return the wall-clock time and the CPU time of a call."""
    start, cpu = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - start) * 1000, (time.process_time() - cpu) * 1000


if __name__ == "__main__":
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    measure()
