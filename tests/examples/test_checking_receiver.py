"""The receiver that checks rows, asked by the engine's own client with the engine's signature."""

import json
import threading
import time
from http.server import ThreadingHTTPServer
from ipaddress import ip_network

import pytest

from deliveries.answer import read_findings
from deliveries.http.client import Client
from deliveries.http.connections import TlsSettings
from deliveries.http.request import Request
from deliveries.http.signing import signature_header
from examples.checking_receiver.receiver import Handler

SECRET = "whsec_c2VjcmV0"
BODY = json.dumps({"action": "check", "rows": [{"o.city": "Ulm"}, {"o.city": "Bonn"}]}).encode()


@pytest.fixture
def ask(monkeypatch):
    monkeypatch.setenv("IMPORT_SIGNING_SECRET", SECRET)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    client = Client(
        networks=[ip_network("127.0.0.0/8")], tls=TlsSettings(), ports=[server.server_port]
    )

    def ask(body, secret=SECRET):
        signature = signature_header([secret], t=int(time.time()), body=[body])
        headers = {"content-length": str(len(body)), "x-import-signature": signature}
        url = f"http://127.0.0.1:{server.server_port}/check"
        return client.send(Request(url, headers, body), exchange=client.exchange(len(body)))

    yield ask
    server.shutdown()
    server.server_close()


def test_it_answers_with_findings_that_the_engine_can_read(ask):
    answer = ask(BODY)

    assert read_findings(answer.content, row_count=2).rows == [
        {
            "row": 1,
            "field": "o.city",
            "severity": "error",
            "message": "We no longer deliver to Bonn.",
        }
    ]


def test_it_sets_values_that_the_engine_can_read(ask):
    body = {"action": "check", "rows": [{"o.city": "Karl-Marx-Stadt", "o.tags": ["a", "b"]}]}

    answer = ask(json.dumps(body).encode())

    assert read_findings(answer.content, row_count=1).rows == [
        {"row": 0, "field": "o.city", "value": "Chemnitz"}
    ]


def test_it_refuses_what_another_signed(ask):
    assert ask(BODY, secret="whsec_other").http_status == 401


def test_it_ignores_notices(ask):
    notice = json.dumps({"event": "import.waiting", "deliveryId": "dlv_1", "why": ["apply"]})

    assert ask(notice.encode()).http_status == 200


def test_it_takes_no_delivery(ask):
    assert ask(BODY.replace(b"check", b"submit")).http_status == 404
