"""Files of an SFTP server: a real one, and one that misbehaves."""

import asyncio
import base64
import os
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import asyncssh
import pytest

from feeds.sources.guard import Guard
from feeds.sources.protocol import AfterTaking, Finding, SourceError, source_of
from tests.feeds.sources.sftp_server import PASSWORD, USER, running_sftp

HOST_KEY = asyncssh.generate_private_key("ssh-ed25519")
OTHER_HOST_KEY = asyncssh.generate_private_key("ssh-ed25519")
FINGERPRINT = f"ssh-ed25519 {HOST_KEY.get_fingerprint()}"
MONDAY = datetime(2024, 5, 6, 6, 0, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "in").mkdir()
    return tmp_path / "in"


@pytest.fixture
def server(folder):
    with running_sftp(folder.parent, HOST_KEY) as running:
        yield running


@pytest.fixture
def connect(server, guard, limits):
    """Return a function that opens the source of a feed."""

    def connect(*, secret=None, pinned="", limits=limits, guard=guard, suffix="", **settings):
        chosen = {"host": "127.0.0.1", "port": server.port, "user": USER, "folder": "/in"}
        return source_of(
            "sftp",
            chosen | settings,
            {"password": PASSWORD} if secret is None else secret,
            guard=guard,
            limits=limits,
            pinned=pinned,
            ignored_suffix=suffix,
        )

    return connect


def write(folder: Path, name: str, content: bytes = b"a;b\n1;2\n") -> Path:
    file = folder / name
    file.write_bytes(content)
    os.utime(file, (MONDAY.timestamp(), MONDAY.timestamp()))
    return file


def exported(key: asyncssh.SSHKey, passphrase: str) -> str:
    """Return a key as a person pastes it; few rounds of encryption save time."""
    return key.export_private_key("openssh", passphrase=passphrase or None, rounds=50).decode()


def only(source):
    (entry,) = source.entries()
    return entry


def code_of(refusal) -> str:
    return refusal.value.code


def test_files_are_listed_with_size_and_time_and_read(connect, folder):
    content = os.urandom(700_000)  # more than one answer of the server
    write(folder, "orders.csv", content)

    with connect() as source:
        entry = only(source)
        with source.open(entry) as stream:
            read = stream.read()

    assert (entry.path, entry.size, entry.modified) == ("/in/orders.csv", 700_000, MONDAY)
    assert read == content


def test_only_ordinary_files_that_fit_the_pattern_are_listed(connect, folder):
    write(folder, "orders.CSV")
    write(folder, "readme.txt")
    write(folder, "old.csv.taken")
    (folder / "below.csv").mkdir()
    (folder / "link.csv").symlink_to("/etc/passwd")

    with connect(pattern="*.csv*", suffix=".taken") as source:
        assert [entry.name for entry in source.entries()] == ["orders.CSV"]


def test_names_that_leave_the_folder_or_cannot_be_read_are_left_out_and_counted(connect, server):
    server.further_names = [b"../../etc/passwd", b"..\\x", b"a\nb.csv", b"caf\xe9.csv", b"good.csv"]

    with connect() as source:
        assert [entry.path for entry in source.entries()] == ["/in/good.csv"]
        assert source.notes() == (Finding("source_name_unreadable", (("count", 4),)),)


def test_a_file_that_became_a_link_is_not_read(connect, folder):
    file = write(folder, "orders.csv")

    with connect() as source:
        entry = only(source)
        file.unlink()
        file.symlink_to("/etc/passwd")
        with pytest.raises(SourceError) as refusal:
            source.open(entry)

    assert code_of(refusal) == "source_file_changed"


def test_a_file_may_be_opened_while_the_listing_goes_on(connect, folder):
    for number in range(1_500):  # more than one batch
        write(folder, f"{number}.csv", str(number).encode())

    with connect() as source:
        for number, entry in enumerate(source.entries()):
            if number % 300 == 0:
                with source.open(entry) as stream:
                    assert stream.read().decode() == entry.name.removesuffix(".csv")

    assert number == 1_499


def test_the_fingerprint_of_the_first_contact_is_accepted_later(connect, folder):
    write(folder, "orders.csv")

    with connect() as source:
        assert source.fingerprint == ""
        only(source)
        assert source.fingerprint == FINGERPRINT

    with connect(pinned=FINGERPRINT) as source:
        assert source.test() == ()


@pytest.mark.parametrize("kind", ["ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa"])
def test_a_changed_host_key_is_refused_before_the_password_is_sent(connect, server, kind):
    server.stop()
    server.start(asyncssh.generate_private_key(kind))

    with connect(pinned=FINGERPRINT) as source, pytest.raises(SourceError) as refusal:
        only(source)

    assert code_of(refusal) == "source_host_key_changed"
    assert server.passwords == []


@pytest.mark.parametrize("kind", ["ecdsa-sha2-nistp256", "ssh-rsa"])
def test_host_keys_of_other_types_are_pinned_alike(connect, server, kind):
    server.stop()
    server.start(asyncssh.generate_private_key(kind))
    with connect() as source:
        assert source.test() == ()
        fingerprint = source.fingerprint

    with connect(pinned=fingerprint) as source:
        assert source.test() == ()


