"""A client works with an engine that is newer or older than it, and keeps what it does not know."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from deliveries.http.signing import signature_header
from tests.packages.projects import ROOT, Installed

pytestmark = pytest.mark.packages
RECORDED = json.loads((ROOT / "api" / "examples.json").read_text("utf-8"))
IMPORT: dict[str, Any] = RECORDED["imports_retrieve"]["answer"]
NEWER = {
    **IMPORT,
    "state": "pondering",
    "mode": "trial",
    "tomorrow": {"a": [1, None]},
    "may": {**IMPORT["may"], "ponder": True},
}
OLDER = {"recordId": IMPORT["recordId"], "state": "review"}
ROWS = [{"order.number": "A1", "tomorrow": {"b": 2}}]
REFUSAL = {"status": 418, "code": "teapot", "detail": "A kettle is needed.", "kettle": "none"}
ANSWERS = {
    "rec_newer": (200, "application/json", json.dumps(NEWER)),
    "rec_older": (200, "application/json", json.dumps(OLDER)),
    "rec_newer/results": (200, "application/x-ndjson", "\n".join(map(json.dumps, ROWS))),
    "rec_refused": (418, "application/problem+json", json.dumps(REFUSAL)),
}
SECRET = "whsec_" + "n" * 43 + "="
SIGNED_AT = 1_800_000_000
EVENT = json.dumps({"event": "kettle.boiled", "eventId": "evt_1", "degrees": 100})
PYTHON = """
import asyncio, json, sys
from import_engine import (
    EngineRefused, connect, iterate_results, wait_for_import, wait_for_import_async, webhooks)
from import_engine.generated.api.imports import imports_retrieve
engine = connect(sys.argv[1], "key")
record = wait_for_import(engine, "rec_newer", until={"pondering"})
again = asyncio.run(wait_for_import_async(engine, "rec_newer", until={"pondering"}))
older = wait_for_import(engine, "rec_older")
try:
    imports_retrieve.sync("rec_refused", client=engine)
except EngineRefused as error:
    refusal = [error.status, error.code, error.detail, error.problem["kettle"]]
body, header, secret, now = sys.argv[2:]
webhooks.check(body.encode(), {"X-Import-Signature": header}, secret, now=float(now))
print(json.dumps({
    "newer": [record.to_dict(), again.to_dict()],
    "unknown": record.additional_properties["tomorrow"],
    "older": older.to_dict(),
    "missing": bool(older.deliveries or older.progress or older.problem),
    "rows": list(iterate_results(engine, "rec_newer")),
    "refusal": refusal,
    "event": json.loads(body)["event"],
}))
"""
NODE = """
import {connect, EngineRefused, iterateResults, waitForImport} from '@import-engine/server'
import {verify} from '@import-engine/server/webhooks'
const [baseUrl, body, header, secret, now] = process.argv.slice(2)
const engine = connect({baseUrl, licenseKey: 'key'})
const record = await waitForImport(engine, 'rec_newer', {until: ['pondering']})
const older = await waitForImport(engine, 'rec_older')
const rows = []
for await (const row of iterateResults(engine, 'rec_newer')) rows.push(row)
let refusal
try {
  const params = {path: {record_id: 'rec_refused'}}
  await engine.GET('/api/import/v1/imports/{record_id}', {params})
} catch (error) {
  if (!(error instanceof EngineRefused)) throw error
  refusal = [error.status, error.code, error.message, error.problem.kettle]
}
const event = await verify(body, {'X-Import-Signature': header}, secret, {now: Number(now)})
console.log(JSON.stringify({
  newer: [record, record], unknown: record.tomorrow, older, rows, refusal, event: event.event,
  missing: Boolean(older.deliveries || older.progress || older.problem),
}))
"""


class Handler(BaseHTTPRequestHandler):
    """Answers as an engine of another version."""

    def do_GET(self) -> None:
        name = self.path.partition("?")[0].removeprefix("/api/import/v1/imports/")
        status, kind, text = ANSWERS[name]
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def other_engine() -> Iterator[str]:
    """Yield the address of an engine of another version."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def drive(project: Installed, program: str, origin: str) -> dict[str, Any]:
    """Return what a program of a host saw of the other engine, and of an event of it."""
    header = signature_header([SECRET], t=SIGNED_AT, body=[EVENT.encode()])
    finished = project.run(program, origin, EVENT, header, SECRET, SIGNED_AT)
    assert finished.returncode == 0, finished.stderr
    seen: dict[str, Any] = json.loads(finished.stdout)
    return seen


@pytest.mark.parametrize(("name", "program"), [("python", PYTHON), ("node", NODE)])
def test_a_client_works_with_another_engine_and_keeps_what_it_does_not_know(
    request: pytest.FixtureRequest, other_engine: str, name: str, program: str
) -> None:
    project: Installed = request.getfixturevalue(name)

    seen = drive(project, program, other_engine)

    for record in seen["newer"]:
        times = {"createdAt": NEWER["createdAt"]}  # Python reads a time
        assert {**record, **times} == NEWER
    assert seen["unknown"] == NEWER["tomorrow"]
    assert (seen["older"], seen["missing"]) == (OLDER, False)
    assert seen["rows"] == ROWS
    assert seen["refusal"] == [418, "teapot", "A kettle is needed.", "none"]
    assert seen["event"] == "kettle.boiled"
