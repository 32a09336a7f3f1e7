"""A rehearsal tells a receiver that is right from those that are wrong, and says what to change."""

import hashlib
import hmac
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from ipaddress import ip_network
from pathlib import Path

import pyarrow as pa
import pytest
from django.core.management import CommandError, call_command

from deliveries import services
from deliveries.http.client import Client
from deliveries.http.connections import TlsSettings
from deliveries.http.signing import signature_header
from deliveries.models import Delivery
from deliveries.rehearsal import SCENES, Receiver, Rows, rehearse
from tests.deliveries.conftest import NOON, answers

ORDERS = Path(__file__).parents[2] / "examples" / "catalogs" / "orders.json"
SECRET = "whsec_" + "n" * 43 + "="
TITLES = [scene.title for scene in SCENES]


class Host:
    """A receiver that does everything right; subclasses get one thing wrong."""

    most_bytes = 100_000_000

    def __init__(self):
        self.seen: set[str] = set()
        self.actions: list[str] = []
        self.lock = threading.Lock()

    def is_genuine(self, headers, body: bytes) -> bool:
        parts = [part.partition("=") for part in headers.get("x-import-signature", "").split(",")]
        t = next((value for name, _, value in parts if name == "t"), "")
        is_fresh = t.isdigit() and abs(time.time() - int(t)) <= 300
        expected = hmac.new(SECRET.encode(), f"{t}.".encode() + body, hashlib.sha256).hexdigest()
        return is_fresh and expected in self.signatures(parts)

    def signatures(self, parts) -> list[str]:
        return [value for name, _, value in parts if name == "v1"]

    def answer(self, headers, body: bytes) -> int:
        if len(body) > self.most_bytes:
            return 413
        if not self.is_genuine(headers, body):
            return 401
        return self.store(json.loads(body))

    def store(self, delivery: dict) -> int:
        with self.lock:
            if delivery["deliveryId"] in self.seen:
                return self.again()
            self.seen.add(delivery["deliveryId"])
            self.actions.append(delivery["action"])
        return 200

    def again(self) -> int:
        return 200


class TrustsAnybody(Host):
    def is_genuine(self, headers, body):
        return True


class TrustsOldOnes(Host):
    def is_genuine(self, headers, body):
        t, _, signature = headers.get("x-import-signature", "").partition(",v1=")
        signed = t.removeprefix("t=").encode() + b"." + body
        expected = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
        return expected in signature.split(",v1=")


class ComparesTheFirstSignature(Host):
    def signatures(self, parts):
        return super().signatures(parts)[:1]


class RefusesWhatItHas(Host):
    def again(self):
        return 409


class TakesLittle(Host):
    most_bytes = 1_000_000


class KnowsItsMembers(Host):
    def store(self, delivery):
        return 422 if "rehearsed" in delivery else super().store(delivery)


class NeedsRows(Host):
    def store(self, delivery):
        return super().store(delivery) if delivery["rows"] else 500


class NeedsOrder(Host):
    def store(self, delivery):
        return 409 if delivery.get("batch", {}).get("index") == 2 else super().store(delivery)


class HasAnotherSecret(Host):
    def is_genuine(self, headers, body):
        return False


class AnswersLoginPages(Host):
    def answer(self, headers, body):
        return 302


@pytest.fixture
def play():
    """Yield a function that plays the rehearsal at a host and returns the reports by title."""
    servers = []

    def play(host: Host) -> dict:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                self.send_response(host.answer(self.headers, body))
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *args):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        receiver = Receiver(
            client=Client(networks=[ip_network("127.0.0.0/8")], tls=TlsSettings()),
            url=f"http://127.0.0.1:{server.server_port}/apply",
            secrets=[SECRET],
            tenant_id="tnt_owner",
            rows=Rows(pa.record_batch({"e.a": ["A-1", "A-2"]}), {"e.a": "string"}, {}, "e", 1),
            pause_s=0.01,
        )
        return {report.title: report for report in rehearse(receiver)}

    yield play
    for server in servers:
        server.shutdown()
        server.server_close()


