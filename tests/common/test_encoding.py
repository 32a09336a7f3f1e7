"""A database that could not keep every text of a file is refused before anything is in it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from common.databases.encoding import what_is_wrong_with_encoding
from common.ids import new_id

ROOT = Path(__file__).parents[2]


@pytest.fixture
def of_bytes() -> Iterator[str]:
    """Yield the address of a database whose encoding is SQL_ASCII."""
    server = os.environ["IMPORT_POSTGRES_URL"]
    name = new_id("bytes_")
    with psycopg.connect(server, autocommit=True) as postgres:
        postgres.execute(
            f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'"
        )
        yield f"{server.rpartition('/')[0]}/{name}"
        postgres.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_the_database_of_the_tests_keeps_every_text(db):
    assert what_is_wrong_with_encoding(connection) is None


@pytest.mark.usefixtures("db")  # the run on PostgreSQL has only tests with a database
@pytest.mark.skipif(
    "IMPORT_POSTGRES_URL" not in os.environ, reason="SQLite has no other encoding than Unicode"
)
@pytest.mark.parametrize("command", ["migrate", "doctor"])
def test_a_database_of_bytes_is_named_with_the_remedy(command, of_bytes):
    ended = subprocess.run(
        [sys.executable, "manage.py", command],
        cwd=ROOT,
        env={**os.environ, "IMPORT_POSTGRES_URL": of_bytes},
        capture_output=True,
        text=True,
        timeout=120,
    )

    output = ended.stdout + ended.stderr
    assert ended.returncode == 1, output
    assert "The database has the encoding SQL_ASCII, not UTF8." in output
    assert "createdb --template template0 --encoding UTF8" in output
