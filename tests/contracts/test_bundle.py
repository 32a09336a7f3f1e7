"""The contract row by row, as the specification's tables have it: no stricter and no looser."""

import copy
import json

import jsonschema
import pytest

from contracts.bundle import contract_schema
from contracts.refusals import BundleMalformed, ContractInvalid
from contracts.signing import open_bundle
from tabular.model.sentences import LANGUAGES, translated
from tests.contracts.bundles import bundle, content
from tests.tabular.model import test_field_model as field_model
from tests.tabular.model.test_field_model import SAFE, Row

ENTRIES = copy.deepcopy(field_model.CATALOG["entries"])
ENTRIES[0]["fields"][1]["columnType"] = "string"
FULL = json.loads(
    bundle(
        **content(
            catalog=ENTRIES,
            profile={
                "version": 1,
                "fingerprint": "f",
                "headerRow": 0,
                "mapping": {"A": "e.a"},
                "recipe": {},
            },
            policy={"requiredColumns": ["A"], "maxRows": 1, "encodings": ["utf-8"]},
            expiresAt="2027-01-01T00:00:00Z",
        )
    )
)
CONTRACT, SIGNATURE = ("contract",), ("signature",)
ISSUER, PROFILE, ENGINE, POLICY = (
    (*CONTRACT, m) for m in ("issuer", "profile", "engine", "policy")
)
TEXT = (["", "x" * 10_000], [1, ["a"], {}])
MOMENTS = ["2026-11-20T09:30:00Z", "2026-11-20t09:30:00.123456789z", "2026-11-20T09:30:00+01:00"]
NO_MOMENTS = ["", "2026-11-20", "2026-11-20T09:30:00", "2026-13-20T09:30:00Z", "tomorrow", 1]
SHA = "sha256:" + "0" * 64
ENTRY = {"id": "e", "fields": [{"key": "a", "columnType": "string"}]}
ROWS = [
    # bundle
    Row((), "contract", [{**content(), "id": SHA}], ["a", [], {}], required=True),
    Row((), "signature", [{"protected": "a", "signature": "b"}], ["a", [], {}], required=True),
    Row((), "keyId", *TEXT, required=True),
    Row(SIGNATURE, "protected", *TEXT, required=True),
    Row(SIGNATURE, "signature", *TEXT, required=True),
    # contract
    Row(CONTRACT, "contractVersion", [1, 1.0], [0, 2, "1", True], required=True),
    Row(CONTRACT, "id", [SHA], [SHA[:-1], SHA + "0", SHA.upper(), 1], required=True),
    Row(CONTRACT, "issuer", [{"tenant": "a", "keyId": "b"}], ["a", [], {}], required=True),
    Row(ISSUER, "tenant", *TEXT, required=True),
    Row(ISSUER, "keyId", *TEXT, required=True),
    Row(CONTRACT, "title", ["", "x" * 200, "ä" * 200], ["x" * 201, 1], required=True),
    Row(CONTRACT, "profile", [{"version": 1}], ["a", [], {}], required=True),
    Row(CONTRACT, "catalog", [[], [ENTRY]], ["a", {}, [1], [None]], required=True),
    Row(CONTRACT, "keySeparator", ["", ".", "x" * 8], ["x" * 9, 1]),
    Row(CONTRACT, "engine", [{"matcher": "a", "transform": "b"}], ["a", [], {}], required=True),
    Row(ENGINE, "matcher", *TEXT, required=True),
    Row(ENGINE, "transform", *TEXT, required=True),
    Row(CONTRACT, "policy", [{"requiredColumns": []}], ["a", [], {}], required=True),
    Row(CONTRACT, "createdAt", MOMENTS, NO_MOMENTS, required=True),
    Row(CONTRACT, "expiresAt", MOMENTS, NO_MOMENTS),
    # profile
    Row(PROFILE, "version", [1, 2.0, SAFE], [0, -1, 1.5, SAFE + 1, "1", True], required=True),
    Row(PROFILE, "fingerprint", ["", "x" * 4000], ["x" * 4001, 1]),
    Row(PROFILE, "headerRow", [0, 1.0, SAFE], [-1, 0.5, SAFE + 1, "0", True]),
    Row(PROFILE, "mapping", [{}, {"": ""}, {"A": "x"}], ["a", [], {"A": None}, {"A": 1}]),
    Row(PROFILE, "recipe", ["a", 1, 1.5, True, [], [None], {"a": {"b": None}}], [], nullable=True),
    # policy
    Row(POLICY, "requiredColumns", [[], [""], ["a", "b"]], ["a", {}, [1], [None]], required=True),
    Row(POLICY, "maxRows", [1, 1.0, SAFE], [0, -1, 1.5, SAFE + 1, "1", True]),
    Row(POLICY, "encodings", [[], ["", "utf-8"]], ["a", {}, [1], [None]]),
]


