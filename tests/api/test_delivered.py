"""The OpenAPI document describes what receivers get, and keeps the names of its operations."""

import json
from pathlib import Path

import pyarrow as pa
import pytest
from jsonschema import Draft202012Validator

from api.delivered import EXAMPLES
from api.notified import example, name_of, schema_name_of
from deliveries import payload
from deliveries.services.notices import NOTICES
from tests.api.documented import openapi_document

NAMES = Path(__file__).with_name("operation_ids.txt")
ENTITY = {"ref": "17", "status": "matched", "key": {"number": "C-1"}, "values": {"number": "C-1"}}
FULL = payload.Envelope(
    delivery_id="dlv_1",
    tenant_id="tnt_1",
    record_id="rec_1",
    action="submit",
    row_count=1,
    mapping={"Größe": "p.size"},
    occurred_at="2026-11-20T12:00:00.000Z",
    catalog_key="p",
    catalog_version=1,
    meta={"folder": {"name": "march"}},
    entities={"customer": [ENTITY]},
    links=[{"row": 0, "field": "p.size", "entity": "customer", "refs": ["17"]}],
    row_issues=[{"row": 0, "field": "p.size", "code": "x", "value": "y", "message": "z"}],
    custom_options=[{"row": 0, "field": "p.size", "value": "XL"}],
    reverts={"changesetId": "chg_1", "deliveryId": "dlv_0"},
    batch={"index": 1, "count": 2, "of": "dlv_0"},
    contract_id="sha256:0",
    test=True,
)


def validator(name: str = "DeliveryEvent") -> Draft202012Validator:
    schemas = openapi_document()["components"]["schemas"]
    return Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
    )


def body(envelope=FULL) -> dict:
    rows = pa.record_batch({"p.size": ["A"]})
    return json.loads(b"".join(payload.body(envelope, [rows], {})))


def test_a_body_with_every_member_fits_its_schema():
    assert [error.message for error in validator().iter_errors(body())] == []


def test_every_member_that_a_body_may_have_is_described():
    described = validator().schema["components"]["schemas"]["DeliveryEvent"]["properties"]

    assert body().keys() - described.keys() == set()


@pytest.mark.parametrize("lacking", ["deliveryId", "rows", "mapping"])
def test_a_body_that_lacks_a_required_member_does_not_fit(lacking):
    sent = body()
    del sent[lacking]

    assert not validator().is_valid(sent)


@pytest.mark.parametrize("name", sorted([*EXAMPLES, "notice", *map(name_of, NOTICES)]))
def test_every_webhook_has_an_example_that_fits(name):
    content = openapi_document()["webhooks"][name]["post"]["requestBody"]["content"]
    sent = content["application/json"]
    shape = sent["schema"]["$ref"].rpartition("/")[2]

    validator(shape).validate(sent["example"])


@pytest.mark.parametrize("kind", sorted(NOTICES))
def test_each_kind_of_notice_has_a_schema_that_also_a_receiver_of_every_kind_reads(kind):
    own, every = validator(schema_name_of(kind)), validator("NoticeEvent")
    shown, described = example(kind), every.schema["components"]["schemas"]

    own.validate(shown)
    every.validate(shown)
    members = described[schema_name_of(kind)]["properties"]
    assert members.keys() - described["NoticeEvent"]["properties"].keys() == set()
    assert not own.is_valid({**shown, "event": "import.unknown"})
    for name in described[schema_name_of(kind)]["required"]:
        assert not own.is_valid({key: value for key, value in shown.items() if key != name})


def test_operations_keep_their_names():
    document = openapi_document()
    calls = [o["operationId"] for methods in document["paths"].values() for o in methods.values()]

    # Clients call operations by these names: add new ones to the file, never change one.
    assert sorted([*calls, *document["webhooks"]]) == NAMES.read_text("utf-8").split()
