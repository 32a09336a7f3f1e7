"""A file of a feed becomes one import, whatever happens meanwhile."""

import json
from importlib import import_module

import pytest

from common import storage
from common.work.claims import ClaimLost, claim
from deliveries import bodies
from deliveries import services as deliveries
from deliveries.models import Delivery
from feeds import files, runs
from feeds.connection import after_taking
from feeds.models import Feed, FeedRun, TakenFile
from feeds.sources.protocol import Finding, SourceError
from tests.feeds.conftest import imports_of, run, run_twice
from tests.feeds.folder_source import FolderSource

pytestmark = pytest.mark.django_db
TEXT = "Number,Name,Joined\n1,Ada,2026-01-02\n2,Bob,2026-02-03\n"
OTHER = TEXT + "3,Cy,2026-03-04\n"


def counts(feed) -> dict[str, int]:
    return FeedRun.objects.filter(feed=feed).latest("pk").counts


def test_a_new_file_becomes_an_import_that_names_its_source(feed, put, time):
    put("a.csv", TEXT)

    run_twice(feed, time)

    (record,) = imports_of(feed)
    assert (record.filename, record.scope, record.size) == ("a.csv", "", len(TEXT))
    assert record.origin["feedId"] == feed.public_id
    assert record.origin["path"] == "a.csv"
    assert feed.health == "good"
    assert counts(feed) == {"listed": 1, "imported": 1}


def test_a_run_counts_what_its_place_left_out(feed, put, time, monkeypatch):
    left_out = (Finding("source_sender_refused", (("count", 2),)),)
    monkeypatch.setattr(FolderSource, "notes", lambda place: left_out)
    put("a.csv", TEXT)

    run_twice(feed, time)

    assert counts(feed) == {"listed": 1, "imported": 1, "source_sender_refused": 2}


def test_a_file_is_left_alone_until_two_looks_are_equal(feed, put, time):
    time.at = feed.due_at
    put("a.csv", "Number")
    run(feed)
    time.at = feed.due_at
    put("a.csv", TEXT)  # it grew, and has another time
    run(feed)
    seen = imports_of(feed)
    time.at = feed.due_at
    run(feed)

    assert seen == []
    assert [record.size for record in imports_of(feed)] == [len(TEXT)]
    assert FeedRun.objects.filter(feed=feed).count() == 1


def test_a_second_look_that_comes_too_soon_is_not_enough(feed, put, time):
    time.at = feed.due_at
    put("a.csv", TEXT)
    run(feed)
    Feed.objects.update(due_at=time.at)
    run(feed)

    assert imports_of(feed) == []


def test_a_file_that_grows_while_it_is_read_is_read_again(feed, put, time, place, monkeypatch):
    put("a.csv", TEXT)
    plain = FolderSource.open

    def growing(source, entry):
        (place / "a.csv").write_text(OTHER)
        return plain(source, entry)

    time.at = feed.due_at
    run(feed)
    monkeypatch.setattr(FolderSource, "open", growing)
    time.at = feed.due_at
    run(feed)
    before = imports_of(feed)
    monkeypatch.setattr(FolderSource, "open", plain)
    run_twice(feed, time)

    assert before == []
    assert [record.size for record in imports_of(feed)] == [len(OTHER)]


def test_a_file_that_stays_is_taken_once(feed, put, time):
    put("a.csv", TEXT)
    run_twice(feed, time)
    time.pass_by(days=7)
    run_twice(feed, time)

    assert len(imports_of(feed)) == 1
    assert counts(feed) == {"listed": 1}


def test_the_same_bytes_at_another_time_are_named_and_not_imported(feed, put, time):
    put("a.csv", TEXT)
    run_twice(feed, time)
    time.pass_by(days=7)
    put("a.csv", TEXT)
    run_twice(feed, time)

    assert len(imports_of(feed)) == 1
    assert counts(feed) == {"listed": 1, "same": 1}


@pytest.mark.parametrize(
    ("after", "left"),
    [
        ({"action": "keep"}, ["a.csv"]),
        ({"action": "delete"}, []),
        ({"action": "rename", "to": ".done"}, ["a.csv.done"]),
        ({"action": "move", "to": "done"}, ["done", "done/a.csv"]),
    ],
)
def test_a_taken_file_is_kept_moved_renamed_or_deleted(feed, put, time, place, after, left):
    Feed.objects.update(after_taking=after)
    feed.refresh_from_db()
    put("a.csv", TEXT)
    run_twice(feed, time)
    time.pass_by(days=7)
    run_twice(feed, time)

    assert sorted(str(path.relative_to(place)) for path in place.rglob("*")) == left
    assert len(imports_of(feed)) == 1
    assert {row.stage for row in TakenFile.objects.all()} == {"done"}


