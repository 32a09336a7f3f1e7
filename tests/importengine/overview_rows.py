"""A month of a tenant, for pictures of the overview: what was counted, waits, fails and expires."""

import random
from datetime import date, timedelta

from analytics import days
from analytics.days import Counts
from common import clock
from common.ids import new_id
from deliveries.models import Registration
from imports.models import ImportRecord
from imports.parts import Failure
from licensing.models import License, Tenant

STATES = ["mapping"] * 4 + ["review"] * 9 + ["failed"] * 2 + ["staged"]


def add_month(tenant: Tenant) -> None:
    """Add the counts of thirty days, the same each time, and some rows of each kind."""
    at, chance = clock.now(), random.Random(4)
    for n in range(30):
        day = (at - timedelta(days=n)).date()
        counts = _counts(day, chance)
        days.add({(tenant.public_id, day): counts, (days.ALL_TENANTS, day): counts})
    for state in STATES:
        failure = Failure({"code": "too_many_rows"}, "reading") if state == "failed" else None
        ImportRecord.objects.create(
            public_id=new_id("rec_"), tenant=tenant, state=state, created_at=at, failure=failure
        )
    Registration.objects.create(
        public_id=new_id("whk_"), tenant=tenant, url="https://erp.example/", secret=new_id("s"),
        label="ERP Hamburg", consecutive_failures=4, failing_since=at - timedelta(hours=3),
        created_at=at,
    )  # fmt: skip
    for label, left in (("ERP nightly", 5), ("Shop", 19)):
        License.objects.create(
            public_id=new_id("lic_"), tenant=tenant, label=label, issued_at=at,
            expires_at=at + timedelta(days=left, hours=2),
        )  # fmt: skip


def _counts(day: date, chance: random.Random) -> Counts:
    busy = 0.3 if day.weekday() > 4 else 1
    applied = int(busy * chance.randint(140, 260))
    failed, canceled = chance.randint(0, 9), chance.randint(0, 12)
    counts = Counts({
        days.UPLOADED: applied + failed + canceled, days.APPLIED: applied, days.FAILED: failed,
        days.CANCELLED: canceled, days.ROWS: applied * chance.randint(300, 900),
        days.WITHOUT_QUESTION: int(applied * 0.81), days.DELIVERED: applied,
        days.NOT_DELIVERED: chance.randint(0, 3), f"{days.ATTEMPT}2xx": applied,
        f"{days.ATTEMPT}5xx": chance.randint(0, 9), f"{days.PROBLEM}too_many_rows": failed // 2,
        f"{days.PROBLEM}unreadable_file": failed - failed // 2,
        f"{days.STORED}": 48_000_000_000,
    })  # fmt: skip
    for kind, spans in ((days.TO_REVIEW, (20, 60, 95, 240)), (days.TO_APPLY, (90, 200, 400, 1800))):
        for seconds in spans:
            counts[f"{kind}{days.step(seconds)}"] += applied // 4
    return counts
