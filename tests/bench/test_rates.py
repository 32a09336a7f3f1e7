"""The client that measures calls a second reads each answer to its end."""

import io
import socket
import threading

import pytest

from bench.figures.rates import _call, _read_answer

CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
LENGTH = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde"


@pytest.mark.parametrize("answer", [CHUNKED, LENGTH])
def test_an_answer_is_read_to_its_end_and_no_further(answer):
    stream = io.BytesIO(answer + b"next")

    _read_answer(stream)

    assert stream.read() == b"next"


def test_an_error_ends_the_measurement():
    with pytest.raises(SystemExit, match="429"):
        _read_answer(io.BytesIO(b"HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n"))


def test_calls_of_the_warm_up_are_not_counted(monkeypatch):
    monkeypatch.setattr("bench.figures.rates.WARM_UP_S", 0.2)
    answered = []

    def serve(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection:
            while connection.recv(1_000):
                answered.append(1)
                connection.sendall(LENGTH)

    with socket.create_server(("127.0.0.1", 0)) as server:
        serving = threading.Thread(target=serve, args=(server,))
        serving.start()
        spent, sent = _call(server.getsockname(), b"GET / HTTP/1.1\r\n\r\n", 0.2)
        serving.join()

    assert 0 < len(spent) < len(answered) == sent
