"""Files of a bucket: a real store, and answers of stores that are not at hand."""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import obstore
import pytest

from feeds.sources.guard import Guard
from feeds.sources.protocol import AfterTaking, Finding, SourceError, source_of
from feeds.sources.s3 import read_page
from tests.buckets import KEY, SECRET, Store, running_store
from tests.feeds.sources.http_server import answers, running_http

ODD_NAMES = ["a b+c.csv", "größe & 100%.csv", "~(1)'!*,;=@.csv", "ten.tar.gz", "日本.csv"]


@pytest.fixture(scope="module")
def seaweed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Yield a running store."""
    with running_store(tmp_path_factory.mktemp("seaweed")) as store:
        yield store


@pytest.fixture
def prefix(seaweed) -> str:
    return f"in-{time.monotonic_ns()}/"


@pytest.fixture
def put(seaweed, prefix):
    """Return a function that writes a file below the prefix."""
    return lambda name, content=b"a;b\n": obstore.put(
        seaweed.bucket("files"), f"{prefix}{name}", content
    )


@pytest.fixture
def connect(seaweed, prefix, guard, limits):
    """Return a function that opens the source of a feed."""

    def connect(*, key=KEY, secret=SECRET, limits=limits, guard=guard, suffix="", **settings):
        chosen = {"endpoint": seaweed.url, "bucket": "files", "prefix": prefix}
        return source_of(
            "s3",
            chosen | settings,
            {"accessKey": key, "secretKey": secret},
            guard=guard,
            limits=limits,
            ignored_suffix=suffix,
        )

    return connect


@pytest.fixture
def names(seaweed, prefix):
    """Return a function that lists what the bucket has below the prefix."""

    def names() -> list[str]:
        pages = obstore.list(seaweed.bucket("files"), prefix)
        return sorted(item["path"].removeprefix(prefix) for page in pages for item in page)

    return names


def only(source):
    (entry,) = source.entries()
    return entry


def test_files_are_listed_with_size_time_and_version_and_read(connect, put, prefix):
    put("orders.csv", b"x" * 3_000_000)

    with connect() as source:
        entry = only(source)
        with source.open(entry) as stream:
            content = stream.read()

    assert (entry.path, entry.size) == (f"{prefix}orders.csv", 3_000_000)
    assert abs(entry.modified - datetime.now(UTC)) < timedelta(hours=1)
    assert entry.version
    assert content == b"x" * 3_000_000


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_name_with_odd_characters_is_listed_read_moved_and_deleted(connect, put, names, name):
    put(name, name.encode())

    with connect() as source:
        entry = only(source)
        with source.open(entry) as stream:
            assert stream.read() == name.encode()
        source.done(entry, AfterTaking("move", "done"))
        assert names() == [f"done/{name}"]
        source.done(replace(entry, path=f"{entry.path.rpartition('/')[0]}/done/{name}", version=""),
                    AfterTaking("delete"))  # fmt: skip

    assert names() == []


def test_only_files_that_fit_and_are_not_in_folders_below_are_listed(connect, put):
    for name in ("a.csv", "b.txt", "done/a.csv", "c.csv.taken"):
        put(name)

    with connect(pattern="*.csv*", suffix=".taken") as source:
        assert [entry.name for entry in source.entries()] == ["a.csv"]


def test_a_listing_of_several_pages_is_complete(connect, put, monkeypatch):
    monkeypatch.setattr("feeds.sources.s3.PAGE", 3)
    wanted = {f"{number}.csv" for number in range(8)}
    for name in wanted:
        put(name)

    with connect() as source:
        assert {entry.name for entry in source.entries()} == wanted


def test_more_files_than_allowed_end_the_listing(connect, put, limits):
    for number in range(4):
        put(f"{number}.csv")

    few = replace(limits, entries=3)
    with connect(limits=few) as source, pytest.raises(SourceError, match="too_many_files"):
        list(source.entries())


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"key": "nobody"}, "source_refused_credentials"),
        ({"secret": "wrong"}, "source_refused_credentials"),
        ({"bucket": "missing"}, "source_bucket_missing"),
    ],
)
def test_a_test_of_a_source_says_what_is_wrong(connect, changes, code):
    with connect(**changes) as source:
        assert [finding.code for finding in source.test()] == [code]


def test_a_test_of_a_source_that_works_has_no_finding(connect):
    with connect() as source:
        assert source.test() == ()


def test_a_file_that_was_replaced_since_the_listing_is_not_read(connect, put):
    put("orders.csv", b"first")

    with connect() as source:
        entry = only(source)
        put("orders.csv", b"other")
        with pytest.raises(SourceError, match="source_file_changed"):
            source.open(entry)


def test_a_file_that_is_gone_is_said_to_be_missing(connect, put):
    put("orders.csv")

    with connect() as source:
        entry = only(source)
        source.done(entry, AfterTaking("delete"))
        with pytest.raises(SourceError, match="source_file_missing"):
            source.open(entry)


@pytest.mark.parametrize(
    ("how", "left"),
    [
        (AfterTaking("keep"), ["orders.csv"]),
        (AfterTaking("delete"), []),
        (AfterTaking("rename", ".taken"), ["orders.csv.taken"]),
        (AfterTaking("move", "done"), ["done/orders.csv"]),
    ],
)
def test_a_taken_file_is_kept_deleted_renamed_or_moved(connect, put, names, how, left):
    put("orders.csv")

    with connect() as source:
        entry = only(source)
        source.done(entry, how)
        if how.action != "keep":
            source.done(entry, how)  # again, as after a crash

    assert names() == left


def test_a_moved_file_never_replaces_an_earlier_one(connect, put, names):
    put("done/orders.csv", b"last week")
    put("orders.csv", b"this week")

    with connect() as source:
        source.done(only(source), AfterTaking("move", "done"))

    assert len(names()) == 2


def test_a_file_whose_deletion_failed_after_its_copy_is_not_copied_again(connect, put, names):
    put("done/orders.csv", b"this week")
    put("orders.csv", b"this week")

    with connect() as source:
        source.done(only(source), AfterTaking("move", "done"))

    assert names() == ["done/orders.csv"]


@pytest.mark.parametrize("action", ["delete", "move", "rename"])
def test_without_the_right_to_change_files_a_taken_one_stays(connect, put, names, action):
    put("orders.csv")

    with connect(key="reader") as source, pytest.raises(SourceError, match="source_access_denied"):
        source.done(only(source), AfterTaking(action, "done"))

    assert names() == ["orders.csv"]


def test_a_file_larger_than_allowed_is_refused_before_it_is_read(connect, put, limits):
    put("orders.csv", bytes(1_001))

    with connect(limits=replace(limits, file_bytes=1_000)) as source:
        entry = only(source)
        with pytest.raises(SourceError, match="source_too_large"):
            source.open(entry)


def test_a_store_that_hangs_is_left(connect, seaweed, limits):
    seaweed.pause()
    try:
        with connect(limits=replace(limits, answer_s=0.3)) as source:
            assert source.test() == (Finding("source_timed_out"),)
    finally:
        seaweed.go_on()


def test_an_address_that_is_not_allowed_is_never_called(connect):
    with pytest.raises(SourceError, match="source_address_refused"):
        connect(guard=Guard())

    guard = Guard(resolve=lambda host, port: ["169.254.169.254"])
    with connect(guard=guard, endpoint="https://s3.example") as source:
        assert source.test() == (Finding("source_address_refused"),)


@pytest.mark.parametrize(
    ("status", "body", "finding"),
    [
        (
            301,  # of Amazon, for a bucket of another region
            b"<Error><Code>PermanentRedirect</Code><Endpoint>b.s3.eu-west-1.amazonaws.com"
            b"</Endpoint></Error>",
            Finding("source_region_wrong", (("region", "eu-west-1"),)),
        ),
        (
            400,
            b"<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region></Error>",
            Finding("source_region_wrong", (("region", "eu-west-1"),)),
        ),
        (
            403,
            b"<Error><Code>RequestTimeTooSkewed</Code></Error>",
            Finding("source_clock_differs"),
        ),
        (503, b"busy", Finding("source_answered", (("status", 503),))),
        (200, b"<html></html>", Finding("source_not_understood")),
        (200, b"", Finding("source_not_understood")),
        (200, b"<ListBucketResult><Contents>", Finding("source_not_understood")),
    ],
)
def test_other_answers_of_stores_are_said_plainly(connect, status, body, finding):
    reply = answers(status, body, **{"x-amz-bucket-region": "eu-west-1"})
    with running_http(reply) as server, connect(endpoint=server.url) as source:
        assert source.test() == (finding,)


def test_an_entity_in_a_listing_is_not_expanded():
    bomb = (
        b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
        b"<ListBucketResult><Contents><Key>&a;</Key><Size>1</Size>"
        b"<LastModified>2024-05-06T06:00:00Z</LastModified></Contents></ListBucketResult>"
    )

    assert read_page(bomb).entries[0].path == ""
