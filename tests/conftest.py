"""Fixtures for every test: license keys of any tenant, and clients that use them."""

import gc
import os
import shutil
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import connection
from django.test import override_settings
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from rest_framework.test import APIClient

from common.ids import new_id
from deliveries.http.connections import TlsSettings
from licensing.tokens import keyfiles, keys
from tests.jobs import run_job_here
from tests.marks import needs
from tests.tries import BEFORE_A_LANDING, tries

# The duration of an example depends on the load of the machine.
hypothesis_settings.register_profile(
    "engine",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=BEFORE_A_LANDING,
    max_examples=tries(),
)
hypothesis_settings.load_profile("engine")

# Durable writes wait for the disk, so test files are in memory if it is large enough.
MEMORY, ENOUGH_BYTES = Path("/dev/shm"), 4 << 30
if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH_BYTES:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

YOUNG_OBJECTS = 20_000  # allocations before the collector runs; Python's default is 700


def pytest_configure() -> None:
    """
    Give each worker counts of its own where all of them use one Redis.

    PostgreSQL does not wait for the disk: only a crash of its machine could tell the difference.
    """
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("postgresql"):
        database["OPTIONS"].setdefault("options", "-c synchronous_commit=off")
    if settings.REDIS_URL:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
        settings.CACHES["default"] |= {
            "BACKEND": "tests.caching.WorkersCache",
            "KEY_PREFIX": f"import-engine-tests-{worker}",
        }


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no module whose tests would all be left out by their marks."""
    is_module = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    return True if is_module and not needs(collection_path, config.option.markexpr) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Freeze what stays to the end, the imported tests, so that the garbage collector skips it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(YOUNG_OBJECTS)
        gc.enable()


def pytest_itemcollected(item: pytest.Item) -> None:
    """
    Mark the tests that read or write the database or the cache.

    The others behave the same on PostgreSQL and Redis, so before a landing they run once.
    """
    fixtures = set(getattr(item, "fixturenames", ()))
    if item.get_closest_marker("django_db") or fixtures & {"db", "transactional_db"}:
        item.add_marker("database")


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    """Set up a separate data folder for every test."""
    settings.DATA_DIR = tmp_path / "data"
    return settings.DATA_DIR


@pytest.fixture(autouse=True, scope="session")
def settings_that_save_time() -> Iterator[None]:
    """
    Find static files on request instead of at the start, and hash passwords fast.

    Otherwise every client would list all static files; slow hashing only protects against guessing.
    """
    hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with override_settings(WHITENOISE_AUTOREFRESH=True, PASSWORD_HASHERS=hashers):
        yield


@pytest.fixture(autouse=True, scope="session")
def databases_that_are_emptied_fast() -> Iterator[None]:
    """
    After a test with real transactions, delete the rows of PostgreSQL's tables that have any.

    Django truncates all of them, which makes new files for each table and index: seconds a test.
    """
    if connection.vendor != "postgresql":
        yield
        return

    def sql_flush(style: object, tables: Sequence[str], **_: object) -> list[str]:
        names = [connection.ops.quote_name(table) for table in tables]
        if not names:
            return []
        filled = ", ".join(f"EXISTS (SELECT FROM {name})" for name in names)
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {filled}")
            is_filled = cursor.fetchone()
        # Foreign keys are checked at the commit, so the order does not matter.
        pairs = zip(names, is_filled, strict=True)
        return [f"DELETE FROM {name};" for name, rows in pairs if rows]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(connection.ops, "sql_flush", sql_flush)
        yield


@pytest.fixture(autouse=True, scope="session")
def authorities_that_are_read_once() -> Iterator[None]:
    """Read the machine's certificate authorities once: 50 ms for each sender of a test."""
    context = TlsSettings.context
    usual = cache(lambda: context(TlsSettings()))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(
            TlsSettings, "context", lambda tls: context(tls) if tls.ca_file else usual()
        )
        yield


@pytest.fixture(autouse=True)
def jobs_in_this_process(request, monkeypatch) -> None:
    """
    Run the steps of an import without a child process, unless a test is marked ``child``.

    What a child guards, limits and survives is tested in ``tests/sandbox``, ``tests/processes`` and
    by the marked tests; the other tests do not need a process for each step.
    """
    if request.node.get_closest_marker("child"):
        return
    monkeypatch.setattr("sandbox.bench.run_job", run_job_here)


@pytest.fixture(autouse=True)
def a_sender_of_its_own(monkeypatch) -> None:
    """Let no test send with the networks that an earlier one allowed."""
    monkeypatch.setattr("deliveries.tasks._client", None)


@pytest.fixture(autouse=True)
def leases_that_outlive_the_test(request, monkeypatch) -> None:
    """
    Renew no lease while a test keeps everything in one transaction.

    The renewing thread has a connection of its own: it sees no row, and considers the lease lost.
    """
    marker = request.node.get_closest_marker("django_db")
    if marker and not marker.kwargs.get("transaction"):
        monkeypatch.setattr("common.work.claims.RENEWAL_S", 3600)


@pytest.fixture(scope="session")
def signing_key() -> ec.EllipticCurvePrivateKey:
    """Return the private key that this run's licenses are signed with."""
    return ec.generate_private_key(ec.SECP256R1())


@pytest.fixture
def engine_with_key(settings, signing_key) -> None:
    """Configure the engine with the public half of the signing key."""
    settings.LICENSE_PUBLIC_KEY = keyfiles.public_pem(signing_key.public_key()).decode()


@pytest.fixture
def mint_key(engine_with_key, signing_key) -> Callable[..., str]:
    """Return a function that mints a valid key of a tenant, for one hour."""

    def mint(
        tenant: str = "tnt_owner",
        *,
        plan: str = "",
        entitlements: tuple[str, ...] = (),
        origins: tuple[str, ...] | None = None,
        license_id: str = "",
        expires_in_s: int = 3600,
        issued_at: int = 0,
        label: str = "",
        is_test: bool = False,
    ) -> str:
        now = issued_at or int(time.time())
        claims = keys.Claims(
            tenant_id=tenant,
            license_id=license_id or new_id("lic_"),
            issued_at=now,
            expires_at=now + expires_in_s,
            plan=plan,
            entitlements=frozenset(entitlements),
            origins=None if origins is None else frozenset(origins),
            label=label,
            is_test=is_test,
        )
        return keys.mint(signing_key, claims)

    return mint


@pytest.fixture
def client_of() -> Callable[[str], APIClient]:
    """Return a function that returns an API client with a license key."""

    def client(key: str) -> APIClient:
        carrying = APIClient()
        carrying.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
        return carrying

    return client
