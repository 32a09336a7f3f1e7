"""
The field model row by row, as in the specification's tables: no stricter and no looser.

Each row names a member with a valid value and invalid ones. In addition, every non-nullable member
refuses null, every required one must exist, and no others are allowed.
"""

import copy
import json
from typing import NamedTuple

import jsonschema
import pytest

from tabular.model.catalog import Catalog
from tabular.model.catalog_findings import check_catalog
from tabular.model.catalog_members import catalog_schema

SAFE = 9_007_199_254_740_991
COLUMN_TYPES = [
    "string",
    "int",
    "float",
    "percentage",
    "boolean",
    "category",
    "date",
    "date_dmy",
    "date_mdy",
    "date_iso",
    "datetime",
    "time_hms",
    "time_hms_24",
    "time_hm",
    "time_hm_24",
    "email",
    "url",
    "url_www",
    "url_https",
    "phone",
    "iban",
    "bic",
    "vat_eu",
    "gtin",
    "zip_code_de",
    "country_code_alpha_2",
    "country_code_alpha_3",
    "currency_code",
    "currency_eur",
    "currency_usd",
]
RULES = [
    "required",
    "unique",
    "regex",
    "required_with",
    "required_without",
    "required_with_all",
    "required_without_all",
    "required_with_values",
    "required_without_values",
    "required_with_all_values",
    "required_without_all_values",
    "compare",
    "reference_required",
    "reference_exists",
    "reference_unique",
]
OPTION = {"label": "One", "type": "int", "value": 1}
TEXT_OPTION = {"label": "One", "type": "string", "value": ""}
FLOAT_OPTION = {"label": "One", "type": "float", "value": 0.5}
CONDITION = {"validate": {"a": {"eq": 1, "not": {"b": True}}}}
BUILTIN = {"kind": "builtin", "name": "email"}
REGEX = {"kind": "regex", "pattern": "x"}
ONE_OF = {"kind": "oneOf", "values": ["a"]}
RESOLVE = {"exact": True, "fuzzy": False, "learned": False}
REFERENCE = {"entity": "x", "matchOn": ["a"], "cardinality": "one", "onMissing": "error"}
CATALOG = {
    "key": "k",
    "entries": [
        {
            "id": "e",
            "fields": [
                {
                    "key": "a",
                    "columnType": "string",
                    "validations": [{"validate": "unique"}],
                    "dropdownOptions": [
                        {**OPTION, "validations": [CONDITION]},
                        TEXT_OPTION,
                        FLOAT_OPTION,
                    ],
                    "valueDetectors": [BUILTIN, REGEX, ONE_OF],
                    "reference": {**REFERENCE, "resolve": RESOLVE},
                },
                {"key": "b"},
            ],
        }
    ],
}
ENTRY = ("entries", 0)
FIELD = (*ENTRY, "fields", 0)
VALIDATION = (*FIELD, "validations", 0)
INT, TEXT, FLOAT = ((*FIELD, "dropdownOptions", i) for i in range(3))
OF_OPTION = (*INT, "validations", 0)
BUILTIN_AT, REGEX_AT, ONE_OF_AT = ((*FIELD, "valueDetectors", i) for i in range(3))
REFERENCE_AT = (*FIELD, "reference")
RESOLVE_AT = (*REFERENCE_AT, "resolve")


class Row(NamedTuple):
    at: tuple
    member: str
    good: list
    bad: list
    required: bool = False
    nullable: bool = False


