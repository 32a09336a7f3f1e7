import errno
import hashlib

import pytest

from common import storage
from common.errors import TooLarge


def test_a_stored_file_has_its_size_and_hash_and_reads_back():
    stored = storage.store("sources", [b"a;b\n", b"1;2\n"])

    assert (stored.size, stored.sha256) == (8, hashlib.sha256(b"a;b\n1;2\n").hexdigest())
    assert b"".join(storage.stream(stored.name)) == b"a;b\n1;2\n"


def test_the_same_bytes_stored_twice_are_two_files():
    names = {storage.store("sources", [b"same"]).name for _ in range(2)}

    assert len(names) == 2


def test_too_many_bytes_leave_nothing_behind():
    with pytest.raises(TooLarge):
        storage.store("sources", [b"12345", b"67890"], max_bytes=9)

    assert list((storage.root() / "sources").iterdir()) == []


def test_bytes_that_stop_arriving_leave_nothing_behind():
    def chunks():
        yield b"half"
        raise ConnectionError

    with pytest.raises(ConnectionError):
        storage.store("sources", chunks())
    assert list((storage.root() / "sources").iterdir()) == []


@pytest.mark.parametrize("name", ["../keys/secret", "/etc/passwd", "sources/../../x"])
def test_a_name_outside_the_storage_is_refused(name):
    with pytest.raises(ValueError, match="outside the storage"):
        storage.local_path(name)


def test_a_folder_is_adopted_whole_and_deleted_whole():
    with storage.working_folder("step") as folder:
        (folder / "out").mkdir()
        (folder / "out" / "a.arrow").write_bytes(b"x")
        name = storage.adopt("staged", folder / "out")

    assert (storage.local_path(name) / "a.arrow").read_bytes() == b"x"
    storage.delete(name)
    storage.delete(name)
    assert not storage.local_path(name).exists()


def test_a_disk_without_space_has_a_clear_error_and_leaves_nothing_behind(monkeypatch):
    def no_space(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", no_space)

    with pytest.raises(storage.StorageFull):
        storage.store("sources", [b"a"])
    assert list((storage.root() / "sources").iterdir()) == []
