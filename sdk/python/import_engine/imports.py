"""Wait for an import, and stream its rows."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Collection, Iterator
from typing import Any

from import_engine.client import Engine
from import_engine.generated.api.imports import imports_retrieve
from import_engine.generated.models.import_out import ImportOut

# In the other states, the engine works on the import.
RESTING = frozenset(
    {"mapping", "review", "staged", "applied", "checked", "reverted", "failed", "cancelled"}
)
LONGEST_WAIT_S = 20.0
PAUSE_S = 0.25  # the engine answers at once where many callers wait already


def wait_for_import(
    engine: Engine,
    record_id: str,
    *,
    until: Collection[str] = RESTING,
    timeout_s: float = 600.0,
) -> ImportOut:
    """Return the import once its state is one of ``until``; TimeoutError after ``timeout_s``."""
    end = time.monotonic() + timeout_s
    while True:
        wait = _seconds(end)
        record = imports_retrieve.sync(record_id, client=engine, wait=wait)
        if record is not None and record.state in until:
            return record
        _go_on(record, end)
        time.sleep(PAUSE_S)


async def wait_for_import_async(
    engine: Engine,
    record_id: str,
    *,
    until: Collection[str] = RESTING,
    timeout_s: float = 600.0,
) -> ImportOut:
    """Return the import once its state is one of ``until``; TimeoutError after ``timeout_s``."""
    end = time.monotonic() + timeout_s
    while True:
        wait = _seconds(end)
        record = await imports_retrieve.asyncio(record_id, client=engine, wait=wait)
        if record is not None and record.state in until:
            return record
        _go_on(record, end)
        await asyncio.sleep(PAUSE_S)


def iterate_results(engine: Engine, record_id: str) -> Iterator[dict[str, Any]]:
    """Yield the applied rows, by field path, without holding them all in memory."""
    with engine.get_httpx_client().stream(**_stream_of(record_id)) as answer:
        for line in answer.iter_lines():
            if line:
                yield json.loads(line)


async def iterate_results_async(engine: Engine, record_id: str) -> AsyncIterator[dict[str, Any]]:
    """Yield the applied rows, by field path, without holding them all in memory."""
    async with engine.get_async_httpx_client().stream(**_stream_of(record_id)) as answer:
        async for line in answer.aiter_lines():
            if line:
                yield json.loads(line)


def _stream_of(record_id: str) -> dict[str, Any]:
    url = f"/api/import/v1/imports/{record_id}/results"
    return {"method": "GET", "url": url, "params": {"stream": "true"}}


def _seconds(end: float) -> float:
    return round(min(LONGEST_WAIT_S, max(0.0, end - time.monotonic())), 2)


def _go_on(record: ImportOut | None, end: float) -> None:
    if time.monotonic() >= end:
        state = record.state if record else "unknown"
        raise TimeoutError(f"The import is still in the state {state}.")
