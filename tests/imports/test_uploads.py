"""A file may come in pieces: whatever happens between them, it goes on where it stopped."""

import hashlib
from datetime import timedelta
from functools import partial
from io import BytesIO

import pytest

from common import clock, storage
from imports.models import Chunk, ImportRecord
from tests.at_once import at_once
from tests.imports.conftest import EXAMPLES, carry_on
from workflow import retention

pytestmark = pytest.mark.django_db
IMPORTS = "/api/import/v1/imports"
CONTENT = (EXAMPLES / "orders-cp1252.csv").read_bytes()
SIZE = len(CONTENT)


@pytest.fixture
def announced(publish, client) -> str:
    """Announce the example file; return its record id."""
    publish("orders")
    answer = client.post(IMPORTS, {"filename": "orders.csv", "size": SIZE}, format="json")
    assert answer.status_code == 202
    return answer.json()["recordId"]


@pytest.fixture
def put(client, announced):
    """Return a function that sends a range of bytes of the file."""

    def put(start: int | None, content: bytes = b"", size: int = SIZE, record_id: str = announced):
        span = "*" if start is None else f"{start}-{start + len(content) - 1}"
        return client.put(
            f"{IMPORTS}/{record_id}/file",
            content,
            content_type="application/octet-stream",
            HTTP_CONTENT_RANGE=f"bytes {span}/{size}",
        )

    return put


def files_in(folder: str) -> list[str]:
    return [path.name for path in (storage.root() / folder).glob("*")]


def test_an_announced_import_waits_for_its_bytes(client, announced):
    record = client.get(f"{IMPORTS}/{announced}").json()

    assert record["state"] == "received"
    assert record["progress"] == {"stage": "receiving", "done": 0, "total": SIZE, "rate": None}


def test_nothing_waits_for_bytes_that_were_only_announced(client, announced, monkeypatch):
    def waited(seconds):
        raise AssertionError("waited")

    monkeypatch.setattr("schemas.wait.time.sleep", waited)

    assert client.get(f"{IMPORTS}/{announced}?wait=20").json()["state"] == "received"


def test_a_file_in_three_chunks_is_read_as_one(client, announced, put):
    answers = [put(start, CONTENT[start : start + 500]) for start in range(0, 1000, 500)]
    answers.append(put(1000, CONTENT[1000:]))
    record = carry_on(client, announced)

    assert [answer.status_code for answer in answers] == [200, 200, 202]
    assert [answer.json()["offset"] for answer in answers] == [500, 1000, SIZE]
    assert record["state"] == "mapping"
    assert record["sha256"] == hashlib.sha256(CONTENT).hexdigest()
    assert files_in("uploads") == []
    assert not Chunk.objects.exists()


def test_a_file_in_one_chunk_is_not_copied(client, announced, put):
    put(0, CONTENT)
    record = carry_on(client, announced)

    assert record["sha256"] == hashlib.sha256(CONTENT).hexdigest()
    assert ImportRecord.objects.get().file.startswith("uploads/")
    assert files_in("sources") == []


def test_the_whole_file_needs_no_range(client, announced):
    answer = client.put(f"{IMPORTS}/{announced}/file", CONTENT, content_type="text/csv")

    assert answer.status_code == 202
    assert answer.json()["state"] == "reading"


def test_an_empty_range_asks_where_to_go_on(put):
    put(0, CONTENT[:700])

    answer = put(None)

    assert (answer.status_code, answer.json()["offset"]) == (200, 700)


@pytest.mark.parametrize("start", [0, 300, 701])
def test_a_chunk_that_begins_elsewhere_is_told_the_offset(put, start):
    put(0, CONTENT[:700])

    answer = put(start, CONTENT[start : start + 100])

    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_offset")
    assert answer.json()["offset"] == 700


def test_a_size_that_was_not_announced(put):
    answer = put(0, CONTENT, size=SIZE + 1)

    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_size")


@pytest.mark.parametrize(
    ("span", "refused"),
    [
        ("bytes 0-9", (400, "invalid_request")),
        ("bytes=0-9/10", (400, "invalid_request")),
        ("rows 0-9/10", (400, "invalid_request")),
        ("x", (400, "invalid_request")),
        ("bytes 5-9/10", (409, "wrong_range")),  # of a body of ten bytes
        ("bytes */10", (409, "wrong_range")),
    ],
)
def test_a_range_that_makes_no_sense(client, announced, span, refused):
    answer = client.put(
        f"{IMPORTS}/{announced}/file", b"0123456789", HTTP_CONTENT_RANGE=span, content_type="x/y"
    )

    assert (answer.status_code, answer.json()["code"]) == refused


def test_more_bytes_than_announced_are_refused(put):
    answer = put(SIZE - 10, b"0" * 20)

    assert answer.status_code == 409
    assert put(0, CONTENT + b"0").json()["code"] == "too_large"
    assert files_in("uploads") == []


def test_what_arrived_before_a_broken_connection_counts(announced, put, client, monkeypatch):
    from django.http import HttpRequest, UnreadablePostError

    sent = BytesIO(CONTENT[:400])

    def read(request, *args):
        if chunk := sent.read(100):
            return chunk
        raise UnreadablePostError

    with monkeypatch.context() as patched:
        patched.setattr(HttpRequest, "read", read)
        put(0, CONTENT)

    assert put(None).json()["offset"] == 400
    assert put(400, CONTENT[400:]).status_code == 202
    assert carry_on(client, announced)["sha256"] == hashlib.sha256(CONTENT).hexdigest()


