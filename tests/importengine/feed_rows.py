"""A feed with two runs, whose last file waits because it is not usual: for pictures and walks."""

from datetime import timedelta

from common import clock
from common.actors import Actor
from common.ids import new_id
from feeds.applying.asking import ask_about
from feeds.drift.finding import Finding
from feeds.drift.reasons import reason_of
from feeds.models import Feed, FeedRun, TakenFile
from imports.models import ImportRecord
from licensing.models import Tenant

ADA = Actor("person", "user:1", "Ada")
FINDINGS = (
    Finding("rows_fewer", before={"rows": 412}, after={"rows": 198}),
    Finding(
        "dates_behind",
        column="Order date",
        before={"first": "2026-11-16", "last": "2026-11-22"},
        after={"first": "2026-11-09", "last": "2026-11-12"},
    ),
)


def add_waiting(tenant: Tenant) -> ImportRecord:
    """Add the feed; return the import that waits."""
    at = clock.now()
    feed = Feed.objects.create(
        public_id=new_id("fed_"), state="active", tenant=tenant, name="Orders of Hamburg",
        kind="sftp", catalog_key="orders", schedule="0 6 * * 1", time_zone="Europe/Berlin",
        settings={"host": "files.example.com", "user": "engine", "pattern": "orders-*.csv"},
        rules={"apply": True, "max_invalid_percent": 1}, health="good", last_run_at=at,
        due_at=at + timedelta(days=6), created_at=at, created_by=ADA.as_dict(),
    )  # fmt: skip
    reasons = [reason_of(finding) for finding in FINDINGS]
    states = (("applied", 412, None), ("review", 198, reasons))
    for week, (state, rows, held) in enumerate(states, 47):
        record = ImportRecord.objects.create(
            public_id=new_id("rec_"), tenant=tenant, state=state, created_at=at, held=held,
            filename=f"orders-{week}.csv", counts={"rows": rows},
        )  # fmt: skip
        run = FeedRun.objects.create(
            public_id=new_id("run_"), feed=feed, why="schedule", due_at=at, started_at=at,
            ended_at=at, outcome="taken", counts={"listed": 1, "imported": 1},
        )  # fmt: skip
        TakenFile.objects.create(
            feed=feed, mark=new_id("m"), path=record.filename, size=rows * 80, modified=at,
            stage="done", outcome="imported", run=run, record=record, seen_at=at,
            settled_at=None if held else at,
        )  # fmt: skip
    ask_about(record, reasons, at=at)
    return record
