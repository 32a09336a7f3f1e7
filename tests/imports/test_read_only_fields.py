"""A field that the catalog makes read-only: delivered and shown, and not changed by people."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from imports.host_checks.answers import follow_due
from tests.imports.conftest import carry_on
from tests.references.conftest import V1, apply, bodies_of, bring, host_answers, published, webhook

__all__ = ["apply", "bring", "published", "webhook"]  # fixtures
pytestmark = pytest.mark.django_db
NO, CITY, SUM = "order.no", "order.city", "order.sum"
FIELDS = [
    {"key": "no", "validations": [{"validate": "unique"}]},
    {"key": "city", "readOnly": True},
    {"key": "sum", "columnType": "float", "readOnly": True},
]
TABLE = {NO: ["1", "2", "1"], CITY: ["Ulm", "", "Bonn"], SUM: ["", "much", "1.50"]}


@pytest.fixture
def orders(published):
    published([{"id": "order", "label": "Order", "fields": FIELDS}])


@pytest.fixture
def record(orders, bring):
    return bring(TABLE)


@pytest.fixture
def address(record):
    return f"{V1}/imports/{record['recordId']}"


def edit(client, address, revision, path=CITY):
    body = {"revision": revision, "edits": [{"row": 0, "field": path, "text": "Rom"}]}
    return client.patch(f"{address}/rows", body, format="json")


def propose(client, address, revision):
    body = {"revision": revision, "proposals": [{"row": 0, "field": CITY, "value": "Rom"}]}
    return client.patch(f"{address}/rows", body, format="json")


def replace(client, address, revision):
    body = {"find": "Ulm", "replace": "Rom", "inFields": [CITY], "view": {}, "revision": revision}
    return client.post(f"{address}/rows/replace", {**body, "preview": False}, format="json")


def fix(client, address, revision):
    body = {"field": SUM, "code": "not_a_number", "text": "1"}
    body |= {"revision": revision, "preview": False}
    return client.post(f"{address}/rows/fix", body, format="json")


def merge_duplicates(client, address, revision):
    body = {"by": "unique", "keep": "merge", "revision": revision, "preview": False}
    return client.post(f"{address}/duplicates", body, format="json")


def correct(client, address, revision):
    export = client.get(f"{address}/export?format=csv")
    text = b"".join(export.streaming_content).replace(b"much", b"2.00")
    sent = client.post(f"{address}/corrections", {"file": SimpleUploadedFile("c.csv", text)})
    correction = sent.json()["correctionId"]
    carry_on(client, correction)
    return client.post(f"{address}/corrections/{correction}/confirm")


@pytest.mark.parametrize("change", [edit, propose, replace, fix, merge_duplicates, correct])
def test_no_change_of_people_reaches_a_read_only_field(change, client, record, address):
    answer = change(client, address, record["revision"])

    assert (answer.status_code, answer.json()["code"]) == (409, "read_only_field"), answer.json()
    field = SUM if change in (fix, merge_duplicates, correct) else CITY
    assert repr(field) in answer.json()["errors"][0]["detail"]
    assert client.get(address).json()["revision"] == record["revision"]


def test_other_fields_are_changed_and_rows_left_out_as_ever(client, record, address):
    edited = edit(client, address, record["revision"], NO)
    body = {"revision": edited.json()["revision"], "exclude": [0]}
    left_out = client.patch(f"{address}/rows", body, format="json")

    assert (edited.status_code, left_out.status_code) == (200, 200)


@pytest.mark.parametrize("preview", [True, False])
def test_its_issues_offer_only_to_leave_rows_out(preview, client, record, address):
    (group,) = (
        group
        for group in client.get(f"{address}/issues/fixes").json()["groups"]
        if group["field"] == SUM
    )
    body = {"field": SUM, "code": "not_a_number", "exclude": True, "preview": preview}
    body |= {"revision": record["revision"]}
    answer = client.post(f"{address}/rows/fix", body, format="json")

    assert [fix["how"] for fix in group["fixes"]] == [{"exclude": True}]
    assert answer.status_code == 200, answer.json()


def test_a_page_sees_that_a_field_is_read_only(client, address):
    fields = client.get(f"{address}/catalog").json()["entries"][0]["fields"]

    assert [field.get("readOnly") for field in fields] == [None, True, True]


def test_a_host_sets_the_values_of_a_read_only_field(orders, webhook, bring, apply):
    webhook("submit", path="submit")
    webhook("check", path="check")
    record = bring({NO: ["1"], CITY: ["ulm"], SUM: ["1"]})
    answer = {"results": [], "set": [{"row": 0, "field": CITY, "value": "Ulm"}]}
    host_answers(200, action="check", content=json.dumps(answer).encode())
    follow_due()
    host_answers(200, action="check", content=b'{"results": []}')
    follow_due()
    apply(record)

    (body,) = bodies_of(record)
    assert body["rows"][0][CITY] == "Ulm"


def session(caller, read_only):
    fields = {CITY: {"readOnly": read_only}}
    return caller.post(f"{V1}/sessions", {"catalogKey": "t", "fields": fields}, format="json")


def test_a_session_makes_a_field_editable_only_with_the_entitlement(orders, mint_key, client_of):
    refused = session(client_of(mint_key()), read_only=False)
    allowed = session(client_of(mint_key(entitlements=("catalogOverlays",))), read_only=False)

    assert (refused.status_code, refused.json()["code"]) == (403, "entitlement_required")
    assert refused.json()["errors"][0]["pointer"] == f"/fields/{CITY}/readOnly"
    assert allowed.status_code == 201
    assert session(client_of(mint_key()), read_only=True).status_code == 201


def test_what_a_session_says_of_a_field_comes_before_the_catalog(
    orders, mint_key, client_of, client
):
    made = session(client_of(mint_key(entitlements=("catalogOverlays",))), read_only=False)
    page = client_of(made.json()["token"])
    body = {"text": "no,city,sum\n1,Ulm,1\n", "autoMap": True}
    record = carry_on(page, page.post(f"{V1}/imports", body, format="json").json()["recordId"])
    address = f"{V1}/imports/{record['recordId']}"
    if record["state"] == "mapping":
        proposed = page.get(f"{address}/mapping").json()["proposed"]
        page.put(f"{address}/mapping", proposed, format="json")
        record = carry_on(page, record["recordId"])

    assert edit(page, address, record["revision"]).status_code == 200
    assert edit(page, address, record["revision"], SUM).status_code == 409