FLAG = ([True, False], ["true", 1])
WORDS = ([[], ["a", ""]], ["a", [1], [None]])
NAMES = ([["a"]], [[], [""], "a", [1]])
RATIO = ([0, 0.5, 1], [-0.1, 1.1, "1"])
WEIGHT = ([0, 0.5, 100], [-1, 100.5, "1"])
PLAIN = (["", "x" * 100_000], [1, ["a"]])
NAME = (["a", "ä 1.*"], ["", 1])
ROWS = [
    # catalog
    Row((), "keySeparator", ["", ".", "x" * 8], ["x" * 9, 1]),
    Row((), "region", ["CH"], ["ch", "CHE", "", 1]),
    Row((), "title", ["", "x" * 200], ["x" * 201, 1]),
    Row(
        (), "entries", [[], [{"id": "e", "fields": [{"key": "a"}]}]], ["a", {}, [1]], required=True
    ),
    # catalog entry
    Row(ENTRY, "id", *NAME, required=True),
    Row(ENTRY, "label", *PLAIN),
    Row(ENTRY, "aliases", *WORDS),
    Row(ENTRY, "childOf", *NAME),
    Row(ENTRY, "groupBy", *NAMES),
    Row(
        ENTRY, "fields", [[], [{"key": "a", "columnType": "string"}]], ["a", {}, [1]]
    ),  # required with a default: absent is the default
    # field
    Row(FIELD, "key", *NAME, required=True),
    Row(FIELD, "columnType", COLUMN_TYPES, ["text", "", 1]),
    Row(FIELD, "label", *PLAIN),
    Row(FIELD, "required", *FLAG),
    Row(FIELD, "description", *PLAIN),
    Row(FIELD, "example", *PLAIN, nullable=True),
    Row(FIELD, "columnSize", [1, 9.0, SAFE], [0, -1, 1.5, SAFE + 1, "1"], nullable=True),
    Row(FIELD, "validations", [[], [{"validate": "unique"}]], ["a", {}, [None]], nullable=True),
    Row(FIELD, "alternativeMatches", *WORDS),
    Row(FIELD, "dropdownOptions", [[], [OPTION, TEXT_OPTION]], ["a", {}, [None]], nullable=True),
    Row(FIELD, "valueDetectors", [[], [BUILTIN, ONE_OF]], ["a", {}, [None]]),
    Row(FIELD, "reference", [REFERENCE], ["a", [], {}]),
    Row(FIELD, "isMultiSelect", *FLAG),
    Row(FIELD, "outputFormat", ["", "whatever", "DD.MM.YYYY"], [1], nullable=True),
    Row(FIELD, "allowCustomOptions", *FLAG),
    Row(FIELD, "numberFormat", ["eu", "us"], ["de", "", 1]),
    Row(FIELD, "optionMappingMode", ["smart", "exact"], ["fuzzy", "", 1]),
    Row(FIELD, "hidden", *FLAG),
    Row(FIELD, "readOnly", *FLAG),
    Row(FIELD, "disabled", *FLAG),
    Row(FIELD, "scope", ["row", "document"], ["file", "", 1]),
    Row(FIELD, "onKnown", ["keep", "fillEmpty", "ask", "overwrite"], ["merge", "", 1]),
    Row(FIELD, "emptyCells", ["keep", "clear"], ["null", "", True]),
    # validation
    Row(VALIDATION, "validate", RULES, ["regexp", "", 1], required=True),
    Row(VALIDATION, "regex", ["", "(?=x)", "[", "x" * 5_000], [1], nullable=True),
    Row(
        VALIDATION,
        "columnValues",
        [{}, {"b": "x", "c": 1, "d": 1.5, "e": True, "f": ["x", 1, False], "g": []}],
        ["a", [], {"b": {}}, {"b": None}, {"b": [None]}, {"b": [["x"]]}],
        nullable=True,
    ),
    Row(VALIDATION, "columns", *WORDS),
    Row(VALIDATION, "op", ["eq", "ne", "gt", "gte", "lt", "lte"], ["like", "", 1]),
    Row(VALIDATION, "column", *PLAIN),
    Row(VALIDATION, "value", ["", "x", 1, -1.5, True], [[], {}]),
    Row(VALIDATION, "fn", ["sum", "product"], ["avg", ""]),
    Row(VALIDATION, "errorMessage", ["", "{value} {wat} {"], [1]),
    Row(VALIDATION, "severity", ["error", "warning"], ["info", ""]),
    # dropdown option, by type
    *(Row(at, "label", *NAME, required=True) for at in (INT, TEXT, FLOAT)),
    Row(INT, "type", ["int", "float"], ["string", "text", "", 1], required=True),
    Row(TEXT, "type", ["string"], ["int", "float", "text", "", 1], required=True),
    Row(FLOAT, "type", ["float"], ["int", "string", "text", "", 1], required=True),
    Row(INT, "value", [0, 1.0, SAFE, -SAFE], [SAFE + 1, 1.5, "1", True], required=True),
    Row(TEXT, "value", ["", "x"], [1, True], required=True),
    Row(FLOAT, "value", [0.5, -1, 1e30], ["1", True], required=True),
    Row(INT, "alternativeMatches", *WORDS),
    Row(INT, "description", *PLAIN),
    Row(INT, "validations", [[], [CONDITION]], ["a", {}, [{}], [None]]),
    Row(
        OF_OPTION,
        "validate",
        [{}, {"b": "x"}, {"b": 1.5}, {"b": {"c": {"d": False}}}],
        ["b", [], {"b": None}, {"b": []}],
        required=True,
    ),
    Row(OF_OPTION, "errorMessage", *PLAIN),
    # value detector, by kind
    Row(BUILTIN_AT, "kind", ["builtin"], ["regex", "oneOf", "other", "", 1], required=True),
    Row(REGEX_AT, "kind", ["regex"], ["builtin", "oneOf", "other", "", 1], required=True),
    Row(ONE_OF_AT, "kind", ["oneOf"], ["builtin", "regex", "other", "", 1], required=True),
    Row(BUILTIN_AT, "name", COLUMN_TYPES, ["text", "", 1], required=True),
    Row(REGEX_AT, "pattern", ["x", "x" * 512, "[", "(?<!y)x"], ["", "x" * 513, 1], required=True),
    Row(REGEX_AT, "flags", ["", "i", "imsuygdv", "zzzzzzzz"], ["x" * 9, 1]),
    Row(ONE_OF_AT, "values", *NAMES, required=True),
    Row(ONE_OF_AT, "caseInsensitive", *FLAG),
    *(Row(at, "minRatio", *RATIO) for at in (BUILTIN_AT, REGEX_AT, ONE_OF_AT)),
    *(Row(at, "weight", *WEIGHT) for at in (BUILTIN_AT, REGEX_AT, ONE_OF_AT)),
    # reference
    Row(REFERENCE_AT, "entity", ["x", "no such entry"], ["", 1], required=True),
    Row(REFERENCE_AT, "matchOn", *NAMES, required=True),
    Row(REFERENCE_AT, "cardinality", ["one", "many"], ["two", ""]),  # absent is the default
    Row(REFERENCE_AT, "separator", [";", "xx"], ["", 1]),
    Row(REFERENCE_AT, "onMissing", ["create", "error", "null", "ignore"], ["skip", ""]),
    Row(REFERENCE_AT, "resolve", [RESOLVE], [{}, True, {"exact": True}]),
    *(Row(RESOLVE_AT, name, *FLAG, required=True) for name in ("exact", "fuzzy", "learned")),
    Row(RESOLVE_AT, "minScore", [0, 50.5, 100], [-1, 101, "1"]),
]


