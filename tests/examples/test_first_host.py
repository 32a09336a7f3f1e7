"""The host of docs/start: it takes what the engine signs, and opens sessions for its page."""

import json
import os
import subprocess
import sys
import threading
import time
from http.client import HTTPConnection
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from deliveries.http.signing import signature_header
from examples.first_host import Host

SECRET = "whsec_c2VjcmV0"
ROOT = Path(__file__).resolve().parents[2]
DELIVERY = {"event": "import.apply", "deliveryId": "dlv_1", "rowCount": 1}
BODY = json.dumps({**DELIVERY, "rows": [{"orders.city": "Ulm"}]}).encode()


@pytest.fixture
def call(monkeypatch):
    monkeypatch.setenv("SIGNING_SECRET", SECRET)
    monkeypatch.setenv("ENGINE", "http://engine.example")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Host)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def call(method, path, body=b"", **headers):
        connection = HTTPConnection("127.0.0.1", server.server_port, timeout=10)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        content = answer.status, answer.read().decode()
        connection.close()
        return content

    yield call
    server.shutdown()
    server.server_close()


def test_it_takes_a_delivery_that_the_engine_signed(call, capsys):
    signature = signature_header([SECRET], t=int(time.time()), body=[BODY])

    status, _ = call("POST", "/apply", BODY, **{"x-import-signature": signature})

    assert status == 200
    assert "verified dlv_1: 1 row\n" in capsys.readouterr().out


def test_it_prints_the_kind_of_a_notice(call, capsys):
    notice = json.dumps({"event": "import.waiting", "deliveryId": "dlv_1"}).encode()
    signature = signature_header([SECRET], t=int(time.time()), body=[notice])

    status, _ = call("POST", "/apply", notice, **{"x-import-signature": signature})

    assert status == 200
    assert "verified import.waiting\n" in capsys.readouterr().out


def test_it_refuses_what_another_signed(call, capsys):
    signature = signature_header(["whsec_other"], t=int(time.time()), body=[BODY])

    status, _ = call("POST", "/apply", BODY, **{"x-import-signature": signature})

    assert status == 401
    assert "refused" in capsys.readouterr().out


def test_its_page_loads_the_widget_of_the_engine_and_holds_no_key(call):
    status, page = call("GET", "/")

    assert status == 200
    assert 'src="http://engine.example/elements/service-import.js"' in page
    assert "license" not in page


def test_a_port_in_use_is_named_and_no_address_is_printed():
    with ThreadingHTTPServer(("127.0.0.1", 0), Host) as other:
        port = str(other.server_port)
        started = subprocess.run(
            [sys.executable, "-m", "examples.first_host"],
            cwd=ROOT,
            env=os.environ | {"PORT": port, "SIGNING_SECRET": SECRET},
            capture_output=True,
            text=True,
            timeout=60,
        )

    assert (started.returncode, started.stdout) == (1, "")
    assert started.stderr.startswith(f"Can't listen on port {port}: ")
    assert "Traceback" not in started.stderr


def test_nothing_else_is_there(call):
    assert call("GET", "/etc")[0] == 404
    assert call("POST", "/etc")[0] == 404
