"""A minimal host: calls the engine, and receives its deliveries. Standard library only."""

import json
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from examples.django_receiver.verify import verify  # noqa: E402 (the path is set above)

FILE = ROOT / "examples" / "orders-cp1252.csv"
LIMIT_S = 300.0


class Failed(Exception):
    """A walk did not come to what the documentation says."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    at: float


class Receiver:
    """Keeps every request whole, and serves a page or two."""

    def __init__(self) -> None:
        self.arrived: list[Arrived] = []
        self.pages: dict[str, str] = {}
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                call = Arrived("POST", self.path, headers, body, time.time())
                receiver.arrived.append(call)
                self._answer(200, "")

            def do_GET(self) -> None:
                page = receiver.pages.get(self.path)
                self._answer(404 if page is None else 200, page or "")

            def _answer(self, status: int, text: str) -> None:
                self.send_response(status)
                self.send_header("content-type", "text/html; charset=utf-8")
                self.send_header("content-length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, format: str, *args: Any) -> None:
                """Log nothing."""

        return Handler


class Client:
    """Calls one engine with one license key."""

    def __init__(self, base: str, key: str) -> None:
        self.base, self.key = base, key

    def call(
        self, path: str, body: Any = None, *, form: bytes = b"", method: str | None = None
    ) -> Any:
        """Send a JSON or a form body, or none; return the JSON of the answer."""
        sent = form or (None if body is None else json.dumps(body).encode())
        kind = "multipart/form-data; boundary=end" if form else "application/json"
        headers = {"Content-Type": kind, "Authorization": f"Bearer {self.key}"}
        address = f"{self.base}/api/import/v1/{path}"
        request = Request(address, sent, headers, method=method)  # noqa: S310  (ours)
        try:
            with urlopen(request, timeout=60) as answer:  # noqa: S310  (ours)
                return json.load(answer)
        except HTTPError as error:
            raise Failed(f"{path}: {error.code} {error.read()[:500]!r}") from error

    def until_state(self, record_id: str, *states: str) -> dict[str, Any]:
        """Wait until an import is in a state."""

        def there() -> Any:
            record = self.call(f"imports/{record_id}?wait=10")
            return record if record["state"] in states else None

        record: dict[str, Any] = until(there, f"{record_id} in {' or '.join(states)}")
        return record

    def upload(self, name: str, content: bytes) -> str:
        """Start an import into ``orders``; return its id."""
        form = multipart(name, content, catalogKey="orders", autoMap="1")
        return str(self.call("imports", form=form)["recordId"])


def multipart(filename: str, content: bytes, **members: str) -> bytes:
    """Write a form with one file."""
    parts = [
        f'--end\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in members.items()
    ]
    head = f'--end\r\nContent-Disposition: form-data; name="file"; filename="{filename}"\r\n\r\n'
    return b"".join([*parts, head.encode(), content, b"\r\n--end--\r\n"])


def deliver(client: Client, receiver: Receiver, *, path: str, secret: str) -> str:
    """Take an example file to a delivery, check every part of it, and return the import's id."""
    record_id = client.upload(FILE.name, FILE.read_bytes())
    rows = client.until_state(record_id, "review")["counts"]["rows"]
    client.call(f"imports/{record_id}/apply", {"invalidRows": "exclude"})

    def mine() -> Any:
        return [item for item in list(receiver.arrived) if record_id.encode() in item.body]

    (arrived,) = until(mine, f"the delivery of {record_id}")
    verify(arrived.body, arrived.headers["x-import-signature"], [secret], arrived_at=arrived.at)
    body = json.loads(arrived.body)
    expected = ("POST", path, "application/json", "import.apply", body["deliveryId"])
    names = ("content-type", "x-import-event", "x-import-delivery-id")
    got = (arrived.method, arrived.path, *(arrived.headers.get(name) for name in names))
    if got != expected or body["recordId"] != record_id or not 0 < body["rowCount"] <= rows:
        raise Failed(f"not the delivery of {record_id}: {got} {body['rowCount']} of {rows} rows")
    if len(body["rows"]) != body["rowCount"]:
        raise Failed(f"{len(body['rows'])} rows arrived, {body['rowCount']} are said")
    client.until_state(record_id, "applied")
    print(f"  {record_id}: {body['rowCount']} of {rows} rows delivered, verified", flush=True)
    return record_id


def readiness(base: str) -> tuple[int, dict[str, str]]:
    """Return the answer of ``/readyz``; empty while no process listens."""
    with suppress(URLError, OSError):
        try:
            with urlopen(f"{base}/readyz", timeout=10) as answer:  # noqa: S310  (ours)
                return 200, json.load(answer)["checks"]
        except HTTPError as error:
            return error.code, json.load(error)["checks"]
    return 0, {}


def wait_until_ready(base: str) -> None:
    """Wait for an engine. Raise Failed with what it lacks."""
    try:
        until(lambda: readiness(base)[0] == 200, "/readyz")
    except Failed as error:
        lacking = {name: state for name, state in readiness(base)[1].items() if state != "ok"}
        raise Failed(f"{error}: {lacking or 'no answer'}") from None


def until(there: Callable[[], Any], what: str) -> Any:
    """Poll until there is a result, and return it. Raise Failed after five minutes."""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        if value := there():
            return value
        time.sleep(0.3)
    raise Failed(f"not within {LIMIT_S:.0f} s: {what}")
