"""``manage.py mcp``: one line and an end without a license; the whole job over stdin and stdout."""

import asyncio
import io
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import openpyxl
import pytest

from common.ids import new_id
from licensing.tokens import keys
from tests.receiving import Received, assert_delivery

pytestmark = pytest.mark.processes
ROOT = Path(__file__).resolve().parent.parent.parent
ENGINE = [sys.executable, str(ROOT / "scripts" / "development.py")]


def environment(folder: Path, **about: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**kept, "IMPORT_DATA_DIR": str(folder), **about}


def run(folder: Path, *arguments: str, **about: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*ENGINE, *arguments],
        env=environment(folder, **about),
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )


class Host(ThreadingHTTPServer):
    """Receives deliveries and keeps them."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Receiving)
        self.arrived: list[Received] = []


class Receiving(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.server.arrived.append(Received.of(self))
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def host():
    with Host() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def engine(tmp_path_factory, host) -> Path:
    folder = tmp_path_factory.mktemp("engine")
    run(folder, "migrate", "--verbosity", "0").check_returncode()
    run(folder, "setup", "--port", str(host.server_port)).check_returncode()
    return folder


def messy_workbook() -> bytes:
    """Return a report above a table in which the date order and one status are unclear."""
    book = openpyxl.Workbook()
    sheet = book.active
    header = "Order number,Ordered on,Customer,Article,Quantity,Unit price,Amount,Status"
    rows = [["Orders of the north"], ["as of", "05/06/2026"], [], header.split(",")]
    for n in range(1, 9):
        status = "waiting" if n == 3 else "open"
        rows.append([f"A-{n:03}", f"0{n}/05/2026", f"Kunde {n}", "LX-1", n, 2.5, n * 2.5, status])
    for row in rows:
        sheet.append(row)
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def minted(folder: Path, *more: str) -> str:
    done = run(
        folder, "license", "mint", "--tenant", "tnt_demo", *more,
        "--private-key", str(folder / "keys" / "license-private.pem"),
    )  # fmt: skip
    return next(word for word in done.stdout.split() if word.startswith(keys.PREFIX))


def end_of(process: subprocess.CompletedProcess) -> str:
    assert process.returncode != 0
    assert process.stdout == ""
    lines = process.stderr.strip().splitlines()
    assert len(lines) == 1, process.stderr
    return lines[0]


def test_without_a_license_it_does_not_start(engine):
    assert "IMPORT_LICENSE_KEY" in end_of(run(engine, "mcp"))


def test_with_a_license_that_is_not_accepted_it_does_not_start(engine):
    assert "Not started" in end_of(run(engine, "mcp", IMPORT_LICENSE_KEY="imp_lic_a.b.c"))


def test_without_the_public_key_it_does_not_start(engine):
    done = run(engine, "mcp", IMPORT_LICENSE_KEY=new_id("lic_"), IMPORT_LICENSE_PUBLIC_KEY="")

    assert "IMPORT_LICENSE_PUBLIC_KEY" in end_of(done)


def test_an_agent_takes_a_messy_workbook_from_file_to_delivered_rows_and_back(
    engine, host, tmp_path
):
    key = minted(engine, "--plan", "enterprise", "--entitlement", "agentAccess")
    (tmp_path / "orders.xlsx").write_bytes(messy_workbook())

    story = asyncio.run(_session(engine, key, tmp_path))

    assert {item["kind"] for item in story["asked"]} == {"date_order", "category_value"}
    assert {item["kind"] for item in story["answered_by"]} == {"agent"}
    assert story["dry"]["counts"]["error"] == 0
    assert story["again"]["changeset"]["id"] == story["applied"]["changeset"]["id"]
    assert [delivery["state"] for delivery in story["shown"]["deliveries"]] == ["delivered"]
    assert story["reverted"]["import"]["state"] == "reverted"
    assert story["reverted"]["nextStep"].startswith("Er ist zurückgenommen.")
    received, *_ = host.arrived
    secret = (engine / "demo" / "signing-secret").read_text("utf-8")
    assert_delivery(
        received, url=f"http://127.0.0.1:{host.server_port}/demo/receiver", secret=secret
    )
    body = received.body
    assert json.loads(body)["rows"] == story["shown"]["rows"]
    assert json.loads(body)["rows"][2]["orders.ordered_on"] == "2026-05-03"


def answer_to(question: dict) -> str:
    """Return the person's answers: day first, and waiting means open."""
    return {"date_order": "dmy", "category_value": "open"}[question["kind"]]


async def _session(engine: Path, key: str, files: Path) -> dict:
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    german = {"IMPORT_AGENT_LANGUAGE": "de"}
    about = environment(engine, IMPORT_LICENSE_KEY=key, IMPORT_AGENT_FILES=str(files), **german)
    process = StdioServerParameters(command=ENGINE[0], args=[*ENGINE[1:], "mcp"], env=about)
    async with Client(stdio_client(process)) as client:

        async def tool(name: str, **arguments) -> dict:
            answer = await client.call_tool(name, arguments)
            assert not answer.is_error, answer.content
            return answer.structured_content

        analysis = await tool("analyze_file", path="orders.xlsx")
        record = {"recordId": analysis["recordId"]}
        await tool("propose_mapping", **record, catalogKey="orders")
        answered, answered_by = [], []
        while questions := (await tool("list_questions", **record))["items"]:
            answered.append(questions[0])
            about = {"questionId": questions[0]["id"], "value": answer_to(questions[0])}
            closed = await tool("answer_question", **about)
            answered_by.append(closed["question"]["answeredBy"])
        dry = await tool("dry_run_transform", **record)
        applied = await tool("execute_import", **record, idempotencyKey="one")
        again = await tool("execute_import", **record, idempotencyKey="one")
        changeset = {"changesetId": applied["changeset"]["id"]}
        return {
            "asked": answered,
            "answered_by": answered_by,
            "dry": dry,
            "applied": applied,
            "again": again,
            "shown": await tool("get_changeset", **changeset, limit=200),
            "reverted": await tool("revert_changeset", **changeset),
        }
