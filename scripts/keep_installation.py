"""
Keep an installation of this release with imports in every state, for the test of the next upgrade.

    python scripts/keep_installation.py [TREE]      of another release's tree; default: this one

Writes ``tests/upgrade/installation.tar.xz``: the database, the data folder with its keys, and which
import is in which state. The keys serve no other installation.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from development import environment  # noqa: E402 (the path is set above)
from small_host import Client, Failed, multipart, until  # noqa: E402 (the path is set above)

KEPT = ROOT / "tests" / "upgrade" / "installation.tar.xz"
TENANT, PORT = "tnt_kept", 14_873
ORDER = "A-{0};05.02.2026;Kunde {0};k{0}@example.com;Stuhl;2;1.249,00;2.498,00;offen\n"
HEADER = "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status\n"
ORDERS = (HEADER + "".join(map(ORDER.format, range(1, 6)))).encode()
UNCLEAR = b"Q;W;E\n1;x;2026-01-02\n2;y;2026-02-03\n"
BROKEN = b"\x00\x01\x02\x03not a table" * 20
EDITED = "Changed by hand"
ANSWERS = {"down": 503, "refuses": 422, "silent": None}  # of hosts, by the key of their catalog
WAITING = ("review", "edited", "staged", "cancelled", "applying")


class Host:
    """Answers deliveries by their path, as ANSWERS says; every other with 200."""

    def __init__(self) -> None:
        self.arrived: list[str] = []
        host = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                host.arrived.append(self.path)
                status = ANSWERS.get(self.path[1:], 200)
                if status is None:
                    threading.Event().wait()
                    return
                self.send_response(status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                """Log nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Installation:
    """An engine of a tree, with a data folder of its own."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self.tree, self.folder = tree, folder
        named = {name: text for name, text in os.environ.items() if "IMPORT_" not in name}
        self._named = {**named, "IMPORT_DATA_DIR": str(folder)}
        self.manage("migrate", "--verbosity", "0")
        key = self.manage("license", "mint", "--tenant", TENANT).strip()
        self.client = Client(f"http://127.0.0.1:{PORT}", key)

    def manage(self, *arguments: str) -> str:
        """Run a command of ``manage.py`` in the tree, and return what it prints."""
        command = [sys.executable, str(self.tree / "scripts" / "development.py"), *arguments]
        return subprocess.run(
            command, cwd=self.tree, env=self._named, check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    @contextmanager
    def running(self, *, with_workers: bool) -> Iterator[None]:
        """Run its programs, or its web server alone; end by killing all of them."""
        serve = ["-m", "granian", "--interface", "asgi", "importengine.asgi:application"]
        serve += ["--loop", "asyncio"]
        if with_workers:
            serve = ["manage.py", "serve"]
        process = subprocess.Popen(
            [sys.executable, *serve, "--host", "127.0.0.1", "--port", str(PORT)],
            cwd=self.tree,
            env=environment(self._named),
            start_new_session=True,
        )
        try:
            until(self._answers, "the engine answers")
            yield
        finally:
            _kill_all(process)

    def _answers(self) -> bool:
        try:
            return bool(self.client.call("license/verify")["verified"])
        except (Failed, OSError):
            return False

    def upload(self, content: bytes, *, catalog: str = "orders", **members: str) -> str:
        """Start an import; return its id."""
        form = multipart("file.csv", content, catalogKey=catalog, **members)
        return str(self.client.call("imports", form=form)["recordId"])

    def in_state(self, state: str, content: bytes, **members: str) -> str:
        """Start an import, and wait until it is in a state; return its id."""
        record_id = self.upload(content, **members)
        self.client.until_state(record_id, state)
        return record_id

    def in_review(self, catalog: str = "orders") -> str:
        """Return an import whose rows are in review."""
        return self.in_state("review", ORDERS, catalog=catalog, autoMap="1")

    def applied(self, catalog: str = "orders") -> str:
        """Return an import whose rows are on their way to the host of a catalog."""
        record_id = self.in_review(catalog)
        self.client.call(f"imports/{record_id}/apply", {})
        self.client.until_state(record_id, "applied")
        return record_id


def _kill_all(process: subprocess.Popen[bytes]) -> None:
    import psutil

    family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    for member in family:
        member.send_signal(signal.SIGKILL)
    process.wait()
    psutil.wait_procs(family, timeout=30)


def keep(tree: Path) -> None:
    """Bring an installation of a tree into every state, and write the archive."""
    with tempfile.TemporaryDirectory(prefix="kept-") as name:
        folder, host = Path(name) / "data", Host()
        folder.mkdir()
        kept = Installation(tree, folder)
        _publish(kept, tree, Path(name))
        with kept.running(with_workers=True):
            secrets = _register(kept, host)
            imports = at_rest(kept, host)
        with kept.running(with_workers=False):
            imports |= at_work(kept, imports)
        about = {
            "at": time.time(),
            "tenant": TENANT,
            "host": host.origin,
            "secrets": secrets,
            "imports": imports,
        }
        _write(kept, Path(name), about)
    print(f"{KEPT.relative_to(ROOT)}: {len(imports)} imports, {KEPT.stat().st_size:,} bytes")


def _publish(kept: Installation, tree: Path, folder: Path) -> None:
    """Publish the orders' catalog once for each way in which a host answers."""
    catalog = json.loads((tree / "examples" / "catalogs" / "orders.json").read_text("utf-8"))
    for key in ("orders", *ANSWERS):
        file = folder / f"{key}.json"
        file.write_text(json.dumps({**catalog, "key": key}), "utf-8")
        kept.manage("catalog", "publish", str(file), "--tenant", TENANT)


