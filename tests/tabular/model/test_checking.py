"""A catalog's findings have a pointer that the author can look up."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.model.catalog import Catalog
from tabular.model.catalog_findings import Finding, check_catalog


def with_field(**members):
    return {"key": "people", "entries": [{"id": "person", "fields": [{"key": "a", **members}]}]}


def places(document):
    catalog = check_catalog(json.dumps(document))
    assert isinstance(catalog, tuple)
    return [(finding.pointer, finding.code) for finding in catalog]


def test_a_catalog_that_fits_is_given_back():
    catalog = check_catalog(json.dumps(with_field(columnType="int", columnSize=9)))

    assert isinstance(catalog, Catalog)
    assert catalog.fields_by_path["person.a"].column_type == "int"


FIELD = "/entries/0/fields/0"
OPTION = {"label": "One", "type": "int", "value": 1}
FIELD_CASES = [
    ({"column_type": "int"}, "/column_type", "unknown_member"),  # the wire is camelCase only
    ({"columnType": "number"}, "/columnType", "unknown_value"),
    ({"columnSize": 0}, "/columnSize", "out_of_range"),
    ({"columnSize": "9"}, "/columnSize", "wrong_type"),
    ({"required": 1}, "/required", "wrong_type"),
    ({"validations": [{}]}, "/validations/0/validate", "missing_member"),
    ({"validations": [{"validate": "regexp"}]}, "/validations/0/validate", "unknown_value"),
    (
        {"dropdownOptions": [OPTION, {**OPTION, "value": "1"}]},
        "/dropdownOptions/1/value",
        "wrong_type",
    ),
    ({"dropdownOptions": [{"label": "One"}]}, "/dropdownOptions/0", "missing_member"),
    ({"dropdownOptions": [{**OPTION, "type": "text"}]}, "/dropdownOptions/0", "unknown_value"),
    (
        {"valueDetectors": [{"kind": "oneOf", "values": []}]},
        "/valueDetectors/0/values",
        "too_short",
    ),
    ({"reference": {"entity": "x"}}, "/reference/matchOn", "missing_member"),
    (
        {"validations": [{"validate": "required_with_values", "columnValues": {"a/b": [None]}}]},
        "/validations/0/columnValues/a~1b/0",  # the list branch of the union went furthest
        "wrong_type",
    ),
    (
        {"dropdownOptions": [{**OPTION, "validations": [{"validate": {"a": {"b": None}}}]}]},
        "/dropdownOptions/0/validations/0/validate/a/b",
        "wrong_type",
    ),
]


@pytest.mark.parametrize(("members", "pointer", "code"), FIELD_CASES)
def test_a_finding_about_a_field_is_at_its_member(members, pointer, code):
    assert places(with_field(**members)) == [(FIELD + pointer, code)]


def test_the_alternatives_of_a_union_are_one_sentence():
    document = with_field(validations=[{"validate": "compare", "value": [1]}])

    (finding,) = check_catalog(json.dumps(document))

    assert finding == Finding(
        f"{FIELD}/validations/0/value",
        "wrong_type",
        "“value” must be text, true or false, a whole number or a number.",
    )


PERSON = {"id": "person", "fields": [{"key": "a"}]}
DOUBLE_CASES = [
    ({"entries": [PERSON, PERSON]}, [("/entries/1/id", "duplicate_entry")]),
    (
        {"entries": [{"id": "person", "fields": [{"key": "a"}, {"key": "b"}, {"key": "a"}]}]},
        [("/entries/0/fields/2/key", "duplicate_field")],
    ),
    (
        # two different keys, one path: "a.b" + "c" and "a" + "b.c"
        {
            "entries": [
                {"id": "a.b", "fields": [{"key": "c"}]},
                {"id": "a", "fields": [{"key": "b.c"}]},
            ]
        },
        [("/entries/1/fields/0/key", "duplicate_field")],
    ),
]


@pytest.mark.parametrize(("members", "expected"), DOUBLE_CASES)
def test_two_fields_a_row_could_not_tell_apart_are_refused(members, expected):
    assert places({"key": "people", **members}) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"key": "a",\n "entries": [}', "Line 2, column 14"),
        ('{"key": "a", "key": "b", "entries": []}', "'key' appears twice"),
        ('{"key": "a", "entries": NaN}', "NaN"),
        ('{"key": "a", "entries": 9007199254740992}', "2^53-1"),
        ('{"key": "a", "entries": 1e999}', "double"),
        ('{"key": "\\ud800", "entries": []}', "surrogate"),
        ("[" * 5000 + "]" * 5000, "nested"),
        ("[" * 65 + "]" * 65, "nested"),
        (b"\xff\xfe", "UTF-8"),
        (b" " * (4 * 1024**2 + 1), "larger than the 4 MiB allowed"),
        ("[" + "1," * 150_000 + "1]", "150,000 values"),
        ("", "Line 1, column 1"),
    ],
)
def test_text_that_is_not_strict_json_is_one_finding(text, words):
    (finding,) = check_catalog(text)

    assert (finding.pointer, finding.code) == ("", "malformed_json")
    assert words in finding.sentence


def test_a_byte_order_mark_of_an_editor_is_tolerated():
    text = b"\xef\xbb\xbf" + json.dumps(with_field()).encode()

    assert isinstance(check_catalog(text), Catalog)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["key", "entries", "id", "fields"]) | st.text(), inner)
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_json_gives_a_catalog_or_findings_at_places_that_lead_into_it(document):
    catalog = check_catalog(json.dumps(document))

    for finding in () if isinstance(catalog, Catalog) else catalog:
        here = document
        *around, _last = finding.pointer.split("/")  # the last step may be the missing member
        for step in around[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            here = here[int(name)] if isinstance(here, list) else here[name]


@given(st.binary() | st.text())
def test_any_bytes_give_an_answer(text):
    assert isinstance(check_catalog(text), Catalog | tuple)
