"""
A host whose customers differ: three gyms, one catalog of members.

    python -m examples.customers.host

It reads the engine's address, the license key and the signing secret from ENGINE, LICENSE_KEY and
SIGNING_SECRET. What differs is in ``<customer>/session.json``: the session that this server opens
for that customer's page. Standard library only.
"""

import json
import os
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from examples.customers.store import Store
from examples.django_receiver.verify import NotVerified, verify

Json = dict[str, Any]

HERE = Path(__file__).resolve().parent
CUSTOMERS = {
    file.parent.name: json.loads(file.read_text("utf-8"))
    for file in sorted(HERE.glob("*/session.json"))
}
MOST_ITEMS = 10_000  # of one call to the engine
TRIES = 3
MOST_BYTES = 64 * 1024 * 1024  # of one delivery
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Members of {customer}</title>
<script type="module" src="{engine}/elements/service-import.js"></script>
<h1>Members of {customer}</h1>
<service-import api-base-url="{engine}"></service-import>
<script type="module">
  document.querySelector('service-import').fetchKey = async () => {{
    const answer = await fetch('/{customer}/import-session', {{method: 'POST'}})
    if (!answer.ok) throw new Error('Log in again.')
    return (await answer.json()).token
  }}
</script>
"""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the host needs to know."""

    engine: str
    license_key: str  # with the entitlement catalogOverlays; it never leaves this server
    signing_secret: str
    database: Path


class Server(ThreadingHTTPServer):
    """The host on a port of this machine."""

    def __init__(self, settings: Settings, port: int) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.settings = settings
        self.store = Store(settings.database)
        self.origin = f"http://127.0.0.1:{self.server_port}"

    def open_session(self, customer: str) -> str:
        """Return a token from the engine for a page of one customer."""
        self.send_members(customer)
        wanted = {**CUSTOMERS[customer], "origin": self.origin}
        return str(self.call_engine("POST", "sessions", wanted)["token"])

    def send_members(self, customer: str) -> None:
        """Send the engine a customer's members, so that it can show what an import changes."""
        for _ in range(TRIES - 1):
            try:
                return self.try_to_send_members(customer)
            except HTTPError as error:
                if error.code != HTTPStatus.CONFLICT:  # 409: an import was delivered meanwhile
                    raise
                error.close()  # it holds the answer, and with it the connection
        return self.try_to_send_members(customer)

    def try_to_send_members(self, customer: str) -> None:
        """Send the members as they are now. Raise HTTPError if they are outdated by then."""
        as_of = datetime.now(UTC).isoformat()  # before they are read
        members = self.store.members_of(customer)
        items = [
            {"ref": ref, "values": {path.partition(".")[2]: value for path, value in row.items()}}
            for ref, row in members.items()
        ]
        path = f"references/member?scope={CUSTOMERS[customer]['scope']}"
        for first in range(0, len(items), MOST_ITEMS):
            part = {"items": items[first : first + MOST_ITEMS], "asOf": as_of}
            self.call_engine("PUT", path, part)

    def call_engine(self, method: str, path: str, body: Json) -> Json:
        """Call the engine with the license key; return its answer. Raise URLError."""
        headers = {
            "Authorization": f"Bearer {self.settings.license_key}",
            "Content-Type": "application/json",
        }
        address = f"{self.settings.engine}/api/import/v1/{path}"
        content = json.dumps(body).encode()
        request = Request(address, content, headers, method=method)  # noqa: S310  (our engine)
        with urlopen(request, timeout=10) as answer:  # noqa: S310  (the same)
            return dict(json.load(answer))

    def keep(self, body: bytes, header: str) -> Json:
        """Verify a delivery and store it; return what became of its rows. Raise NotVerified."""
        verify(body, header, [self.settings.signing_secret], arrived_at=time.time())
        delivery = json.loads(body)
        # This server said `meta` when it opened the session, and no page can change it.
        customer = str(delivery.get("meta", {}).get("customer", ""))
        if customer not in CUSTOMERS:  # a test delivery has none
            return {}
        return {"results": self.store.keep(customer, delivery)}


class Handler(BaseHTTPRequestHandler):
    """A page for each customer, a session for it, and the address of deliveries."""

    server: Server

    def do_GET(self) -> None:
        """Answer with a customer's page (``/zurich``) or their members (``/zurich/members``)."""
        _, customer, *rest = self.path.split("/")
        if customer not in CUSTOMERS or rest not in ([], ["members"]):
            self.answer(404, b"", "text/plain")
        elif rest:
            self.answer_json(200, self.server.store.members_of(customer))
        else:
            page = PAGE.format(engine=self.server.settings.engine, customer=customer)
            self.answer(200, page.encode(), "text/html; charset=utf-8")

    def do_POST(self) -> None:
        """Open a session for a customer's page, change a member by hand, or take a delivery."""
        length = int(self.headers.get("Content-Length", 0))
        if length > MOST_BYTES:
            return self.answer_json(413, {"detail": "too large"})
        body = self.rfile.read(length)
        _, customer, *rest = self.path.split("/")
        if customer in CUSTOMERS and rest == ["import-session"]:
            return self.answer_session(customer)  # a real host asks first who is logged in
        if customer in CUSTOMERS and len(rest) == 2 and rest[0] == "members":
            is_there = self.server.store.edit(customer, rest[1], json.loads(body))
            return self.answer_json(200 if is_there else 404, {})
        if self.path == "/apply":
            return self.answer_delivery(body)
        return self.answer_json(404, {})

    def answer_session(self, customer: str) -> None:
        """Answer with a token; print why the engine opens no session."""
        try:
            self.answer_json(200, {"token": self.server.open_session(customer)})
        except URLError as error:
            cause = error.read().decode() if isinstance(error, HTTPError) else error
            print(cause, flush=True)  # noqa: T201  (what to correct in session.json)
            self.answer_json(502, {"detail": "The engine opened no session."})

    def answer_delivery(self, body: bytes) -> None:
        """Store a delivery, or refuse it."""
        try:
            answer = self.server.keep(body, self.headers.get("x-import-signature", ""))
        except NotVerified as error:
            return self.answer_json(401, {"detail": str(error)})
        return self.answer_json(200, answer)

    def answer_json(self, status: int, content: object) -> None:
        """Send one answer as JSON."""
        self.answer(status, json.dumps(content).encode(), "application/json")

    def answer(self, status: int, body: bytes, kind: str) -> None:
        """Send one answer."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log no single requests."""


def main() -> None:
    """Serve until the process is stopped."""
    settings = Settings(
        engine=os.environ["ENGINE"],
        license_key=os.environ["LICENSE_KEY"],
        signing_secret=os.environ["SIGNING_SECRET"],
        database=Path(os.environ.get("DATABASE", "var/customers.sqlite3")),
    )
    server = Server(settings, int(os.environ.get("PORT", "9000")))
    for customer in CUSTOMERS:
        print(f"{server.origin}/{customer}", flush=True)  # noqa: T201  (the pages to open)
    server.serve_forever()


if __name__ == "__main__":
    main()
