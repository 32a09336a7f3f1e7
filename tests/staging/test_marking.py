"""A value that differs from the file is marked, and so is a value that is not an option."""

import numpy as np
import pytest

from imports import services
from staging import pages
from staging.views import View, resolve
from tests.staging.test_editing import edit

pytestmark = pytest.mark.django_db
SIZES = [{"label": "Small", "type": "string", "value": "S"}]
FIELDS = [
    {"key": "name"},
    {"key": "day", "columnType": "date"},
    {"key": "amount", "columnType": "float", "numberFormat": "eu"},
    {"key": "size", "columnType": "category", "dropdownOptions": SIZES, "allowCustomOptions": True},
]
COLUMNS = {
    "name": [" Ada ", "Bob", None, "n/a"],
    "day": ["31.01.2024", "2024-02-29", "soon", None],
    "amount": ["1.234,50", "2", None, "x"],
    "size": ["S", "Small", "XXL", None],
}


def marks(table, name="changed"):
    rows = pages.shown(table, np.arange(table.row_count))
    by_row = [sorted(path.removeprefix("e.") for path in row[name]) for row in rows]
    if name == "changed":  # the filter and the marks are one judgement
        wanted = [i for i, item in enumerate(by_row) if item]
        assert resolve(table, View(filter="changed")).tolist() == wanted
    return by_row


def staged(in_review, **more):
    return in_review(COLUMNS, fields=FIELDS, **more)


def test_another_way_of_writing_a_number_or_a_date_is_not_a_change(in_review):
    table = services.rows_of(staged(in_review))

    # An option's text differs from its label; an unreadable value has an issue.
    assert marks(table) == [[], ["size"], [], []]


def test_a_value_that_differs_is_marked_next_to_an_issue_too_and_on_any_page(in_review):
    validations = [{"validate": "unique"}]
    field = {"key": "zip", "columnType": "zip_code_de", "validations": validations}
    table = services.rows_of(in_review({"zip": ["D-80331", "10115", "D-80331"]}, fields=[field]))

    assert marks(table) == [["zip"], [], ["zip"]]
    for row in range(3):
        [shown] = pages.shown(table, np.array([row]))
        assert shown["changed"] == ([] if row == 1 else ["e.zip"])


def test_a_step_of_the_recipe_marks_what_it_changed(in_review):
    steps = [
        {"do": "case", "columns": ["name"], "to": "upper"},
        {"do": "fill_down", "columns": ["day"]},
        {"do": "replace", "columns": ["amount"], "find": "2", "by": "3"},
    ]
    record = staged(in_review, recipe={"version": 1, "steps": steps})

    assert marks(services.rows_of(record)) == [
        ["amount", "name"],
        ["amount", "name", "size"],
        [],
        ["name"],
    ]


@pytest.mark.parametrize("limit", [0, 10_000])  # as files, and as an overlay
def test_an_edit_is_marked_until_the_text_of_the_file_is_back(in_review, monkeypatch, limit):
    monkeypatch.setattr("staging.edits.preparation.MAX_OVERLAY", limit)
    record = staged(in_review)

    edit(record, {(0, "e.name"): "Eve", (0, "e.amount"): "7", (1, "e.day"): None})
    assert marks(services.rows_of(record)) == [["amount", "name"], ["day", "size"], [], []]
    edit(record, {(0, "e.name"): "Ada", (0, "e.amount"): "1234,5"})
    assert marks(services.rows_of(record)) == [[], ["day", "size"], [], []]


def test_a_value_that_is_not_an_option_is_marked_where_others_are_taken(in_review):
    record = staged(in_review)
    edit(record, {(3, "e.size"): "huge", (0, "e.size"): "Small"})

    marked = marks(services.rows_of(record), "customOptions")

    assert marked == [[], [], ["size"], ["size"]]


@pytest.mark.parametrize(
    ("type_", "values", "texts", "changed"),
    [
        ("int", [1, 2], ["1", "two", "2", None], [[], ["size"], [], []]),
        ("float", [0.5, 2.0], ["0.5", "Two", "2.0", None], [[], ["size"], ["size"], []]),
    ],
)
@pytest.mark.parametrize("takes_others", [False, True])
def test_options_that_are_numbers_are_compared_as_they_are_written(
    in_review, type_, values, texts, changed, takes_others
):
    names = zip(values, ["One", "Two"], strict=True)
    options = [{"label": label, "type": type_, "value": value} for value, label in names]
    field = {"key": "size", "columnType": "category", "dropdownOptions": options}
    record = in_review({"size": texts}, fields=[field | {"allowCustomOptions": takes_others}])

    assert marks(services.rows_of(record)) == changed


def test_options_of_mixed_types_are_texts_to_compare_with(in_review):
    options = [*SIZES, {"label": "Seven", "type": "int", "value": 7}]
    more = {"dropdownOptions": options, "allowCustomOptions": True, "isMultiSelect": True}
    field = {"key": "size", "columnType": "category", **more, "isMultiSelect": False}
    columns = {"size": ["S", "7", "XXL", None], "sizes": ["S;7", "7", "S;XXL", None]}
    record = in_review(columns, fields=[field, {"key": "sizes", "columnType": "category", **more}])

    marked = marks(services.rows_of(record), "customOptions")

    assert marked == [[], [], ["size", "sizes"], []]
