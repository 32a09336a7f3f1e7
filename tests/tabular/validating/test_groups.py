"""Rows of one parent are checked together: orders, and the lines that repeat them."""

import orjson
import pyarrow as pa
import pytest

from tabular.job.transform import transform as run_job
from tabular.model.issue import render
from tabular.validating import groups
from tests.jobs import transforming_of
from tests.tabular.tables import TODAY, batch

UNIQUE = {"validations": [{"validate": "unique"}]}
NUMBER = {"key": "number", "required": True, **UNIQUE}
LINE = {"id": "line", "childOf": "order", "fields": [{"key": "sku", "required": True}]}


def entries(*order, **more):
    return [{"id": "order", "label": "Order", "fields": [NUMBER, *order], **more}, LINE]


def issues_of(folder, catalog_entries, columns):
    """Return the issues of a file whose columns are named like the paths that they feed."""
    path = folder / "source.arrow"
    source = batch(columns)
    with pa.ipc.new_file(str(path), source.schema) as writer:
        writer.write_batch(source)
    request = transforming_of(
        path,
        catalog={"key": "orders", "entries": catalog_entries},
        mapping={name: name for name in columns},
        context={"today": TODAY.isoformat()},
    )
    run_job(request, folder, lambda *_: None)
    with pa.memory_map(str(folder / "out" / "issues.arrow")) as file:
        return pa.ipc.open_file(file).read_all().to_pylist()


def places(issues):
    return [(issue["row"], issue["field"], issue["code"]) for issue in issues]


def test_rows_of_one_parent_may_repeat_its_key_and_leave_its_fields_empty(tmp_path):
    columns = {
        "order.number": ["A", "B", "A", "A"],
        "order.buyer": ["Ada", "Bob", None, "Ada"],
        "line.sku": ["1", "2", "3", "4"],
    }

    assert issues_of(tmp_path, entries({"key": "buyer", "required": True}), columns) == []


def test_two_values_of_one_parent_are_reported_with_both(tmp_path):
    columns = {
        "order.number": ["A", "B", "A", "A"],
        "order.total": ["1.00", "1.00", "1,00", "2.00"],
        "order.currency": ["EUR", "EUR", None, "CHF"],
        "line.sku": ["1", "2", "3", "4"],
    }
    fields = [
        {"key": "total", "columnType": "float", "numberFormat": "us"},
        {"key": "currency", "columnType": "currency_code"},
    ]

    issues = issues_of(tmp_path, entries(*fields), columns)

    code = "differing_parent_value"
    assert (3, "order.currency", code) in places(issues)
    assert (3, "order.total", code) in places(issues)
    (about,) = [i for i in issues if i["field"] == "order.currency"]
    params = orjson.loads(about["params"])
    message, _ = render(code, {**params, "value": about["value"]})
    assert message == "“CHF” differs from “EUR” in row 1 for the same Order."


def test_a_required_field_of_a_parent_needs_one_value_in_its_rows(tmp_path):
    columns = {
        "order.number": ["A", "A", "B", "B"],
        "order.buyer": [None, None, None, "Bob"],
        "line.sku": ["1", "2", "3", "4"],
    }

    issues = issues_of(tmp_path, entries({"key": "buyer", "required": True}), columns)

    assert places(issues) == [(0, "order.buyer", "required")]


def test_a_field_that_is_unique_among_parents_may_repeat_within_one(tmp_path):
    columns = {
        "order.number": ["A", "A", "B", "C"],
        "order.invoice": ["1", "1", "1", None],
        "line.sku": ["1", "2", "3", "4"],
    }

    issues = issues_of(tmp_path, entries({"key": "invoice", **UNIQUE}), columns)

    assert places(issues) == [(2, "order.invoice", "unique")]
    assert orjson.loads(issues[0]["params"]) == {"firstRow": 0}


def test_a_child_needs_a_parent_and_a_parent_has_children(tmp_path):
    columns = {
        "order.number": ["A", None, "B", None],
        "line.sku": ["1", "2", None, None],
    }

    assert places(issues_of(tmp_path, entries(), columns)) == [
        (1, "order.number", "child_without_parent"),
        (2, "order.number", "parent_without_children"),
        (3, "order.number", "required"),
        (3, "line.sku", "required"),
    ]


def test_a_file_without_any_child_column_says_nothing_about_children(tmp_path):
    assert issues_of(tmp_path, entries(), {"order.number": ["A", "B"]}) == []


def test_more_children_than_a_parent_may_have_are_errors(tmp_path, monkeypatch):
    monkeypatch.setattr(groups, "MOST_CHILDREN", 2)
    columns = {
        "order.number": ["A", "B", "A", "A", "A", "B"],
        "line.sku": ["1", "2", "3", "4", None, "5"],
    }

    issues = issues_of(tmp_path, entries(), columns)

    assert places(issues) == [(3, "order.number", "too_many_children")]
    assert orjson.loads(issues[0]["params"]) == {"children": "line", "max": 2}


def test_a_parent_that_refers_to_itself_is_circular(tmp_path):
    replaces = {
        "key": "replaces",
        "reference": {"entity": "order", "matchOn": ["number"], "onMissing": "ignore"},
    }
    columns = {
        "order.number": ["A", "B", "B"],
        "order.replaces": ["B", "A", "B"],
        "line.sku": ["1", "2", "3"],
    }

    issues = issues_of(tmp_path, entries(replaces), columns)

    assert (2, "order.replaces", "circular_reference") in places(issues)
    assert (0, "order.replaces", "circular_reference") not in places(issues)


@pytest.mark.parametrize("keys", [["number", "year"], ["year", "number"]])
def test_several_fields_identify_a_parent_together(tmp_path, keys):
    fields = [{"key": "number"}, {"key": "year", "columnType": "int"}, {"key": "buyer"}]
    nested = [{"id": "order", "groupBy": keys, "fields": fields}, LINE]
    columns = {
        "order.number": ["A", "A", "A", None],
        "order.year": ["1", "2", "1", None],
        "order.buyer": ["x", "y", "z", None],
        "line.sku": ["1", "2", "3", "4"],
    }

    assert places(issues_of(tmp_path, nested, columns)) == [
        (2, "order.buyer", "differing_parent_value"),
        (3, f"order.{keys[0]}", "child_without_parent"),
    ]
