"""One file behind an HTTPS address: a real server with a certificate, and one that misbehaves."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from feeds.sources.guard import Guard
from feeds.sources.protocol import AfterTaking, Entry, Finding, SourceError, source_of
from tests.certificates import Authority
from tests.feeds.sources.conftest import LOOPBACK
from tests.feeds.sources.http_server import Call, answers, running_http

MONDAY = datetime(2024, 5, 6, 6, 0, tzinfo=UTC)
HEADERS = {"etag": '"v1"', "last-modified": "Mon, 06 May 2024 06:00:00 GMT"}
ORDERS = answers(200, b"a;b\n1;2\n", **HEADERS)


@pytest.fixture
def authority(tmp_path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def serve(authority):
    """Return a function that starts a server with a certificate of the test's authority."""
    chain = authority.issue("files.example")
    return lambda reply: running_http(reply, chain)


@pytest.fixture
def connect(authority, limits):
    """Return a function that opens the source of a feed at a server."""

    def connect(server, *, path="/out/orders.csv", secret=None, limits=limits, seen=None, **more):
        guard = Guard(LOOPBACK, ca_file=str(authority.file), resolve=lambda *_: ["127.0.0.1"])
        chosen = {"url": f"https://files.example:{server.server_port}{path}"} | more
        return source_of("https", chosen, secret or {}, guard=guard, limits=limits, seen=seen)

    return connect


def read(source):
    """Return the entry of a source and its content."""
    (entry,) = source.entries()
    with source.open(entry) as stream:
        return entry, stream.read()


def test_a_file_is_listed_and_read_with_one_request(serve, connect):
    with serve(ORDERS) as server, connect(server) as source:
        entry, content = read(source)

    assert entry == Entry("orders.csv", 8, MONDAY, '"v1"')
    assert content == b"a;b\n1;2\n"
    assert [call[:2] for call in server.received] == [("GET", "/out/orders.csv")]


def test_a_file_that_did_not_change_is_not_listed(serve, connect):
    def unless_known(call: Call) -> None:
        is_known = call.headers["if-none-match"] == '"v1"'
        (answers(304) if is_known else ORDERS)(call)

    with serve(unless_known) as server:
        with connect(server) as source:
            entry, _ = read(source)
        with connect(server, seen=entry) as source:
            assert list(source.entries()) == []

    headers = server.received[-1][2]
    assert headers["if-modified-since"] == "Mon, 06 May 2024 06:00:00 GMT"


def test_a_server_without_versions_or_length_is_read_each_time(serve, connect):
    def chunked(call: Call) -> None:
        call.send_response(200)
        call.send_header("transfer-encoding", "chunked")
        call.end_headers()
        call.wfile.write(b"3\r\na;b\r\n0\r\n\r\n")

    with serve(chunked) as server, connect(server) as source:
        assert read(source) == (Entry("orders.csv", None, None), b"a;b")


def test_a_file_opened_later_is_the_one_that_was_listed(serve, connect):
    with serve(ORDERS) as server, connect(server) as source:
        entry, content = read(source)
        with source.open(entry) as again:
            assert again.read() == content
        server.reply = answers(200, b"other", etag='"v2"')
        with pytest.raises(SourceError, match="source_file_changed"):
            source.open(entry)


@pytest.mark.parametrize(
    ("path", "disposition", "name"),
    [
        ("/out/orders.csv?token=secret", "", "orders.csv"),
        ("/export", 'attachment; filename="May.csv"', "May.csv"),
        ("/export", "attachment; filename*=UTF-8''gr%C3%B6%C3%9Fe.csv", "größe.csv"),
        ("/export", 'attachment; filename="../../etc/passwd"', "export"),
        ("/a%2F..%2Fb", "", "file"),
        ("/", "", "file"),
    ],
)
def test_the_name_is_that_of_the_server_or_the_address(serve, connect, path, disposition, name):
    reply = answers(200, b"a", **({"content-disposition": disposition} if disposition else {}))

    with serve(reply) as server, connect(server, path=path) as source:
        assert read(source)[0].path == name


@pytest.mark.parametrize(
    ("chosen", "secret", "header", "value"),
    [
        ({"auth": "bearer"}, {"token": "t0p"}, "authorization", "Bearer t0p"),
        ({"auth": "basic", "user": "me"}, {"password": "pä"}, "authorization", "Basic bWU6cMOk"),
        ({"auth": "header", "header": "X-Api-Key"}, {"value": "k"}, "X-Api-Key", "k"),
    ],
)
def test_credentials_are_sent_as_chosen(serve, connect, chosen, secret, header, value):
    with serve(ORDERS) as server, connect(server, secret=secret, **chosen) as source:
        read(source)

    assert server.received[0][2][header] == value


