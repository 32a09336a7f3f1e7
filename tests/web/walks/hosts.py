"""A host's server: pages with the widget, and sessions for logged-in users."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import requests

from tests.receiving import Received, assert_delivery

AXE = Path(__file__).resolve().parents[3] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"

RECEIVER = "/receiver/"  # the engine may deliver to any address below it
SCRIPT = """
const widget = document.querySelector('service-import')
const about = JSON.parse(document.body.dataset.about)
window.heard = []
window.results = []
const names = ['rows-refused', 'rows-failed', 'ready', 'step', 'file', 'progress', 'question',
  'applied', 'error', 'cancel', 'closed']
for (const name of names) {
  const hear = ({type, detail}) => heard.push({type, detail})
  widget.addEventListener(`import-${name}`, hear)
}
widget.onResults = given => { results.push(given) }
if (about.context) widget.context = about.context
if (about.key) widget.licenseKey = about.key
else widget.fetchKey = async () => {
  const body = JSON.stringify(about.session)
  const answer = await fetch('/import-session', {method: 'POST', body})
  if (!answer.ok) throw new Error('Log in again.')
  return (await answer.json()).token
}
"""


class Host:
    """Pages by their path, on a separate loopback port."""

    def __init__(self, engine: str, key: str) -> None:
        self.engine = engine
        self._key = key
        self._pages: dict[str, tuple[str, str, dict[str, str]]] = {}
        self.opened: list[dict[str, Any]] = []  # the sessions, as the engine answered
        self.results: list[dict[str, Any]] = []  # what the receiver says of rows
        self.received: list[Received] = []  # deliveries
        self.failing: set[str] = set()  # catalogs whose deliveries it answers with 500
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        self.put("/host.js", SCRIPT, "text/javascript")

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

    def put(self, path: str, text: str, kind: str = "text/html", **headers: str) -> str:
        """Serve a text; return its URL."""
        self._pages[path] = (text, kind, headers)
        return f"{self.origin}{path}"

    def widget_page(
        self,
        *,
        csp: str = "",
        css: str = "",
        engine: str = "",
        key: str = "",
        session: dict[str, Any] | None = None,
        context: dict[str, Any] | None = None,
        body: str = "",
        **attributes: str,
    ) -> str:
        """
        Serve a page with the widget; return its URL.

        session: the host's settings when the page requests a session. key: a key instead.
        attributes: of the element, with ``_`` for ``-``.
        """
        about = json.dumps({"session": session or {}, "key": key, "context": context})
        names = {"api_base_url": engine or self.engine, **attributes}
        written = " ".join(f'{name.replace("_", "-")}="{text}"' for name, text in names.items())
        name = f"/page-{len(self._pages)}"
        style = ""
        if css:
            self.put(f"{name}.css", css, "text/css")
            style = f'<link rel="stylesheet" href="{name}.css">'
        html = f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>
<link rel="icon" href="data:,">{style}
<script type="module" src="{self.engine}/elements/service-import.js"></script>
<script type="module" src="/host.js"></script></head>
<body data-about='{about.replace("'", "&#39;")}'><main><h1>Host</h1>
<service-import {written}>{body}</service-import></main></body></html>"""
        headers = {"Content-Security-Policy": csp} if csp else {}
        return self.put(name, html, **headers)

    def framework_page(self, script: str, *, session: dict[str, Any]) -> str:
        """Serve a page whose script inserts the widget; return its URL."""
        about = json.dumps({"session": session, "engine": self.engine})
        html = f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>
<link rel="icon" href="data:,">
<script type="module" src="{self.engine}/elements/service-import.js"></script>
<script type="module" src="{script}"></script></head>
<body data-about='{about}'><main></main></body></html>"""
        return self.put(f"/page-{len(self._pages)}", html)

    def open_session(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """Open a session at the engine, as the host's server."""
        answer = requests.post(
            f"{self.engine}/api/import/v1/sessions",
            headers={"Authorization": f"Bearer {self._key}"},
            json={"origin": self.origin, "rights": ["revert"], **wanted},
            timeout=60,
        )
        answer.raise_for_status()
        made: dict[str, Any] = answer.json()
        self.opened.append(made)
        return made

    def end_session(self, session: dict[str, Any]) -> None:
        """End a session at the engine."""
        requests.delete(
            f"{self.engine}/api/import/v1/sessions/{session['id']}",
            headers={"Authorization": f"Bearer {self._key}"},
            timeout=60,
        ).raise_for_status()

    def assert_deliveries(self) -> None:
        """Assert that each delivery was whole, and came to the address of its catalog."""
        for item in self.received:
            key = json.loads(item.body)["catalogKey"]
            assert_delivery(item, url=f"{self.origin}{RECEIVER}{key}")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        host = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                text, kind, headers = host._pages.get(self.path, ("", "text/plain", {}))
                self._answer(200 if text else 404, text.encode(), kind, headers)

            def do_POST(self) -> None:
                call = Received.of(self)
                if self.path.removeprefix(RECEIVER) in host.failing:
                    return self._answer(500, b"", "text/plain", {})
                if self.path.startswith(RECEIVER):
                    host.received.append(call)
                    made = {"results": host.results}
                else:
                    made = host.open_session(json.loads(call.body))
                return self._answer(200, json.dumps(made).encode(), "application/json", {})

            def _answer(self, status: int, body: bytes, kind: str, headers: dict[str, str]) -> None:
                self.send_response(status)
                charset = "; charset=utf-8" if kind.startswith("text/") else ""
                about = {"content-type": kind + charset, "content-length": str(len(body))}
                for name, value in {**about, **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                pass

        return Handler
