"""The engine as real processes, each test with a database and a data folder of its own."""

import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil
import psycopg
import pytest
import redis
import requests

from common.ids import new_id
from tests.processes.template import ROOT, TENANT, Template, manage, prepare
from tests.receiving import Received, assert_delivery

LEASE_S = 3
PATIENCE_S = 30  # until the supervisor restarts what does nothing; twice that for the web


def with_settings(**values: object) -> dict[str, str]:
    """Return the environment in which fixed settings have other values."""
    short = {f"SHORT_{name}": json.dumps(value) for name, value in values.items()}
    return {"DJANGO_SETTINGS_MODULE": "tests.processes.short_waits", **short}


SHORT = with_settings(LEASE_S=LEASE_S, PATIENCE_S=PATIENCE_S, WEBHOOK_WAITS_S=[1] * 8)


class Engine:
    """``manage.py serve`` in a separate process group, and its files."""

    def __init__(self, folder: Path, environment: dict[str, str], key: str) -> None:
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}/api/import/v1"
        self.folder = folder
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None
        self.use(key)

    def use(self, key: str) -> None:
        """Call with this license key from now on."""
        self.key = key
        self.headers = {"Authorization": f"Bearer {key}"}

    def mint(self, *options: str) -> str:
        """Mint a license key of our tenant."""
        return self.manage("license", "mint", "--tenant", TENANT, *options).strip()

    def manage(self, *arguments: str) -> str:
        return manage(self._environment, *arguments)

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

    @contextmanager
    def webhook(self, url: str) -> Iterator[None]:
        """Register a webhook for the duration of a block."""
        webhook_id = self.post("/webhooks", json={"url": url})["id"]
        yield
        requests.delete(
            f"{self.base}/webhooks/{webhook_id}", headers=self.headers, timeout=40
        ).raise_for_status()

    def ask_database(self, sql: str) -> list[tuple]:
        """Return the rows of a query."""
        if url := self._environment.get("IMPORT_POSTGRES_URL"):
            with psycopg.connect(url) as connection:
                return connection.execute(sql).fetchall()
        file = Path(self._environment["IMPORT_DATA_DIR"]) / "engine.sqlite3"
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            return connection.execute(sql).fetchall()

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


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Template]:
    """Yield an installation to copy, on the embedded default or on PostgreSQL if configured."""
    with new_database() as url:
        yield prepare(tmp_path_factory.mktemp("template") / "data", url)


@pytest.fixture
def engine(tmp_path: Path, template: Template) -> Iterator[Engine]:
    """Yield an engine of one test, not started."""
    with copy_of(template, tmp_path, SHORT) as engine:
        yield engine


@contextmanager
def copy_of(template: Template, folder: Path, more: Mapping[str, str]) -> Iterator[Engine]:
    """
    Yield an engine with ``data`` in a folder, not started, and stop it in the end.

    more: environment variables.
    """
    template.copy_to(folder / "data")
    empty_queues()
    with new_database(template.database) as url:
        own = {**os.environ, "IMPORT_DATA_DIR": str(folder / "data"), **more, **url}
        engine = Engine(folder, own, template.key)
        try:
            yield engine
        finally:
            engine.stop()


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