STEPS = [
    "feeds.files.imports.receive_file",
    "feeds.files._keep",
    "feeds.files._require_claim",
    "feeds.files._save",
    "feeds.files.imports.start_import",
    "feeds.files._tell_place",
    "tests.feeds.folder_source.FolderSource.done",
    "feeds.runs._settle",
]


class Killed(BaseException):
    """The process ends here: nothing catches it."""


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("is_after", [False, True])
def test_a_crash_at_any_step_neither_loses_a_file_nor_takes_it_twice(
    feed, put, time, place, monkeypatch, step, is_after
):
    Feed.objects.update(after_taking={"action": "move", "to": "done"})
    put("a.csv", TEXT)
    time.at = feed.due_at
    run(feed)  # the first look
    time.at = feed.due_at
    real = _resolved(step)

    def dying(*args, **kwargs):
        if is_after:
            real(*args, **kwargs)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(step, dying)
        with pytest.raises(Killed):
            run(feed)
    time.pass_by(minutes=5)  # the lease of the dead worker is over
    run_twice(feed, time)
    time.pass_by(days=7)
    run_twice(feed, time)

    assert len(imports_of(feed)) == 1
    assert [path.name for path in place.rglob("*.csv")] == ["a.csv"]
    assert (place / "done" / "a.csv").exists()
    assert {row.stage for row in TakenFile.objects.all()} == {"done"}


def _resolved(dotted: str):
    parts = dotted.split(".")
    for split in range(len(parts) - 1, 0, -1):
        try:
            value = import_module(".".join(parts[:split]))
        except ModuleNotFoundError:
            continue
        for name in parts[split:]:
            value = getattr(value, name)
        return value
    raise LookupError(dotted)


def test_of_two_workers_on_one_feed_the_one_that_lost_it_imports_nothing(feed, put, time):
    put("a.csv", TEXT)
    time.at = feed.due_at
    run(feed)
    time.at = feed.due_at
    (late,) = claim(Feed.objects.all(), at=time.at, limit=1)
    time.pass_by(minutes=5)
    run_twice(feed, time)
    stored = set(storage.names_before(-10))
    taking = files.Taking()
    with pytest.raises(ClaimLost), FolderSource(files_of(feed)) as source:
        files._take(
            files.Look(
                late,
                FeedRun.objects.latest("pk"),
                source,
                imports_of(feed)[0].catalog_version,
                after_taking(late),
            ),
            next(iter(source.entries())),
            taking,
        )

    assert len(imports_of(feed)) == 1
    assert set(storage.names_before(-10)) == stored


def files_of(feed):
    return runs.connected(feed, seen=None).folder


def test_older_files_come_first_and_no_run_takes_more_than_its_share(feed, put, time, monkeypatch):
    monkeypatch.setattr(files, "MOST_A_RUN", 2)
    for number in range(5):
        put(f"{number}.csv", f"{TEXT}9{number},Z,2026-01-01\n", modified=time.at)
        time.pass_by(seconds=1)
    time.at = feed.due_at
    for _ in range(8):
        run(feed)
        time.at = feed.due_at

    names = [record.filename for record in imports_of(feed)]
    assert names == ["0.csv", "1.csv", "2.csv", "3.csv", "4.csv"]


def test_a_source_that_fails_says_why_and_is_tried_less_and_less(feed, time, place):
    place.rmdir()
    waits, began = [], []
    time.at = first = feed.due_at
    for _ in range(3):
        run(feed)
        waits.append((feed.due_at - time.at).total_seconds())
        began.append(feed.failing_since)
        time.at = feed.due_at
    place.mkdir()
    run(feed)

    assert waits == [60, 120, 240]
    assert (began, feed.failing_since) == ([first] * 3, None)
    problems = [row.problem for row in FeedRun.objects.order_by("pk")]
    assert problems == [{"code": "source_folder_missing", "params": {"folder": "out"}}] * 3 + [None]
    assert (feed.health, feed.failures, feed.due_why) == ("good", 0, "schedule")


def test_a_feed_that_begins_to_fail_is_announced_once(feed, time, place):
    from common.models import Event

    place.rmdir()
    time.at = feed.due_at
    for _ in range(3):
        run(feed)
        time.at = feed.due_at

    (event,) = Event.objects.filter(kind="feed.failed")
    assert event.subject == feed.public_id
    assert event.about["code"] == "source_folder_missing"


