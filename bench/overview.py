"""
Open pages of the admin with a million imports, a million counts of days and 10,000 receivers.

Goals: p95 of 100 ms for the overview, for an operator and for a member of the tenant that has half
of it, and for the analytics of a catalog with 320,000 corrected headers and as many remembered
answers; 50 ms for /metrics. On PostgreSQL if IMPORT_POSTGRES_URL names an empty
database. BENCH_OPENINGS sets how often, BENCH_DOUBLINGS how many imports: a thousand, doubled so
often (10: a million).
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path
from statistics import quantiles
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OPENINGS = int(os.environ.get("BENCH_OPENINGS", "100"))
GOALS_MS = {"overview": 100, "metrics": 50, "analytics": 100}
BASE = 1_000  # rows that are made, before they are doubled
DOUBLINGS = int(os.environ.get("BENCH_DOUBLINGS", "10"))
TENANTS, RECEIVERS = 34, 10_000
KEPT = {"PATH", "HOME", "LANG", "IMPORT_POSTGRES_URL", "BENCH_OPENINGS", "BENCH_DOUBLINGS"}
SCRAPER = "of a scraper"


def main() -> None:
    """Measure in a separate process, on a separate database."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **{name: value for name, value in os.environ.items() if name in KEPT},
            "DJANGO_SETTINGS_MODULE": "importengine.settings",
            "IMPORT_DATA_DIR": folder,
            "IMPORT_SECRET_KEY": "of this measurement alone, and of no engine",
            "IMPORT_ENCRYPTION_KEYS": "of this measurement alone",
            "IMPORT_METRICS_TOKEN": SCRAPER,
            "PYTHONPATH": str(ROOT),
        }
        command = [sys.executable, "-m", "bench.overview"]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)


def fill() -> None:
    """Add a history of thirty days, then double it until a million imports are there."""
    from common import clock
    from licensing.models import License, Tenant

    at = clock.now()
    tenants = [
        Tenant.objects.create(public_id=f"tnt_{n:02}", label=f"Tenant {n}", created_at=at)
        for n in range(TENANTS)
    ]
    for n, tenant in enumerate(tenants):
        License.objects.create(
            public_id=f"lic_{n}", tenant=tenant, issued_at=at, expires_at=at + timedelta(days=n + 1)
        )
    add_imports(tenants, at)
    add_receivers(tenants, at)
    add_days(["", *(tenant.public_id for tenant in tenants)], at)
    add_corrections(tenants[0], at)
    double("imports_importrecord", "public_id", DOUBLINGS)
    double("deliveries_delivery", "public_id", max(0, DOUBLINGS - 4))
    double("analytics_day", "tenant", DOUBLINGS)
    double("analytics_catalogday", "tenant", DOUBLINGS)
    double("analytics_correctedheader", "digest", max(0, DOUBLINGS - 5))
    double("ledger_answer", "public_id", max(0, DOUBLINGS - 5), also="scope")


def add_imports(tenants: list[Any], at: datetime) -> None:
    """Add a thousand imports, half of them to the first tenant; one in ten has not ended."""
    from imports.models import ImportRecord

    states = ["applied"] * 17 + ["cancelled", "review", "mapping"]
    ImportRecord.objects.bulk_create(
        ImportRecord(
            public_id=f"rec_{n:04}", state=states[n % len(states)], created_at=at,
            tenant=tenants[0 if n % 2 else n % TENANTS], counts={"imported": 1_000},
        )
        for n in range(BASE)
    )  # fmt: skip


def add_receivers(tenants: list[Any], at: datetime) -> None:
    """Add ten thousand receivers, a hundred of them failing, and a thousand deliveries."""
    from common.ids import new_id
    from deliveries.models import Delivery, Registration

    for n in range(RECEIVERS):
        is_failing = n % 100 == 0
        registration = Registration.objects.create(
            public_id=f"whk_{n}", tenant=tenants[n % TENANTS], url="https://h.example/",
            secret=new_id("s"), created_at=at, consecutive_failures=int(is_failing),
            failing_since=at if is_failing else None,
        )  # fmt: skip
    Delivery.objects.bulk_create(
        Delivery(
            public_id=f"dlv_{n:04}", state="delivered", tenant=tenants[0], body_size=1,
            registration=registration, record_id=f"rec_{n:04}", action="submit", created_at=at,
            body_sha256="s", row_count=1, settled_at=at,
        )
        for n in range(BASE)
    )  # fmt: skip


def add_days(owners: list[str], at: datetime) -> None:
    """Add the counts of thirty days of each owner."""
    from analytics.days import Counts, step
    from analytics.models import Day

    counts = Counts({
        "uploaded": 1_200, "applied": 1_100, "failed": 30, "cancelled": 40, "rows": 1_100_000,
        "without_question": 800, "delivered": 1_150, "not_delivered": 9, "attempt:2xx": 1_150,
        "attempt:5xx": 40, "problem:too_many_rows": 12, "problem:unreadable_file": 9,
    })  # fmt: skip
    for n in range(4, 16):
        counts.update({f"to_review:{step(2**n)}": 90, f"to_apply:{step(2**n)}": 90})
    Day.objects.bulk_create(
        Day(tenant=owner, day=(at - timedelta(days=n)).date(), counts=counts)
        for owner in owners
        for n in range(30)
    )