def test_a_worker_that_died_while_joining_joins_again(client, announced, put, monkeypatch):
    from imports.services import chunks

    put(0, CONTENT[:500])
    put(500, CONTENT[500:])
    with monkeypatch.context() as patched:
        patched.setattr(chunks.storage, "store", lambda *args: exec("raise MemoryError"))
        carry_on(client, announced)
    ImportRecord.objects.update(due_at=clock.now(), claimed_until=None)

    assert carry_on(client, announced)["sha256"] == hashlib.sha256(CONTENT).hexdigest()


def test_two_that_send_the_same_chunk_at_once_store_it_once(announced, put, monkeypatch):
    from imports.services import chunks

    real = chunks._keep

    def late(record, start, *args, **kwargs):
        monkeypatch.setattr(chunks, "_keep", real)
        assert put(start, CONTENT[:300]).status_code == 200
        return real(record, start, *args, **kwargs)

    monkeypatch.setattr(chunks, "_keep", late)
    answer = put(0, CONTENT[:500])

    assert (answer.status_code, answer.json()["offset"]) == (409, 300)
    assert len(files_in("uploads")) == Chunk.objects.count() == 1


def test_chunks_that_come_at_once_are_kept_once(transactional_db, announced, put, client):
    for start, end in ((0, 500), (500, 1000), (1000, SIZE)):
        chunk = CONTENT[start:end]
        answers = at_once(*[partial(put, start, chunk) for _ in range(3)])

        taken = [a for a in answers if a.status_code < 300]
        refused = {a.json()["code"] for a in answers if a.status_code == 409}
        assert len(taken) == 1
        assert refused <= {"wrong_offset", "not_receiving"}
    assert carry_on(client, announced)["sha256"] == hashlib.sha256(CONTENT).hexdigest()
    assert files_in("uploads") == []


@pytest.mark.parametrize("way", ["cancel", "delete"])
def test_an_upload_given_up_takes_no_more_bytes(client, announced, put, way):
    put(0, CONTENT[:500])
    if way == "cancel":
        client.post(f"{IMPORTS}/{announced}/cancel")
    else:
        client.delete(f"{IMPORTS}/{announced}")
        assert files_in("uploads") == []

    assert put(500, CONTENT[500:]).json()["code"] == "not_receiving"


def test_an_unfinished_upload_is_purged(client, announced, put):
    put(0, CONTENT[:500])
    ImportRecord.objects.update(created_at=clock.now() - timedelta(days=3))

    retention.purge()

    assert client.get(f"{IMPORTS}/{announced}").json()["state"] == "cancelled"
    assert files_in("uploads") == []


def test_the_sweep_leaves_chunks_alone(announced, put, monkeypatch):
    put(0, CONTENT[:500])
    monkeypatch.setattr(retention, "UNNAMED_FOR_S", -60)

    retention.sweep_files()

    assert len(files_in("uploads")) == 1


@pytest.mark.parametrize(("size", "code"), [(0, "empty_file"), (11, "too_large")])
def test_a_size_that_cannot_be_taken_is_refused_before_any_byte(
    publish, client, settings, size, code
):
    publish("orders")
    settings.MAX_FILE_BYTES = 10

    answer = client.post(IMPORTS, {"filename": "f.csv", "size": size}, format="json")

    assert answer.json()["code"] == code
    assert not ImportRecord.objects.exists()


def test_a_form_leaves_one_copy_of_its_file(upload, publish):
    publish("orders")

    record = upload("orders-cp1252.csv")

    assert record["sha256"] == hashlib.sha256(CONTENT).hexdigest()
    assert len(files_in("uploads")) == 1
    assert files_in("sources") == []


def test_a_form_that_is_refused_leaves_no_file(upload, publish):
    publish("orders")

    assert upload("orders-cp1252.csv", catalogKey="nope")["code"] == "unknown_catalog"
    assert upload("orders-cp1252.csv", text="a;b")["code"] == "invalid_request"

    assert files_in("uploads") == []


def test_a_form_over_the_limit_is_dropped_while_it_arrives(upload, publish, settings):
    publish("orders")
    settings.MAX_FILE_BYTES = SIZE - 1

    assert upload("orders-cp1252.csv")["code"] == "too_large"
    assert files_in("uploads") == []


@pytest.mark.django_db(transaction=True)
def test_a_wake_up_that_cannot_even_be_made_neither_fails_an_upload_nor_loses_its_bytes(
    publish, client, monkeypatch
):
    def broken(*_: object) -> None:
        raise ModuleNotFoundError("No module named 'packaging'")

    publish("orders")
    monkeypatch.setattr("common.work.wakeups.signature", broken)
    answer = client.post(IMPORTS, {"text": "a;b\n1;2\n", "catalogKey": "orders"}, format="json")

    assert answer.status_code == 202
    record = ImportRecord.objects.get(public_id=answer.json()["recordId"])
    assert storage.local_path(record.file).read_bytes() == b"a;b\n1;2\n"
