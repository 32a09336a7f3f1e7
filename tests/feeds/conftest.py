"""A feed of a folder, a clock that tests set, and workers that run in this process."""

import json
import os
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from catalogs import services as catalogs
from changesets.follow_up import follow_due
from common import clock
from common.actors import ENGINE, Actor
from common.work.claims import claim
from deliveries import services as deliveries
from deliveries.models import Delivery
from feeds import runs, services
from feeds.applying import judging
from feeds.models import Feed
from imports.models import ImportRecord
from licensing.caller import Caller
from licensing.models import License
from tests.feeds.folder_source import FolderSource
from tests.imports.conftest import owner, publish
from workflow.worker import advance

__all__ = ["owner", "publish"]  # fixtures
MONDAY = datetime(2026, 11, 30, 6, tzinfo=UTC)
LOOK = timedelta(seconds=30)


class Clock:
    """The time, which only a test moves."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at

    def pass_by(self, **time) -> None:
        self.at += timedelta(**time)


@pytest.fixture
def time(monkeypatch) -> Clock:
    watch = Clock(MONDAY - timedelta(hours=1))
    monkeypatch.setattr(clock, "now", watch.now)
    return watch


@pytest.fixture
def mint_key(mint_key):
    """Return a function that mints keys which are valid now, and on the clock of these tests."""
    before = int((MONDAY - timedelta(days=1)).timestamp())
    return partial(mint_key, issued_at=before, expires_in_s=10**9)


@pytest.fixture
def licensed(owner):
    """Give the owner a valid license key with feeds."""
    return License.objects.create(
        public_id="lic_feeds",
        tenant=owner,
        entitlements={"feeds": True},
        issued_at=datetime(2026, 1, 1, tzinfo=UTC),
        expires_at=datetime(2028, 1, 1, tzinfo=UTC),
    )


@pytest.fixture
def place(tmp_path):
    folder = tmp_path / "place"
    folder.mkdir()
    return folder


@pytest.fixture
def put(place, time):
    """Return a function that puts a file into the place, at the time of the clock."""

    def put_there(name: str, text: str, *, modified: datetime | None = None):
        path = place / name
        path.write_text(text)
        moment = (modified or time.at).timestamp()
        os.utime(path, (moment, moment))
        return path

    return put_there


@pytest.fixture
def members(owner):
    """Publish a catalog with a key, and register its receiver."""
    fields = [
        {"key": "number", "required": True, "validations": [{"validate": "unique"}]},
        "name",
        {"key": "joined", "columnType": "date"},
    ]
    document = {"id": "p", "fields": [f if isinstance(f, dict) else {"key": f} for f in fields]}
    version = publish_entries(owner, [{**document, "fullSync": {}}])
    deliveries.register(tenant=owner, url="https://h.example/x", at=clock.now(), actions=["submit"])
    return version


def publish_entries(tenant, entries):
    document = {"key": "members", "title": "Members", "entries": entries}
    return catalogs.publish_document(
        tenant=tenant,
        key="members",
        text=json.dumps(document).encode(),
        at=clock.now(),
        actor=ENGINE,
    )


@pytest.fixture
def feed(time, licensed, members, place, monkeypatch, owner):
    """Create a weekly feed of the folder that applies by itself."""
    monkeypatch.setattr("feeds.runs.connected", lambda feed, **_: FolderSource(place))
    monkeypatch.setattr("feeds.services.connected", lambda feed: FolderSource(place))
    return make_feed(owner, time)


def make_feed(owner, time, **wanted) -> Feed:
    about = {
        "name": "Weekly members",
        "kind": "sftp",
        "catalog_key": "members",
        "settings": {"host": "files.example", "user": "engine"},
        "secret": {"password": "secret-of-the-feed"},
        "schedule": "0 6 * * 1",
        "rules": {"apply": True, "max_invalid_rows": 1, "max_missing_percent": 10},
    } | wanted
    caller = Caller(owner, "lic_feeds", Actor("system", "lic_feeds"))
    return services.create_feed(caller=caller, wanted=services.NewFeed(**about), at=time.at)


def run(feed: Feed) -> Feed:
    """Run a feed as a worker does, if it is due."""
    for claimed in claim(Feed.objects.filter(pk=feed.pk), at=clock.now(), limit=1):
        runs.run_claimed(claimed)
    feed.refresh_from_db()
    return feed


def run_twice(feed: Feed, time: Clock) -> Feed:
    """Run a feed that is due now, and look again as long as it waits for its files."""
    time.at = max(time.at, feed.due_at)
    run(feed)
    for _ in range(5):
        if feed.due_why != Feed.Why.LOOK:
            break
        time.at = feed.due_at
        run(feed)
    return feed


def work(feed: Feed) -> None:
    """Run the jobs of the feed's imports, and judge them."""
    for record in ImportRecord.objects.filter(tenant=feed.tenant).order_by("pk"):
        advance(record.public_id)
    judging.judge_all(at=clock.now())
    for record in ImportRecord.objects.filter(tenant=feed.tenant, state="applying"):
        advance(record.public_id)
    waiting = Delivery.objects.filter(action="submit", state="pending")
    waiting.update(state="delivered", due_at=None, settled_at=clock.now())
    follow_due()
    judging.judge_all(at=clock.now())


def imports_of(feed: Feed) -> list[ImportRecord]:
    return list(ImportRecord.objects.filter(tenant=feed.tenant).order_by("pk"))