@pytest.mark.parametrize(
    ("chosen", "secret", "setting"),
    [
        ({"auth": "bearer"}, {}, "token"),
        ({"auth": "bearer"}, {"token": "a\r\nx: y"}, "token"),
        ({"auth": "basic"}, {"password": "p"}, "user"),
        ({"auth": "header", "header": "Host"}, {"value": "evil"}, "header"),
        ({"auth": "header", "header": "x: y\r\nz"}, {"value": "v"}, "header"),
        ({"auth": "digest"}, {}, "auth"),
        ({}, {"token": "of no use"}, "token"),
    ],
)
def test_settings_that_do_not_fit_are_refused(serve, connect, chosen, secret, setting):
    with serve(ORDERS) as server, pytest.raises(SourceError) as refusal:
        connect(server, secret=secret, **chosen)

    assert refusal.value.params == {"setting": setting}


@pytest.mark.parametrize(
    ("status", "finding"),
    [
        (401, Finding("source_refused_credentials")),
        (403, Finding("source_access_denied")),
        (404, Finding("source_file_missing")),
        (500, Finding("source_answered", (("status", 500),))),
        (204, Finding("source_answered", (("status", 204),))),
        (304, Finding("source_answered", (("status", 304),))),  # nothing was said to be known
    ],
)
def test_an_answer_without_a_file_is_said_plainly(serve, connect, status, finding):
    with serve(answers(status)) as server, connect(server) as source:
        assert source.test() == (finding,)


@pytest.mark.parametrize(
    "location", ["https://169.254.169.254/", "http://127.0.0.1:1/", "https://files.example/other"]
)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_never_followed(serve, connect, status, location):
    with serve(answers(status, location=location)) as server, connect(server) as source:
        assert source.test() == (Finding("source_redirected"),)

    assert len(server.received) == 1


def test_a_compressed_answer_that_was_not_asked_for_is_refused(serve, connect):
    reply = answers(200, b"...", **{"content-encoding": "gzip"})

    with serve(reply) as server, connect(server) as source:
        assert source.test() == (Finding("source_answer_encoded"),)


@pytest.mark.parametrize("has_length", [True, False])
def test_a_file_larger_than_allowed_is_refused(serve, connect, limits, has_length):
    def long(call: Call) -> None:
        call.send_response(200)
        if has_length:
            call.send_header("content-length", "5000")
        call.send_header("connection", "close")
        call.end_headers()
        call.wfile.write(bytes(5_000))
        call.close_connection = True

    short = replace(limits, file_bytes=1_000)
    with (
        serve(long) as server,
        connect(server, limits=short) as source,
        pytest.raises(SourceError, match="source_too_large"),
    ):
        read(source)


@pytest.mark.parametrize("sent", [0, 500])
def test_a_server_that_stalls_is_left(serve, connect, limits, sent):
    def stall(call: Call) -> None:
        if sent:
            call.send_response(200)
            call.send_header("content-length", "5000")
            call.end_headers()
            call.wfile.write(bytes(sent))
        call.server.over.wait()

    short = replace(limits, file_s=0.3, answer_s=0.3 if not sent else 60)
    with (
        serve(stall) as server,
        connect(server, limits=short) as source,
        pytest.raises(SourceError, match="source_timed_out"),
    ):
        read(source)


def test_a_server_that_is_killed_breaks_the_file_off(serve, connect):
    def die(call: Call) -> None:
        call.send_response(200)
        call.send_header("content-length", "5000")
        call.end_headers()
        call.wfile.write(bytes(500))
        call.close_connection = True

    with (
        serve(die) as server,
        connect(server) as source,
        pytest.raises(SourceError, match="source_broken_off"),
    ):
        read(source)


def test_a_certificate_of_an_unknown_authority_is_refused(connect, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    chain = Authority(other).issue("files.example")

    with running_http(ORDERS, chain) as server, connect(server) as source:
        assert source.test() == (Finding("source_certificate_refused"),)
    assert server.received == []


def test_a_server_that_speaks_no_tls_is_refused(connect):
    with running_http(ORDERS) as server, connect(server) as source:
        assert source.test() == (Finding("source_not_encrypted"),)


@pytest.mark.parametrize(
    "url",
    [
        "http://files.example/a.csv",
        "https://127.0.0.1/a.csv",
        "https://2130706433/a.csv",
        "https://[::ffff:169.254.169.254]/",
        "https://user:password@files.example/",
        "https://files.example:6379/",
        "file:///etc/passwd",
    ],
)
def test_an_address_that_may_never_be_called_is_refused_at_once(url):
    with pytest.raises(SourceError, match="source_address_refused"):
        source_of("https", {"url": url}, {}, guard=Guard())


def test_a_name_that_leads_to_a_private_address_is_never_called(serve, authority):
    with serve(ORDERS) as server:
        guard = Guard(
            ports=(server.server_port,),
            ca_file=str(authority.file),
            resolve=lambda *_: ["127.0.0.1"],
        )
        url = f"https://files.example:{server.server_port}/a.csv"
        with source_of("https", {"url": url}, {}, guard=guard) as source:
            assert source.test() == (Finding("source_address_refused"),)

    assert server.received == []


def test_what_is_behind_an_address_is_only_ever_kept(serve, connect):
    with serve(ORDERS) as server, connect(server) as source:
        entry, _ = read(source)
        source.done(entry, AfterTaking("keep"))
        with pytest.raises(SourceError, match="source_cannot_change"):
            source.done(entry, AfterTaking("delete"))
        assert source.test(AfterTaking("delete")) == (Finding("source_cannot_change"),)