def _register(kept: Installation, host: Host) -> dict[str, str]:
    """Register an address for each catalog; return their secrets by key."""
    secrets = {}
    for key in ("orders", *ANSWERS):
        to = {"url": f"{host.origin}/{key}", "actions": ["submit", "revert"], "catalogKeys": [key]}
        secrets[key] = kept.client.call("webhooks", to)["signingSecret"]
    return secrets


def at_rest(kept: Installation, host: Host) -> dict[str, str]:
    """Make the imports that wait for a person or a host, or are over; return their ids by name."""
    call = kept.client.call
    imports = {name: kept.in_review() for name in WAITING}
    edit = {"row": 0, "field": "orders.customer", "text": EDITED}
    rows = f"imports/{imports['edited']}/rows"
    call(rows, {"revision": 1, "edits": [edit]}, method="PATCH")
    call(f"imports/{imports['cancelled']}/cancel", {})
    call(f"imports/{imports['staged']}/apply", {"staged": True})
    kept.client.until_state(imports["staged"], "staged")
    imports |= {name: kept.in_state("mapping", UNCLEAR) for name in ("mapping", "transforming")}
    imports["failed"] = kept.in_state("failed", BROKEN)
    imports |= {name: kept.applied() for name in ("delivered", "reverting", "reverted")}
    until(lambda: host.arrived.count("/orders") >= 3, "deliveries")
    imports |= {key: kept.applied(key) for key in ANSWERS}
    _revert(kept, imports["reverted"])
    kept.client.until_state(imports["reverted"], "reverted")
    until(lambda: {f"/{key}" for key in ANSWERS} <= {*host.arrived}, "deliveries of each kind")
    return imports


def at_work(kept: Installation, imports: dict[str, str]) -> dict[str, str]:
    """Start work that no worker of this release takes; return the ids of new imports by name."""
    call = kept.client.call
    _revert(kept, imports["reverting"])
    call(f"imports/{imports['applying']}/apply", {})
    mapping = f"imports/{imports['transforming']}/mapping"
    proposed = call(mapping)["proposed"]
    call(mapping, {**proposed, "allowMissing": True}, method="PUT")
    return {"reading": kept.upload(ORDERS, autoMap="1")}


def _revert(kept: Installation, record_id: str) -> None:
    changeset_id = kept.client.call(f"imports/{record_id}")["changesetId"]
    kept.client.call(f"changesets/{changeset_id}/revert", {})


def _write(kept: Installation, folder: Path, about: dict[str, object]) -> None:
    (folder / "about.json").write_text(json.dumps(about), "utf-8")
    with (
        closing(sqlite3.connect(kept.folder / "engine.sqlite3")) as database,
        closing(sqlite3.connect(folder / "kept.sqlite3")) as copied,
    ):
        database.backup(copied)
        copied.execute("VACUUM")
    for name in ("engine.sqlite3", "engine.sqlite3-wal", "engine.sqlite3-shm"):
        (kept.folder / name).unlink(missing_ok=True)
    shutil.rmtree(kept.folder / "broker")
    KEPT.parent.mkdir(exist_ok=True)
    with tarfile.open(KEPT, "w:xz") as archive:
        for part in ("about.json", "kept.sqlite3", "data"):
            archive.add(folder / part, part)


if __name__ == "__main__":
    keep(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT)
