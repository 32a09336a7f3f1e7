"""Receive deliveries with Flask: verify, store once, answer. See docs/webhooks.md."""

import hashlib
import hmac
import os
import sqlite3
import time
from pathlib import Path

from flask import Flask, Response, request

TOLERANCE_S = 300

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 64 * 1024 * 1024
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


@app.post("/apply")
def apply() -> Response:
    """Receive one delivery."""
    body = request.get_data()  # the raw bytes, before anything parses them
    if not is_genuine(request.headers.get("x-import-signature", ""), body):
        return Response("not genuine", 401)
    delivery = request.get_json()
    is_new = store(delivery["deliveryId"], body)
    return Response("stored" if is_new else "seen", 200)


if __name__ == "__main__":
    app.run("127.0.0.1", int(os.environ["PORT"]))
