"""Feeds of real servers, over the API: test, run, import, and applied by their rules."""

import os
from contextlib import ExitStack
from ipaddress import ip_network

import asyncssh
import obstore
import pytest

from changesets import services as changesets
from common import clock
from common.actors import Actor
from feeds import files, runs
from feeds.models import Feed, FeedRun
from imports import services as imports
from tests.buckets import KEY, SECRET, running_store
from tests.certificates import Authority
from tests.feeds.conftest import imports_of, work
from tests.feeds.sources.http_server import answers, running_http
from tests.feeds.sources.imap_server import PASSWORD as MAIL_PASSWORD
from tests.feeds.sources.imap_server import PROOF, mail, running_mail
from tests.feeds.sources.imap_server import USER as MAIL_USER
from tests.feeds.sources.sftp_server import PASSWORD, USER, running_sftp
from tests.feeds.sources.test_imap import count
from tests.feeds.test_six_weeks import rows
from tests.feeds.test_taking import Killed

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
FIRST, SECOND = rows(30), rows(31)
MAPPING = {"Number": "p.number", "Name": "p.name", "Joined": "p.joined"}
ADA = Actor("person", "user:1", "Ada")


@pytest.fixture
def stack():
    with ExitStack() as running:
        yield running


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path)


@pytest.fixture
def host(settings, authority, members, licensed, time, client_of, mint_key):
    """Return a client of an engine that may reach this machine and trusts the test's authority."""
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    settings.WEBHOOK_CA_FILE = str(authority.file)
    return client_of(mint_key(entitlements=("feeds",), expires_in_s=10**8))


def sftp(stack, tmp_path, authority):
    folder = tmp_path / "out"
    folder.mkdir()
    key = asyncssh.generate_private_key("ssh-ed25519")
    server = stack.enter_context(running_sftp(tmp_path, key))

    def put(name, text, moment):
        (folder / name).write_text(text)
        os.utime(folder / name, (moment.timestamp(), moment.timestamp()))

    place = {"host": "127.0.0.1", "port": server.port, "user": USER, "folder": "/out"}
    return put, {"settings": place, "secret": {"password": PASSWORD}}


def https(stack, tmp_path, authority):
    server = stack.enter_context(running_http(answers(404), authority.issue("127.0.0.1")))

    def put(name, text, moment):
        server.reply = answers(200, text.encode(), etag=f'"{name}"')

    url = f"{server.url}/out/members.csv"
    secret = {"token": "token-of-the-feed"}
    return put, {"settings": {"url": url, "auth": "bearer"}, "secret": secret}


def s3(stack, tmp_path, authority):
    store = stack.enter_context(running_store(tmp_path))

    def put(name, text, moment):
        obstore.put(store.bucket("files"), f"out/{name}", text.encode())

    place = {"endpoint": store.url, "bucket": "files", "prefix": "out/"}
    return put, {"settings": place, "secret": {"accessKey": KEY, "secretKey": SECRET}}


def imap(stack, tmp_path, authority):
    server = stack.enter_context(running_mail(authority.issue("127.0.0.1")))

    def put(name, text, moment, **about):
        server.deliver(mail((name, text.encode()), **about))

    place = {
        "host": "127.0.0.1",
        "port": server.tls_port,
        "user": MAIL_USER,
        "senders": ["@shop.example"],
        "authServer": PROOF.partition(";")[0],
    }
    return put, {"settings": place, "secret": {"password": MAIL_PASSWORD}}


def run_to_its_end(address, host, time):
    """Run a feed as a host starts it, and look again until its files are stable."""
    assert host.post(f"{address}/run").status_code == 202
    while runs.run_next():
        feed = Feed.objects.get()
        if feed.due_why == Feed.Why.LOOK:
            time.at = feed.due_at
    return host.get(f"{address}/runs").json()["items"][0]


def decide(feed):
    """Map and apply the first import as a person does; later files use what was learned."""
    (record,) = imports_of(feed)
    about = {"actor": ADA, "at": clock.now()}
    imports.confirm_mapping(record=record, mapping=MAPPING, recipe=None, **about)
    work(feed)
    record.refresh_from_db()
    changesets.apply(record=record, apply_mode="webhook", invalid_rows="block", **about)
    work(feed)


