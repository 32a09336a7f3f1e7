"""The engine as real processes, each test with a database and a data folder of its own."""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil
import psycopg
import pytest
import redis
import requests

from common.ids import new_id
from tests.receiving import Received, assert_delivery

ROOT = Path(__file__).resolve().parent.parent.parent
LEASE_S = 3
PATIENCE_S = 30  # until the supervisor restarts what does nothing; twice that for the web


def with_settings(**values: object) -> dict[str, str]:
    """Return the environment in which fixed settings have other values."""
    short = {f"SHORT_{name}": json.dumps(value) for name, value in values.items()}
    return {"DJANGO_SETTINGS_MODULE": "tests.processes.short_waits", **short}


class Engine:
    """``manage.py serve`` in a separate process group, and its files."""

    def __init__(
        self, folder: Path, environment: dict[str, str], *, is_migrated: bool = False
    ) -> None:
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}/api/import/v1"
        self.folder = folder
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None
        if not is_migrated:
            self.manage("migrate", "--verbosity", "0")
        self.key = self.manage("license", "mint", "--tenant", "tnt_owner").strip()
        self.headers = {"Authorization": f"Bearer {self.key}"}

    def manage(self, *arguments: str) -> str:
        command = [sys.executable, "scripts/development.py", *arguments]
        return subprocess.run(
            command, cwd=ROOT, env=self._environment, check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    def start(self) -> None:
        self.launch()
        until(self.answers, "the engine answers")

    def launch(self) -> None:
        log = (self.folder / "serve.log").open("ab")
        command = [sys.executable, "scripts/development.py", "serve", "--port", str(self.port)]
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=self._environment, stdout=log, stderr=log, start_new_session=True
        )
        log.close()

    def answers(self) -> bool:
        with suppress(requests.RequestException, KeyError):
            return self.get("/license/verify")["verified"]
        return False

    def output(self) -> str:
        """Return the end of its programs' output."""
        return (self.folder / "serve.log").read_text("utf-8", "replace")[-8_000:]

    def stop(self) -> None:
        if self._process is not None:
            family = self.family()
            self._process.terminate()
            self._process.wait(timeout=60)
            for process in family:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            self._process = None

    def family(self) -> list[psutil.Process]:
        assert self._process is not None
        return psutil.Process(self._process.pid).children(recursive=True)

    def kill(self, *words: str) -> int:
        """Kill -9 every process of the engine whose command contains one of the words."""
        killed = 0
        for process in self.family():
            with suppress(psutil.NoSuchProcess):
                if any(word in " ".join(process.cmdline()) for word in words):
                    process.send_signal(signal.SIGKILL)
                    killed += 1
        return killed

    def get(self, path: str) -> dict:
        return requests.get(self.base + path, headers=self.headers, timeout=40).json()

    def post(self, path: str, **body) -> dict:
        return requests.post(self.base + path, headers=self.headers, timeout=40, **body).json()

    def state(self, record_id: str) -> str:
        return self.get(f"/imports/{record_id}")["state"]


class Receiver:
    """A host that keeps every call, and answers as instructed."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.answer: Callable[[int], int] = lambda count: 200
        self.body = b""
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                receiver.received.append(Received.of(self))
                self.send_response(receiver.answer(len(receiver.received)))
                self.send_header("content-length", str(len(receiver.body)))
                self.end_headers()
                self.wfile.write(receiver.body)

            def log_message(self, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/apply"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def bodies(self) -> list[bytes]:
        return [received.body for received in list(self.received)]

    def assert_deliveries(self) -> None:
        """Assert that every call was a complete delivery to this URL."""
        for received in self.received:
            assert_delivery(received, url=self.url)

    def delivery_ids(self) -> list[str]:
        return [json.loads(body)["deliveryId"] for body in self.bodies]


def free_port() -> int:
    """Return a port that outgoing connections do not use before its use, or its reuse."""
    while True:
        port = random.randrange(15_000, 32_000)  # below the kernel's ephemeral range
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def until(condition: Callable[[], object], what: str, seconds: float = 600) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.05)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.server.shutdown()
    receiver.server.server_close()
    receiver.assert_deliveries()


@pytest.fixture
def engine(tmp_path: Path, migrated: tuple[Path, str]) -> Iterator[Engine]:
    """Yield an engine on the embedded default, or on PostgreSQL and Redis if configured."""
    environment = {
        **os.environ,
        "IMPORT_DATA_DIR": str(tmp_path / "data"),
        **with_settings(LEASE_S=LEASE_S, PATIENCE_S=PATIENCE_S, WEBHOOK_WAITS_S=[1] * 8),
    }
    template, template_database = migrated
    shutil.copytree(template, tmp_path / "data")
    empty_queues()
    with new_database(template_database) as url:
        engine = Engine(tmp_path, environment | url, is_migrated=True)
        yield engine
        engine.stop()


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """Yield a data folder and a database to copy: migrating takes longer than many a test."""
    folder = tmp_path_factory.mktemp("migrated") / "data"
    folder.mkdir()
    with new_database() as url:
        command = [sys.executable, "scripts/development.py", "migrate", "--verbosity", "0"]
        environment = {**os.environ, "IMPORT_DATA_DIR": str(folder), **url}
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
        yield folder, url.get("IMPORT_POSTGRES_URL", "").rpartition("/")[2]


def empty_queues() -> None:
    """Delete the messages of earlier engines: a new one would work through them first."""
    if url := os.environ.get("IMPORT_REDIS_URL"):
        with redis.Redis.from_url(url) as broker:
            broker.delete("imports", "deliveries", "unacked", "unacked_index")


@contextmanager
def new_database(template: str = "") -> Iterator[dict[str, str]]:
    """Yield the setting of a database of its own on PostgreSQL; nothing where none is named."""
    server = os.environ.get("IMPORT_POSTGRES_URL")
    if not server:
        yield {}
        return
    database = new_id("kill_")
    like = f" TEMPLATE {template}" if template else ""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {database}{like}")
    yield {"IMPORT_POSTGRES_URL": f"{server.rpartition('/')[0]}/{database}"}
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {database} WITH (FORCE)")
