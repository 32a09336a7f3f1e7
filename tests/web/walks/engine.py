"""A running engine for a walk: what ``make run`` starts, with separate data and port."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import requests

from common.ids import new_id
from licensing.tokens import keyfiles, keys
from licensing.tokens.keyfiles import PRIVATE_NAME

ROOT = Path(__file__).resolve().parents[3]
WAIT_S = 120  # for a machine that has much to do


class Engine:
    """``manage.py serve`` with the demo's tenant, catalogs and receiver."""

    def __init__(self, folder: Path, **more: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        own = {name: text for name, text in os.environ.items() if not name.startswith("IMPORT_")}
        about = {"IMPORT_DATA_DIR": str(folder), "IMPORT_MAX_FILE_BYTES": "4000000"}
        self._environment = {**own, **about, **more}
        self.manage("migrate", "--verbosity", "0")
        output = self.manage("setup", "--port", str(self.port))
        self.password = output.split("login admin / ", 1)[1].split()[0]
        self.key = (folder / "keys" / "demo-license").read_text("utf-8").strip()

    def set(self, **more: str) -> None:
        """Set variables that it has from its next start on."""
        self._environment |= more

    def manage(self, *arguments: str) -> str:
        """Run a command to its end."""
        command = [sys.executable, "scripts/development.py", *arguments]
        return subprocess.run(
            command, cwd=ROOT, env=self._environment, check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    def page_key(self, tenant: str, *origins: str) -> str:
        """Mint a key for pages of these origins."""
        now = int(time.time())
        claims = keys.Claims(
            tenant_id=tenant,
            license_id=new_id("lic_"),
            issued_at=now,
            expires_at=now + 3600,
            origins=frozenset(origins),
        )
        return keys.mint(keyfiles.read_private_key(self.folder / "keys" / PRIVATE_NAME), claims)

    def editor_key(self, tenant: str = "tnt_demo") -> str:
        """Mint a full key that edits catalogs."""
        return self.full_key(keys.CATALOG_EDITOR, tenant=tenant)

    def full_key(self, *entitlements: str, tenant: str = "tnt_demo") -> str:
        """Mint a full key with entitlements."""
        now = int(time.time())
        claims = keys.Claims(
            tenant_id=tenant,
            license_id=new_id("lic_"),
            issued_at=now,
            expires_at=now + 3600,
            entitlements=frozenset(entitlements),
        )
        return keys.mint(keyfiles.read_private_key(self.folder / "keys" / PRIVATE_NAME), claims)

    def start(self) -> None:
        """Serve, and wait until it answers."""
        command = [sys.executable, "scripts/development.py", "serve", "--port", str(self.port)]
        with (self.folder / "serve.log").open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=self._environment, stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip
        until(self.answers, "the engine answers")

    def answers(self) -> bool:
        """Return whether the engine answers."""
        with suppress(requests.RequestException):
            return requests.get(f"{self.origin}/readyz", timeout=5).ok
        return False

    def stop(self) -> None:
        """Stop it, and everything it started."""
        if self._process is None:
            return
        self._process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=60)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process = None

    def call(self, method: str, path: str, **about: object) -> requests.Response:
        """Call the API as the host's server does, with its full key."""
        headers = {"Authorization": f"Bearer {self.key}"}
        url = f"{self.origin}/api/import/v1/{path}"
        return requests.request(method, url, headers=headers, timeout=60, **about)  # type: ignore[arg-type]  # handed on

    def received(self, record_id: str) -> list[dict[str, Any]]:
        """Return the deliveries of an import that the receiver verified."""
        url = f"{self.origin}/demo/deliveries?recordId={record_id}"
        items: list[dict[str, Any]] = requests.get(url, timeout=60).json()["items"]
        return items


def free_port() -> int:
    """Return a port without a listener."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def until(is_so: Callable[[], object], what: str) -> None:
    """Wait for a state."""
    end = time.monotonic() + WAIT_S
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"it never came to it that {what}")
        time.sleep(0.1)
