"""TLS is verified: chain, name and time, against a real authority made for the test."""

import http.server
import ipaddress
import ssl
import threading
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from deliveries.http.client import Client
from deliveries.http.connections import Exchange, TlsSettings
from deliveries.http.request import Request
from tests.receiving import Received, assert_request

LOOPBACK = (ip_network("127.0.0.0/8"),)


class Authority:
    """A certificate authority that writes its files to a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Test authority")])
        self.certificate = self._certificate(self.name, self.key, days=30, authority=True)
        self.file = folder / "ca.pem"
        self.file.write_bytes(self.certificate.public_bytes(serialization.Encoding.PEM))

    def issue(self, *names: str, days: int = 30) -> Path:
        """Write a chain and key for a server of these names; return the file."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "server")])
        certificate = self._certificate(subject, key, days=days, names=names)
        file = self.folder / f"{'-'.join(names)}.pem"
        file.write_bytes(
            certificate.public_bytes(serialization.Encoding.PEM)
            + key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        return file

    def _certificate(self, subject, key, *, days, names=(), authority=False):
        now = datetime.now(UTC)
        signer = self.key
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=60))
            .not_valid_after(now + timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(
                x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False
            )
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()),
                critical=False,
            )
        )
        if authority:
            usage = x509.KeyUsage(
                digital_signature=True, key_cert_sign=True, crl_sign=True,
                content_commitment=False, key_encipherment=False, data_encipherment=False,
                key_agreement=False, encipher_only=False, decipher_only=False,
            )  # fmt: skip
            builder = builder.add_extension(usage, critical=True)
        if names:
            alternatives = [
                x509.IPAddress(ipaddress.ip_address(name))
                if name[0].isdigit()
                else x509.DNSName(name)
                for name in names
            ]
            builder = builder.add_extension(
                x509.SubjectAlternativeName(alternatives), critical=False
            )
        return builder.sign(signer, hashes.SHA256())


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
