"""The one outbound POST, against real hosts. Spec: Events > Delivery and retry."""

import socket
import threading
import time
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path

import pytest

from deliveries.http import connections
from deliveries.http.client import Client, deadline_s
from deliveries.http.connections import Exchange, GuardedConnection, TlsSettings
from deliveries.http.request import Request
from deliveries.http.targets import read_target
from tests.deliveries.conftest import answers, drops
from tests.receiving import assert_request

LOOPBACK = (ip_network("127.0.0.0/8"),)


@pytest.fixture
def body(tmp_path):
    path = tmp_path / "body.json"
    path.write_bytes(b'{"rows":[]}')
    return path


@dataclass(frozen=True)
class File:
    """A stored body."""

    path: Path

    def opened(self):
        return self.path.open("rb")


@pytest.fixture
def post(body, make_host):
    """Yield a function that sends a file; checks that hosts received exactly what was sent."""
    client = Client(networks=LOOPBACK, tls=TlsSettings())
    sent = []

    def post(url, *, exchange=None, file=body, **headers):
        exchange = exchange or client.exchange(file.stat().st_size)
        headers = {"content-length": str(file.stat().st_size), **headers}
        sent.append({"url": url, "headers": headers, "body": file.read_bytes()})
        return client.send(Request(url, headers, File(file)), exchange=exchange)

    yield post
    taken = [received for host in make_host.hosts for received in host.received]
    for received in taken:
        meant = next(item for item in sent if item["url"].endswith(received.path))
        assert_request(received, **meant)


def short_exchange(seconds: float, **how) -> Exchange:
    return Exchange(networks=LOOPBACK, timeout_s=seconds, **how)


class Pieces:
    """A socket that keeps each piece that it is given."""

    def __init__(self):
        self.sent = []

    def sendall(self, piece):
        self.sent.append(bytes(piece))


def test_bytes_go_out_in_one_piece_with_their_head():
    origin = read_target("http://127.0.0.1/").origin
    connection = GuardedConnection(origin, TlsSettings().context())
    connection.sock = pieces = Pieces()

    connection.post("/rows", b'{"rows":[]}', {"content-length": "11"})

    (piece,) = pieces.sent
    assert piece.startswith(b"POST /rows HTTP/1.1\r\n")
    assert piece.endswith(b'\r\n\r\n{"rows":[]}')


def test_the_body_arrives_byte_for_byte(make_host, post, tmp_path):
    host, large = make_host(), tmp_path / "large"
    large.write_bytes(bytes(range(256)) * 10_000)

    answer = post(host.url, file=large)

    assert (answer.http_status, answer.error_class, answer.head) == (200, "", "ok")
    assert host.received[0].body == large.read_bytes()
    assert "transfer-encoding" not in host.received[0].headers


@pytest.mark.parametrize("status", [204, 301, 302, 307, 308, 400, 410, 413, 429, 500, 503])
def test_any_status_is_an_answer_and_nothing_is_followed(make_host, post, status):
    target = make_host()
    host = make_host(answers(status, location=target.url, retry_after="7"))

    answer = post(host.url)

    assert answer.http_status == status
    assert answer.retry_after == "7"
    assert len(host.received) == 1
    assert target.received == []


def test_connections_are_reused(make_host, post):
    host = make_host()
    ports = set()
    host.plan = [lambda call: (ports.add(call.client_address), answers(200)(call))]

    for _ in range(3):
        post(host.url)

    assert len(ports) == 1


def test_a_connection_that_the_host_closed_meanwhile_is_replaced(make_host, post):
    host = make_host(answers(200, connection="close"), answers(200))

    statuses = [post(host.url).http_status for _ in range(2)]

    assert statuses == [200, 200]


def test_an_answer_that_follows_an_interim_one_is_not_taken_for_the_next_exchanges(make_host, post):
    asked_again = threading.Event()

    def hints(call):
        call.wfile.write(b"HTTP/1.1 103 Early Hints\r\n\r\n")
        asked_again.wait(20)
        answers(200, b"late")(call)

    host = make_host(hints, lambda call: (asked_again.set(), answers(200, b"own")(call)))

    heads = [post(host.url).head for _ in range(2)]

    assert heads == ["", "own"]


def test_a_dropped_call_is_an_answer_without_status(make_host, post):
    answer = post(make_host(drops).url)

    assert (answer.http_status, answer.error_class) == (None, "dropped")


def test_no_listener_is_an_answer_without_status(post):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"

    assert post(url).error_class == "connect"


def test_an_unknown_name_is_an_answer_without_status(post):
    def no_address(host, port):
        raise socket.gaierror("unknown")

    answer = post("http://nowhere.example/", exchange=short_exchange(5, resolve=no_address))

    assert answer.error_class == "no_address"


def test_a_host_that_never_answers_is_left_at_the_deadline(make_host, post):
    done = threading.Event()
    host = make_host(lambda call: (call.take(), done.wait(20)))

    answer = post(host.url, exchange=short_exchange(0.3))
    done.set()

    assert (answer.http_status, answer.error_class) == (None, "timeout")


