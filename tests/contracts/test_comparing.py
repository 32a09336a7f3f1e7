"""Which changes of a contract may refuse a file that was accepted."""

import copy

import pytest

from contracts import signing
from contracts.comparison import compare, is_breaking
from tabular import versions
from tests.contracts.bundles import bundle, content

FIELD = {
    "key": "number",
    "columnType": "int",
    "columnSize": 5,
    "dropdownOptions": [{"label": "one", "type": "int", "value": 1}],
    "validations": [{"validate": "unique"}],
}
PROFILE = {"version": 1, "headerRow": 0, "mapping": {"A": "order.number"}}
POLICY = {"requiredColumns": ["A"], "maxRows": 10, "encodings": ["utf-8", "cp1252"]}
TWO = {"label": "two", "type": "int", "value": 2}


def contract(field=FIELD, others=(), **members):
    entries = [{"id": "order", "fields": [field, *others]}]
    body = content(
        catalog=entries, profile=PROFILE, policy=POLICY, expiresAt="2030-01-01T00:00:00Z"
    )
    return signing.open_bundle(bundle(**(body | members)).encode()).contract


def without(name):
    return {member: value for member, value in FIELD.items() if member != name}


@pytest.mark.parametrize(
    ("new", "place", "breaking"),
    [
        (contract(FIELD | {"label": "No."}), "order.number/label", False),
        (contract(FIELD | {"columnType": "string"}), "order.number/columnType", False),
        (contract(FIELD | {"columnType": "date"}), "order.number/columnType", True),
        (contract(FIELD | {"required": True}), "order.number/required", True),
        (contract(FIELD | {"disabled": True}), "order.number/disabled", True),
        (contract(FIELD | {"columnSize": 4}), "order.number/columnSize", True),
        (contract(FIELD | {"columnSize": 6}), "order.number/columnSize", False),
        (contract(without("columnSize")), "order.number/columnSize", False),
        (contract(without("validations")), "order.number/validations", False),
        (
            contract(FIELD | {"validations": [*FIELD["validations"], {"validate": "required"}]}),
            "order.number/validations",
            True,
        ),
        (
            contract(
                FIELD
                | {
                    "validations": [
                        *FIELD["validations"],
                        {"validate": "compare", "severity": "warning"},
                    ]
                }
            ),
            "order.number/validations",
            False,
        ),
        (
            contract(FIELD | {"dropdownOptions": [*FIELD["dropdownOptions"], TWO]}),
            "order.number/dropdownOptions",
            False,
        ),
        (contract(FIELD | {"dropdownOptions": [TWO]}), "order.number/dropdownOptions", True),
        (contract(without("dropdownOptions")), "order.number/dropdownOptions", False),
        (contract(FIELD | {"numberFormat": "eu"}), "order.number/numberFormat", True),
        (contract(FIELD | {"optionMappingMode": "exact"}), "order.number/optionMappingMode", True),
        (contract(FIELD | {"allowCustomOptions": True}), "order.number/allowCustomOptions", False),
        (contract(others=[{"key": "b", "columnType": "int"}]), "order.b/", False),
        (contract(others=[{"key": "b", "columnType": "int", "required": True}]), "order.b/", True),
        (contract(profile=PROFILE | {"headerRow": 1}), "profile/headerRow", True),
        (
            contract(profile=PROFILE | {"mapping": {"A": "order.number", "B": "order.number"}}),
            "profile/mapping",
            False,
        ),
        (contract(profile=PROFILE | {"mapping": {"B": "order.number"}}), "profile/mapping", True),
        (contract(policy=POLICY | {"requiredColumns": []}), "policy/requiredColumns", False),
        (contract(policy=POLICY | {"requiredColumns": ["A", "B"]}), "policy/requiredColumns", True),
        (contract(policy=POLICY | {"maxRows": 9}), "policy/maxRows", True),
        (contract(policy=POLICY | {"maxRows": 11}), "policy/maxRows", False),
        (contract(policy=POLICY | {"encodings": ["utf-8"]}), "policy/encodings", True),
        (
            contract(engine=versions.pins() | {"matcher": "x"}),
            "engine/matcher",
            True,
        ),
        (contract(title="Other"), "contract/title", False),
        (contract(expiresAt="2029-01-01T00:00:00Z"), "contract/expiresAt", True),
        (contract(expiresAt="2031-01-01T00:00:00Z"), "contract/expiresAt", False),
    ],
)
def test_a_change_is_named_and_judged(new, place, breaking):
    changes = compare(contract(), new)

    assert [f"{change.place}/{change.member}" for change in changes] == [place]
    assert is_breaking(changes) == breaking


def test_a_field_that_is_gone_breaks():
    old = contract(others=[{"key": "b", "columnType": "int"}])

    (change,) = compare(old, contract())

    assert (change.place, change.kind, change.breaking) == ("order.b", "removed", True)


def test_the_same_contract_signed_again_says_nothing_otherwise():
    again = contract(createdAt="2028-01-01T00:00:00Z", profile=copy.deepcopy(PROFILE))

    assert compare(contract(), again) == ()
