"""Check rows while people review them, with the standard library. See docs/webhooks.md.

``IMPORT_SIGNING_SECRET=whsec_... PORT=8090 python examples/checking_receiver/receiver.py``,
registered with ``{"url": "http://127.0.0.1:8090/check", "actions": ["check"]}``.
"""

import hashlib
import hmac
import json
import os
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOLERANCE_S = 300
CLOSED_CITIES = {"Bonn"}  # use your own database instead
OLD_NAMES = {"Karl-Marx-Stadt": "Chemnitz"}


def is_genuine(secret: str, header: str, body: bytes) -> bool:
    """Return whether a body is from the engine and fresh. header: x-import-signature."""
    parts = [part.partition("=") for part in header.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    if len(times) != 1 or not (times[0].isascii() and times[0].isdigit()):
        return False
    if abs(time.time() - int(times[0])) > TOLERANCE_S:
        return False
    expected = hmac.new(secret.encode(), times[0].encode() + b"." + body, hashlib.sha256)
    given = [value for name, _, value in parts if name == "v1"]
    return any(hmac.compare_digest(expected.hexdigest().encode(), v.encode()) for v in given)


def findings(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Judge some rows. Write nothing: they may be edited, and may never be applied."""
    for number, row in enumerate(rows):
        for path, value in row.items():
            if isinstance(value, str) and value in CLOSED_CITIES:
                yield {
                    "row": number,
                    "field": path,
                    "severity": "error",
                    "message": f"We no longer deliver to {value}.",
                }


def corrections(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Set what we know better; the catalog validates it, and people may undo it."""
    for number, row in enumerate(rows):
        for path, value in row.items():
            if isinstance(value, str) and value in OLD_NAMES:
                yield {"row": number, "field": path, "value": OLD_NAMES[value]}


class Handler(BaseHTTPRequestHandler):
    """Takes the batches of a check."""

    def do_POST(self) -> None:
        """Answer with what is wrong; an empty list says that every row is right."""
        body = self.rfile.read(int(self.headers["content-length"]))
        header = self.headers.get("x-import-signature", "")
        if not is_genuine(os.environ["IMPORT_SIGNING_SECRET"], header, body):
            return self._answer(401, {"error": "not genuine"})
        batch = json.loads(body)
        if batch.get("event", "import.apply") != "import.apply":
            return self._answer(200, {})  # a notice: new ones may come
        if batch["action"] != "check":
            return self._answer(404, {"error": "this endpoint checks, and takes nothing"})
        rows = batch["rows"]
        return self._answer(200, {"results": [*findings(rows)], "set": [*corrections(rows)]})

    def _answer(self, status: int, answer: dict[str, Any]) -> None:
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