def changed(at, member, *value):
    """Return the whole catalog with one member set, or removed if there is no value."""
    document = copy.deepcopy(CATALOG)
    here = document
    for step in at:
        here = here[step]
    here.pop(member, None)
    if value:
        here[member] = value[0]
    return document


def is_taken(document):
    """Return whether the model and the published schema accept a document; they must agree."""
    by_model = isinstance(check_catalog(json.dumps(document)), Catalog)
    by_schema = not list(VALIDATOR.iter_errors(document))
    assert by_model == by_schema, document
    return by_model


VALIDATOR = jsonschema.Draft202012Validator(catalog_schema())
each_row = pytest.mark.parametrize(
    "row", ROWS, ids=["/".join(map(str, (*row.at, row.member))) for row in ROWS]
)


@each_row
def test_each_row_has_values_that_are_taken_and_values_that_are_not(row):
    assert row.good
    assert row.bad
    assert row.good != [[]]  # a list is also taken with something in it


@each_row
def test_what_the_specification_allows_is_taken(row):
    assert [value for value in row.good if not is_taken(changed(row.at, row.member, value))] == []


@each_row
def test_what_the_specification_does_not_allow_is_refused(row):
    assert [value for value in row.bad if is_taken(changed(row.at, row.member, value))] == []


@each_row
def test_null_is_taken_where_the_specification_says_so_and_nowhere_else(row):
    assert is_taken(changed(row.at, row.member, None)) == row.nullable


@each_row
def test_a_member_may_be_left_out_unless_it_is_required(row):
    assert is_taken(changed(row.at, row.member)) == (not row.required)


@pytest.mark.parametrize("at", list(dict.fromkeys(row.at for row in ROWS)))
def test_a_member_the_specification_does_not_have_is_refused(at):
    assert not is_taken(changed(at, "extra", "x"))


def test_the_catalog_that_the_rows_change_is_taken_itself():
    assert is_taken(CATALOG)
