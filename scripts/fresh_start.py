"""
Run the engine with only requirements.txt installed, embedded and in the production shape.

Each way is started by its own command of the Makefile, imports an example file and has it delivered
to the demo receiver. This script needs only the standard library.
"""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "examples" / "orders-cp1252.csv"
LIMIT_S = 600
CLUSTER = "postgresql://postgres@127.0.0.1:5432"
REDIS = "redis://127.0.0.1:6379/8"


class Engine:
    """The engine under one command of the Makefile."""

    def __init__(self, command: str, venv: Path, folder: Path) -> None:
        self.port = _free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.folder = folder
        own = {"run": {}, "stack": {"IMPORT_REDIS_URL": REDIS}}[command]
        if command == "stack":
            own["IMPORT_POSTGRES_URL"] = f"{CLUSTER}/fresh_{secrets.token_hex(6)}"
        kept = {name: value for name, value in os.environ.items() if name[:7] != "IMPORT_"}
        self.database = own.get("IMPORT_POSTGRES_URL", "")
        self.process = subprocess.Popen(
            ["make", "--no-print-directory", command, f"VENV={venv}", f"PORT={self.port}"],
            cwd=ROOT,
            env=kept | own | {"IMPORT_DATA_DIR": str(folder)},
            start_new_session=True,
        )

    def call(self, path: str, body: Any = None, *, form: bytes = b"", key: bool = True) -> Any:
        """Send a JSON or a form body, or none, and return the JSON of the answer."""
        sent = form or (None if body is None else json.dumps(body).encode())
        kind = "multipart/form-data; boundary=end" if form else "application/json"
        headers = {"Content-Type": kind}
        if key:
            license_key = (self.folder / "keys" / "demo-license").read_text("utf-8")
            headers["Authorization"] = f"Bearer {license_key}"
        with urlopen(Request(self.base + path, sent, headers), timeout=60) as answer:  # noqa: S310  (ours)
            return json.load(answer)

    def until(self, path: str, **wanted: str) -> Any:
        """Poll until members of the answer have their values."""
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise SystemExit(f"the engine ended with status {self.process.returncode}")
            with suppress(URLError, OSError):
                answer = self.call(path, key=path != "/readyz")
                if all(answer.get(name) == value for name, value in wanted.items()):
                    return answer
            time.sleep(0.3)
        raise SystemExit(f"{path}: {wanted} not within {LIMIT_S} s")

    def stop(self) -> None:
        """Stop it and everything it started."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(timeout=60)


def import_and_deliver(engine: Engine) -> None:
    """Import an example and wait until the receiver has it."""
    engine.until("/readyz", status="ready")
    api = "/api/import/v1/imports"
    record_id = engine.call(api, form=_form(catalogKey="orders", autoMap="1"))["recordId"]
    review = engine.until(f"{api}/{record_id}?wait=10", state="review")
    engine.call(f"{api}/{record_id}/apply", {"invalidRows": "exclude"})
    engine.until(f"{api}/{record_id}?wait=10", state="applied")
    end = time.monotonic() + LIMIT_S
    while record_id not in json.dumps(engine.call("/demo/deliveries")):
        if time.monotonic() > end:
            raise SystemExit("no delivery was received")
        time.sleep(0.3)
    print(f"  {record_id}: {review['counts']['rows']} rows read, delivered and received")


def _form(**members: str) -> bytes:
    parts = [
        f'--end\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in members.items()
    ]
    head = f'--end\r\nContent-Disposition: form-data; name="file"; filename="{FILE.name}"\r\n\r\n'
    return b"".join([*parts, head.encode(), FILE.read_bytes(), b"\r\n--end--\r\n"])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _drop(python: Path, url: str) -> None:
    code = (
        "import psycopg, sys; c = psycopg.connect(sys.argv[1], autocommit=True); "
        "c.execute(f'DROP DATABASE IF EXISTS {sys.argv[2]} WITH (FORCE)')"
    )
    base, _, name = url.rpartition("/")
    subprocess.run([str(python), "-c", code, f"{base}/postgres", name], check=True)


def main(ways: list[str]) -> int:
    """Run each way in one fresh environment."""
    with tempfile.TemporaryDirectory(prefix="fresh-") as folder:
        venv = Path(folder) / "venv"
        for way in ways:
            print(f"make {way}, with requirements.txt alone", flush=True)
            (data := Path(folder) / way).mkdir()
            engine = Engine(way, venv, data)
            try:
                import_and_deliver(engine)
            finally:
                engine.stop()
                if engine.database:
                    _drop(venv / "bin" / "python", engine.database)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["run", "stack"]))
