"""The example receivers, each in its own runtime, taking what the engine really sends."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from ipaddress import ip_network
from pathlib import Path

import pyarrow as pa
import pytest

from common.ids import new_id
from deliveries import payload
from deliveries.http import signing
from deliveries.http.client import Answer, Client
from deliveries.http.connections import TlsSettings
from deliveries.http.request import Request
from deliveries.rehearsal import SCENES, Receiver, Rows, rehearse

pytestmark = pytest.mark.receivers
RECEIVERS = Path(__file__).parents[2] / "examples" / "receivers"
SECRET, FORMER = "whsec_" + "n" * 43 + "=", "whsec_" + "o" * 43 + "="


def needed(name: str) -> str:
    return shutil.which(name) or pytest.fail(f"{name} is not installed")


def flask(folder: Path, port: int) -> list[str]:
    return [sys.executable, str(RECEIVERS / "flask" / "receiver.py")]


def fastapi(folder: Path, port: int) -> list[str]:
    return [sys.executable, str(RECEIVERS / "fastapi" / "receiver.py")]


def express(folder: Path, port: int) -> list[str]:
    shutil.copytree(RECEIVERS / "express", folder / "express")
    install = [needed("npm"), "install", "--silent", "--no-audit", "--no-fund"]
    subprocess.run(install, cwd=folder / "express", check=True)
    return [needed("node"), str(folder / "express" / "receiver.mjs")]


def php(folder: Path, port: int) -> list[str]:
    options = ["-d", "post_max_size=64M", "-S", f"127.0.0.1:{port}"]
    return [needed("php"), *options, str(RECEIVERS / "php" / "receiver.php")]


def go(folder: Path, port: int) -> list[str]:
    binary = folder / "receiver"
    source = str(RECEIVERS / "go" / "receiver.go")
    subprocess.run([needed("go"), "build", "-o", str(binary), source], check=True)
    return [str(binary)]


EACH = [flask, fastapi, express, php, go]
Send = Callable[..., Answer]


@pytest.fixture(scope="module", params=EACH, ids=lambda make: make.__name__)
def url(request, tmp_path_factory) -> Iterator[str]:
    """Start a receiver; yield its address."""
    folder = tmp_path_factory.mktemp(request.param.__name__)
    inbox = folder / "inbox"
    inbox.mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        **os.environ,
        "IMPORT_SIGNING_SECRET": SECRET,
        "INBOX": str(inbox),
        "PORT": str(port),
    }
    command = request.param(folder, port)
    log = (folder / "log").open("wb")
    process = subprocess.Popen(
        command, env=environment, stdout=log, stderr=log, start_new_session=True
    )
    log.close()
    wait_for(port)
    yield f"http://127.0.0.1:{port}/apply"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture(scope="module")
def client() -> Client:
    return Client(networks=[ip_network("127.0.0.0/8")], tls=TlsSettings())


@pytest.fixture(scope="module")
def send(url, client) -> Send:
    """Return a function that sends a receiver a signed body."""

    def send(body: bytes, *, secrets=(SECRET,), age_s: int = 0, signature: str = "") -> Answer:
        t = int(time.time()) - age_s
        headers = {
            "content-type": "application/json",
            "content-length": str(len(body)),
            "x-import-event": payload.EVENT,
            "x-import-timestamp": str(t),
            "x-import-signature": signature or signing.signature_header(secrets, t=t, body=[body]),
        }
        return client.send(Request(url, headers, body), exchange=client.exchange(len(body)))

    return send


def wait_for(port: int) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.fail("the receiver does not listen")


def delivery(**members) -> bytes:
    envelope = payload.Envelope(
        delivery_id=new_id("dlv_"),
        tenant_id="tnt_1",
        record_id="rec_1",
        action="submit",
        row_count=2,
        mapping={"Größe": "p.size"},
        occurred_at="2026-11-20T12:00:00.000Z",
        **members,
    )
    rows = pa.record_batch({"p.size": ['10 € "😀"', None]})
    return b"".join(payload.body(envelope, [rows], {}))


def test_a_genuine_delivery_is_stored(send):
    answer = send(delivery())

    assert (answer.http_status, answer.head) == (200, "stored")


def test_a_repeated_delivery_changes_nothing(send):
    body = delivery()

    heads = [send(body).head for _ in range(3)]

    assert heads == ["stored", "seen", "seen"]


def test_unknown_members_are_ignored(send):
    answer = send(delivery(extra={"tomorrow": [1, {"a": 2**70}]}))

    assert answer.http_status == 200


def test_a_notice_is_accepted(send):
    notice = {"event": "feed.failed", "deliveryId": new_id("dlv_"), "subject": "fed_1"}

    assert send(json.dumps(notice).encode()).http_status == 200


@pytest.mark.parametrize("secrets", [(SECRET, FORMER), (FORMER, SECRET)])
def test_either_secret_is_accepted_during_a_rotation(send, secrets):
    assert send(delivery(), secrets=secrets).http_status == 200


@pytest.mark.parametrize("age_s", [290, -290])
def test_a_fresh_enough_delivery_is_accepted(send, age_s):
    assert send(delivery(), age_s=age_s).http_status == 200


@pytest.mark.parametrize("age_s", [310, -310, 86_400])
def test_a_stale_delivery_is_refused(send, age_s):
    assert send(delivery(), age_s=age_s).http_status == 401


def test_a_delivery_signed_with_another_secret_is_refused(send):
    assert send(delivery(), secrets=(FORMER,)).http_status == 401


def test_an_altered_body_is_refused(send):
    body = delivery()
    signature = signing.signature_header([SECRET], t=int(time.time()), body=[body])

    assert send(body.replace(b"submit", b"revert"), signature=signature).http_status == 401


@pytest.mark.parametrize(
    "signature",
    ["nonsense", "t=,v1=", "v1=00", "t=1", "t=-1,v1=00", "t=1e9,v1=00", "t=1,t=1,v1=00"],
)
def test_a_signature_that_cannot_be_read_is_refused(send, signature):
    assert send(delivery(), signature=signature).http_status == 401


def test_an_upper_case_or_shortened_signature_is_refused(send):
    body, t = delivery(), int(time.time())
    genuine = signing.signature_header([SECRET], t=t, body=[body])

    assert send(body, signature=genuine[:-1]).http_status == 401
    assert send(body, signature=genuine.replace("v1=", "v0=")).http_status == 401


def test_a_body_of_some_megabytes_is_taken(send):
    answer = send(delivery(meta={"note": "n" * 5_000_000}))

    assert (answer.http_status, answer.head) == (200, "stored")


def test_each_scene_of_a_rehearsal_is_answered_as_it_should_be(url, client):
    receiver = Receiver(
        client=client,
        url=url,
        secrets=[SECRET],
        tenant_id="tnt_1",
        rows=Rows(pa.record_batch({"p.size": ['10 € "😀"', None]}), {}, {}, "p", 1),
        is_marked=False,
        pause_s=0.1,
    )

    reports = list(rehearse(receiver))

    assert len(reports) == len(SCENES)
    assert [report for report in reports if not report.is_right] == []
