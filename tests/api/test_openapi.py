"""The OpenAPI document lists how a call may end."""

import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.api.documented import openapi_document

OPEN_TO_ALL = {("get", f"/api/import/v1/contracts/{name}") for name in ("keys", "schema")}


@pytest.fixture(scope="module")
def document() -> dict:
    return openapi_document()


@pytest.fixture(scope="module")
def schemas(document) -> dict:
    return document["components"]["schemas"]


@pytest.fixture(scope="module")
def operations(document) -> dict:
    paths = document["paths"]
    return {(m, path): o for path, methods in paths.items() for m, o in methods.items()}


def test_every_call_may_be_refused_and_says_when_to_come_back(operations):
    for call, operation in operations.items():
        if call in OPEN_TO_ALL:
            assert not {"401", "403"} & set(operation["responses"]), call
            continue
        assert {"401", "403", "429"} <= set(operation["responses"]), call
        assert "Retry-After" in operation["responses"]["429"]["headers"], call


def test_every_call_that_names_something_may_not_find_it(operations):
    missing = [c for c, o in operations.items() if "{" in c[1] and "404" not in o["responses"]]

    assert missing == []


def test_every_name_of_an_operation_is_used_once(operations):
    names = [operation["operationId"] for operation in operations.values()]

    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize(
    "path",
    [
        "contracts",
        "contracts/check",
        "contracts/keys/rotate",
        "imports",
        "imports/{record_id}/apply",
        "imports/{record_id}/corrections",
        "webhooks",
        "webhooks/{webhook_id}/rotate",
        "webhooks/{webhook_id}/test",
        "deliveries/{delivery_id}/resend",
    ],
)
def test_a_creating_call_takes_an_idempotency_key(operations, path):
    parameters = operations["post", f"/api/import/v1/{path}"]["parameters"]

    assert "Idempotency-Key" in [parameter["name"] for parameter in parameters]


def test_every_call_about_an_import_may_come_at_the_wrong_time(operations):
    missing = [
        call
        for call, operation in operations.items()
        if "{record_id}" in call[1] and "409" not in operation["responses"]
    ]

    assert missing == []


@pytest.mark.parametrize(
    ("name", "body", "is_valid"),
    [
        ("EditIn", {}, False),  # a PATCH has required members too
        ("EditIn", {"revision": 1}, False),
        ("EditIn", {"revision": 1, "exclude": [0]}, True),
        ("FixIn", {"revision": 1, "field": "f", "code": "c"}, False),
        ("FixIn", {"revision": 1, "field": "f", "code": "c", "text": "t"}, True),
        ("FixIn", {"revision": 1, "field": "f", "code": "c", "text": "t", "exclude": True}, False),
        ("ValuesIn", {"values": {}}, False),
        ("ExportIn", {"policy": {"encodings": ["utf-8", "cp1252"]}}, True),
        ("ExportIn", {"policy": {"encodings": ["klingon"]}}, False),
        ("UpsertIn", {"items": []}, False),
        ("CheckIn", {"text": "t"}, False),  # against which contract
        ("CheckIn", {"text": "t", "contractId": "c"}, True),
        ("CheckIn", {"text": "t", "bundle": {}}, False),
        ("ImportIn", {"text": "t", "meta": {"a": ["b"]}}, True),
        ("ImportIn", {"text": "t", "meta": {"a": ["\0"]}}, False),  # at any depth
    ],
)
def test_bodies_say_what_they_need(schemas, name, body, is_valid):
    shape = {"$ref": f"#/components/schemas/{name}Request", "components": {"schemas": schemas}}
    if f"{name}Request" not in schemas:
        shape["$ref"] = f"#/components/schemas/{name}"

    assert Draft202012Validator(shape).is_valid(body) == is_valid


def test_every_example_fits_its_schema(operations, schemas):
    checked = 0
    for operation in operations.values():
        shown = [operation.get("requestBody", {}), *operation["responses"].values()]
        for content in (item.get("content", {}).get("application/json", {}) for item in shown):
            if "example" in content:
                shape = {**content["schema"], "components": {"schemas": schemas}}
                Draft202012Validator(shape).validate(content["example"])
                checked += 1

    assert checked > 30


BINARY = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def test_every_operation_shows_what_is_sent_and_what_is_answered(operations):
    for call, operation in operations.items():
        done = [response for status, response in operation["responses"].items() if status[0] == "2"]
        answers = [item["content"] for item in done if set(item.get("content", ())) - {BINARY}]
        shown = [
            content for answer in answers for content in answer.values() if "example" in content
        ]
        sent = operation.get("requestBody", {}).get("content", {}).values()

        assert shown or not answers, call
        assert not sent or any("example" in content for content in sent), call


def test_what_may_be_anything_is_null_once(schemas):
    profile = schemas["ImportOut"]["properties"]["profile"]

    assert Draft202012Validator(profile).is_valid(None)


def test_the_page_about_the_api_lists_every_call_and_no_other(operations):
    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
    written = re.findall(r"^\| `([A-Z]+) ([^`]+)` \|", page, re.MULTILINE)
    served = {(m.upper(), path.removeprefix("/api/import/v1/")) for m, path in operations}

    assert set(written) == served
    assert len(written) == len(served)


def test_each_operation_has_a_summary_and_a_description_of_its_own(operations):
    for member in ("summary", "description"):
        texts = [operation.get(member) for operation in operations.values()]

        assert None not in texts
        assert len(set(texts)) == len(texts), member


def test_the_page_about_the_api_says_what_the_summaries_say(operations):
    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
    rows = re.findall(r"^\| `([A-Z]+) ([^`]+)` \| (.*) \|$", page, re.MULTILINE)
    plain = {
        (method.lower(), f"/api/import/v1/{path}"): text.replace("`", "").replace("\\|", "|")
        for method, path, text in rows
    }

    summaries = {call: operation["summary"] for call, operation in operations.items()}

    assert {call: text[0].upper() + text[1:] for call, text in plain.items()} == summaries


def test_what_a_call_may_be_followed_by_is_there(operations):
    by_name = {operation["operationId"]: operation for operation in operations.values()}
    links = [
        link
        for operation in operations.values()
        for response in operation["responses"].values()
        for link in response.get("links", {}).values()
    ]

    assert len(links) > 30
    for link in links:
        target = by_name[link["operationId"]]
        named = {f"{item['in']}.{item['name']}" for item in target.get("parameters", ())}
        assert set(link["parameters"]) <= named, link
        assert "requestBody" in target or "requestBody" not in link, link


def test_whatever_may_decide_about_a_column_is_listed(schemas):
    kinds = schemas["DecidedOut"]["properties"]["kind"]
    listed = schemas[kinds["$ref"].rsplit("/", 1)[1]] if "$ref" in kinds else kinds

    assert set(listed["enum"]) == {"question", "answer", "profile", "contract"}
