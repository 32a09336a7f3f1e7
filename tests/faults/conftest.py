"""A PostgreSQL cluster and a Redis of our own, to be stopped and broken; nothing else is."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest
import redis

from common.ids import new_id
from tests.deliveries.conftest import make_host
from tests.processes.conftest import Engine, free_port, receiver, until, with_settings
from tests.processes.template import Template, prepare

__all__ = ["make_host", "receiver"]  # fixtures

LEASE_S = 3


def program(name: str) -> str:
    """Return the path of a program, including PostgreSQL's server programs outside PATH."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    program_path = shutil.which(name) or next(
        (str(place / name) for place in places if (place / name).exists()), None
    )
    if program_path is None:
        pytest.fail(f"{name} is not installed")
    return program_path


class Cluster:
    """A PostgreSQL cluster in a separate folder, run by an unprivileged user."""

    def __init__(self) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="faults-postgres-", dir="/tmp"))
        self.user: str | None = None
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            self.user = "postgres" if _is_user("postgres") else "nobody"
            shutil.chown(self.folder, self.user)
        self.run("initdb", "-A", "trust", "-U", "postgres", "-N")
        self.start()

    def run(self, name: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs on our folder."""
        command = [program(name), "-D", str(self.folder / "data"), *arguments]
        subprocess.run(
            command, user=self.user, cwd=self.folder, check=True, stdout=subprocess.DEVNULL
        )

    def start(self) -> None:
        """Start, and wait until it answers."""
        # A loaded machine may need longer than pg_ctl's minute to recover.
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        self.run(
            "pg_ctl", "-w", "-t", "180", "-l", str(self.folder / "log"), "-o", options, "start"
        )

    def crash(self) -> None:
        """Stop at once, as after a power cut."""
        self.run("pg_ctl", "-w", "-m", "immediate", "stop")

    def new_database(self, template: str = "template1") -> str:
        """Create a database like another one, and return its URL."""
        name = new_id("fault_")
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
            # A copied sequence counts values as logged that only the template's log has: it would
            # go back after a crash. The first value after a checkpoint is always logged.
            connection.execute("CHECKPOINT")
        return self._url(name)

    def _url(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"


class OwnRedis:
    """A Redis that stores nothing."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start, and wait until it answers."""
        command = [program("redis-server"), "--port", str(self.port), "--bind", "127.0.0.1"]
        command += ["--save", "", "--appendonly", "no", "--dir", "/tmp"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        until(self.answers, "Redis answers")

    def answers(self) -> bool:
        """Return whether it answers."""
        with suppress(redis.ConnectionError), redis.Redis.from_url(self.url) as connection:
            return bool(connection.ping())
        return False

    def flush(self) -> None:
        """Delete every message."""
        with redis.Redis.from_url(self.url) as connection:
            connection.flushall()

    def kill(self) -> None:
        """Kill -9."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    cluster = Cluster()
    yield cluster
    cluster.crash()
    shutil.rmtree(cluster.folder, ignore_errors=True)


@pytest.fixture(scope="session")
def own_redis() -> Iterator[OwnRedis]:
    own = OwnRedis()
    yield own
    own.kill()


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory, cluster: Cluster) -> Template:
    """Return an installation to copy, with a database of our own cluster."""
    folder = tmp_path_factory.mktemp("template") / "data"
    return prepare(folder, {"IMPORT_POSTGRES_URL": cluster.new_database()})


@pytest.fixture
def more() -> dict[str, str]:
    """Return additional environment variables of the engine, for a module to replace."""
    return {}


@pytest.fixture
def engine(
    tmp_path: Path,
    cluster: Cluster,
    own_redis: OwnRedis,
    template: Template,
    more: dict[str, str],
) -> Iterator[Engine]:
    """Yield a started engine of one test in the production shape, on services that may break."""
    with started(tmp_path, cluster, own_redis, template, more) as engine:
        yield engine


@contextmanager
def started(
    folder: Path,
    cluster: Cluster,
    own_redis: OwnRedis,
    template: Template,
    more: Mapping[str, str],
) -> Iterator[Engine]:
    """Yield a started engine with ``data`` in a folder. more: environment variables."""
    template.copy_to(folder / "data")
    own_redis.flush()
    engine = Engine(
        folder,
        {
            **os.environ,
            "IMPORT_DATA_DIR": str(folder / "data"),
            **with_settings(
                LEASE_S=LEASE_S,
                WEBHOOK_WAITS_S=[1] * 60,
                WEBHOOK_CALLS_PER_MINUTE=10_000,  # an outbox is filled with tests
            ),
            "IMPORT_POSTGRES_URL": cluster.new_database(template.database),
            "IMPORT_REDIS_URL": own_redis.url,
            **more,
        },
        template.key,
    )
    try:
        engine.start()
        yield engine
    finally:
        engine.stop()


def _is_user(name: str) -> bool:
    with suppress(KeyError):
        return bool(pwd.getpwnam(name))
    return False


class Outbox:
    """Deliveries of one registration, created over HTTP, and their states."""

    def __init__(self, engine: Engine, url: str) -> None:
        self.engine = engine
        self.webhook = engine.post("/webhooks", json={"url": url})["id"]
        self.ids: list[str] = []

    def fill(self, count: int) -> None:
        """Send test deliveries."""
        for _ in range(count):
            answer = self.engine.post(f"/webhooks/{self.webhook}/test", json={})
            self.ids.append(answer["id"])

    def deliveries(self) -> list[dict]:
        """Return all of them, from every page."""
        items, cursor = [], ""
        while True:
            path = f"/deliveries?webhookId={self.webhook}&limit=500{cursor}"
            page = self.engine.get(path)
            items += page["items"]
            if page["next"] is None:
                return items
            cursor = f"&cursor={page['next']}"

    def in_state(self, state: str) -> set[str]:
        """Return the ids of those in a state."""
        return {delivery["id"] for delivery in self.deliveries() if delivery["state"] == state}

    def states(self) -> set[str]:
        """Return the existing states; empty while the engine cannot answer."""
        try:
            return {delivery["state"] for delivery in self.deliveries()}
        except (KeyError, OSError, ValueError):
            time.sleep(0.2)
            return set()

    def until_all_are(self, state: str, seconds: float = 240) -> None:
        """Wait until every delivery is in a state."""
        until(lambda: self.states() == {state}, f"all {state}", seconds)
        assert sorted(delivery["id"] for delivery in self.deliveries()) == sorted(self.ids)
