"""TLS is verified: chain, name and time, against a real authority made for the test."""

import http.server
import ssl
import threading
from ipaddress import ip_network
from pathlib import Path

import pytest

from deliveries.http.client import Client
from deliveries.http.connections import Exchange, TlsSettings
from deliveries.http.request import Request
from tests.certificates import Authority
from tests.receiving import Received, assert_request

LOOPBACK = (ip_network("127.0.0.0/8"),)


class Accepts(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.server.received.append(Received.of(self))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


class QuietServer(http.server.ThreadingHTTPServer):
    daemon_threads = True
    received: list[Received]

    def handle_error(self, *_: object) -> None:
        """Ignore errors: a client that refuses our certificate hangs up, as the test expects."""


@pytest.fixture
def authority(tmp_path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def taken() -> list[Received]:
    return []


@pytest.fixture
def serve(taken):
    servers = []

    def start(chain: Path) -> int:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(chain)
        server = QuietServer(("127.0.0.1", 0), Accepts)
        server.received = taken
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        servers.append(server)
        return server.server_port

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def post(url: str, *, ca_file: Path | None):
    client = Client(networks=LOOPBACK, tls=TlsSettings(str(ca_file or "")))
    exchange = Exchange(networks=LOOPBACK, timeout_s=10, resolve=lambda host, port: ["127.0.0.1"])
    return client.send(Request(url, {"content-length": "2"}, b"{}"), exchange=exchange)


def test_a_certificate_of_a_trusted_authority_for_the_name_is_accepted(authority, serve, taken):
    url = f"https://host.example:{serve(authority.issue('host.example'))}/apply?to=me"

    answer = post(url, ca_file=authority.file)

    assert (answer.http_status, answer.error_class) == (204, "")
    assert_request(taken[0], url=url, headers={"content-length": "2"}, body=b"{}")


def test_a_certificate_for_another_name_is_refused(authority, serve, taken):
    port = serve(authority.issue("other.example"))

    answer = post(f"https://host.example:{port}/", ca_file=authority.file)

    assert (answer.http_status, answer.error_class) == (None, "tls")
    assert taken == []


def test_the_address_called_does_not_stand_for_the_name(authority, serve):
    port = serve(authority.issue("127.0.0.1"))

    answer = post(f"https://host.example:{port}/", ca_file=authority.file)

    assert answer.error_class == "tls"


def test_a_certificate_of_an_unknown_authority_is_refused(authority, serve):
    port = serve(authority.issue("host.example"))

    answer = post(f"https://host.example:{port}/", ca_file=None)

    assert answer.error_class == "tls"


def test_an_expired_certificate_is_refused(authority, serve):
    port = serve(authority.issue("host.example", days=-1))

    answer = post(f"https://host.example:{port}/", ca_file=authority.file)

    assert answer.error_class == "tls"


def test_a_host_that_speaks_no_tls_is_refused(make_host):
    url = make_host().url.replace("http://127.0.0.1", "https://host.example")

    answer = post(url, ca_file=None)

    assert answer.error_class == "tls"
