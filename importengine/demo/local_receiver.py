"""A receiver on a free loopback port that runs as long as a command."""

import json
import secrets
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from examples.django_receiver.verify import NotVerified, verify


@dataclass(frozen=True, slots=True)
class Arrived:
    """One received delivery."""

    verified: bool
    body: dict[str, Any]


class LocalReceiver:
    """Receives deliveries, verifies them and keeps them in memory."""

    def __init__(self) -> None:
        self.secret = ""
        self.arrived: list[Arrived] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        # Ports are reused: a killed run may have left its registration behind.
        self.url = f"http://127.0.0.1:{self._server.server_port}/apply/{secrets.token_hex(8)}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def take(self, body: bytes, signature: str) -> int:
        """Keep a delivery; return 200 if it is authentic, 401 if not."""
        try:
            verify(body, signature, [self.secret], arrived_at=time.time())
        except NotVerified:
            self.arrived.append(Arrived(verified=False, body=json.loads(body)))
            return 401
        self.arrived.append(Arrived(verified=True, body=json.loads(body)))
        return 200

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                is_here = receiver.url.endswith(self.path)
                signature = self.headers["x-import-signature"]
                self.send_response(receiver.take(body, signature) if is_here else 404)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                """Log nothing: the command prints the arrivals."""

        return Handler
