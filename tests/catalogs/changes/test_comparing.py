"""The differences between two catalogs are found by key, once each."""

import json
from datetime import date

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalogs.changes import compare, counted
from catalogs.changes.verdicts import WIDER
from tabular.model.catalog import Catalog, Field
from tabular.model.sentences import translated
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import read_column
from tests.tabular.docs.tables import rows_of
from tests.tries import tries

OPEN, PAID = ({"label": text, "type": "string", "value": text.lower()} for text in ("Open", "Paid"))
LINK = {"entity": "customer", "matchOn": ["name"], "cardinality": "one", "onMissing": "error"}
AT_MOST = {"validate": "compare", "op": "lte", "value": 100}


def catalog(*fields, **members) -> Catalog:
    entries = [{"id": "order", "fields": list(fields)}]
    document = {"key": "orders", "title": "Orders", "entries": entries, **members}
    return Catalog.model_validate_json(json.dumps(document))


def changes(old, new):
    return compare(catalog({"key": "x", **old}), catalog({"key": "x", **new}))


def judged(old, new) -> str:
    (change,) = changes(old, new)
    return change.verdict.judged


MEMBERS = {  # of a field: different values, absent included
    "label": [None, "A", "B"],
    "columnType": ["string", "int", "date", "email"],
    "required": [None, True],
    "description": [None, "a", "b"],
    "example": [None, "1", "2"],
    "columnSize": [None, 5, 6],
    "validations": [None, [{"validate": "unique"}], [AT_MOST]],
    "alternativeMatches": [None, ["a"], ["b", "a"]],
    "dropdownOptions": [None, [OPEN], [OPEN, PAID]],
    "valueDetectors": [None, [{"kind": "builtin", "name": "iban"}]],
    "reference": [None, LINK, {**LINK, "onMissing": "create"}],
    "isMultiSelect": [None, True],
    "outputFormat": [None, "DD.MM.YYYY"],
    "allowCustomOptions": [None, True],
    "numberFormat": [None, "eu", "us"],
    "optionMappingMode": [None, "exact"],
    "hidden": [None, True],
    "disabled": [None, True],
    "readOnly": [None, True],
    "scope": [None, "document"],
    "onKnown": [None, "keep", "ask"],
    "emptyCells": [None, "keep", "clear"],
}


@st.composite
def fields(draw, key):
    chosen = {name: draw(st.sampled_from(values)) for name, values in MEMBERS.items()}
    return {"key": key, **{name: item for name, item in chosen.items() if item is not None}}


@st.composite
def catalogs(draw):
    keys = draw(st.lists(st.sampled_from("abcdef"), min_size=1, unique=True))
    return [draw(fields(key)) for key in keys]


FEW = settings(max_examples=tries(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])


@FEW
@given(catalogs())
def test_a_catalog_says_nothing_otherwise_than_itself(some):
    assert compare(catalog(*some), catalog(*some)) == ()


def test_every_member_of_a_field_is_looked_at():
    known = {field.alias for field in Field.model_fields.values()}

    assert known - {"key"} == set(MEMBERS)


@FEW
@given(some=catalogs(), data=st.data())
def test_another_value_of_one_member_is_one_change_at_its_place(some, data):
    at = data.draw(st.integers(0, len(some) - 1))
    member = data.draw(st.sampled_from(sorted(MEMBERS)))
    now = data.draw(st.sampled_from(MEMBERS[member]).filter(lambda v: v != some[at].get(member)))
    other = {name: item for name, item in some[at].items() if name != member}
    other |= {} if now is None else {member: now}

    (change,) = compare(catalog(*some), catalog(*some[:at], other, *some[at + 1 :]))

    assert change.pointer == f"/entries/0/fields/{at}/{member}"
    assert (change.kind, change.property, change.subject.field) == (
        "changed",
        member,
        some[at]["key"],
    )
    assert (change.before is None) == (some[at].get(member) is None)


@FEW
@given(some=catalogs(), data=st.data())
def test_a_change_and_back_are_the_same_members(some, data):
    others = data.draw(catalogs())
    there = compare(catalog(*some), catalog(*others))
    back = compare(catalog(*others), catalog(*some))

    def about(change, swap):
        kinds = {"added": "removed", "removed": "added"} if swap else {}
        return {
            (kinds.get(c.kind, c.kind), c.subject.field, c.property)
            for c in change
            if c.kind != "moved"
        }

    assert about(there, swap=True) == about(back, swap=False)