def test_a_receiver_that_does_everything_right_passes_every_scene(play):
    host = Host()

    reports = play(host)

    assert list(reports) == TITLES
    assert [report.advice for report in reports.values()] == [""] * len(TITLES)
    assert host.actions.count("revert") == 1


@pytest.mark.parametrize(
    ("host", "titles", "word"),
    [
        (
            TrustsAnybody,
            [
                "A signature made with another secret",
                "No signature",
                "A body that was altered on its way",
                "A genuine delivery that was signed an hour ago",
            ],
            "Verify",
        ),
        (TrustsOldOnes, ["A genuine delivery that was signed an hour ago"], "Verify"),
        (ComparesTheFirstSignature, ["Two signatures, as during a rotation"], "every v1"),
        (
            RefusesWhatItHas,
            ["The same delivery twice", "The same delivery twice at the same time"],
            "deliveryId",
        ),
        (TakesLittle, ["A body of 20 MB"], "limit"),
        (KnowsItsMembers, ["An unknown member"], "Ignore"),
        (NeedsRows, ["A delivery without rows"], "2xx"),
        (NeedsOrder, ["The second part of an import before the first"], "final"),
        (HasAnotherSecret, ["An ordinary delivery"], "secret"),
        (AnswersLoginPages, ["An ordinary delivery"], "redirect"),
    ],
)
def test_what_a_receiver_gets_wrong_is_reported_with_what_to_change(play, host, titles, word):
    wrong = [report for report in play(host()).values() if not report.is_right]

    assert [report.title for report in wrong] == titles
    assert all(word in report.advice for report in wrong)


def test_a_receiver_that_refuses_an_ordinary_delivery_is_sent_nothing_else(play):
    assert list(play(HasAnotherSecret())) == TITLES[:1]


@pytest.fixture
def rehearse_at(tenant):
    """Return a function that rehearses with the catalog orders; it returns what was printed."""
    about = ["--tenant", tenant.public_id]
    call_command("catalog", "publish", str(ORDERS), *about, stdout=StringIO())

    def rehearse_at(url: str, *options: str) -> str:
        out = StringIO()
        with pytest.raises(CommandError) as end:
            call_command("rehearse", url, "--catalog", "orders", *about, *options, stdout=out)
        return out.getvalue() + str(end.value)

    return rehearse_at


def test_the_command_signs_with_the_secret_of_the_webhook_and_stores_nothing(
    rehearse_at, make_host, tenant
):
    host = make_host(answers(401))
    secret = services.register(tenant=tenant, url=host.url, at=NOON)

    printed = rehearse_at(host.url)

    assert "compare its signing secret" in printed
    assert printed.endswith("The receiver should do something else in 1 of 1 scene.")
    (received,) = host.received
    t = int(received.headers["x-import-timestamp"])
    signature = signature_header([secret.secret], t=t, body=[received.body])
    assert received.headers["x-import-signature"] == signature
    body = json.loads(received.body)
    assert (body["test"], body["rowCount"], body["catalogKey"]) == (True, 4, "orders")
    assert not Delivery.objects.exists()


def test_an_url_that_is_not_registered_needs_a_secret(rehearse_at, make_host, monkeypatch):
    host = make_host(answers(401))
    assert "is not registered" in rehearse_at(host.url)

    monkeypatch.setenv("IMPORT_REHEARSAL_SECRET", SECRET)
    (line, _) = rehearse_at(host.url, "--json", "--unmarked").split("\n")

    assert json.loads(line)["right"] is False
    assert "test" not in json.loads(host.received[0].body)


def test_an_address_that_deliveries_may_not_call_is_not_called(
    rehearse_at, make_host, settings, monkeypatch
):
    monkeypatch.setenv("IMPORT_REHEARSAL_SECRET", SECRET)
    host = make_host(answers(200))
    settings.WEBHOOK_ALLOW_NETWORKS = ()
    settings.WEBHOOK_PORTS = (443, 80)

    assert "IMPORT_WEBHOOK_ALLOW_NETWORKS" in rehearse_at(host.url)
    assert host.received == []
