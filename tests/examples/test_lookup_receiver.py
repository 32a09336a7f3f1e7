"""The receiver that answers lookups, asked by the engine's own client with its signature."""

import json
import threading
import time
from http.server import ThreadingHTTPServer
from ipaddress import ip_network

import pytest

from deliveries.http.client import Client
from deliveries.http.connections import TlsSettings
from deliveries.http.request import Request
from deliveries.http.signing import signature_header
from examples.lookup_receiver.receiver import Handler
from references.snapshots import read_snapshot

SECRET = "whsec_c2VjcmV0"
KEYS = ["C-1", "C-9"]
QUESTION = {"event": "references.lookup", "entity": "customer", "keys": KEYS}


@pytest.fixture
def ask(monkeypatch):
    monkeypatch.setenv("IMPORT_SIGNING_SECRET", SECRET)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    client = Client(
        networks=[ip_network("127.0.0.0/8")], tls=TlsSettings(), ports=[server.server_port]
    )

    def ask(secret=SECRET, **members):
        body = json.dumps({**QUESTION, **members}).encode()
        signature = signature_header([secret], t=int(time.time()), body=[body])
        headers = {"content-length": str(len(body)), "x-import-signature": signature}
        url = f"http://127.0.0.1:{server.server_port}/lookup"
        return client.send(Request(url, headers, body), exchange=client.exchange(len(body)))

    yield ask
    server.shutdown()
    server.server_close()


def test_it_answers_with_what_it_has(ask):
    snapshot = read_snapshot(ask().content, key="number", requested=KEYS)

    assert [item.ref for item in snapshot.items] == ["17"]


def test_it_refuses_what_another_signed(ask):
    assert ask(secret="whsec_other").http_status == 401


@pytest.mark.parametrize("member", ["entity", "event"])
def test_it_does_not_answer_for_what_it_does_not_know(ask, member):
    assert ask(**{member: "import.apply"}).http_status == 404
