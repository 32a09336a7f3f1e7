"""A body of a million rows: column-wise, compared with a dict and orjson per row."""

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.exports.delivered_rows import Delivered

ROWS = 1_000_000
BATCH_ROWS = 20_000
ROUNDS = 3
TYPES = {
    "order.id": "string",
    "order.customer": "string",
    "order.email": "string",
    "order.date": "date",
    "order.due": "date",
    "order.quantity": "int",
    "order.price": "float",
    "order.total": "currency_eur",
    "order.currency": "currency_code",
    "order.country": "country_code_alpha_2",
    "order.paid": "boolean",
    "order.iban": "iban",
    "order.phone": "phone",
    "order.note": "string",
}


def main() -> None:
    """Print the medians of both, each in a separate process, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        write_rows(Path(folder))
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(run("ours", folder))
            theirs.append(run("orjson", folder))
    best, other = sorted(ours)[ROUNDS // 2], sorted(theirs)[ROUNDS // 2]
    print(f"body of {ROWS} rows, {best[2] / 1e6:.0f} MB")
    print(
        f"  written, hashed, signed and sent: {best[0]:5.1f} s CPU, "
        f"peak {max(item[1] for item in ours):.0f} MB with all that a worker imports"
    )
    print(f"  orjson per row, serialised alone: {other[0]:5.1f} s CPU, peak {other[1]:.0f} MB")
    print(f"  ratio: {best[0] / other[0]:.2f}")


def run(what: str, folder: str) -> tuple[float, float, int]:
    """Run one side; return CPU seconds, peak MB and bytes."""
    command = [sys.executable, "-m", "bench.deliveries.body", what]
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "importengine.settings",
        "IMPORT_DATA_DIR": folder,
        "IMPORT_SECRET_KEY": "bench",
        "IMPORT_ENCRYPTION_KEYS": "bench",
    }
    seconds, peak, size = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=environment
    ).stdout.split()
    return float(seconds), float(peak), int(size)


def write_rows(folder: Path) -> None:
    """Stage 14 columns of a realistic order list; one text in fifty needs escaping."""
    import pyarrow as pa

    files = folder / "files"
    files.mkdir()
    dice = random.Random(7)
    first = some_rows(0, dice)
    with ExitStack() as stack:
        writers = []
        for name, kind in zip(first.schema.names, first.schema.types, strict=True):
            sink = stack.enter_context(pa.OSFile(str(files / name), "wb"))
            schema = pa.schema([("value", kind)])
            writers.append(stack.enter_context(pa.ipc.new_file(sink, schema)))
        for start in range(0, ROWS, BATCH_ROWS):
            batch = some_rows(start, dice) if start else first
            for writer, values in zip(writers, batch.columns, strict=True):
                writer.write_batch(pa.record_batch([values], names=["value"]))
    severities = pa.table({"severity": pa.array([0], pa.int8()).take(pa.array([0] * ROWS))})
    with pa.ipc.new_file(str(files / "rows"), severities.schema) as writer:
        writer.write_table(severities)


def some_rows(start: int, dice: random.Random) -> "pa.RecordBatch":
    """Return one batch."""
    from datetime import date, timedelta
    from decimal import Decimal

    import pyarrow as pa

    numbers = range(start, start + BATCH_ROWS)
    days = [date(2026, 1, 1) + timedelta(days=number % 300) for number in numbers]
    cents = [dice.randrange(1, 1_000_000) for _ in numbers]
    note = 'he said "soon"\n'
    values: list[Any] = [
        [f"A-{number:09d}" for number in numbers],
        [f"Müller & Söhne {number % 9_973}" for number in numbers],
        [f"buyer{number % 99_991}@customer.example" for number in numbers],
        days,
        [day + timedelta(days=30) for day in days],
        [number % 40 for number in numbers],
        [cent / 100 for cent in cents],
        pa.array([Decimal(cent) / 100 for cent in cents], pa.decimal128(18, 2)),
        ["EUR"] * BATCH_ROWS,
        ["DE" if number % 3 else "AT" for number in numbers],
        [number % 7 > 0 for number in numbers],
        [f"DE{number % 97:02d}500105175407{number % 1_000_000:06d}" for number in numbers],
        [f"+4930{number % 10_000_000:07d}" for number in numbers],
        [note if number % 50 == 0 else "as discussed by telephone" for number in numbers],
    ]
    return pa.record_batch(
        [value if isinstance(value, pa.Array) else pa.array(value) for value in values],
        names=list(TYPES),
    )


def delivered() -> "Delivered":
    """Return the rows as an apply finds them, without edits since they were staged."""
    import django

    django.setup()
    from staging.columns import StagedFiles, StagedTable
    from staging.exports.delivered_rows import Delivered
    from staging.manifest import Manifest
    from staging.models import Revision
    from staging.overlay import Overlay

    columns = [{"field": path, "columnType": kind, "file": path} for path, kind in TYPES.items()]
    manifest = Manifest.kept(
        {
            "columns": columns,
            "rowsFile": "rows",
            "issuesFile": "issues",
            "hashes": [],
            "rows": ROWS,
            "counts": {"rows": ROWS, "valid": ROWS, "warning": 0, "error": 0, "byCode": {}},
            "sourceRows": ROWS,
            "skipped": 0,
            "inferred": {"documents": {}, "fields": {}},
            "questions": [],
            "source": "",
            "place": {},
            "plan": {
                "catalog": {"key": "orders", "entries": []},
                "mapping": {},
                "context": {"today": "2026-01-02"},
            },
        }
    )
    table = StagedTable(Revision(), StagedFiles(manifest))
    table.overlay = Overlay()
    return Delivered(table, includes_invalid=False)


def ours(rows: "Delivered") -> int:
    """Store the body, then sign and send it; return its size."""
    from ipaddress import ip_network

    from common import storage
    from deliveries import payload
    from deliveries.bodies import Body
    from deliveries.http import signing
    from deliveries.http.client import Client
    from deliveries.http.connections import TlsSettings

    envelope = payload.Envelope("dlv_1", "tnt_1", "rec_1", "submit", ROWS, {}, "2026-11-20T12:00Z")
    body = payload.body(envelope, rows.batches(), rows.types, formats=rows.formats)
    stored = storage.store("bodies", body)
    client = Client(networks=[ip_network("127.0.0.0/8")], tls=TlsSettings())
    header = signing.signature_header(["whsec_1"], t=1, body=storage.stream(stored.name))
    headers = {"content-length": str(stored.size), "x-import-signature": header}
    answer = send(client, headers, Body(stored.name, stored.size, stored.sha256))
    storage.delete(stored.name)
    if answer.http_status != 200:
        raise RuntimeError(f"the receiver did not take the body: {answer}")
    return stored.size


def send(client: Any, headers: dict[str, str], body: Any) -> Any:
    """Send to a receiver in another process, whose CPU time is not counted."""
    from deliveries.http.request import Request

    command = [sys.executable, "-c", RECEIVER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as receiver:
        port = next(receiver.stdout or iter(["0"])).strip()
        request = Request(f"http://127.0.0.1:{port}/", headers, body)
        answer = client.send(request, exchange=client.exchange(body.size))
        receiver.kill()
    return answer


RECEIVER = """
import socket
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
connection, _ = server.accept()
head = b""
while b"\\r\\n\\r\\n" not in head:
    head += connection.recv(1 << 16)
head, _, rest = head.partition(b"\\r\\n\\r\\n")
left = int(head.lower().partition(b"content-length:")[2].split()[0]) - len(rest)
while left:
    left -= len(connection.recv(min(left, 1 << 20)))
connection.sendall(b"HTTP/1.1 200 OK\\r\\ncontent-length: 0\\r\\n\\r\\n")
connection.recv(1)
"""


def orjson_per_row(rows: "Delivered") -> int:
    """Serialise each row as a dict, and nothing else; return the size."""
    import orjson

    size = 0
    for batch in rows.batches():
        for row in batch.to_pylist():
            row["order.total"] = float(row["order.total"])
            size += len(orjson.dumps(row)) + 2
    return size


if __name__ == "__main__":
    usual = delivered()
    for module in ("orjson", "pyarrow.compute", "deliveries.http.client", "importengine.celery"):
        import_module(module)  # before the clock starts, on both sides
    side = {"ours": ours, "orjson": orjson_per_row}[sys.argv[1]]
    began = time.process_time()
    written = side(usual)
    used = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(used, peak, written)
