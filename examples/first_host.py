"""
The host of docs/start: a page with the widget, and an address that takes deliveries.

    python -m examples.first_host

It reads the engine's address, the license key and the signing secret from ENGINE, LICENSE_KEY and
SIGNING_SECRET, and its port from PORT (9000). Standard library only; a host that real people use
begins with ``receivers`` or ``django_receiver``, which keep what they take.
"""

import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.request import Request, urlopen

from examples.django_receiver.verify import NotVerified, verify

PORT = int(os.environ.get("PORT", "9000"))
ORIGIN = f"http://127.0.0.1:{PORT}"
PAGE = """<!doctype html>
<html lang="en">
<title>First host</title>
<script type="module" src="{engine}/elements/service-import.js"></script>
<h1>Import a file</h1>
<service-import api-base-url="{engine}"></service-import>
<script type="module">
  document.querySelector('service-import').fetchKey = async () => {{
    const answer = await fetch('/import-session', {{method: 'POST'}})
    return (await answer.json()).token
  }}
</script>
"""


class Host(BaseHTTPRequestHandler):
    """Three addresses: the page, a session for it, and deliveries."""

    def do_GET(self) -> None:
        """Answer with the page that has the widget in it."""
        page = PAGE.format(engine=os.environ["ENGINE"])
        self.answer(200 if self.path == "/" else 404, page.encode(), "text/html; charset=utf-8")

    def do_POST(self) -> None:
        """Open a session for the page, or take a delivery."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/import-session":  # a real host asks first who is logged in
            self.answer(200, json.dumps({"token": open_session()}).encode())
        elif self.path == "/apply":
            refused = self.take(body)
            content = json.dumps({"detail": refused} if refused else {})
            self.answer(401 if refused else 200, content.encode())
        else:
            self.answer(404, b"{}")

    def take(self, body: bytes) -> str:
        """Verify a delivery and print its rows; return why it is refused, or nothing."""
        header = self.headers.get("x-import-signature", "")
        try:
            verify(body, header, [os.environ["SIGNING_SECRET"]], arrived_at=time.time())
        except NotVerified as error:
            print(f"refused: {error}", flush=True)  # noqa: T201  (the tutorial shows it)
            return str(error)
        delivery = json.loads(body)
        if delivery["event"] != "import.apply":
            print(f"verified {delivery['event']}", flush=True)  # noqa: T201  (the same)
            return ""
        count = delivery["rowCount"]
        line = f"verified {delivery['deliveryId']}: {count} {'row' if count == 1 else 'rows'}"
        print(line, *delivery["rows"][:1], sep="\n", flush=True)  # noqa: T201  (the same)
        return ""

    def answer(self, status: int, body: bytes, kind: str = "application/json") -> None:
        """Send one answer."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log no single requests."""


def open_session() -> str:
    """Return a token from the engine that one page may use for a while."""
    wanted = {
        "scope": "first-host",
        "catalogKey": os.environ.get("CATALOG_KEY", "orders"),
        "origin": ORIGIN,
        "invalidRows": ["fix", "exclude"],
    }
    headers = {
        "Authorization": f"Bearer {os.environ['LICENSE_KEY']}",
        "Content-Type": "application/json",
    }
    address = f"{os.environ['ENGINE']}/api/import/v1/sessions"
    request = Request(address, json.dumps(wanted).encode(), headers)  # noqa: S310  (our engine)
    with urlopen(request, timeout=10) as answer:  # noqa: S310  (the same)
        return str(json.load(answer)["token"])


if __name__ == "__main__":
    if not os.environ.get("SIGNING_SECRET"):
        raise SystemExit("Set SIGNING_SECRET to the secret of the webhook.")
    try:
        server = ThreadingHTTPServer(("127.0.0.1", PORT), Host)
    except OSError as error:
        raise SystemExit(f"Can't listen on port {PORT}: {error}. Set PORT to another.") from None
    print(f"Host at {ORIGIN}", flush=True)  # noqa: T201  (the tutorial shows it)
    server.serve_forever()