def test_a_host_that_asks_receives_feed_failed_each_time_its_health_turns(
    feed, time, place, owner, client_of, mint_key
):
    deliveries.register(
        tenant=owner,
        url="https://h.example/y",
        at=time.at,
        actions=[],
        events_wanted=["feed.failed"],
    )
    notices = Delivery.objects.filter(event="feed.failed")
    counts = []
    for is_there in (False, False, True, False):
        if is_there != place.exists():
            (place.mkdir if is_there else place.rmdir)()
        time.at = feed.due_at
        run(feed)
        counts.append(notices.count())

    assert counts == [1, 1, 1, 2]
    sent = json.loads(bodies.content(notices.first()))
    assert (sent["subject"], sent["code"]) == (feed.public_id, "source_folder_missing")
    host = client_of(mint_key(entitlements=("feeds",), expires_in_s=10**8))
    assert host.get(sent["url"]).json()["id"] == feed.public_id


def test_a_feed_without_its_catalog_takes_nothing(feed, put, time, owner):
    from catalogs.models import CatalogVersion

    put("a.csv", TEXT)
    CatalogVersion.objects.update(state="retired")
    time.at = feed.due_at
    run(feed)

    last = FeedRun.objects.latest("pk")
    assert (last.outcome, last.problem["code"]) == ("failed", "unknown_catalog")
    assert imports_of(feed) == []
    assert feed.health == "failing"


def test_a_feed_runs_only_while_a_license_allows_it(feed, put, time, licensed):
    put("a.csv", TEXT)
    licensed.revoked_at = time.at
    licensed.save()
    time.at = feed.due_at
    run(feed)

    assert FeedRun.objects.latest("pk").problem["code"] == "feed_not_licensed"


def test_an_empty_file_is_refused_once_and_the_others_are_taken(feed, put, time):
    put("a.csv", "")
    put("b.csv", TEXT)
    run_twice(feed, time)
    first = FeedRun.objects.latest("pk")
    time.pass_by(days=7)
    run_twice(feed, time)

    assert (first.outcome, first.problem["code"]) == ("refused", "empty_file")
    assert [record.filename for record in imports_of(feed)] == ["b.csv"]
    assert FeedRun.objects.latest("pk").outcome == "nothing"


def test_a_tenant_with_too_many_imports_gets_the_rest_later(feed, put, time, settings):
    settings.TENANT_IMPORTS_AT_WORK = 1
    put("a.csv", TEXT)
    put("b.csv", OTHER)
    time.at = feed.due_at
    run(feed)
    time.at = feed.due_at
    run(feed)
    first = [record.filename for record in imports_of(feed)]
    settings.TENANT_IMPORTS_AT_WORK = 5
    run_twice(feed, time)

    assert first == ["a.csv"]
    assert [record.filename for record in imports_of(feed)] == ["a.csv", "b.csv"]


def test_a_run_that_was_missed_takes_place_once(feed, put, time):
    time.pass_by(weeks=10)
    run(feed)
    run(feed)

    assert FeedRun.objects.filter(feed=feed).count() == 1
    assert feed.due_at > time.at


def test_a_feed_whose_place_cannot_be_told_tries_again(feed, put, time, monkeypatch):
    Feed.objects.update(after_taking={"action": "delete"})
    feed.refresh_from_db()

    def refuse(*_):
        raise SourceError("source_not_allowed")

    put("a.csv", TEXT)
    with monkeypatch.context() as patched:
        patched.setattr(FolderSource, "done", refuse)
        run_twice(feed, time)
    failed = FeedRun.objects.latest("pk").problem
    time.at = feed.due_at
    run(feed)

    assert failed["code"] == "source_not_allowed"
    assert len(imports_of(feed)) == 1
    assert TakenFile.objects.get().stage == "done"


def test_a_worker_runs_what_is_due_until_nothing_is(feed, put, time):
    put("a.csv", TEXT)
    time.at = feed.due_at
    first = [runs.run_next(), runs.run_next()]
    time.pass_by(minutes=1)
    second = [runs.run_next(), runs.run_next()]

    assert (first, second) == ([True, False], [True, False])
    assert len(imports_of(feed)) == 1
    assert not any(runs._running.values())


def test_what_breaks_in_a_worker_is_not_swallowed(feed, time, monkeypatch):
    def dying(_):
        raise Killed

    monkeypatch.setattr(runs, "run_claimed", dying)
    time.at = feed.due_at
    with pytest.raises(Killed):
        runs.run_next()
