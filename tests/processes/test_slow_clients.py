"""Connections that send a byte now and then do not block others."""

import socket
import threading

import pytest
import requests

pytestmark = pytest.mark.processes
SOCKETS = 120
HEADS = (
    b"POST /admin/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\na",
    b"POST /api/import/v1/imports HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n"
    b"Content-Type: multipart/form-data; boundary=x\r\n\r\na",
)


@pytest.fixture
def slow_ones(engine):
    """Open more connections than there are threads, each with a body that never ends."""
    engine.start()
    held = []
    for number in range(SOCKETS):
        connection = socket.create_connection(("127.0.0.1", engine.port))
        connection.sendall(HEADS[number % 2])
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


def test_slow_bodies_keep_nobody_waiting(engine, slow_ones):
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