@FEW
@given(st.permutations("abcdef"))
def test_an_order_is_made_by_the_moves_that_are_named(order):
    old, new = (catalog(*({"key": key} for key in keys)) for keys in ("abcdef", order))
    moved = [change.subject.field for change in compare(old, new)]

    staying = [key for key in "abcdef" if key not in moved]

    assert staying == [key for key in order if key not in moved]
    assert {change.kind for change in compare(old, new)} <= {"moved"}


def test_one_field_taken_to_the_front_is_one_move():
    old, new = (catalog(*({"key": key} for key in keys)) for keys in ("abcd", "dabc"))

    (change,) = compare(old, new)

    assert (change.subject.field, change.before, change.after) == ("d", 4, 1)
    assert change.verdict.judged == "compatible"


def test_a_default_in_so_many_words_is_not_a_change():
    body = {
        "required": False, "scope": "row", "optionMappingMode": "smart", "columnType": "string",
        "validations": [], "label": "", "alternativeMatches": [],
    }  # fmt: skip

    assert changes({}, body) == ()
    assert (
        changes(
            {"validations": [{"validate": "unique"}]},
            {"validations": [{"validate": "unique", "severity": "error"}]},
        )
        == ()
    )


def test_a_value_of_false_in_a_rule_is_not_a_default():
    rule = {"validate": "required_with_values", "columnValues": {"required": False}}

    assert len(changes({}, {"validations": [rule]})[0].after[0]["columnValues"]) == 1


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, {"label": "Name"}, "compatible"),
        ({}, {"alternativeMatches": ["Mail"]}, "compatible"),
        ({}, {"required": True}, "stricter"),
        ({"required": True}, {}, "compatible"),
        ({"columnSize": 9}, {"columnSize": 8}, "stricter"),
        ({"columnSize": 8}, {"columnSize": 9}, "compatible"),
        ({"columnType": "string"}, {"columnType": "int"}, "breaking"),
        ({"columnType": "date_dmy"}, {"columnType": "date_mdy"}, "breaking"),
        ({"columnType": "date"}, {"columnType": "date_iso"}, "stricter"),
        ({"columnType": "date_iso"}, {"columnType": "date"}, "compatible"),
        ({"columnType": "currency_eur"}, {"columnType": "currency_usd"}, "breaking"),
        ({}, {"validations": [{"validate": "unique"}]}, "stricter"),
        ({}, {"validations": [{"validate": "unique", "severity": "warning"}]}, "compatible"),
        ({"validations": [AT_MOST]}, {"validations": [{**AT_MOST, "value": 50}]}, "stricter"),
        ({"validations": [AT_MOST]}, {"validations": [{**AT_MOST, "value": 150}]}, "compatible"),
        ({"validations": [AT_MOST]}, {"validations": [{**AT_MOST, "op": "lt"}]}, "stricter"),
        ({"validations": [AT_MOST]}, {"validations": []}, "compatible"),
        ({"dropdownOptions": [OPEN]}, {"dropdownOptions": [OPEN, PAID]}, "compatible"),
        ({"dropdownOptions": [OPEN, PAID]}, {"dropdownOptions": [OPEN]}, "breaking"),
        ({"dropdownOptions": [OPEN]}, {"dropdownOptions": [{**OPEN, "value": "o"}]}, "breaking"),
        ({"dropdownOptions": [OPEN]}, {"dropdownOptions": [{**OPEN, "label": "New"}]}, "stricter"),
        ({"dropdownOptions": [OPEN, PAID]}, {"dropdownOptions": [PAID, OPEN]}, "compatible"),
        ({}, {"dropdownOptions": [OPEN]}, "breaking"),
        ({}, {"isMultiSelect": True}, "breaking"),
        ({}, {"outputFormat": "DD.MM.YYYY"}, "breaking"),
        ({"columnType": "float"}, {"columnType": "float", "outputFormat": "CHF"}, "breaking"),
        ({"numberFormat": "eu"}, {"numberFormat": "us"}, "breaking"),
        ({}, {"numberFormat": "eu"}, "stricter"),
        ({}, {"disabled": True}, "breaking"),
        ({"disabled": True}, {}, "compatible"),
        ({"disabled": True, "required": True}, {"required": True}, "stricter"),
        ({"disabled": True}, {"disabled": True, "scope": "document"}, "compatible"),
        ({}, {"scope": "document"}, "breaking"),
        ({}, {"hidden": True}, "stricter"),
        ({}, {"readOnly": True}, "compatible"),
        ({}, {"reference": LINK}, "stricter"),
        ({"reference": LINK}, {}, "breaking"),
        ({"reference": LINK}, {"reference": {**LINK, "cardinality": "many"}}, "breaking"),
        ({"reference": {**LINK, "onMissing": "create"}}, {"reference": LINK}, "stricter"),
        ({"optionMappingMode": "exact"}, {}, "compatible"),
        ({"allowCustomOptions": True}, {}, "stricter"),
    ],
)
def test_a_change_says_who_is_concerned(old, new, expected):
    assert judged(old, new) == expected