@pytest.mark.parametrize("start", [sftp, https, s3, imap], ids=lambda start: start.__name__)
def test_a_feed_of_a_real_server_is_tested_run_and_applied_by_its_rules(
    start, stack, tmp_path, authority, host, time
):
    put, about = start(stack, tmp_path, authority)
    put("one.csv", FIRST, time.at)
    wanted = about | {
        "name": "Members",
        "kind": start.__name__,
        "catalogKey": "members",
        "schedule": "0 6 * * 1",
        "rules": {"apply": True},
    }
    made = host.post(f"{V1}/feeds", wanted, format="json").json()
    address = f"{V1}/feeds/{made['id']}"

    tested = host.post(f"{address}/test").json()
    first = run_to_its_end(address, host, time)
    feed = Feed.objects.get()
    work(feed)
    decide(feed)
    put("two.csv", SECOND, time.at)
    second = run_to_its_end(address, host, time)
    work(feed)

    assert (tested["ok"], tested["problems"]) == (True, [])
    assert bool(tested["hostKey"]) == (start is sftp)
    assert (first["outcome"], first["counts"]["imported"]) == ("taken", 1), first
    assert (second["outcome"], second["counts"]["imported"]) == ("taken", 1), second
    shown = host.get(f"{V1}/imports/{second['files'][0]['recordId']}").json()
    assert (shown["waitsBecause"], shown["state"]) == ([], "applied")
    assert (shown["source"]["kind"], shown["source"]["feedId"]) == (start.__name__, made["id"])
    assert [record.state for record in imports_of(feed)] == ["applied", "applied"]
    for secret in about["secret"].values():
        assert secret not in str([made, tested, first, second, shown])
    assert FeedRun.objects.filter(outcome="failed").count() == 0


@pytest.fixture
def mailbox(stack, authority, host):
    """Return a server, and the address of a feed that moves its mails."""
    server = stack.enter_context(running_mail(authority.issue("127.0.0.1")))
    with server.client() as client:
        client.create_folder("Taken")
    place = {
        "host": "127.0.0.1",
        "port": server.tls_port,
        "user": MAIL_USER,
        "senders": ["@shop.example"],
        "authServer": PROOF.partition(";")[0],
    }
    wanted = {
        "name": "Members",
        "kind": "imap",
        "catalogKey": "members",
        "schedule": "0 6 * * 1",
        "settings": place,
        "secret": {"password": MAIL_PASSWORD},
        "afterTaking": {"action": "move", "to": "Taken"},
    }
    return server, f"{V1}/feeds/{host.post(f'{V1}/feeds', wanted, format='json').json()['id']}"


def attachments(number: int) -> list[tuple[str, bytes]]:
    return [(f"{n}.csv", f"{FIRST}{n},x,2026-01-01\n".encode()) for n in range(number)]


def test_a_mail_with_thirty_attachments_becomes_thirty_imports_and_is_moved_once(
    mailbox, host, time
):
    server, address = mailbox
    server.deliver(mail(*attachments(30)))

    first = run_to_its_end(address, host, time)
    again = run_to_its_end(address, host, time)

    assert (first["outcome"], first["counts"]["imported"]) == ("taken", 30), first
    assert again["outcome"] == "nothing"
    assert len(imports_of(Feed.objects.get())) == 30
    assert (count(server, "INBOX"), count(server, "Taken")) == (0, 1)


def test_a_mail_is_moved_also_if_the_worker_died_between_its_attachments(
    mailbox, host, time, monkeypatch
):
    server, address = mailbox
    server.deliver(mail(*attachments(2)))
    calls, keep = [], files._keep

    def dying(*arguments):
        calls.append(1)
        if len(calls) == 2:
            raise Killed
        return keep(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(files, "_keep", dying)
        with pytest.raises(Killed):
            run_to_its_end(address, host, time)
    time.pass_by(minutes=5)  # the lease of the dead worker is over
    run_to_its_end(address, host, time)

    assert len(imports_of(Feed.objects.get())) == 2
    assert (count(server, "INBOX"), count(server, "Taken")) == (0, 1)


def test_what_a_listing_left_out_is_counted_in_the_history(stack, tmp_path, authority, host, time):
    put, about = imap(stack, tmp_path, authority)
    stranger = about["settings"] | {"senders": ["@other.example"]}
    wanted = about | {
        "name": "Members",
        "kind": "imap",
        "catalogKey": "members",
        "schedule": "0 6 * * 1",
        "settings": stranger,
    }
    put("one.csv", FIRST, time.at)
    address = f"{V1}/feeds/{host.post(f'{V1}/feeds', wanted, format='json').json()['id']}"

    shown = run_to_its_end(address, host, time)
    again = run_to_its_end(address, host, time)
    wanted = {"settings": about["settings"], "secret": about["secret"]}
    assert host.patch(address, wanted, format="json").status_code == 200
    taken = run_to_its_end(address, host, time)

    assert (shown["outcome"], shown["counts"]) == ("nothing", {"source_sender_refused": 1})
    assert (again["outcome"], again["counts"]) == ("nothing", {})  # no mail is looked at twice
    assert (taken["outcome"], taken["counts"]) == ("taken", {"listed": 1, "imported": 1})
