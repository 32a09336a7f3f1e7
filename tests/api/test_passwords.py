"""A file with a password: asked for, used once, and stored nowhere."""

import logging
import os
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from common import storage
from imports.models import ImportRecord
from tests.api.test_formats import person, upload
from tests.tabular.reading.test_unlocking import PASSWORD, aes_zip, workbook

__all__ = ["person"]  # fixtures
pytestmark = pytest.mark.django_db(transaction=True)


def kept_anywhere(secret: str) -> list[str]:
    """Return the tables and the files of the engine that contain a text."""
    places = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            name = connection.ops.quote_name(table)
            cursor.execute(f"SELECT * FROM {name}")
            cells = (cell for row in cursor.fetchall() for cell in row)
            places += [table] * any(secret in _text(cell) for cell in cells)
    for folder, _, names in os.walk(settings.DATA_DIR):
        files = (Path(folder, name) for name in names)
        places += [str(file) for file in files if secret.encode() in file.read_bytes()]
    return places


def _text(cell: object) -> str:
    """Return what a column holds as text; bytes letter by letter."""
    is_binary = isinstance(cell, bytes | memoryview)
    return bytes(cell).decode("latin-1") if is_binary else str(cell)


def test_a_file_is_read_once_its_password_is_right(person, caplog):
    caplog.set_level(logging.DEBUG)
    record = upload(person, "list.xlsx", workbook())
    assert (record["state"], record["problem"]["code"]) == ("failed", "password_protected")
    protected = ImportRecord.objects.get().file

    wrong = person.call("post", "/password", {"password": "not this"}, expect=422)
    assert person.record()["problem"]["code"] == "wrong_password"
    person.call("post", "/password", {"password": PASSWORD}, expect=202)
    record = person.record()

    assert wrong["code"] == "wrong_password"
    assert record["state"] == "review"
    assert record["counts"]["sourceRows"] == 1
    assert not Path(storage.root(), protected).exists()
    assert kept_anywhere("list.xlsx")
    assert kept_anywhere(PASSWORD) == []
    assert PASSWORD not in caplog.text
    person.call("post", "/password", {"password": PASSWORD}, expect=409)


def test_the_fifth_wrong_password_ends_the_import(person):
    upload(person, "list.zip", aes_zip())

    codes = [
        person.call("post", "/password", {"password": f"wrong {n}"}, expect=422)["code"]
        for n in range(5)
    ]

    assert codes == ["wrong_password"] * 4 + ["too_many_passwords"]
    problem = person.record()["problem"]
    assert problem["code"] == "too_many_passwords"
    assert problem["detail"].startswith("Five wrong passwords.")
    refused = person.call("post", "/password", {"password": PASSWORD}, expect=409)
    assert refused["code"] == "not_locked"


def test_a_retry_gives_no_more_tries(person):
    upload(person, "list.zip", aes_zip())
    for _ in range(4):
        person.call("post", "/password", {"password": "wrong"}, expect=422)

    person.call("post", "/retry", {}, expect=202)
    person.record()

    last = person.call("post", "/password", {"password": "wrong"}, expect=422)
    assert last["code"] == "too_many_passwords"


@pytest.mark.parametrize("password", ["", "a\nb", "x" * 256, None, 5.5])
def test_a_text_that_cannot_be_a_password_is_refused(person, password):
    upload(person, "list.zip", aes_zip())

    refused = person.call("post", "/password", {"password": password}, expect=400)

    assert refused["code"] == "invalid_request"
    assert ImportRecord.objects.get().passwords_tried == 0


def test_a_file_without_a_password_waits_for_none(person):
    upload(person, "list.csv", b"Number,Weight\nA-1,2\n")

    refused = person.call("post", "/password", {"password": "any"}, expect=409)

    assert refused["code"] == "not_locked"
