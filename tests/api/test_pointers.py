"""Each problem points at the member, the parameter or the header that is wrong."""

import pytest

from imports.models import ImportRecord
from imports.parts import Parsed
from tests.api.test_rows import call, record
from tests.jobs import file_read
from tests.staging.conftest import in_review

__all__ = ["call", "in_review", "record"]  # fixtures

pytestmark = pytest.mark.django_db
GOOD = {"row": 0, "field": "e.amount", "text": "1"}


def pointers(problem: dict) -> list[str]:
    assert all(error["detail"] for error in problem["errors"])
    return [error["pointer"] for error in problem["errors"]]


@pytest.mark.parametrize(
    ("batch", "where"),
    [
        ({"edits": [GOOD, GOOD | {"row": 6}]}, ["/edits/1/row"]),
        ({"edits": [GOOD, GOOD | {"field": "e.none"}]}, ["/edits/1/field"]),
        ({"edits": [{"row": 9, "field": "no", "text": ""}]}, ["/edits/0/row", "/edits/0/field"]),
        ({"edits": [GOOD, GOOD | {"row": "1"}]}, ["/edits/1/row"]),
        ({"edits": [GOOD, GOOD | {"row": -1}]}, ["/edits/1/row"]),
        ({"edits": [GOOD, GOOD | {"text": 5}]}, ["/edits/1/text"]),
        ({"edits": [GOOD | {"rows": 1}]}, ["/edits/0/rows"]),
        ({"edits": [GOOD, GOOD | {"text": "2"}]}, ["/edits/1/text"]),
        ({"edits": [GOOD], "exclude": [1, 7]}, ["/exclude/1"]),
        ({"exclude": [0, "1"]}, ["/exclude/1"]),
        ({"include": [1, 0, 99]}, ["/include/2"]),
        ({"exclude": [0, 2], "include": [1, 2]}, ["/include/1"]),
    ],
)
def test_a_batch_of_edits_names_the_edit(call, batch, where):
    status, problem = call("rows", {"revision": 1} | batch, method="patch")

    assert status in {400, 409}
    assert pointers(problem) == where


@pytest.mark.parametrize(
    ("path", "body", "where"),
    [
        ("rows/query", {"view": {"field": "e.none"}}, ["/view/field"]),
        ("rows/query", {"view": {"sort": {"field": "e.none"}}}, ["/view/sort/field"]),
        ("rows/query", {"view": {"sort": {"descending": "yes"}}}, ["/view/sort/descending"]),
        ("rows/query", {"limit": 501}, ["/limit"]),
        ("rows/replace", {"inFields": ["e.id", "e.none"]}, ["/inFields/1"]),
        ("rows/replace", {"inFields": ["e.id", 1]}, ["/inFields/1"]),
        ("rows/fix", {"field": "e.none", "code": "c", "text": "x"}, ["/field"]),
        ("rows/fix", {"field": "e.paid", "code": "not_a_date", "readAs": "eu"}, ["/readAs"]),
    ],
)
def test_a_body_about_rows_names_the_member(call, path, body, where):
    if path == "rows/replace":
        body = {"find": "a", "replace": "b"} | body
    if path != "rows/query":
        body = {"revision": 1} | body

    status, problem = call(path, body)

    assert status in {400, 409}
    assert pointers(problem) == where


def test_a_name_with_a_slash_is_escaped_in_a_pointer(client_of, mint_key, record):
    record.parsed = Parsed(file_read(columns=["PLZ/Ort~"]))
    record.save()
    client = client_of(mint_key("tnt_owner"))
    body = {"mapping": {"PLZ/Ort~": 5}}

    answer = client.put(f"/api/import/v1/imports/{record.public_id}/mapping", body, format="json")

    assert answer.status_code == 400
    assert pointers(answer.json()) == ["/mapping/PLZ~1Ort~0"]


@pytest.mark.parametrize(
    ("method", "path", "header", "value"),
    [
        ("put", "imports/{id}/file", "Content-Range", "bytes 1"),
        ("post", "imports/{id}/apply", "Idempotency-Key", "k" * 300),
        ("put", "catalogs/orders/draft", "If-None-Match", "latest"),
    ],
)
def test_a_header_that_is_wrong_is_named(client_of, mint_key, record, method, path, header, value):
    if path.endswith("/file"):
        ImportRecord.objects.filter(pk=record.pk).update(state="received")  # it awaits its bytes
    client = client_of(mint_key("tnt_owner", entitlements=("catalogEditor",)))
    address = f"/api/import/v1/{path.format(id=record.public_id)}"

    answer = getattr(client, method)(address, {}, format="json", headers={header: value})

    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (400, "invalid_request")
    assert [error["header"] for error in problem["errors"]] == [header]