def test_a_header_at_a_time_does_not_extend_the_deadline(make_host, post):
    def drips(call):
        call.take()
        call.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(100):
            call.wfile.write(b"x-%d: y\r\n" % number)
            call.wfile.flush()
            time.sleep(0.05)

    answer = post(make_host(drips).url, exchange=short_exchange(0.4))

    assert (answer.http_status, answer.error_class) == (None, "timeout")
    assert answer.latency_ms < 3_000


def test_a_host_that_does_not_read_is_left_at_the_deadline(post, tmp_path):
    large = tmp_path / "large"
    large.write_bytes(b"x" * 30_000_000)
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        answer = post(url, file=large, exchange=short_exchange(0.4))

    assert (answer.http_status, answer.error_class) == (None, "timeout")


def test_an_endless_answer_is_cut_after_its_head(make_host, post):
    def pours(call):
        call.take()
        call.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n")
        while True:
            call.wfile.write(b"y" * 65_536)

    host = make_host(pours)

    answer = post(host.url)

    assert answer.http_status == 200
    assert answer.head == "y" * 2_000
    assert post(host.url).http_status == 200  # on a connection of its own


def test_an_answer_that_breaks_off_is_still_its_status(make_host, post, monkeypatch):
    def stops(call):
        call.take()
        call.wfile.write(b"HTTP/1.1 202 Accepted\r\ncontent-length: 100\r\n\r\nhalf")
        call.close_connection = True

    answer = post(make_host(stops).url)

    assert (answer.http_status, answer.error_class) == (202, "")


def test_a_refusal_before_the_body_was_read_is_heard(post, tmp_path):
    large = tmp_path / "large"
    large.write_bytes(b"x" * 3_000_000)

    def refuse(server):
        connection, _ = server.accept()
        with connection:
            connection.recv(1000)
            connection.sendall(b"HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n")
            left = 2_000_000
            while left > 0:
                left -= len(connection.recv(65_536))

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=refuse, args=(server,))
        thread.start()
        answer = post(f"http://127.0.0.1:{server.getsockname()[1]}/", file=large)
        thread.join()

    assert answer.http_status == 413


@pytest.mark.parametrize("address", ["10.0.0.1", "169.254.169.254", "::1", "8.8.8.8"])
def test_a_name_that_resolves_to_a_refused_address_is_not_called(post, address, monkeypatch):
    monkeypatch.setattr(connections.socket, "create_connection", pytest.fail)

    answer = post(
        "http://rebound.example/", exchange=short_exchange(5, resolve=lambda host, port: [address])
    )

    assert (answer.http_status, answer.error_class) == (None, "no_address")


def test_one_refused_address_among_good_ones_refuses_the_name(make_host, post):
    host = make_host()
    exchange = short_exchange(5, resolve=lambda host, port: ["127.0.0.1", "10.0.0.1"])

    answer = post(host.url.replace("127.0.0.1", "both.example"), exchange=exchange)

    assert answer.error_class == "no_address"
    assert host.received == []


def test_a_name_is_resolved_once_and_called_where_it_was_vetted(make_host, post):
    host, lookups = make_host(), []

    def rebinding(name, port):
        lookups.append(name)
        return ["127.0.0.1"] if len(lookups) == 1 else ["169.254.169.254"]

    answer = post(
        host.url.replace("127.0.0.1", "rebound.example"),
        exchange=short_exchange(5, resolve=rebinding),
    )

    assert answer.http_status == 200
    assert lookups == ["rebound.example"]
    assert host.received[0].headers["host"].startswith("rebound.example:")


def test_the_next_address_is_tried_when_one_does_not_answer(make_host, post):
    host = make_host()
    exchange = short_exchange(5, resolve=lambda host, port: ["127.0.0.2", "127.0.0.1"])

    answer = post(host.url.replace("127.0.0.1", "two.example"), exchange=exchange)

    assert answer.http_status == 200


def test_the_environments_proxies_play_no_part(make_host, post, monkeypatch):
    host, proxy = make_host(), make_host()
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, proxy.url)
    monkeypatch.delenv("no_proxy", raising=False)

    post(host.url)

    assert len(host.received) == 1
    assert proxy.received == []


def test_an_exchange_aborted_from_outside_says_why(make_host, post):
    done = threading.Event()
    exchange = short_exchange(30)
    host = make_host(lambda call: (call.take(), exchange.abort("claim_lost"), done.wait(20)))

    answer = post(host.url, exchange=exchange)
    done.set()

    assert answer.error_class == "claim_lost"


def test_an_exchange_aborted_after_its_end_leaves_the_next_one_alone(make_host, post):
    early = short_exchange(30)
    host = make_host(answers(200), lambda call: (early.abort("claim_lost"), answers(200)(call)))
    post(host.url, exchange=early)

    answer = post(host.url)  # over the same connection

    assert (answer.http_status, answer.error_class) == (200, "")


def test_what_may_not_be_in_a_header_never_leaves(make_host, post):
    host = make_host()

    with pytest.raises(ValueError, match="header"):
        post(host.url, x_injected="a\r\nx-other: b")

    assert host.received == []


@pytest.mark.parametrize(
    ("size", "seconds"), [(0, 30), (1_000_000, 31), (400_000_000, 430), (10**12, 900)]
)
def test_the_deadline_grows_with_the_body(size, seconds):
    assert deadline_s(size) == seconds
