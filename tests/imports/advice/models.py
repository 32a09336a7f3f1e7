"""A model of our own: a server that speaks the protocol, and says what a test wants."""

import http.server
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Step = Callable[["Handler", dict[str, Any]], None]


@dataclass
class ModelServer:
    """A model: ``step`` answers each call, and ``received`` keeps the prompts."""

    url: str = ""
    step: Step = lambda call, prompt: None
    received: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    def says(self, content: object) -> None:
        """Answer each call with a text, or with the JSON of an object."""
        text = content if isinstance(content, str) else json.dumps(content)
        self.step = lambda call, prompt: call.answer(text)

    def proposes(self, **fields: str) -> None:
        """Name a field for columns, both by the names that the prompt shows."""

        def step(call: "Handler", prompt: dict[str, Any]) -> None:
            ids = {item["name"]: item["id"] for item in prompt["fields"]}
            matched = {
                item["id"]: ids[fields[item["name"]]]
                for item in prompt["columns"]
                if item["name"] in fields
            }
            call.answer(json.dumps({"columns": matched}))

        self.step = step

    def chooses(self, **labels: str) -> None:
        """Name an option for texts, both as the prompt shows them."""

        def step(call: "Handler", prompt: dict[str, Any]) -> None:
            chosen = {}
            for text in prompt.get("texts", ()):
                (field,) = [item for item in prompt["fields"] if item["id"] == text["field"]]
                ids = {option["name"]: option["id"] for option in field["options"]}
                if text["text"] in labels:
                    chosen[text["id"]] = ids[labels[text["text"]]]
            call.answer(json.dumps({"options": chosen}))

        self.step = step

    def cleans(self, column: str, *steps: dict[str, Any]) -> None:
        """Name steps for a column, by the name that the prompt shows."""

        def step(call: "Handler", prompt: dict[str, Any]) -> None:
            ids = {item["name"]: item["id"] for item in prompt.get("columns", ())}
            call.answer(json.dumps({"recipe": {ids[column]: steps} if column in ids else {}}))

        self.step = step

    def hangs(self) -> None:
        """Take each call and never answer it."""
        self.step = lambda call, prompt: self.released.wait(30)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_of: ModelServer

    def do_POST(self) -> None:
        document = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server_of.received.append({"path": self.path, **document})
        self.server_of.headers.append(dict(self.headers.items()))
        self.server_of.step(self, json.loads(document["messages"][1]["content"]))

    def answer(self, content: str) -> None:
        """Answer as a model does."""
        message = {"role": "assistant", "content": content}
        self.send(200, {"choices": [{"index": 0, "message": message}]})

    def send(self, status: int, document: object) -> None:
        """Send JSON, or a text as it is."""
        body = document if isinstance(document, str) else json.dumps(document)
        self.send_response(status)
        self.send_header("content-length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Keep the tests' output short."""


@contextmanager
def running_model() -> Iterator[ModelServer]:
    """Yield a model that listens on a port of this machine."""
    model = ModelServer()
    handler = type("Bound", (Handler,), {"server_of": model})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    model.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield model
    finally:
        model.released.set()
        server.shutdown()
        server.server_close()
