"""Files in a bucket: what holds in a folder holds here, and a store that fails loses nothing."""

import errno
import hashlib
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import obstore
import pytest

from common import storage
from common.models import Installation
from common.storage import homes
from common.storage.in_parts import LEAST_BYTES, PartsOf
from tests.buckets import KEY, SECRET, Store, in_bucket, running_store

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def seaweed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Yield a running store."""
    with running_store(tmp_path_factory.mktemp("seaweed")) as store:
        yield store


@pytest.fixture
def bucket(seaweed, settings, monkeypatch, tmp_path) -> str:
    """Store files below a new prefix; return it."""
    settings.DATA_DIR = tmp_path / "machine"
    return in_bucket(seaweed, settings, monkeypatch)


@pytest.fixture
def another_machine(settings, tmp_path):
    """Return a function that moves this test to a machine without copies of any file."""

    def move(name: str = "another") -> None:
        settings.DATA_DIR = tmp_path / name
        homes.bucket.cache_clear()

    return move


def made_folder(*, parts_of: PartsOf | None = None, **files: bytes) -> str:
    """Store a folder of files, as a job makes them."""
    with storage.working_folder("step") as folder:
        (folder / "out").mkdir()
        for name, content in files.items():
            (folder / "out" / f"{name}.arrow").write_bytes(content)
        return storage.adopt("staged", folder / "out", parts_of=parts_of)


def text_of(name: str) -> bytes:
    """Return the bytes of a stored file."""
    return b"".join(storage.stream(name))


def objects(seaweed: Store, bucket: str) -> list[str]:
    """Return the names of the files that the bucket has."""
    pages = obstore.list(seaweed.bucket("files"), bucket)
    names = [item["path"].removeprefix(f"{bucket}/") for page in pages for item in page]
    return sorted(name for name in names if name != ".engine")


def test_another_machine_reads_a_file_as_it_was_written(bucket, another_machine):
    content = os.urandom(11_000_000)  # more than one part
    stored = storage.store("sources", [content])

    another_machine()

    assert stored.sha256 == hashlib.sha256(content).hexdigest()
    assert text_of(stored.name) == content


def test_an_empty_file_is_a_file(bucket, another_machine):
    name = storage.store("sources", []).name
    another_machine()

    assert text_of(name) == b""


def test_another_machine_reads_a_folder_and_single_files_of_it(bucket, another_machine):
    name = made_folder(a=b"first", b=b"second")
    another_machine("for-one-file")

    assert storage.local_path(f"{name}/b.arrow").read_bytes() == b"second"
    assert not (storage.root() / name / "a.arrow").exists()
    assert (storage.local_path(name) / "a.arrow").read_bytes() == b"first"
    assert storage.size_of(name) == len(b"firstsecond")


def test_what_was_never_stored_is_absent_as_in_a_folder(bucket):
    assert not storage.local_path("staged/0123456789abcdef01234567").exists()
    with pytest.raises(FileNotFoundError):
        text_of("sources/0123456789abcdef-0123456789ab")


def test_a_second_name_keeps_the_bytes_when_the_first_is_deleted(bucket, another_machine):
    first = storage.store("sources", [b"a;b"]).name
    second = storage.again(first)
    storage.delete(first)
    another_machine()

    assert text_of(second) == b"a;b"


def test_deleted_files_leave_neither_objects_nor_copies(bucket, seaweed):
    name, folder = storage.store("sources", [b"a"]).name, made_folder(a=b"x")
    storage.delete(name)
    storage.delete(folder)
    storage.delete(folder)

    assert objects(seaweed, bucket) == []
    assert [path for path in storage.root().rglob("*") if path.is_file()] == []


def test_old_names_are_files_and_folders(bucket):
    names = {storage.store("sources", [b"a"]).name, made_folder(a=b"x", b=b"y")}

    assert set(storage.names_before(-60)) == names
    assert list(storage.names_before(60)) == []


def test_a_changed_object_is_never_read(bucket, seaweed, another_machine, caplog):
    name = storage.store("sources", [b"a;b\n1;2"]).name
    was = obstore.get(seaweed.bucket("files"), f"{bucket}/{name}").attributes
    obstore.put(seaweed.bucket("files"), f"{bucket}/{name}", b"a;b\n1;3", attributes=was)
    another_machine()

    with pytest.raises(storage.StorageDamaged):
        text_of(name)
    assert name in caplog.text


def test_a_store_that_is_down_keeps_nothing_half(bucket, seaweed, monkeypatch):
    monkeypatch.setattr("common.storage.bucket.RETRY", {"max_retries": 0})
    homes.bucket.cache_clear()
    storage.store("sources", [b"before"])
    seaweed.stop()
    try:
        with pytest.raises(storage.StorageUnreachable):
            storage.store("sources", [b"a;b"])
        with pytest.raises(storage.StorageUnreachable):
            made_folder(a=b"x")
    finally:
        seaweed.start()

    assert [path.parent.name for path in storage.root().glob("*/*")] == ["sources"]
    assert text_of(storage.store("sources", [b"after"]).name) == b"after"


def test_files_written_before_a_kill_are_there_after_it(bucket, seaweed, another_machine):
    names = [storage.store("sources", [b"row %d" % i]).name for i in range(20)]
    seaweed.stop()
    seaweed.start()
    another_machine()

    assert [text_of(name) for name in names] == [b"row %d" % i for i in range(20)]


def test_a_call_waits_for_a_store_that_restarts(bucket, seaweed):
    seaweed.pause()
    threading.Timer(2, seaweed.go_on).start()

    assert text_of(storage.store("sources", [b"late"]).name) == b"late"


@pytest.mark.parametrize(("key", "secret"), [("stranger", "hidden"), (KEY, "hidden")])
def test_wrong_credentials_are_named_in_the_log(bucket, monkeypatch, key, secret, caplog):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", key)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", secret)

    with pytest.raises(storage.StorageUnreachable):
        storage.store("sources", [b"a"])
    assert "denied" in caplog.text or "key" in caplog.text
    assert secret not in caplog.text


def test_no_right_to_delete_is_logged_and_tried_again_later(bucket, monkeypatch, caplog):
    name = storage.store("sources", [b"a"]).name
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "reader")
    homes.bucket.cache_clear()

    storage.delete(name)

    assert "not deleted yet" in caplog.text
    assert list(storage.names_before(-60)) == [name]


def test_a_shared_file_has_the_credentials(bucket, monkeypatch, tmp_path):
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    file = tmp_path / "credentials"
    file.write_text(f"[default]\naws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(file))

    assert text_of(storage.store("sources", [b"a"]).name) == b"a"


def test_credentials_may_end_a_line_as_in_the_file_that_they_come_from(bucket, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", f"{KEY}\n")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", f"{SECRET}\n")

    assert text_of(storage.store("sources", [b"a"]).name) == b"a"


def test_an_engine_with_another_database_is_refused(bucket, caplog):
    storage.store("sources", [b"a"])
    Installation.objects.update(identifier="another")
    homes.bucket.cache_clear()

    with pytest.raises(storage.StorageUnreachable):
        storage.store("sources", [b"b"])
    assert "another database" in caplog.text


def test_a_file_that_was_not_moved_yet_is_read_from_the_folder(bucket):
    path = homes.folder().root / "sources" / "0123456789abcdef-0123456789ab"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"old")

    assert text_of("sources/0123456789abcdef-0123456789ab") == b"old"


def test_a_folder_that_was_moved_in_part_is_read_whole(bucket, another_machine):
    name = made_folder(a=b"x")
    another_machine()
    path = homes.folder().root / name / "b.arrow"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"y")

    folder = storage.local_path(name)

    assert [(folder / f"{file}.arrow").read_bytes() for file in "ab"] == [b"x", b"y"]


def used_long_ago(path: Path) -> None:
    """Let a copy look as if it was used two hours ago."""
    os.utime(path, (time.time() - 7200,) * 2)


def test_the_cache_keeps_its_bound_and_what_is_in_use(bucket, settings):
    settings.CACHE_BYTES = 250_000
    names = [storage.store("sources", [os.urandom(100_000)]).name for _ in range(4)]
    for name in names[:3]:
        used_long_ago(storage.root() / name)

    newest = storage.store("sources", [os.urandom(100_000)]).name

    copies = {str(path.relative_to(storage.root())) for path in storage.root().glob("*/*")}
    assert copies == {names[3], newest}
    assert all(len(text_of(name)) == 100_000 for name in names)


def test_a_folder_leaves_the_cache_whole(bucket, settings):
    settings.CACHE_BYTES = 1000
    name = made_folder(a=b"x" * 900, b=b"y" * 900)
    used_long_ago(storage.root() / name)
    storage.store("sources", [b"z" * 900])

    assert not (storage.root() / name).exists()
    assert (storage.local_path(name) / "b.arrow").read_bytes() == b"y" * 900


def put_in_folder(name: str, content: bytes) -> None:
    """Store a file as an engine without a bucket does."""
    path = homes.folder().root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def test_a_copy_to_the_bucket_is_continued_and_read_elsewhere(bucket, another_machine):
    put_in_folder("sources/0123456789abcdef-0123456789ab", b"a;b")
    put_in_folder("staged/0123456789abcdef01234567/a.arrow", b"x")
    first = dict(storage.to_bucket())
    put_in_folder("staged/0123456789abcdef01234567/b.arrow", b"y")

    assert set(first.values()) == {True}
    assert [name for name, is_sent in storage.to_bucket() if is_sent] == [
        "staged/0123456789abcdef01234567/b.arrow"
    ]
    another_machine()
    assert text_of("sources/0123456789abcdef-0123456789ab") == b"a;b"
    folder = storage.local_path("staged/0123456789abcdef01234567")
    assert [(folder / f"{name}.arrow").read_bytes() for name in "ab"] == [b"x", b"y"]


def test_a_copy_back_to_the_folder_has_every_file(bucket, settings, another_machine):
    file, folder = storage.store("sources", [b"a;b"]).name, made_folder(a=b"x")
    another_machine()

    assert set(dict(storage.to_folder()).values()) == {True}
    assert set(dict(storage.to_folder()).values()) == {False}
    settings.S3_URL = ""
    assert text_of(file) == b"a;b"
    assert (storage.local_path(folder) / "a.arrow").read_bytes() == b"x"


def test_a_check_names_damaged_files_alone(bucket, seaweed):
    good, bad = (storage.store("sources", [content]).name for content in (b"good", b"bad"))
    was = obstore.get(seaweed.bucket("files"), f"{bucket}/{bad}").attributes
    obstore.put(seaweed.bucket("files"), f"{bucket}/{bad}", b"BAD", attributes=was)

    assert list(storage.damaged()) == [bad]
    assert set(storage.stored_names()) == {good, bad}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({}, ""),
        ({"AWS_SECRET_ACCESS_KEY": "hidden"}, "key"),
        ({"AWS_ACCESS_KEY_ID": "reader"}, "denied"),
    ],
)
def test_a_probe_names_what_is_wrong(bucket, monkeypatch, change, named):
    for name, value in change.items():
        monkeypatch.setenv(name, value)

    answer = storage.what_is_wrong_with_bucket()

    assert (named in answer) if named else (answer == "")


PART = LEAST_BYTES // 2


def in_halves(path: Path) -> tuple[dict[str, str], list[tuple[int, int]]]:
    """Return two parts of a file."""
    half = path.stat().st_size // 2
    return {"name": path.name}, [(0, half), (half, half)]


@pytest.fixture
def halves(bucket, another_machine) -> tuple[str, bytes]:
    """Store a folder with a file of two parts and go to another machine; return the file."""
    content = os.urandom(2 * PART)
    folder = made_folder(a=content, small=b"x", parts_of=in_halves)
    another_machine()
    return f"{folder}/a.arrow", content


def test_a_part_is_read_without_the_rest(halves, seaweed, bucket):
    name, content = halves
    parts = storage.parts(name)
    second = bytes(parts.read(1))
    obstore.delete(seaweed.bucket("files"), f"{bucket}/{name}")

    assert (len(parts), parts.about, second) == (2, {"name": "a.arrow"}, content[PART:])
    assert not (storage.root() / name).exists()
    assert bytes(storage.parts(name).read(1)) == content[PART:]  # a copy of this machine
    with pytest.raises(FileNotFoundError):
        storage.parts(name).read(0)


def test_a_file_that_is_whole_here_or_small_is_not_read_in_parts(halves):
    name, content = halves

    assert storage.parts(f"{name.rpartition('/')[0]}/small.arrow") is None
    assert storage.local_path(name).read_bytes() == content
    assert storage.parts(name) is None


def test_a_folder_without_parts_is_asked_for_them_once(bucket, another_machine, seaweed):
    name = made_folder(a=b"x")
    another_machine()

    assert storage.parts(f"{name}/a.arrow") is None
    seaweed.pause()
    try:
        assert storage.parts(f"{name}/a.arrow") is None
    finally:
        seaweed.go_on()


def test_a_changed_part_is_never_read(halves, seaweed, bucket, caplog):
    name, content = halves
    obstore.put(seaweed.bucket("files"), f"{bucket}/{name}", content[:-1] + b"!")

    assert bytes(storage.parts(name).read(0)) == content[:PART]
    with pytest.raises(storage.StorageDamaged):
        storage.parts(name).read(1)
    assert name in caplog.text


def test_a_damaged_copy_of_a_part_is_fetched_again(halves):
    name, content = halves
    storage.parts(name).read(0)
    (copy,) = storage.root().glob("*/*/.a.arrow@0")
    copy.write_bytes(content[1 : PART + 1])

    assert bytes(storage.parts(name).read(0)) == content[:PART]


def test_a_part_is_read_although_the_cache_is_full(halves, monkeypatch):
    name, content = halves
    parts = storage.parts(name)
    monkeypatch.setattr("pathlib.Path.write_bytes", disk_full)

    assert bytes(parts.read(1)) == content[PART:]


def disk_full(*_: object) -> None:
    """Fail as a full disk does."""
    raise OSError(errno.ENOSPC, "no space")


def test_parts_leave_with_their_folder(halves):
    name, _ = halves
    storage.parts(name).read(0)
    storage.delete(name.rpartition("/")[0])

    assert [path for path in storage.root().rglob("*") if path.is_file()] == []
