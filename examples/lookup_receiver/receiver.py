"""Answer lookups: return the records that have the keys of a file. See docs/webhooks.md.

``IMPORT_SIGNING_SECRET=whsec_... PORT=8091 python examples/lookup_receiver/receiver.py``,
registered with ``{"url": "http://127.0.0.1:8091/lookup", "actions": ["lookup"]}``.
"""

import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOLERANCE_S = 300
CUSTOMERS = {  # by key; use your own database instead
    "C-1": {"ref": "17", "values": {"number": "C-1", "name": "Ada", "city": "Berlin"}},
    "C-2": {"ref": "18", "values": {"number": "C-2", "name": "Grace", "city": "Bonn"}},
}
ENTITIES: dict[str, dict[str, dict[str, Any]]] = {"customer": CUSTOMERS}


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


class Handler(BaseHTTPRequestHandler):
    """Takes the questions of a lookup."""

    protocol_version = "HTTP/1.1"  # keeps the connection for the next page

    def do_POST(self) -> None:
        """Answer with an item for each key that is there; the others are new."""
        body = self.rfile.read(int(self.headers["content-length"]))
        header = self.headers.get("x-import-signature", "")
        if not is_genuine(os.environ["IMPORT_SIGNING_SECRET"], header, body):
            return self._answer(401, {"error": "not genuine"})
        question = json.loads(body)
        # An unknown entity must be an error: an empty answer would say that every key is new.
        if question["event"] != "references.lookup" or question["entity"] not in ENTITIES:
            return self._answer(404, {"error": "this endpoint answers lookups of its entities"})
        records = ENTITIES[question["entity"]]
        items = [records[key] for key in question["keys"] if key in records]
        return self._answer(200, {"items": items})

    def _answer(self, status: int, answer: dict[str, Any]) -> None:
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