def test_a_wrong_password_is_said_to_be_refused(connect):
    with connect(secret={"password": "wrong"}) as source, pytest.raises(SourceError) as refusal:
        only(source)

    assert code_of(refusal) == "source_refused_credentials"
    assert "wrong" not in str(refusal.value)


@pytest.mark.parametrize("kind", ["ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa"])
@pytest.mark.parametrize("passphrase", ["", "long and secret"])
def test_a_private_key_signs_in(connect, server, folder, kind, passphrase):
    write(folder, "orders.csv")
    key = asyncssh.generate_private_key(kind)
    server.accepted_keys = [key.convert_to_public()]
    text = exported(key, passphrase)

    with connect(secret={"privateKey": text, "passphrase": passphrase}) as source:
        assert only(source).name == "orders.csv"


def test_a_key_that_the_server_does_not_have_is_refused(connect):
    text = asyncssh.generate_private_key("ssh-ed25519").export_private_key().decode()

    with connect(secret={"privateKey": text}) as source, pytest.raises(SourceError) as refusal:
        only(source)

    assert code_of(refusal) == "source_refused_credentials"


@pytest.mark.parametrize(
    ("passphrase", "is_encrypted", "setting"),
    [("", True, "passphrase"), ("wrong", True, "passphrase"), ("", False, "privateKey")],
)
def test_a_key_that_cannot_be_read_is_refused_before_any_call(
    connect, passphrase, is_encrypted, setting
):
    key = asyncssh.generate_private_key("ssh-ed25519")
    text = exported(key, "right") if is_encrypted else "no key"

    with pytest.raises(SourceError) as refusal:
        connect(secret={"privateKey": text, "passphrase": passphrase})

    assert (code_of(refusal), refusal.value.params["setting"]) == (
        "source_setting_invalid",
        setting,
    )


def test_a_key_that_takes_hours_to_open_is_refused(connect):
    key = asyncssh.generate_private_key("ssh-ed25519")
    text = exported(key, "right")
    blob = base64.b64decode("".join(text.splitlines()[1:-1]))
    slow = blob.replace((50).to_bytes(4, "big"), (2**31).to_bytes(4, "big"), 1)
    assert slow != blob
    lines = ["-----BEGIN OPENSSH PRIVATE KEY-----", base64.b64encode(slow).decode()]
    pem = key.export_private_key("pkcs8-pem", passphrase="right").decode()

    for secret in ("\n".join([*lines, "-----END OPENSSH PRIVATE KEY-----"]), pem):
        with pytest.raises(SourceError) as refusal:
            connect(secret={"privateKey": secret, "passphrase": "right"})
        assert refusal.value.params == {"setting": "privateKey"}


def test_a_file_that_changed_since_the_listing_is_not_opened(connect, folder):
    file = write(folder, "orders.csv")

    with connect() as source:
        entry = only(source)
        file.write_bytes(b"longer than it was before")
        with pytest.raises(SourceError) as refusal:
            source.open(entry)

    assert code_of(refusal) == "source_file_changed"


@pytest.mark.parametrize("more", [b"grown", b""])
def test_a_file_that_changes_while_it_is_read_is_refused(connect, server, folder, more):
    file = write(folder, "orders.csv", bytes(3_000_000))

    def grow(what: str, offset: int) -> None:
        if what == "read" and offset == 0:
            with file.open("ab") as still_written:
                still_written.write(more)
            os.utime(file)  # without more bytes, the time alone says it

    server.on = grow
    with connect() as source:
        stream = source.open(only(source))
        with closing(stream), pytest.raises(SourceError) as refusal:
            stream.read()

    assert code_of(refusal) == "source_file_changed"


def test_a_file_larger_than_allowed_is_refused_before_it_is_read(connect, folder, limits):
    write(folder, "orders.csv", bytes(1_001))

    with connect(limits=replace(limits, file_bytes=1_000)) as source:
        entry = only(source)
        with pytest.raises(SourceError) as refusal:
            source.open(entry)

    assert (code_of(refusal), refusal.value.params) == ("source_too_large", {"size": 1_000})


def test_more_files_than_allowed_end_the_listing(connect, folder, limits):
    for number in range(4):
        write(folder, f"{number}.csv")

    few = replace(limits, entries=3)
    with connect(limits=few) as source, pytest.raises(SourceError, match="too_many_files"):
        list(source.entries())


@pytest.mark.parametrize("what", ["read", "list"])
def test_a_server_that_stalls_is_left(connect, server, folder, limits, what):
    write(folder, "orders.csv")

    async def stall() -> None:
        await asyncio.sleep(3_600)

    server.on = lambda step, offset: stall() if step == what else None
    short = replace(limits, file_s=0.5, listing_s=0.5)
    with connect(limits=short) as source, pytest.raises(SourceError, match="source_timed_out"):
        source.open(only(source)).read()


