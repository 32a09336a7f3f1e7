"""What a receiver got, and what makes it a delivery: method, path, headers and body, all four."""

import hashlib
import hmac
import json
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Self
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Received:
    """One complete call."""

    method: str
    path: str  # with the query
    headers: dict[str, str]  # names in lower case
    body: bytes

    @classmethod
    def of(cls, call: BaseHTTPRequestHandler) -> Self:
        """Return a call; one that was cut off before its body ended was never received."""
        length = int(call.headers["content-length"])
        body = call.rfile.read(length)
        if len(body) < length:
            raise ConnectionAbortedError("the sender went away within its body")
        headers = {name.lower(): value for name, value in call.headers.items()}
        return cls(call.command, call.path, headers, body)

    @property
    def delivery_id(self) -> str:
        """The id in the headers."""
        return self.headers["x-import-delivery-id"]


def assert_request(received: Received, *, url: str, headers: dict[str, str], body: bytes) -> None:
    """Assert that a call is this request: its URL, exactly its headers, its body."""
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    about = {"host": parts.netloc, "accept-encoding": "identity"}
    assert (received.method, received.path) == ("POST", path)
    assert received.headers == {**about, **headers}
    assert received.body == body


def assert_delivery(
    received: Received,
    *,
    url: str,
    secret: str = "",
    sha256: str = "",
    delivery_id: str = "",
    event: str = "import.apply",
) -> None:
    """
    Assert that a call is a complete delivery to this URL, with the specified headers.

    secret, sha256, delivery_id: its signing secret, hash and id, if a test knows them. event: of a
    notice, its kind.
    """
    headers, body = received.headers, json.loads(received.body)
    timestamp, signature = headers["x-import-timestamp"], headers["x-import-signature"]
    assert_request(
        received,
        url=url,
        headers={
            "content-type": "application/json",
            "content-length": str(len(received.body)),
            "user-agent": "import-engine",
            "x-import-event": event,
            "x-import-delivery-id": delivery_id or body["deliveryId"],
            "x-import-timestamp": timestamp,
            "x-import-signature": signature,
        },
        body=received.body,
    )
    assert (body["event"], body["deliveryId"]) == (event, received.delivery_id)
    assert signature.startswith(f"t={timestamp},v1=")
    assert sha256 in {"", hashlib.sha256(received.body).hexdigest()}
    if secret:
        signed = timestamp.encode() + b"." + received.body
        expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
        assert f"v1={expected}" in signature.split(",")