def _in_a_contract(row):
    """Return a row of the field model at its place in a bundle, with defaults written out."""
    has_default = row.member in {"fields", "columnType", "cardinality", "onMissing"}
    at = ("contract", "catalog", *row.at[1:])
    return row._replace(at=at, required=row.required or has_default)


ROWS += [_in_a_contract(row) for row in field_model.ROWS if row.at[:1] == ("entries",)]
SCHEMA = contract_schema()
FORMATS = jsonschema.FormatChecker(formats=())


@FORMATS.checks("date-time", raises=ValueError)
def _is_moment(value):
    from contracts.bundle import moment

    return not isinstance(value, str) or bool(moment(value))


VALIDATOR = jsonschema.Draft202012Validator(SCHEMA, format_checker=FORMATS)
each_row = pytest.mark.parametrize(
    "row", ROWS, ids=["/".join(map(str, (*row.at, row.member))) for row in ROWS]
)


def changed(at, member, *value):
    """Return the whole bundle with one member set, or removed if there is no value."""
    document = copy.deepcopy(FULL)
    here = document
    for step in at:
        here = here[step]
    here.pop(member, None)
    if value:
        here[member] = value[0]
    return document


def is_taken(document):
    """Return whether the parser and the published schema accept a document; they must agree."""
    by_schema = not list(VALIDATOR.iter_errors(document))
    try:
        open_bundle(json.dumps(document).encode())
    except ContractInvalid:
        by_model = False
    except BundleMalformed:  # a number that is refused before any table is asked
        return False
    else:
        by_model = True
    assert by_model == by_schema, document
    return by_model


@each_row
def test_each_row_has_values_that_are_taken_and_values_that_are_not(row):
    assert row.good
    assert row.bad or row.member == "recipe"  # any JSON value
    assert row.good != [[]]


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


def test_the_bundle_that_the_rows_change_is_taken_itself():
    assert is_taken(FULL)


def test_the_schema_is_a_schema_of_its_draft():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)

    assert SCHEMA["$id"] == "/api/import/v1/contracts/schema"


def test_a_finding_is_at_its_pointer():
    with pytest.raises(ContractInvalid) as refused:
        open_bundle(json.dumps(changed(POLICY, "maxRows", 0)).encode())

    assert [finding.pointer for finding in refused.value.findings] == ["/contract/policy/maxRows"]


@pytest.mark.parametrize(
    ("member", "value", "sentence"),
    [
        (
            "createdAt",
            "yesterday",
            "“createdAt” must be a timestamp with a time zone, as RFC 3339 writes it.",
        ),
        ("contractVersion", 2, "“contractVersion” must be 1, the version this engine knows."),
    ],
)
def test_a_refused_member_is_named(member, value, sentence):
    with pytest.raises(ContractInvalid) as refused:
        open_bundle(json.dumps(changed(CONTRACT, member, value)).encode())

    assert [finding.sentence for finding in refused.value.findings] == [sentence]
    for language in LANGUAGES[1:]:
        assert translated(refused.value.findings[0].sentence, language) != sentence
