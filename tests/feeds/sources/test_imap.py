"""Attachments in a mailbox: a real mail server, and mails that misbehave."""

import os
import signal
from collections.abc import Iterator
from dataclasses import replace

import pytest

from feeds.sources.guard import Guard
from feeds.sources.protocol import AfterTaking, Finding, SourceError, source_of
from tests.certificates import Authority
from tests.feeds.sources.conftest import LOOPBACK
from tests.feeds.sources.imap_server import (
    PASSWORD,
    READER,
    USER,
    MailServer,
    mail,
    running_mail,
)

ORDERS = b"a;b\n1;2\n"


@pytest.fixture(scope="module")
def authority(tmp_path_factory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def chain(authority):
    return authority.issue("mail.example")


@pytest.fixture(scope="module")
def running(chain) -> Iterator[MailServer]:
    with running_mail(chain) as server:
        yield server


@pytest.fixture
def server(running) -> MailServer:
    """Return the server with an empty mailbox, and a folder for taken mails."""
    with running.client() as client:
        client.select_folder("INBOX")
        if numbers := client.search():
            client.delete_messages(numbers)
            client.expunge()
        for folder in ("Taken", "Other"):
            if client.folder_exists(folder):
                client.delete_folder(folder)
        client.create_folder("Taken")
    return running


@pytest.fixture
def connect(server, authority, limits):
    """Return a function that opens the source of a feed."""

    def connect(*, password=PASSWORD, limits=limits, guard=None, position="", **settings):
        allowed = Guard(LOOPBACK, ca_file=str(authority.file), resolve=lambda *_: ["127.0.0.1"])
        chosen = {
            "host": "mail.example",
            "port": server.tls_port,
            "user": USER,
            "senders": ["@shop.example"],
            "authServer": "mx.host.example",
        }
        return source_of(
            "imap",
            chosen | settings,
            {"password": password},
            guard=guard or allowed,
            limits=limits,
            position=position,
        )

    return connect


def count(server: MailServer, folder: str) -> int:
    with server.client() as client:
        return int(client.folder_status(folder, ["MESSAGES"])[b"MESSAGES"])


def test_attachments_are_listed_and_read_and_the_mail_stays_unread(connect, server):
    large = os.urandom(1_000_000)  # several pieces
    server.deliver(mail(("größe.csv", ORDERS), ("large.bin", large)))

    with connect() as source:
        entries = list(source.entries())
        contents = [source.open(entry).read() for entry in entries]

    assert [entry.name for entry in entries] == ["größe.csv", "large.bin"]
    assert len({(entry.path, entry.version) for entry in entries}) == 2
    assert all(entry.modified.tzinfo for entry in entries)
    assert contents == [ORDERS, large]
    with server.client() as client:
        client.select_folder("INBOX", readonly=True)
        assert len(client.search("UNSEEN")) == 1


def names_after(connect, position: str) -> tuple[list[str], str]:
    with connect(position=position) as source:
        return [entry.name for entry in source.entries()], source.position


def test_a_listing_begins_after_the_mails_of_an_earlier_one(connect, server):
    server.deliver(mail(("a.csv", ORDERS)))
    server.deliver(mail(("b.csv", ORDERS)))
    first, position = names_after(connect, "")
    again, same = names_after(connect, position)
    server.deliver(mail(("c.csv", ORDERS)))
    later, _ = names_after(connect, position)
    renumbered, _ = names_after(connect, f"1{position}")

    assert (first, again, later) == (["a.csv", "b.csv"], [], ["c.csv"])
    assert position == same
    assert renumbered == ["a.csv", "b.csv", "c.csv"]


def test_a_mail_that_was_restored_after_it_was_marked_as_deleted_is_listed(connect, server):
    for name in ("a.csv", "b.csv", "c.csv"):
        server.deliver(mail((name, ORDERS)))
    with server.client() as client:
        client.select_folder("INBOX")
        second = client.search()[1]
        client.delete_messages([second])
        first, position = names_after(connect, "")
        client.remove_flags([second], [b"\\Deleted"])

    assert first == ["a.csv", "c.csv"]
    assert names_after(connect, position)[0] == ["b.csv", "c.csv"]


def test_an_attachment_is_read_by_a_later_connection(connect, server):
    server.deliver(mail(("orders.csv", ORDERS)))
    with connect() as source:
        (entry,) = source.entries()

    with connect() as source:
        assert source.open(entry).read() == ORDERS


@pytest.mark.parametrize("tls", ["starttls", "none"])
def test_other_ways_to_connect_work_where_they_are_allowed(connect, server, tls):
    server.deliver(mail(("orders.csv", ORDERS)))

    with connect(tls=tls, port=server.plain_port) as source:
        assert [entry.name for entry in source.entries()] == ["orders.csv"]


def test_an_unencrypted_connection_to_a_public_address_is_refused(connect):
    guard = Guard(resolve=lambda *_: ["8.8.8.8"])

    with connect(tls="none", port=143, guard=guard) as source:
        assert source.test() == (Finding("source_address_refused"),)


def test_a_forged_sender_is_refused_and_counted(connect, server):
    server.deliver(mail(("forged.csv", ORDERS), proof=""))
    server.deliver(mail(("forged.csv", ORDERS), proof="mx.evil.example; dmarc=pass header.from=shop.example"))  # fmt: skip  # noqa: E501 - a header has one line
    server.deliver(mail(("foreign.csv", ORDERS), sender="bob@other.example"))
    server.deliver(mail(("orders.csv", ORDERS)))

    with connect() as source:
        assert [entry.name for entry in source.entries()] == ["orders.csv"]
        assert source.notes() == (Finding("source_sender_refused", (("count", 3),)),)


def test_the_sender_of_a_mail_is_known_only_if_it_is_proven(connect, server):
    server.deliver(mail(("a.csv", ORDERS)))
    with connect() as source:
        assert [entry.sender for entry in source.entries()] == ["ann@shop.example"]
    with connect(authServer="", unprovenSenders=True) as source:
        assert [entry.sender for entry in source.entries()] == [""]


def test_a_sender_without_proof_is_taken_only_by_choice(connect, server):
    server.deliver(mail(("orders.csv", ORDERS), proof=""))

    with connect(authServer="", unprovenSenders=True) as source:
        assert [entry.name for entry in source.entries()] == ["orders.csv"]


@pytest.mark.parametrize(("number", "listed"), [(30, 30), (31, 0)])
def test_a_mail_may_have_thirty_attachments(connect, server, number, listed):
    server.deliver(mail(*((f"{n}.csv", ORDERS) for n in range(number))))

    with connect() as source:
        assert len(list(source.entries())) == listed
        notes = [finding.code for finding in source.notes()]

    assert notes == ([] if listed else ["source_mail_too_many_files"])


def test_a_mail_larger_than_allowed_is_left_out_and_counted(connect, server, limits):
    server.deliver(mail(("orders.csv", bytes(10_000))))

    with connect(limits=replace(limits, mail_bytes=5_000)) as source:
        assert list(source.entries()) == []
        assert source.notes() == (Finding("source_mail_too_large", (("count", 1),)),)


def test_an_attachment_of_a_forwarded_mail_is_a_file(connect, server):
    outer = mail()
    outer.add_attachment(mail(("inner.csv", ORDERS)))
    server.deliver(outer)

    with connect() as source:
        (entry,) = source.entries()
        assert (entry.name, source.open(entry).read()) == ("inner.csv", ORDERS)


@pytest.mark.parametrize("cte", ["base64", "quoted-printable", "8bit"])
def test_content_is_decoded_as_it_was_encoded(connect, server, cte):
    message = mail()
    text = "größe;b\n" * 50_000
    message.add_attachment(text, subtype="csv", filename="a.csv", cte=cte)
    server.deliver(message)

    with connect() as source:
        (entry,) = source.entries()
        content = source.open(entry).read()

    assert content.replace(b"\r\n", b"\n") == text.encode()


def test_only_names_that_fit_the_pattern_are_listed(connect, server):
    server.deliver(mail(("orders.CSV", ORDERS), ("terms.pdf", ORDERS)))

    with connect(pattern="*.csv") as source:
        assert [entry.name for entry in source.entries()] == ["orders.CSV"]


@pytest.mark.parametrize(
    ("how", "inbox", "taken"),
    [
        (AfterTaking("keep"), 1, 0),
        (AfterTaking("delete"), 0, 0),
        (AfterTaking("move", "Taken"), 0, 1),
    ],
)
def test_a_mail_is_kept_deleted_or_moved_after_its_last_attachment(
    connect, server, how, inbox, taken
):
    server.deliver(mail(("a.csv", ORDERS), ("b.csv", ORDERS)))

    with connect() as source:
        first, second = source.entries()
        source.done(first, how)
        assert (count(server, "INBOX"), count(server, "Taken")) == (1, 0)
        assert source.open(second).read() == ORDERS
        source.done(second, how)
        source.done(second, how)  # again, as after a crash

    assert (count(server, "INBOX"), count(server, "Taken")) == (inbox, taken)


def test_a_mail_cannot_be_renamed_and_a_missing_folder_is_said(connect, server):
    server.deliver(mail(("a.csv", ORDERS)))
    how = AfterTaking("move", "Missing")

    with connect() as source:
        (entry,) = source.entries()
        assert source.test(how) == (Finding("source_folder_missing", (("folder", "Missing"),)),)
        with pytest.raises(SourceError, match="source_folder_missing"):
            source.done(entry, how)
        with pytest.raises(SourceError, match="source_cannot_change"):
            source.done(entry, AfterTaking("rename", ".taken"))

    assert count(server, "INBOX") == 1


@pytest.mark.parametrize("how", [AfterTaking("delete"), AfterTaking("move", "Taken")])
def test_without_the_right_to_change_mails_a_taken_one_stays(connect, server, how):
    server.deliver(mail(("a.csv", ORDERS)))

    with connect(user=READER) as source:
        (entry,) = source.entries()
        assert source.open(entry).read() == ORDERS
        assert source.test(how) == (Finding("source_access_denied"),)
        with pytest.raises(SourceError, match="source_access_denied"):
            source.done(entry, how)

    assert count(server, "INBOX") == 1


def test_a_server_that_only_copies_needs_space_to_move_a_mail(chain, connect):
    with running_mail(chain, moves=False) as server:
        with server.client() as client:
            client.create_folder("Taken")
        server.deliver(mail(("a.csv", ORDERS)))
        server.fill()
        counts = []
        with connect(port=server.tls_port) as source:
            (entry,) = source.entries()
            with pytest.raises(SourceError, match="source_full"):
                source.done(entry, AfterTaking("move", "Taken"))
        counts.append((count(server, "INBOX"), count(server, "Taken")))
        server.make_space()
        with connect(port=server.tls_port) as source:
            (entry,) = source.entries()
            source.done(entry, AfterTaking("move", "Taken"))
        counts.append((count(server, "INBOX"), count(server, "Taken")))

    assert counts == [(1, 0), (0, 1)]


def test_renumbered_mails_are_not_mistaken_for_others(connect, server):
    server.deliver(mail(("a.csv", ORDERS)))

    with connect() as source:
        (entry,) = source.entries()
        other = replace(entry, version="1.1")
        for attempt in (source.open, lambda entry: source.done(entry, AfterTaking("delete"))):
            with pytest.raises(SourceError, match="source_file_changed"):
                attempt(other)

    assert count(server, "INBOX") == 1


@pytest.mark.parametrize(
    ("changes", "finding"),
    [
        ({}, None),
        ({"password": "wrong"}, Finding("source_refused_credentials")),
        ({"folder": "Missing"}, Finding("source_folder_missing", (("folder", "Missing"),))),
        ({"host": "other.example"}, Finding("source_certificate_refused")),
        ({"port": 1}, Finding("source_unreachable")),
    ],
)
def test_a_test_of_a_source_says_what_is_wrong(connect, changes, finding):
    with connect(**changes) as source:
        assert source.test() == ((finding,) if finding else ())


@pytest.mark.parametrize(
    ("changes", "setting"),
    [
        ({"senders": []}, "senders"),
        ({"senders": ["shop.example"]}, "senders"),
        ({"authServer": ""}, "authServer"),  # neither proof nor the choice to do without
        ({"unprovenSenders": True}, "authServer"),
        ({"tls": "maybe"}, "tls"),
    ],
)
def test_settings_that_do_not_fit_are_refused(connect, changes, setting):
    with pytest.raises(SourceError) as refusal:
        connect(**changes)

    assert refusal.value.params == {"setting": setting}


def test_a_server_that_hangs_is_left(connect, server, limits):
    server.deliver(mail(("a.csv", ORDERS)))
    with connect(limits=replace(limits, answer_s=0.5, file_s=0.5)) as source:
        (entry,) = source.entries()
        stream = source.open(entry)
        server.signal(signal.SIGSTOP)
        try:
            with pytest.raises(SourceError, match="source_timed_out"):
                stream.read()
        finally:
            server.signal(signal.SIGCONT)


def test_a_server_that_is_killed_breaks_the_file_off(chain, connect):
    with running_mail(chain) as server:
        server.deliver(mail(("a.csv", ORDERS)))
        with connect(port=server.tls_port) as source:
            (entry,) = source.entries()
            stream = source.open(entry)
            server.kill()
            with pytest.raises(SourceError, match="source_broken_off"):
                stream.read()
