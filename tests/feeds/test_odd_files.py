"""What is wrong with one file of a feed, or with the engine's own store, loses no other file."""

import io
import os
import zipfile

import pytest

from common import storage
from common.storage import StorageFull, StorageUnreachable
from feeds.models import Feed, FeedRun, TakenFile
from feeds.sources.protocol import Entry, SourceError
from tests.feeds.conftest import imports_of, run, run_twice, work
from tests.feeds.folder_source import FolderSource
from tests.feeds.test_taking import OTHER, TEXT

pytestmark = pytest.mark.django_db


def packed(files: dict[str, str | bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as package:
        for name, content in files.items():
            package.writestr(name, content)
    return held.getvalue()


def last_run() -> FeedRun:
    return FeedRun.objects.latest("pk")


def names(feed) -> list[str]:
    return [record.filename for record in imports_of(feed)]


def test_a_zip_of_zips_fails_its_import_and_not_its_feed(feed, put, time, place):
    inner = packed({f"{number}.csv": TEXT for number in range(3)})
    zips = packed({f"{number}.zip": inner for number in range(3)})
    put("a.zip", "")
    (place / "a.zip").write_bytes(zips)
    run_twice(feed, time)
    work(feed)
    time.pass_by(days=7)
    put("b.csv", OTHER)
    run_twice(feed, time)

    first, second = imports_of(feed)
    assert (first.filename, first.state) == ("a.zip", "failed")
    assert first.problem["code"] == "no_table_found", first.problem
    assert second.filename == "b.csv"
    assert feed.health == "good"


@pytest.fixture
def spoil(monkeypatch):
    """Return a function that has the place fail with a code when it opens a file of this name."""
    plain = FolderSource.open

    def spoil(name: str, code: str) -> None:
        def open_or_fail(place, entry):
            if entry.name == name:
                raise SourceError(code)
            return plain(place, entry)

        monkeypatch.setattr(FolderSource, "open", open_or_fail)

    return spoil


@pytest.mark.parametrize("code", ["source_too_large", "source_mail_odd"])
def test_a_file_that_stays_unfit_is_refused_once_and_the_others_are_taken(
    feed, put, time, spoil, code
):
    spoil("a.csv", code)
    put("a.csv", TEXT)
    put("b.csv", OTHER)
    run_twice(feed, time)
    first = last_run()
    time.pass_by(days=7)
    run_twice(feed, time)

    assert (first.outcome, first.problem["code"]) == ("refused", code)
    assert names(feed) == ["b.csv"]
    assert last_run().outcome == "nothing"


@pytest.mark.parametrize(
    "code", ["source_access_denied", "source_file_missing", "source_file_changed"]
)
def test_a_file_that_cannot_be_read_now_holds_up_no_other_and_is_tried_again(
    feed, put, time, spoil, code
):
    spoil("a.csv", code)
    put("a.csv", TEXT)
    put("b.csv", OTHER)
    run_twice(feed, time)
    first = last_run()
    spoil("", "")
    time.at = feed.due_at
    run(feed)

    assert (first.outcome, first.problem["code"], first.counts["imported"]) == ("failed", code, 1)
    assert names(feed) == ["b.csv", "a.csv"]
    assert feed.health == "good"


@pytest.mark.parametrize("error", [StorageFull, StorageUnreachable])
@pytest.mark.parametrize("step", ["receive_file", "start_import"])
def test_a_file_that_the_engine_cannot_store_now_is_taken_later(
    feed, put, time, monkeypatch, error, step
):
    def fails(*_, **__):
        raise error

    put("a.csv", TEXT)
    with monkeypatch.context() as patched:
        patched.setattr(f"feeds.files.imports.{step}", fails)
        run_twice(feed, time)
    first, stored = last_run(), set(storage.names_before(-10))
    time.at = feed.due_at
    run_twice(feed, time)

    assert (first.outcome, first.problem["code"]) == ("failed", error.code)
    assert stored == set()
    assert names(feed) == ["a.csv"]


def test_new_files_are_taken_while_the_place_cannot_move_the_earlier_ones(
    feed, put, time, place, monkeypatch
):
    Feed.objects.update(after_taking={"action": "move", "to": "done"})
    feed.refresh_from_db()
    moved = []

    def full(_, entry, how):
        moved.append(entry.name)
        raise SourceError("source_full")

    with monkeypatch.context() as patched:
        patched.setattr(FolderSource, "done", full)
        for name in ("a.csv", "b.csv", "c.csv"):
            put(name, f"{TEXT}9,{name},2026-01-01\n")
            run_twice(feed, time)
    failed = last_run().problem
    time.at = feed.due_at
    run(feed)

    assert failed["code"] == "source_full"
    assert names(feed) == ["a.csv", "b.csv", "c.csv"]
    assert sorted(os.listdir(place / "done")) == names(feed)
    assert {row.stage for row in TakenFile.objects.all()} == {"done"}
    assert len(moved) == FeedRun.objects.filter(outcome="failed").count()  # once in a run


def test_an_undated_file_that_was_empty_is_taken_once_it_is_not(feed, put, time, monkeypatch):
    def undated(source):
        yield from (Entry(path.name, None, None) for path in source.folder.iterdir())

    monkeypatch.setattr(FolderSource, "entries", undated)
    put("a.csv", "")
    time.at = feed.due_at
    run(feed)
    first = last_run()
    put("a.csv", TEXT)
    time.at = feed.due_at
    run(feed)

    assert (first.outcome, first.problem["code"]) == ("refused", "empty_file")
    assert names(feed) == ["a.csv"]


@pytest.mark.parametrize(
    ("code", "position"),
    [("", "7"), ("source_too_large", "7"), ("source_access_denied", ""), ("source_broken_off", "")],
)
def test_a_later_listing_begins_after_files_that_are_all_settled(
    feed, put, time, spoil, monkeypatch, code, position
):
    monkeypatch.setattr(FolderSource, "position", "7")
    if code:
        spoil("a.csv", code)
    put("a.csv", TEXT)
    time.at = feed.due_at
    run(feed)
    while_it_may_grow = feed.position
    time.at = feed.due_at
    run(feed)

    assert (while_it_may_grow, feed.position) == ("", position)
