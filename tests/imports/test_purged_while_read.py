"""An import is deleted between the opening of its rows and their reading."""

import csv

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from api.v1 import references
from api.v1.reviewed import exports, left_out, values
from common import clock
from common.actors import ENGINE
from imports import selectors, services
from imports.exports import workbooks
from imports.models import ImportRecord
from imports.services.review import UnknownRevision
from tests.imports.conftest import carry_on
from workflow.retention import purge

pytestmark = pytest.mark.django_db
IMPORTS = "/api/import/v1/imports"


@pytest.fixture
def url(publish, upload):
    publish("orders")
    return f"{IMPORTS}/{upload('orders-cp1252.csv', autoMap='true')['recordId']}"


def by_delete():
    record = ImportRecord.objects.get(purpose=ImportRecord.Purpose.IMPORT)
    services.delete(record=record, actor=ENGINE, at=clock.now())


def by_retention():
    ImportRecord.objects.update(purpose=ImportRecord.Purpose.SAMPLE, created_at="2020-01-01T00:00Z")
    purge()


@pytest.fixture
def purged_once_opened(monkeypatch):
    """Return a function that purges the rows as soon as the next call has opened them."""

    def arrange(purged, read_first):
        opened = services.rows_of

        def then_purged(record, *revision):
            table = opened(record, *revision)
            if read_first:  # the files are mapped already, as for a second call
                table.values(table.columns[0].field)
                assert table.severities is not None
            purged()
            return table

        for module in (services, workbooks):
            monkeypatch.setattr(module, "rows_of", then_purged)

    return arrange


CALLS = [
    # method, path, body, whether the files are mapped before, what purges
    ("post", "rows/query", {"limit": 2}, False, by_delete),
    ("post", "rows/query", {"limit": 2}, True, by_retention),
    ("post", "rows/query", {"view": {"search": "a"}}, False, by_delete),
    ("post", "rows/query", {"view": {"filter": "changed"}}, True, by_delete),
    ("get", "issues", None, False, by_retention),
    ("get", "rows/0/explain", None, True, by_delete),
    ("get", "export?rows=all&format=csv", None, False, by_delete),
    ("get", "export?rows=error&format=xlsx", None, True, by_delete),
]


@pytest.mark.parametrize(("method", "path", "body", "read_first", "purged"), CALLS)
def test_rows_purged_while_they_are_read_are_not_found(
    client, url, purged_once_opened, method, path, body, read_first, purged
):
    arguments = {"data": body, "format": "json"} if body is not None else {}
    purged_once_opened(purged, read_first)
    client.raise_request_exception = False

    answer = getattr(client, method)(f"{url}/{path}", **arguments)

    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_revision")


def test_a_failure_while_the_rows_are_kept_stays_a_failure(client, url, monkeypatch):
    def broken(record, *revision):
        raise FileNotFoundError

    monkeypatch.setattr(services, "rows_of", broken)

    answer = client.post(f"{url}/rows/query", {"limit": 2}, format="json")

    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")


def test_a_file_that_loses_its_rows_on_the_way_breaks_off(client, url):
    answer = client.get(f"{url}/export?rows=all&format=csv")
    pieces = iter(answer.streaming_content)
    by_delete()

    with pytest.raises(UnknownRevision):
        b"".join(pieces)


def test_a_file_whose_rows_are_kept_arrives_whole(client, url):
    answer = client.get(f"{url}/export?rows=all&format=csv")

    whole = b"".join(answer.streaming_content)

    rows = client.get(url).json()["counts"]["rows"]
    assert len(list(csv.reader(whole.decode("utf-8-sig").splitlines()))) == rows + 1


def corrected(client, url) -> str:
    whole = b"".join(client.get(f"{url}/export?rows=all&format=csv").streaming_content)
    form = {"file": SimpleUploadedFile("corrected.csv", whole)}
    at = client.post(f"{url}/corrections", form).headers["Location"]
    carry_on(client, at.rpartition("/")[2])
    return at.removeprefix(url)


OTHERS = [
    ("get", "values/orders.status", None),
    ("get", "references", None),
    ("get", "corrections", None),
    ("post", "corrections", {}),
    ("get", "left-out", None),
]


@pytest.mark.parametrize(("method", "path", "body"), OTHERS)
def test_what_else_is_purged_while_it_is_read_is_not_found(
    client, url, monkeypatch, method, path, body
):
    if path == "corrections":
        path = corrected(client, url) + ("/confirm" if method == "post" else "")
    real = selectors.import_for
    calls = []

    def then_purged(caller, record_id):
        record = real(caller, record_id)
        calls.append(record_id)
        by_delete()
        return record

    for module in (values, references, exports, left_out):
        monkeypatch.setattr(module, "import_for", then_purged)
    client.raise_request_exception = False

    answer = getattr(client, method)(f"{url}/{path.lstrip('/')}", data=body, format="json")

    assert calls
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_revision"), answer.json()
