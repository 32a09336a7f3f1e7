"""A local web server for tests, with or without TLS, that answers as it is told to."""

import http.server
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

Reply = Callable[["Call"], None]


class Call(http.server.BaseHTTPRequestHandler):
    """One request; ``server.reply`` answers it."""

    protocol_version = "HTTP/1.1"
    server: "Server"

    def do_GET(self) -> None:
        self.server.received.append((self.command, self.path, dict(self.headers.items())))
        self.server.reply(self)

    def do_HEAD(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    """What it received is kept for the test."""

    daemon_threads = True

    def __init__(self, reply: Reply, chain: Path | None) -> None:
        super().__init__(("127.0.0.1", 0), Call)
        self.reply = reply
        self.received: list[tuple[str, str, dict[str, str]]] = []
        self.over = threading.Event()  # set at the end; a reply that stalls waits for it
        self.scheme = "http" if chain is None else "https"
        if chain is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(chain)
            self.socket = context.wrap_socket(
                self.socket, server_side=True, do_handshake_on_connect=False
            )

    @property
    def url(self) -> str:
        """The address without a path."""
        return f"{self.scheme}://127.0.0.1:{self.server_port}"

    def handle_error(self, *_: object) -> None:
        """Ignore errors: cut connections are part of the tests."""


def answers(status: int, body: bytes = b"", **headers: str) -> Reply:
    """Return a reply with a status, headers and a body."""

    def reply(call: Call) -> None:
        call.send_response(status)
        for name, value in headers.items():
            call.send_header(name, value)
        if status != 304:
            call.send_header("content-length", str(len(body)))
        call.end_headers()
        if call.command != "HEAD":
            call.wfile.write(body)

    return reply


@contextmanager
def running_http(reply: Reply, chain: Path | None = None) -> Iterator[Server]:
    """Start a server, and end it."""
    server = Server(reply, chain)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