def test_fields_and_entries_come_and_go():
    old = catalog({"key": "a"}, {"key": "b", "disabled": True})
    new = catalog({"key": "a"}, {"key": "c", "required": True, "label": "C"}, {"key": "d"})

    verdicts = {(c.kind, c.subject.label): (c.pointer, c.verdict.judged) for c in compare(old, new)}

    assert verdicts == {
        ("removed", "b"): ("/entries/0/fields/1", "compatible"),
        ("added", "C"): ("/entries/0/fields/1", "stricter"),
        ("added", "d"): ("/entries/0/fields/2", "compatible"),
    }


def test_the_classes_are_counted():
    comparison = changes({"label": "A"}, {"label": "B", "required": True, "isMultiSelect": True})

    assert counted(comparison) == {"compatible": 1, "stricter": 1, "breaking": 1}


HOWS = [
    ParseOptions(number_format=number, date_order=order, today=date(2026, 11, 20))
    for number, order in (("eu", "dmy"), ("us", "mdy"))
]
TEXTS = sorted({row[2] for row in rows_of("columntypes.md", "columnType", "how", "text", "JSON")})


@pytest.mark.parametrize(
    ("narrow", "wide"), [(n, w) for n, some in WIDER.items() for w in sorted(some)]
)
def test_a_wider_type_takes_every_value_of_the_narrower_one_as_the_same(narrow, wide):
    texts = pa.array(TEXTS)
    for how in HOWS:
        before, after = (
            read_column(texts, name, how).values.to_pylist() for name in (narrow, wide)
        )
        taken = [(was, now) for was, now in zip(before, after, strict=True) if was is not None]

        assert taken
        assert all(was == now for was, now in taken)


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        (None, "CHF", "Amounts in a currency other than CHF are refused."),
        ("CHF", "GBP 0.00", "Amounts are read as GBP instead of CHF."),
        ("CHF", None, "Amounts are no longer read as CHF."),
        ("CHF", "0.00 CHF", "Hosts receive values in a different format."),
    ],
)
def test_a_changed_currency_is_named(before, after, sentence):
    old, new = (
        catalog({"key": "it", "columnType": "float"} | ({"outputFormat": item} if item else {}))
        for item in (before, after)
    )

    (change,) = compare(old, new)

    assert (change.property, change.verdict) == ("outputFormat", ("breaking", sentence))


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("ab", "b", "Hosts no longer receive the value “a”."),
        ("abc", "b", "Hosts no longer receive the values “a”, “c”."),
        ("abcde", "e", "Hosts no longer receive the values “a”, “b”, “c”, ..."),
    ],
)
def test_lost_values_of_options_are_named(before, after, sentence):
    old, new = (
        {"dropdownOptions": [{"label": item, "type": "string", "value": item} for item in values]}
        for values in (before, after)
    )

    (change,) = changes(old, new)

    assert change.verdict == ("breaking", sentence)


def test_a_long_lost_value_is_cut():
    option = {**OPEN, "value": "x" * 500}

    (change,) = changes({"dropdownOptions": [option, PAID]}, {"dropdownOptions": [PAID]})

    assert change.verdict.sentence == f"Hosts no longer receive the value “{'x' * 40}”."


def test_a_lost_value_is_named_in_the_languages_of_people():
    (change,) = changes({"dropdownOptions": [OPEN, PAID]}, {"dropdownOptions": [PAID]})

    assert translated(change.verdict.sentence, "de") == "Hosts erhalten den Wert „open“ nicht mehr."


@pytest.mark.parametrize("member", [{"childOf": "customer"}, {"groupBy": ["number"]}])
def test_another_nesting_is_breaking(member):
    entry = {"id": "order", "fields": [{"key": "number"}]}
    old, new = ({"key": "x", "entries": [it]} for it in (entry, {**entry, **member}))

    (change,) = compare(*(Catalog.model_validate_json(json.dumps(it)) for it in (old, new)))

    assert (change.property, change.verdict.judged) == (next(iter(member)), "breaking")
