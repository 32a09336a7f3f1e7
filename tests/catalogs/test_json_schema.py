"""A catalog is exported as JSON Schema of what hosts receive, and a JSON Schema is converted."""

import json

import jsonschema
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogs.json_schema import read_schema, written_schema
from tabular.model.catalog import Catalog
from tabular.model.catalog_findings import check_catalog
from tabular.model.catalog_members import MEMBERS
from tabular.types.patterns import Pattern
from tests.tries import tries

OPEN = {"label": "Open", "type": "string", "value": "open"}
LINK = {"entity": "customer", "matchOn": ["name"], "cardinality": "one", "onMissing": "error"}
FIELDS = [
    {"key": "number", "label": "Number", "required": True, "columnSize": 20,
     "validations": [{"validate": "regex", "regex": "^A"}, {"validate": "unique"}]},
    {"key": "amount", "columnType": "currency_eur",
     "validations": [{"validate": "compare", "op": "lte", "value": 100}]},
    {"key": "day", "columnType": "date_dmy"},
    {"key": "status", "columnType": "category", "dropdownOptions": [OPEN], "required": True},
    {"key": "tags", "columnType": "category", "dropdownOptions": [OPEN], "isMultiSelect": True},
    {"key": "customer", "reference": LINK},
    {"key": "gone", "disabled": True},
]  # fmt: skip


def catalog(fields=FIELDS) -> Catalog:
    entries = [{"id": "order", "label": "Order", "fields": fields}]
    return Catalog.model_validate_json(json.dumps({"key": "orders", "entries": entries}))


def as_catalog(schema):
    read = read_schema(schema)
    return check_catalog(json.dumps({"key": "x", "entries": read.entries}))


def field(schema, *, required=False, **more):
    whole = {"type": "object", "properties": {"f": schema}, **more}
    read = read_schema(whole | ({"required": ["f"]} if required else {}))
    return read.entries[0]["fields"][0], [
        (finding.code, finding.pointer) for finding in read.findings
    ]


def test_the_schema_takes_what_is_delivered_and_nothing_else():
    schema = written_schema(catalog())
    row = {"number": "A1", "amount": 5.5, "day": "2026-01-31", "status": "open", "tags": ["open"]}
    good = {"order": [row, {"number": "A2", "amount": None, "status": "open", "tags": None}]}

    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(good, schema)
    for wrong in ({"number": "B"}, {"amount": 101}, {"status": "paid"}, {"number": None}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"order": [row | wrong]}, schema)
    assert "gone" not in schema["$defs"]["order"]["properties"]


@pytest.mark.parametrize(("pattern", "fits"), [("A-1", True), ("^A-1$", False), ("-1", True)])
def test_a_pattern_is_searched_by_engine_and_schema_alike(pattern, fits):
    rule = {"validate": "regex", "regex": pattern}
    schema = written_schema(catalog([{"key": "number", "validations": [rule]}]))

    taken = jsonschema.Draft202012Validator(schema).is_valid({"order": [{"number": "xA-12"}]})
    matches = Pattern(pattern).search(pa.array(["xA-12"])).to_pylist()

    assert ([taken], matches) == ([fits], [fits])
    shown_patterns = [MEMBERS["Validation"]["regex"][0], MEMBERS["RegexDetector"]["pattern"][0]]
    assert all("searched in" in sentence for sentence in shown_patterns)


@pytest.mark.parametrize(("pattern", "kind"), [("CHF", "number"), ("CHF 0.00", "string")])
def test_the_schema_names_the_currency_of_a_number_and_keeps_it(pattern, kind):
    schema = written_schema(
        catalog([{"key": "it", "columnType": "float", "outputFormat": pattern, "required": True}])
    )
    written = schema["$defs"]["order"]["properties"]["it"]

    assert (written["type"], written["x-currency"]) == (kind, "CHF")
    read, findings = field(written)
    assert (read["columnType"], read["outputFormat"], findings) == ("float", pattern, [])


