"""What a measurement runs on: the sizes of its data, and the services that it may use."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

REDIS_DATABASE = 14  # emptied by measurements; an engine on the same server uses another one
NEEDS = "IMPORT_POSTGRES_URL and IMPORT_REDIS_URL are not both set"
NO_STORE = "SeaweedFS could not be installed"


def scale() -> float:
    """Return what the sizes of data are multiplied by."""
    return float(os.environ.get("BENCH_SCALE", "1"))


def scaled(size: int, least: int = 1) -> int:
    """Return a size times the scale."""
    return max(least, int(size * scale()))


def workload(rows: int) -> Path:
    """Return the generated file of so many rows; sections of one run share it."""
    from bench.peers.generated import generate

    folder = Path(os.environ.get("BENCH_WORK") or tempfile.mkdtemp(prefix="bench-work-"))
    return generate(rows, folder)


def given() -> dict[str, str]:
    """Return the PostgreSQL and the Redis that are named; empty if one of them is not."""
    database = os.environ.get("BENCH_POSTGRES_URL") or os.environ.get("IMPORT_POSTGRES_URL", "")
    broker = os.environ.get("BENCH_REDIS_URL", "")
    if not broker and (redis := os.environ.get("IMPORT_REDIS_URL", "")):
        broker = urlunsplit(urlsplit(redis)._replace(path=f"/{REDIS_DATABASE}"))
    if not database or not broker:
        return {}
    return {"IMPORT_POSTGRES_URL": database, "IMPORT_REDIS_URL": broker}


def environment() -> dict[str, str]:
    """Return the environment of a measurement: no setting of an engine of this machine."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("IMPORT_")}
    services = given()
    if services:
        kept["BENCH_POSTGRES_URL"] = services["IMPORT_POSTGRES_URL"]
        kept["BENCH_REDIS_URL"] = services["IMPORT_REDIS_URL"]
    return kept


@dataclass(frozen=True, slots=True)
class Bucket:
    """A bucket in a store of its own, until the block ends."""

    url: str

    def settings(self, prefix: str) -> dict[str, str]:
        """Return the settings of an engine that keeps its files below a prefix."""
        from tests.buckets import KEY, SECRET

        return {
            "IMPORT_S3_URL": f"{self.url}/{prefix}",
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
        }


@contextmanager
def bucket() -> Iterator[Bucket | None]:
    """Yield a bucket; None where its store cannot be installed."""
    from tests.buckets import running_store

    program = _store()
    if program is None:
        yield None
        return
    with (
        tempfile.TemporaryDirectory(prefix="bench-store-") as name,
        running_store(Path(name), program=program) as store,
    ):
        yield Bucket(f"{store.url}/files")


def _store() -> str | None:
    """Return SeaweedFS of this environment, or else of that of the other tools."""
    from bench.peers import environment as peers

    if installed := shutil.which("weed", path=str(Path(sys.executable).parent)):
        return installed
    python = peers.peers_python()
    program = python.with_name("weed") if python else None
    return str(program) if program and program.exists() else None
