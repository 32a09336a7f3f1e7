"""Connections wait a moment for the next call, and never in a state that it would notice."""

import os
import sqlite3
import threading

import psycopg
import pytest
from django.db import connections
from django.db.utils import ConnectionHandler, DatabaseError, OperationalError

from common.databases import kept
from importengine.env import Env

pytestmark = pytest.mark.django_db
HAS_POSTGRES = "IMPORT_POSTGRES_URL" in os.environ
only_postgres = pytest.mark.skipif(not HAS_POSTGRES, reason="no server ends SQLite's connections")
MISSING = "SELECT * FROM nothing_of_this_name"


@pytest.fixture(params=["sqlite", "postgresql"] if HAS_POSTGRES else ["sqlite"])
def database(request, tmp_path):
    """Return a handler of connections of its own, which wait; and let none wait at the end."""
    settings = {"ENGINE": f"common.databases.{request.param}", "NAME": tmp_path / "a.sqlite3"}
    if request.param == "postgresql":
        url = {"IMPORT_POSTGRES_URL": os.environ["IMPORT_POSTGRES_URL"]}
        settings = {**(Env(url).postgres("IMPORT_POSTGRES_URL") or {}), "NAME": "postgres"}
    handler = ConnectionHandler({"default": {**settings, "KEEP": True}})
    handler["default"]._kept.close()
    yield handler
    handler.close_all()
    handler["default"]._kept.close()


def used(database, sql="SELECT 1"):
    """Use a connection as a call does; return it."""
    wrapper = database["default"]
    with wrapper.cursor() as cursor:
        cursor.execute(sql)
        cursor.fetchall()
    connection = wrapper.connection
    wrapper.close()
    return connection


def in_a_thread(work):
    """Return what some work returns in a thread of its own."""
    results = []
    thread = threading.Thread(target=lambda: results.append(work()))
    thread.start()
    thread.join()
    return results[0]


def test_the_next_call_takes_the_connection_in_any_thread(database):
    first = used(database)

    assert in_a_thread(lambda: used(database)) is first
    assert used(database) is first


def test_calls_at_the_same_time_have_different_connections(database):
    first = used(database)
    wrapper = database["default"]
    wrapper.ensure_connection()

    assert wrapper.connection is first
    assert in_a_thread(lambda: used(database)) is not first


def test_a_connection_that_waited_too_long_is_closed(database, monkeypatch):
    first = used(database)
    monkeypatch.setattr(kept, "FRESH_S", -1)

    second = used(database)

    assert second is not first
    assert is_closed(first)


def test_few_connections_wait(database, monkeypatch):
    monkeypatch.setattr(kept, "MOST", 2)
    opened = [database.create_connection("default") for _ in range(4)]
    for wrapper in opened:
        wrapper.ensure_connection()
    raw = [wrapper.connection for wrapper in opened]
    for wrapper in opened:
        wrapper.close()

    assert [is_closed(connection) for connection in raw] == [True, True, False, False]


def test_a_connection_with_an_error_is_closed(database):
    wrapper = database["default"]
    with pytest.raises(DatabaseError, match="nothing_of_this_name"), wrapper.cursor() as cursor:
        cursor.execute(MISSING)
    first = wrapper.connection
    wrapper.close()

    assert is_closed(first)


def test_a_transaction_that_is_under_way_is_not_handed_on(database):
    wrapper = database["default"]
    with wrapper.cursor() as cursor:
        cursor.execute("BEGIN")
    first = wrapper.connection
    wrapper.close()

    assert is_closed(first)
    assert used(database) is not first


def test_an_unfinished_cursor_hides_nothing_from_the_next_call(database):
    writer = database.create_connection("default")
    with writer.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS kept_rows")
        cursor.execute("CREATE TABLE kept_rows (number integer)")
        cursor.executemany("INSERT INTO kept_rows VALUES (%s)", [(n,) for n in range(1_000)])
    reader = database["default"]
    unfinished = reader.cursor()
    unfinished.execute("SELECT number FROM kept_rows")
    unfinished.fetchone()
    reader.close()  # a reference, such as that of a traceback, keeps the cursor

    with writer.cursor() as cursor:
        cursor.execute("INSERT INTO kept_rows VALUES (1000)")
    with reader.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM kept_rows")
        count = cursor.fetchone()[0]
    with writer.cursor() as cursor:
        cursor.execute("DROP TABLE kept_rows")
    writer.close()

    assert count == 1_001


def test_a_connection_that_is_not_open_any_more_is_closed(database, monkeypatch):
    first = used(database)
    monkeypatch.setattr(type(database["default"]), "is_open", lambda *_: False)

    assert used(database) is not first
    assert is_closed(first)


def is_closed(connection):
    """Return whether a connection of either database is closed."""
    try:
        connection.execute("SELECT 1")
    except (sqlite3.Error, psycopg.Error) as error:
        return "closed" in str(error)
    return False


@only_postgres
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_connection_that_the_server_ended_is_not_used(database):
    first = used(database)
    pid = first.info.backend_pid
    admin = database.create_connection("default")
    admin.ensure_connection()
    assert admin.connection is first
    other = database.create_connection("default")
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    admin.close()

    second = used(database)

    assert second is not first
    other.close()


@only_postgres
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_database_that_is_away_is_told_at_once(database):
    wrapper = database["default"]
    wrapper.settings_dict["PORT"] = "1"

    with pytest.raises(OperationalError, match="refused"):
        wrapper.ensure_connection()


def test_tests_keep_no_connection():
    assert connections.settings["default"]["KEEP"] is False