def test_a_catalog_comes_back_from_its_own_schema():
    read = read_schema(written_schema(catalog()))

    assert read.findings == []
    (entry,) = read.entries
    assert (entry["id"], entry["label"]) == ("order", "Order")
    again = {item["key"]: item for item in entry["fields"]}
    for item in FIELDS[:-1]:
        back = again[item["key"]]
        for name in ("columnType", "required", "columnSize", "isMultiSelect", "dropdownOptions"):
            if name in item:
                assert back[name] == item[name]
    assert again["customer"]["reference"] == LINK
    assert {rule["validate"] for rule in again["number"]["validations"]} == {"regex", "unique"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "integer"}, {"columnType": "int"}),
        ({"type": ["number", "null"]}, {"columnType": "float"}),
        ({"type": "string", "format": "email"}, {"columnType": "email"}),
        ({"type": "string", "format": "date"}, {"columnType": "date_iso"}),
        ({"type": "string", "format": "ipv4"}, {"columnType": "string"}),
        ({"anyOf": [{"type": "boolean"}, {"type": "null"}]}, {"columnType": "boolean"}),
        ({"type": "string", "maxLength": 5}, {"columnSize": 5}),
        ({"type": "string", "title": "F", "description": "d"}, {"label": "F", "description": "d"}),
        ({"enum": ["a", None, "b"]}, {"columnType": "category"}),
        ({"type": "array", "items": {"enum": ["a"]}}, {"isMultiSelect": True}),
        ({"type": "integer", "minimum": 0},
         {"validations": [{"validate": "compare", "op": "gte", "value": 0}]}),
        ({"type": "string", "x-columnType": "iban"}, {"columnType": "iban"}),
        ({"type": "string", "x-columnType": "magic"}, {"columnType": "string"}),
    ],
)  # fmt: skip
def test_a_property_is_a_field(schema, expected):
    made, findings = field(schema)

    assert expected.items() <= made.items()
    assert findings == []


@pytest.mark.parametrize(
    ("schema", "finding"),
    [
        ({"$ref": "#/$defs/none"}, ("unknown_reference", "/properties/f/$ref")),
        ({"$ref": "https://x.example/s.json"}, ("unknown_reference", "/properties/f/$ref")),
        ({"type": "string", "minLength": 2}, ("unknown_keyword", "/properties/f/minLength")),
        ({"type": ["string", "integer"]}, ("unknown_value", "/properties/f/type")),
        ({"type": "array", "items": {"type": "string"}}, ("unknown_value", "/properties/f/type")),
        ({"x-reference": {"entity": 1}}, ("invalid_value", "/properties/f/x-reference")),
    ],
)
def test_what_a_catalog_cannot_say_is_named_at_its_place(schema, finding):
    made, findings = field(schema)

    assert finding in findings
    assert made["key"] == "f"


def test_references_are_followed_and_circles_end():
    defs = {"mail": {"type": "string", "format": "email"}, "a": {"$ref": "#/$defs/a"}}

    assert field({"$ref": "#/$defs/mail"}, **{"$defs": defs})[0]["columnType"] == "email"
    assert field({"$ref": "#/$defs/a"}, **{"$defs": defs})[1] == [
        ("cyclic_reference", "/properties/f/$ref")
    ]
    node = {"properties": {"child": {"$ref": "#/$defs/node"}, "name": {"type": "string"}}}
    tree = {"$ref": "#/$defs/node", "$defs": {"node": node}}
    assert [f["key"] for f in read_schema(tree).entries[0]["fields"]] == ["name"]
    assert read_schema(tree).findings[0].code == "cyclic_reference"


def test_a_tree_that_branches_without_end_is_read_in_no_time():
    names = [f"n{number}" for number in range(20)]
    defs = {
        name: {"properties": {other: {"$ref": f"#/$defs/{other}"} for other in names}}
        for name in names
    }

    read = read_schema({"$ref": "#/$defs/n0", "$defs": defs})

    assert "too_many_fields" in {finding.code for finding in read.findings}


def test_objects_in_objects_are_fields_of_one_row_and_lists_are_entities():
    nested = {"properties": {"address": {"properties": {"street": {"type": "string"}}}}}
    lists = {
        "properties": {
            name: {"type": "array", "items": {"properties": {"id": {"type": "integer"}}}}
            for name in ("orders", "customers")
        }
    }

    assert [f["key"] for f in read_schema(nested).entries[0]["fields"]] == ["address_street"]
    assert [entry["id"] for entry in read_schema(lists).entries] == ["orders", "customers"]


def test_too_many_properties_are_cut_off_and_named():
    read = read_schema({"properties": {f"p{n}": {"type": "string"} for n in range(2_100)}})

    assert len(read.entries[0]["fields"]) == 2_000
    assert {finding.code for finding in read.findings} == {"too_many_fields"}


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["a", "string", "#/$defs/a"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["properties", "type", "items", "enum", "$ref", "$defs", "a", "allOf", "anyOf",
             "oneOf", "const", "title", "required", "maxLength", "pattern", "minimum", "examples",
             "x-columnType", "x-reference", "x-unique", "format"]
        ),
        inner,
        max_size=4,
    ),
    max_leaves=24,
)  # fmt: skip


@settings(max_examples=tries(300), deadline=None)
@given(st.dictionaries(st.sampled_from(["properties", "$defs", "items", "allOf", "title"]), JUNK))
def test_whatever_is_read_fits_the_field_model(schema):
    assert isinstance(as_catalog(schema), Catalog)