def test_a_server_that_is_killed_breaks_the_file_off(connect, server, folder):
    write(folder, "orders.csv", bytes(5_000_000))

    def kill(what: str, offset: int) -> None:
        if what == "read" and offset > 1_000_000:
            for connection in server.connections:
                connection.abort()

    server.on = kill
    with connect() as source:
        entry = only(source)
        with source.open(entry) as stream, pytest.raises(SourceError) as refusal:
            stream.read()

    assert code_of(refusal) == "source_broken_off"


def test_a_server_that_is_killed_while_it_lists_is_not_an_empty_folder(connect, server, folder):
    write(folder, "orders.csv")
    server.on = lambda what, offset: [each.abort() for each in server.connections] and None

    with connect() as source, pytest.raises(SourceError) as refusal:
        list(source.entries())

    assert code_of(refusal) == "source_broken_off"


@pytest.mark.parametrize(
    ("how", "left"),
    [
        (AfterTaking("keep"), ["in/done", "in/orders.csv"]),
        (AfterTaking("delete"), ["in/done"]),
        (AfterTaking("rename", ".taken"), ["in/done", "in/orders.csv.taken"]),
        (AfterTaking("move", "done"), ["in/done", "in/done/orders.csv"]),
        (AfterTaking("move", "/in/done"), ["in/done", "in/done/orders.csv"]),
    ],
)
def test_a_taken_file_is_kept_deleted_renamed_or_moved(connect, folder, how, left):
    write(folder, "orders.csv")
    (folder / "done").mkdir()

    with connect() as source:
        entry = only(source)
        source.done(entry, how)
        if how.action != "keep":
            source.done(entry, how)  # again, as after a crash

    files = sorted(str(path.relative_to(folder.parent)) for path in folder.rglob("*"))
    assert files == left


def test_a_moved_file_never_replaces_an_earlier_one(connect, folder):
    (folder / "done").mkdir()
    write(folder / "done", "orders.csv", b"last week")
    write(folder, "orders.csv", b"this week")

    with connect() as source:
        source.done(only(source), AfterTaking("move", "done"))

    moved = {path.read_bytes() for path in (folder / "done").iterdir()}
    assert moved == {b"last week", b"this week"}


def test_a_folder_to_move_to_that_is_missing_is_said(connect, folder):
    write(folder, "orders.csv")
    how = AfterTaking("move", "done")

    with connect() as source:
        assert [finding.code for finding in source.test(how)] == ["source_folder_missing"]
        with pytest.raises(SourceError) as refusal:
            source.done(only(source), how)

    assert (code_of(refusal), refusal.value.params) == ("source_folder_missing", {"folder": "done"})


@pytest.mark.parametrize("action", ["delete", "move", "rename"])
def test_without_the_right_to_change_files_a_taken_one_stays(connect, server, folder, action):
    write(folder, "orders.csv")
    (folder / "done").mkdir()
    server.is_read_only = True

    with connect() as source, pytest.raises(SourceError) as refusal:
        source.done(only(source), AfterTaking(action, "done"))

    assert code_of(refusal) == "source_access_denied"
    assert (folder / "orders.csv").exists()


def test_a_server_without_space_is_said_and_the_file_stays(connect, server, folder):
    write(folder, "orders.csv")
    (folder / "done").mkdir()
    server.is_full = True

    with connect() as source, pytest.raises(SourceError) as refusal:
        source.done(only(source), AfterTaking("move", "done"))

    assert code_of(refusal) == "source_full"
    assert (folder / "orders.csv").exists()


def test_a_test_of_a_source_says_what_is_wrong(connect, server):
    with connect() as source:
        assert source.test() == ()
    with connect(folder="/missing") as source:
        assert source.test() == (Finding("source_folder_missing", (("folder", "/missing"),)),)
    with connect(secret={"password": "wrong"}) as source:
        assert source.test() == (Finding("source_refused_credentials"),)
    server.stop()
    server.kill()
    with connect(port=1) as source:
        assert source.test() == (Finding("source_unreachable"),)


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["10.0.0.1"], ["8.8.8.8", "127.0.0.1"]])
def test_an_address_that_is_not_allowed_is_never_called(connect, server, addresses):
    guard = Guard(resolve=lambda host, port: addresses)

    with connect(guard=guard, host="sftp.example") as source:
        assert source.test() == (Finding("source_address_refused"),)

    assert server.connections == []


@pytest.mark.parametrize(
    ("changes", "setting"),
    [
        ({"host": ""}, "host"),
        ({"port": 0}, "port"),
        ({"port": "22"}, "port"),
        ({"user": "a\nb"}, "user"),
        ({"pattern": 7}, "pattern"),
        ({"sudo": True}, "sudo"),
    ],
)
def test_a_setting_that_is_odd_or_unknown_is_refused(connect, changes, setting):
    with pytest.raises(SourceError) as refusal:
        connect(**changes)

    assert refusal.value.params == {"setting": setting}