def add_corrections(tenant: Any, at: datetime) -> None:
    """Publish a catalog, and add counts of ninety days, headers and answers about its fields."""
    from analytics.models import CatalogDay, CorrectedHeader
    from catalogs.services import publish_document
    from common.actors import ENGINE
    from ledger.models import Answer
    from pipeline.kind import text_fingerprint

    whose = {"tenant": tenant, "key": "orders", "at": at, "actor": ENGINE}
    publish_document(text=(ROOT / "examples/catalogs/orders.json").read_bytes(), **whose)
    names = [f"asked:column:field_{n}" for n in range(300)]
    CatalogDay.objects.bulk_create(
        CatalogDay(
            tenant=tenant.public_id, catalog="orders", day=(at - timedelta(days=n)).date(),
            counts=dict.fromkeys([*names, "reached:uploaded", "reached:applied"], 90),
        )
        for n in range(90)
    )  # fmt: skip
    CorrectedHeader.objects.bulk_create(
        CorrectedHeader(
            digest=f"{n:04}", tenant=tenant.public_id, catalog="orders", header=f"Header {n}",
            field="orders.remark", imports=2, last_at=at - timedelta(minutes=n),
        )
        for n in range(BASE * 10)
    )  # fmt: skip
    Answer.objects.bulk_create(
        Answer(
            public_id=f"ans_{n:04}", tenant=tenant, kind="category_value", field="orders.status",
            fingerprint=text_fingerprint("orders.status", f"text {n}", catalog_key="orders"),
            evidence=[f"text {n}"], value="paid", answered_by={}, answered_at=at,
        )
        for n in range(BASE * 10)
    )  # fmt: skip


def double(table: str, key: str, times: int, *, also: str = "") -> None:
    """Copy all rows of a table ``times`` times, each time under longer keys. also: another key."""
    from django.db import connection

    with connection.cursor() as cursor:
        described = connection.introspection.get_table_description(cursor, table)
        names = [f'"{column.name}"' for column in described if column.name != "id"]
        for n in range(times):
            keys = {f'"{key}"', f'"{also}"'}
            copied = [f"{name} || '{n:x}'" if name in keys else name for name in names]
            copy = f'insert into "{table}" ({", ".join(names)}) select {", ".join(copied)}'
            cursor.execute(f'{copy} from "{table}"')


def measure() -> dict[str, Any]:
    """Return milliseconds until the whole page is there."""
    from django.contrib.auth import get_user_model
    from django.contrib.auth.models import Group
    from django.test import Client

    from analytics.models import Day
    from deliveries.models import Registration
    from importengine.web import metrics
    from imports.models import ImportRecord
    from licensing.models import Membership, Tenant

    users = get_user_model()._default_manager
    member = users.create_user("member", is_staff=True)
    member.groups.set(Group.objects.filter(name="viewer"))
    Membership.objects.create(user=member, tenant=Tenant.objects.get(public_id="tnt_00"))
    figures: dict[str, Any] = {
        "imports": ImportRecord.objects.count(),
        "days": Day.objects.count(),
        "receivers": Registration.objects.count(),
    }
    for name, user in (("operator", users.create_superuser("operator")), ("member", member)):
        browser = Client(headers={"host": "localhost"})
        browser.force_login(user)
        figures[name] = opened(browser, "/admin/", b'class="overview"')
    member_of = Client(headers={"host": "localhost"})
    member_of.force_login(member)
    page = "/admin/catalogs/orders/analytics?days=90"
    figures["analytics"] = opened(member_of, page, b"Header 0")
    scraper = Client(headers={"host": "localhost", "authorization": f"Bearer {SCRAPER}"})
    metrics.KEPT_S = 0.0  # as for a scraper that comes after the last answer is old
    figures["metrics"] = opened(scraper, "/metrics", b"receivers_failing")
    return figures


def opened(browser: Any, address: str, expected: bytes) -> dict[str, float]:
    """Return milliseconds until a page that has the expected text is there."""
    from importengine.processes.memory import end_start

    times, own = [], []
    for n in range(OPENINGS + 5):
        if n == 5:
            end_start()  # as a web process does: the collector looks at nothing that was imported
        began, used = time.perf_counter(), time.process_time()
        answer = browser.get(address)
        times.append((time.perf_counter() - began) * 1_000)
        own.append((time.process_time() - used) * 1_000)
        if answer.status_code != 200 or expected not in answer.content:
            raise SystemExit(f"{address} answers {answer.status_code}, or something else")
    ranks, cpu = quantiles(times[5:], n=20), quantiles(own[5:], n=20)
    return {
        "p50_ms": round(ranks[9], 1),
        "p95_ms": round(ranks[18], 1),
        "cpu_p50_ms": round(cpu[9], 1),  # of this process, also on a busy machine
        "cpu_p95_ms": round(cpu[18], 1),
    }


def run() -> None:
    """Fill the database, measure, and print the figures."""
    import django
    from django.core.management import call_command
    from django.db import connection

    django.setup()
    call_command("migrate", verbosity=0)
    began = time.perf_counter()
    fill()
    print(f"{connection.vendor}: filled in {time.perf_counter() - began:.0f} s", flush=True)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("vacuum analyze")
    print(json.dumps(measure() | {"goals_p95_ms": GOALS_MS}, indent=2))


if __name__ == "__main__":
    run()
