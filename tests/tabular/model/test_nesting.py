"""Entries that are lists in the records of another entry."""

import json

import pytest

from tabular.model.catalog import Catalog
from tabular.model.catalog_findings import check_catalog
from tabular.model.nesting import nestings
from tabular.validating.publishing import findings_of

NUMBER = {"key": "number", "required": True, "validations": [{"validate": "unique"}]}
ORDER = {"id": "order", "fields": [NUMBER, {"key": "buyer"}, {"key": "old", "disabled": True}]}
LINE = {"id": "line", "childOf": "order", "fields": [{"key": "sku"}, {"key": "pieces"}]}


def orders(*entries, **order):
    document = {"key": "orders", "entries": [{**ORDER, **order}, *(entries or (LINE,))]}
    return json.dumps(document)


def errors(text):
    assert isinstance(check_catalog(text), Catalog)
    return [(f.pointer, f.code) for f in findings_of(text) if f.severity == "error"]


def test_a_parent_has_its_keys_its_fields_and_those_of_each_child():
    note = {"id": "note", "childOf": "order", "fields": [{"key": "text"}]}
    catalog = check_catalog(orders(LINE, note))

    (nesting,) = nestings(catalog)

    assert (nesting.parent, nesting.keys) == ("order", ("order.number",))
    assert nesting.fields == ("order.number", "order.buyer")
    assert nesting.children == {"line": ("line.sku", "line.pieces"), "note": ("note.text",)}
    assert errors(orders(LINE, note)) == []


def test_fields_to_group_by_replace_the_required_and_unique_one():
    catalog = check_catalog(orders(groupBy=["buyer", "number", "buyer"]))

    assert nestings(catalog)[0].keys == ("order.buyer", "order.number")


WRONG = [
    ([{**LINE, "childOf": "ordr"}], {}, "/entries/1/childOf", "unknown_entity"),
    ([{**LINE, "childOf": "line", "groupBy": ["sku"]}], {}, "/entries/1/childOf", "names_itself"),
    (
        [{**LINE, "groupBy": ["sku"]}, {"id": "part", "childOf": "line", "fields": []}],
        {},
        "/entries/2/childOf",
        "nested_too_deep",
    ),
    ([LINE], {"groupBy": ["nope"]}, "/entries/0/groupBy/0", "unknown_column"),
    ([LINE], {"groupBy": ["number", "old"]}, "/entries/0/groupBy/1", "disabled_column"),
    ([LINE], {"fields": [{"key": "number"}]}, "/entries/0/groupBy", "missing_member"),
    ([LINE], {"fields": [NUMBER, {**NUMBER, "key": "n"}]}, "/entries/0/groupBy", "missing_member"),
]


@pytest.mark.parametrize(("entries", "order", "pointer", "code"), WRONG)
def test_what_cannot_be_nested_keeps_a_catalog_from_being_published(entries, order, pointer, code):
    text = orders(*entries, **order)

    assert errors(text) == [(pointer, code)]
    wrong = json.loads(text)["entries"][int(pointer.split("/")[2])]["id"]
    for nesting in nestings(check_catalog(text)):
        assert wrong not in (nesting.parent, *nesting.children)


def test_two_entries_cannot_be_children_of_each_other():
    text = orders({**LINE, "groupBy": ["sku"]}, childOf="line")

    assert errors(text) == [
        ("/entries/0/childOf", "circular_entries"),
        ("/entries/1/childOf", "circular_entries"),
    ]
    assert nestings(check_catalog(text)) == ()


def test_grouping_without_a_child_is_a_warning():
    text = orders({"id": "line", "fields": [{"key": "sku"}]}, groupBy=["number"])

    (finding,) = findings_of(text)

    assert (finding.pointer, finding.code) == ("/entries/0/groupBy", "no_children")
    assert finding.severity == "warning"
