"""Catalogs are exported and imported as text; an error in a text has its line."""

import json

import jsonschema
import pytest

from catalogs.models import CatalogVersion
from tests.api.test_catalogs import BASE, editor, published, put, reader, stranger

__all__ = ["editor", "published", "reader", "stranger"]  # fixtures


def convert(client, body):
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    return client.post(f"{BASE}/convert", text, content_type="application/json")


def test_what_is_exported_comes_back_as_it_was(editor, reader, published):
    published()
    exported = reader.get(f"{BASE}/people/export")

    assert exported["Content-Disposition"] == 'attachment; filename="people.json"'
    again = convert(editor, {"text": exported.content.decode()}).json()
    assert (again["kind"], again["catalog"], again["findings"]) == (
        "catalog", exported.json(), [],
    )  # fmt: skip


def test_the_schema_is_of_the_version_that_is_asked_for(editor, reader, published):
    published()
    put(editor, {"entries": [{"id": "person", "fields": [{"key": "age", "columnType": "int"}]}]})

    now = reader.get(f"{BASE}/people/export?format=json-schema")
    draft = reader.get(f"{BASE}/people/export?format=json-schema&version=2").json()

    assert now["Content-Type"] == "application/schema+json"
    assert list(now.json()["$defs"]["person"]["properties"]) == ["name"]
    assert list(draft["$defs"]["person"]["properties"]) == ["age"]
    jsonschema.Draft202012Validator.check_schema(draft)


def test_a_catalog_without_anything_published_is_exported_as_its_draft(editor, reader):
    put(editor)

    assert reader.get(f"{BASE}/people/export").json()["version"] == 1


def test_a_schema_becomes_a_catalog_and_nothing_is_saved(editor):
    schema = {"title": "Stock 2026", "properties": {"sku": {"type": "string", "minLength": 1}}}

    made = convert(editor, {"text": json.dumps(schema, indent=1)}).json()

    assert (made["kind"], made["catalog"]["key"]) == ("json-schema", "stock-2026")
    (finding,) = made["findings"]
    assert (finding["pointer"], finding["line"], finding["severity"]) == (
        "/properties/sku/minLength", 6, "warning",
    )  # fmt: skip
    assert not CatalogVersion.objects.exists()
    assert put(editor, made["catalog"], key="stock-2026").json()["findings"] == []


def test_a_wrong_catalog_is_named_line_by_line(editor):
    text = '{"entries": [\n {"id": "a", "fields": [\n  {"key": "x"},\n  {"key": "x"}\n ]}\n]}'

    made = convert(editor, {"text": text}).json()

    assert [
        (finding["pointer"], finding["line"], finding["code"]) for finding in made["findings"]
    ] == [("/entries/0/fields/1/key", 4, "duplicate_field")]


@pytest.mark.parametrize(
    ("body", "pointer", "line", "column"),
    [
        ({"text": '{"a": 1,\n "b" 2}'}, "/text", 2, 6),
        ({"text": "<p>pasted</p>"}, "/text", 1, 1),
        ({"text": "[]"}, "/text", 1, 1),
        ('{"text": ', "", 1, 10),
        ("", "", 1, 1),
    ],
)
def test_what_is_not_json_says_where(editor, body, pointer, line, column):
    answer = convert(editor, body)

    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_json")
    (error,) = answer.json()["errors"]
    assert (error["pointer"], error["line"], error["column"]) == (pointer, line, column)


def test_a_draft_that_is_not_json_says_where_too(editor):
    answer = put(editor, '{"entries": [\n}')

    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert (error["code"], error["line"], error["column"]) == ("malformed_json", 2, 1)


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, [""]),
        ({"text": "{}", "jsonSchema": {}}, [""]),
        ({"text": None, "jsonSchema": {}}, ["/text"]),
        ({"text": 5}, ["/text"]),
        ({"jsonSchema": "{}"}, ["/jsonSchema"]),
        ({"text": "{}", "more": 1}, ["/more"]),
    ],
)
def test_what_is_neither_text_nor_schema_is_refused(editor, body, pointers):
    answer = convert(editor, body)

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert [error["pointer"] for error in answer.json()["errors"]] == pointers


def test_five_hundred_fields_come_and_go(editor, reader):
    fields = [{"key": f"f{n}", "columnType": "int"} for n in range(500)]
    put(editor, {"entries": [{"id": "wide", "fields": fields}]}, key="wide")

    schema = reader.get(f"{BASE}/wide/export?format=json-schema").json()
    back = convert(editor, {"jsonSchema": schema}).json()

    assert [field["key"] for field in back["catalog"]["entries"][0]["fields"]][-1] == "f499"
    assert len(reader.get(f"{BASE}/wide/changes").json()["changes"]) == 1


def test_no_tenant_exports_the_catalog_of_another(stranger, published):
    published()

    assert stranger.get(f"{BASE}/people/export").json()["code"] == "unknown_catalog"
