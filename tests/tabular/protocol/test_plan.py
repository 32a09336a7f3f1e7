"""A plan is one value: what is stored of it reads as the same plan, with the same digest."""

from dataclasses import replace

import orjson
import pytest

from tabular.protocol import forms
from tabular.protocol.answers import Answers
from tabular.protocol.plan import TransformPlan, UnusablePlan
from tests.jobs import plan_written

CATALOG = {
    "key": "t",
    "region": "DE",
    "entries": [{"id": "e", "fields": [{"key": "a"}, {"key": "b", "columnType": "category"}]}],
}


def plan(**members):
    return plan_written(catalog=CATALOG, mapping=members.pop("mapping", {"A": "e.a"}), **members)


OTHERWISE = {
    "mapping": {"mapping": {"A": "e.b"}},
    "recipe": {"recipe": {"version": 1, "steps": [{"do": "trim", "columns": ["A"]}]}},
    "answers": {"answers": Answers().with_setting("date_order", "e.a", "mdy")},
    "context": {"context": {"region": "AT"}},
    "kept rows": {"keep": (3,)},
}


@pytest.mark.parametrize("members", OTHERWISE.values(), ids=OTHERWISE)
def test_a_stored_plan_reads_as_the_same_plan(members):
    made = plan(**members)

    kept = TransformPlan.kept(orjson.loads(forms.written(made)))

    assert kept == made
    assert kept.digest == made.digest


@pytest.mark.parametrize("members", OTHERWISE.values(), ids=OTHERWISE)
def test_whatever_changes_rows_changes_the_digest(members):
    assert plan(**members).digest != plan().digest


def test_the_options_and_the_region_of_a_context_come_before_those_of_the_catalog():
    options = {"e.b": [{"type": "string", "value": "x", "label": "X"}]}

    given = plan(context={"options": options, "region": "AT"})

    assert given.fields["e.b"].dropdown_options[0].value == "x"
    assert given.catalog == plan().catalog
    assert (given.region, plan().region) == ("AT", "DE")


@pytest.mark.parametrize(
    ("mapping", "code"),
    [({"A": "e.c"}, "unknown_field"), ({"A": "e.a", "B": "e.a"}, "field_mapped_twice")],
)
def test_a_plan_that_fits_no_catalog_is_never_made(mapping, code):
    with pytest.raises(UnusablePlan) as refused:
        replace(plan(), mapping=mapping)

    assert refused.value.code == code


ORDERS = {
    "key": "t",
    "entries": [
        {
            "id": "order",
            "groupBy": ["number"],
            "fields": [{"key": "number", "scope": "document"}, {"key": "buyer"}],
        },
        {"id": "line", "childOf": "order", "fields": [{"key": "sku"}]},
        {"id": "depot", "fields": [{"key": "name", "scope": "document"}]},
    ],
}


@pytest.mark.parametrize(
    ("members", "entries"),
    [
        ({}, {"line"}),  # nothing says which order
        ({"document": {"number": "A-1"}}, {"order", "line"}),
        ({"context": {"defaults": {"order.number": "A-1"}}}, {"order", "line"}),
        ({"context": {"defaults": {"order.buyer": "Ada"}}}, {"line"}),  # not its key
        ({"mapping": {"Depot": "depot.name"}, "document": {"number": "A-1"}}, {"depot"}),
    ],
)
def test_a_parent_whose_key_holds_for_the_whole_file_takes_part(members, entries):
    given = plan_written(catalog=ORDERS, **{"mapping": {"SKU": "line.sku"}, **members})

    assert {path.partition(".")[0] for path in given.used_fields} == entries
