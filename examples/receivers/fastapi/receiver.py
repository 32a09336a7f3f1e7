"""Receive deliveries with FastAPI: verify, store once, answer. See docs/webhooks.md."""

import hashlib
import hmac
import json
import os
import sqlite3
import time
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool

TOLERANCE_S = 300
MAX_BYTES = 64 * 1024 * 1024

app = FastAPI()
secret = os.environ["IMPORT_SIGNING_SECRET"]
database = str(Path(os.environ["INBOX"]) / "deliveries.sqlite3")


def is_genuine(header: str, body: bytes) -> bool:
    """Return whether a body is from the engine and fresh. header: x-import-signature."""
    parts = [part.partition("=") for part in header.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    if len(times) != 1 or not (times[0].isascii() and times[0].isdigit()):
        return False
    if abs(time.time() - int(times[0])) > TOLERANCE_S:
        return False
    expected = hmac.new(secret.encode(), times[0].encode() + b"." + body, hashlib.sha256)
    given = [value for name, _, value in parts if name == "v1"]
    return any(hmac.compare_digest(expected.hexdigest().encode(), v.encode()) for v in given)


def store(delivery_id: str, body: bytes) -> bool:
    """Store a delivery, once; False when it was there. Write your rows in this transaction."""
    connection = sqlite3.connect(database)
    try:
        with connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS delivery (id TEXT PRIMARY KEY, body BLOB)"
            )
            cursor = connection.execute(
                "INSERT INTO delivery VALUES (?, ?) ON CONFLICT DO NOTHING", (delivery_id, body)
            )
        return cursor.rowcount == 1
    finally:
        connection.close()


async def raw_body(request: Request) -> bytes | None:
    """Return the raw bytes of a request, or None if they are more than MAX_BYTES."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > MAX_BYTES:
            return None
        parts.append(part)
    return b"".join(parts)


@app.post("/apply")
async def apply(request: Request) -> Response:
    """Receive one delivery."""
    body = await raw_body(request)  # not a Pydantic model: the signature covers the raw bytes
    if body is None:
        return Response("too large", 413)
    if not is_genuine(request.headers.get("x-import-signature", ""), body):
        return Response("not genuine", 401)
    is_new = await run_in_threadpool(store, json.loads(body)["deliveryId"], body)
    return Response("stored" if is_new else "seen")


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]))
