"""Connections that send a byte now and then do not block others."""

import socket
import threading
from contextlib import contextmanager

import pytest
import requests

from tests.processes.conftest import SHORT, copy_of
from tests.processes.template import CATALOG

pytestmark = pytest.mark.processes
SOCKETS = 120
HEADS = (
    b"POST /admin/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\na",
    b"POST /api/import/v1/imports HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n"
    b"Content-Type: multipart/form-data; boundary=x\r\n\r\na",
)


UPLOAD = (
    "POST /api/import/v1/imports HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 20000000\r\n"
    "Content-Type: multipart/form-data; boundary=x\r\nAuthorization: Bearer {key}\r\n\r\n"
    '--x\r\nContent-Disposition: form-data; name="file"; filename="slow.csv"\r\n\r\n'
)
FILE = {"file": ("small.csv", b"A,B\n1,2\n")}


@pytest.fixture(scope="module")
def engine(tmp_path_factory, template):
    """Yield a started engine for all tests of this module."""
    with copy_of(template, tmp_path_factory.mktemp("slow"), SHORT) as engine:
        engine.start()
        yield engine


@pytest.fixture
def slow_ones(engine):
    """Open more connections than there are threads, each with a body that never ends."""
    with dripping(engine, HEADS) as held:
        yield held


@pytest.fixture
def slow_uploads(engine):
    """Hold open uploads of one license, each with a byte a second."""
    with dripping(engine, [UPLOAD.format(key=engine.key).encode()]) as held:
        yield held


@contextmanager
def dripping(engine, heads):
    held = []
    for number in range(SOCKETS):
        connection = socket.create_connection(("127.0.0.1", engine.port))
        connection.sendall(heads[number % len(heads)])
        held.append(connection)
    done = threading.Event()

    def drip():
        while not done.wait(1):
            for connection in held:
                try:
                    connection.send(b"a")
                except OSError:
                    continue

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    yield held
    done.set()
    thread.join()
    for connection in held:
        connection.close()


def test_slow_bodies_keep_no_other_waiting(engine, slow_ones):
    statuses = {
        requests.get(
            f"{engine.base}/license/verify", headers=engine.headers, timeout=60
        ).status_code
        for _ in range(20)
    }

    assert statuses == {200}


def test_a_slow_body_is_cut(engine, slow_ones):
    first = slow_ones[0]
    first.settimeout(120)

    assert first.recv(4096).split(b"\r\n")[0] == b"HTTP/1.1 408 Request Timeout"


def test_slow_uploads_of_one_license_keep_no_other_waiting(engine, slow_uploads):
    other = engine.manage("license", "mint", "--tenant", "tnt_other").strip()
    engine.manage("catalog", "publish", str(CATALOG), "--tenant", "tnt_other")

    statuses = {
        requests.post(
            f"{engine.base}/imports",
            headers={"Authorization": f"Bearer {other}"},
            files=FILE,
            timeout=60,
        ).status_code
        for _ in range(20)
    }

    assert statuses == {202}


def test_a_slow_upload_is_cut(engine, slow_uploads):
    first = slow_uploads[0]
    first.settimeout(120)

    assert first.recv(4096).split(b"\r\n")[0] == b"HTTP/1.1 408 Request Timeout"
