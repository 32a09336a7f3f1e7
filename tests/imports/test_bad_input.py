"""Files that cannot be imported are reported plainly, with a stable code."""

import pytest

from tests.imports.conftest import carry_on

pytestmark = pytest.mark.django_db
IMPORTS = "/api/import/v1/imports"


def post(client, content=b"Auftrags-Nr.;Menge\nA;1\n", name="file.csv", **members):
    from django.core.files.uploadedfile import SimpleUploadedFile

    return client.post(IMPORTS, {"file": SimpleUploadedFile(name, content), **members})


def refused(answer) -> tuple[int, str]:
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["detail"]
    return answer.status_code, problem["code"]


def test_a_file_of_no_bytes(publish, client):
    publish("orders")

    assert refused(post(client, b"")) == (422, "empty_file")


def test_two_files_in_one_form(publish, client):
    from django.core.files.uploadedfile import SimpleUploadedFile

    publish("orders")
    files = {name: SimpleUploadedFile(f"{name}.csv", b"a;b\n1;2\n") for name in ("file", "other")}
    many = {"file": [SimpleUploadedFile(f"{n}.csv", b"a;b\n1;2\n") for n in range(21)]}
    empty = {"file": [SimpleUploadedFile("a.csv", b"a;b\n1;2\n"), SimpleUploadedFile("b.csv", b"")]}

    assert refused(client.post(IMPORTS, files)) == (400, "several_files")
    assert refused(client.post(IMPORTS, many)) == (400, "too_many_files")
    assert refused(client.post(IMPORTS, empty)) == (422, "empty_file")
    assert client.get(IMPORTS).json()["items"] == []


def test_no_file_at_all(publish, client):
    publish("orders")

    assert refused(client.post(IMPORTS, {}, format="json")) == (422, "file_missing")


def test_an_unknown_member(publish, client):
    publish("orders")
    answer = client.post(IMPORTS, {"text": "a\n1", "catalogkey": "orders"}, format="json")

    assert refused(answer) == (400, "invalid_request")
    assert answer.json()["errors"][0]["pointer"] == "/catalogkey"


def test_a_file_and_a_text(publish, client):
    publish("orders")

    assert refused(post(client, text="a\n1")) == (400, "invalid_request")


def test_no_catalog_published(client):
    assert refused(post(client)) == (409, "no_catalog_published")


def test_two_catalogs_published_and_none_named(publish, client):
    publish("orders")
    publish("stock")
    answer = post(client)

    assert refused(answer) == (409, "catalog_key_required")
    assert answer.json()["keys"] == ["orders", "stock"]


def test_an_unknown_catalog(publish, client):
    publish("orders")

    assert refused(post(client, catalogKey="nope")) == (404, "unknown_catalog")


def test_a_file_over_the_limit(publish, client, settings):
    publish("orders")
    settings.MAX_FILE_BYTES = 10

    assert refused(post(client, b"a" * 11)) == (413, "too_large")


def test_a_body_of_another_type(publish, client):
    answer = client.post(IMPORTS, b"<xml/>", content_type="application/xml")

    assert refused(answer) == (415, "unsupported_media_type")


def test_a_body_that_is_not_json(client):
    answer = client.post(IMPORTS, b"{nope", content_type="application/json")

    assert refused(answer) == (400, "malformed_body")


def test_a_wrong_key(client_of, mint_key, owner):
    answer = post(client_of(mint_key("tnt_owner")[:-6]))

    assert answer.status_code == 401
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_an_import_of_another_tenant(publish, upload, client_of, mint_key):
    publish("orders")
    record_id = upload("orders-cp1252.csv")["recordId"]
    stranger = client_of(mint_key("tnt_stranger"))

    for path in ("", "/tables", "/mapping"):
        assert refused(stranger.get(f"{IMPORTS}/{record_id}{path}")) == (404, "unknown_import")
    for path in ("/apply", "/cancel", "/retry", "/rows/query"):
        answer = stranger.post(f"{IMPORTS}/{record_id}{path}", {}, format="json")
        assert refused(answer) == (404, "unknown_import")
    assert refused(stranger.delete(f"{IMPORTS}/{record_id}")) == (404, "unknown_import")
    assert stranger.get(IMPORTS).json()["items"] == []


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (bytes(range(256)) * 64, "binary_file"),
        (b"%PDF-1.7\nnot really", "malformed"),
        (b"PK\x03\x04" + b"\x00" * 40, "damaged_file"),
    ],
)
def test_bytes_that_are_not_a_table_fail_with_a_problem_and_can_be_cancelled(
    publish, client, content, code
):
    publish("orders")
    record = carry_on(client, post(client, content).json()["recordId"])

    assert record["state"] == "failed"
    assert record["problem"]["code"] == code
    assert record["problem"]["detail"]
    cancelled = client.post(f"{IMPORTS}/{record['recordId']}/cancel")
    assert cancelled.json()["state"] == "cancelled"


@pytest.mark.parametrize("wait", ["-1", "31", "soon", "nan"])
def test_a_wait_that_makes_no_sense(publish, upload, client, wait):
    publish("orders")
    record = upload("orders-cp1252.csv")

    answer = client.get(f"{IMPORTS}/{record['recordId']}?wait={wait}")
    assert refused(answer) == (400, "invalid_request")


def test_an_address_that_is_not_there(client):
    assert refused(client.get("/api/import/v1/nope")) == (404, "not_found")


def test_a_method_that_is_not_allowed(client):
    answer = client.put(IMPORTS, {}, format="json")

    assert refused(answer) == (405, "method_not_allowed")
    assert "POST" in answer["Allow"]


@pytest.mark.parametrize("limit", ["0", "501", "-1", "ten", "", "1e2", "9" * 400])
def test_a_page_of_no_size(client, limit):
    assert refused(client.get(f"{IMPORTS}?limit={limit}")) == (400, "invalid_request")


def test_a_form_without_its_file(client):
    assert refused(client.post(IMPORTS, {"autoMap": "1"})) == (422, "file_missing")


@pytest.mark.parametrize("rows", [[], [None], ["A;1"], [1], {"a": 1}])
def test_rows_that_are_none(client, rows):
    assert refused(client.post(IMPORTS, {"rows": rows}, format="json")) == (400, "invalid_request")


@pytest.mark.parametrize(
    "member",
    [{"autoMap": "yes"}, {"autoMap": 1}, {"autoMap": None}, {"size": "12"}, {"filename": 0}],
)
def test_json_that_writes_a_value_as_something_else(client, member):
    answer = client.post(IMPORTS, {"text": "a;b", **member}, format="json")

    assert refused(answer) == (400, "invalid_request")


@pytest.mark.parametrize("flag", ["", "1", "yes", "null"])
def test_a_filter_that_is_neither_true_nor_false(client, flag):
    assert refused(client.get(f"/api/import/v1/deliveries?test={flag}")) == (400, "invalid_request")
