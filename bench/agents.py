"""The cost of an agent's calls: over HTTP on one worker, and over stdio from its start."""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import requests

from bench.jobs import with_engines
from bench.jobs.engine import Engine, orders

LIST_S, QUESTIONS_S, START_S, IMPORT_S = 0.005, 0.015, 2.0, 4.0
CALLS = 200
SMALL_ROWS = 20
HEADERS = {
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
}


def main() -> None:
    """Print the median of each call and the seconds of a whole import, for each way of running."""
    with_engines(_measure)


def _measure(engine: Engine) -> None:
    agent = Agent(engine)
    agent.tool("propose_mapping", text=orders(SMALL_ROWS).decode())
    _line("tools/list, p50", _median(lambda: agent.send("tools/list")), LIST_S)
    _line("list_questions, p50", _median(lambda: agent.tool("list_questions")), QUESTIONS_S)
    _line("a whole import, p50", _median(agent.imports, times=5), IMPORT_S)
    starts = [asyncio.run(_started(engine)) for _ in range(5)]
    _line("stdio, start to first answer, p50", statistics.median(starts), START_S)


class Agent:
    """Calls tools over one kept connection."""

    def __init__(self, engine: Engine) -> None:
        self._http = requests.Session()
        self._http.headers.update({**HEADERS, **engine.agent_headers()})
        self._address = f"{engine.base}/mcp"

    def send(self, method: str, **params: Any) -> Any:
        """Send one message; return its result."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self._http.post(self._address, json=message, timeout=60).json()["result"]

    def tool(self, name: str, **arguments: Any) -> Any:
        """Call a tool; return its answer."""
        result = self.send("tools/call", name=name, arguments=arguments)
        if result.get("isError"):
            raise SystemExit(result["content"][0]["text"])
        return result["structuredContent"]

    def imports(self) -> None:
        """Import a small file, from analysis to applied rows."""
        record = {
            "recordId": self.tool("analyze_file", text=orders(SMALL_ROWS).decode())["recordId"]
        }
        self.tool("propose_mapping", **record)
        self.tool("dry_run_transform", **record)
        how = {"applyMode": "browser", "openQuestions": "dismiss", "invalidRows": "exclude"}
        done = self.tool("execute_import", **record, **how)
        self.tool("get_changeset", changesetId=done["changeset"]["id"])


async def _started(engine: Engine) -> float:
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    command, *arguments = engine.command("mcp")
    key = engine.agent_headers()["Authorization"].split()[1]
    about = {**os.environ, **engine.environment, "IMPORT_LICENSE_KEY": key}
    process = StdioServerParameters(command=command, args=arguments, env=about)
    start = time.perf_counter()
    async with Client(stdio_client(process)) as client:
        await client.list_tools()
        return time.perf_counter() - start


def _median(call: Callable[[], object], *, times: int = CALLS) -> float:
    spent = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        spent.append(time.perf_counter() - start)
    return statistics.median(spent)


def _line(what: str, spent: float, limit: float) -> None:
    verdict = "ok" if spent <= limit else "TOO SLOW"
    print(
        f"   {what:34} {spent * 1000:8.1f} ms  (limit {limit * 1000:.0f} ms) {verdict}", flush=True
    )
