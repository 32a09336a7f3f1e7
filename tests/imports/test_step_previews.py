"""Before a mapping is confirmed, a call shows which rows each of its steps changes."""

from unittest.mock import patch

import pytest

from imports.models import ImportRecord
from imports.previews import steps as previews
from staging.models import Revision
from tests.imports.asked import Imported, publish_fields

pytestmark = pytest.mark.django_db
TEXT = "Name,City\n Ada ,Paris\nBob,\nTotal,\n"
TRIM = {"do": "trim", "columns": ["Name"]}
DROP = {"do": "drop_rows", "columns": ["Name"], "where": "equals", "value": "Total"}
MAPPING = {"Name": "p.name", "City": "p.city"}


@pytest.fixture
def imported(owner, client):
    publish_fields(owner, "name", "city")
    return Imported(client, TEXT)


def preview(imported, **body):
    return imported.client.post(imported.url("mapping/preview"), body, format="json")


def recipe(*steps):
    return {"version": 1, "steps": list(steps)}


def test_each_step_shows_the_rows_it_changes_and_stores_nothing(imported):
    shown = preview(imported, mapping=MAPPING, recipe=recipe(TRIM, DROP))

    assert shown.status_code == 200, shown.content
    trimmed = {"sourceRow": 1, "before": {"Name": " Ada "}, "after": [{"Name": "Ada"}]}
    dropped = {"sourceRow": 3, "before": {"Name": "Total"}, "after": []}
    assert shown.json() == {
        "sourceRows": 3,
        "lookedAt": 3,
        "steps": [
            {"do": "trim", "rowsBefore": 3, "rowsAfter": 3, "changedRows": 1, "rows": [trimmed]},
            {"do": "drop_rows", "rowsBefore": 3, "rowsAfter": 2, "changedRows": 1,
             "rows": [dropped]},
        ],
        "whole": {"rowsBefore": 3, "rowsAfter": 2, "changedRows": 2, "rows": [trimmed, dropped]},
    }  # fmt: skip
    assert not Revision.objects.exists()
    assert ImportRecord.objects.get().mapping is None


def test_without_a_body_the_steps_of_the_import_are_shown(imported):
    assert preview(imported).json()["steps"] == []

    imported.put("mapping", {"mapping": MAPPING, "recipe": recipe(TRIM)})

    assert imported.state == "review"
    (step,) = preview(imported).json()["steps"]
    assert (step["do"], step["changedRows"]) == ("trim", 1)


def test_what_is_shown_is_what_the_transform_makes(imported):
    steps = recipe({"do": "default", "columns": ["City"], "value": "Rome"}, DROP)
    whole = preview(imported, mapping=MAPPING, recipe=steps).json()["whole"]

    imported.put("mapping", {"mapping": MAPPING, "recipe": steps})

    assert imported.values("p.city") == ["Paris", "Rome"]
    assert [row["after"] for row in whole["rows"]] == [[{"City": "Rome", "Name": "Bob"}], []]


def test_only_the_first_rows_are_looked_at(imported):
    with patch.object(previews, "MOST_ROWS", 2):
        shown = preview(imported, recipe=recipe(DROP)).json()

    assert (shown["sourceRows"], shown["lookedAt"]) == (3, 2)
    assert shown["whole"]["changedRows"] == 0


def test_a_step_that_does_not_fit_is_refused_with_its_place(imported):
    wrong = preview(imported, recipe=recipe(TRIM, {"do": "trim", "columns": ["Nowhere"]}))

    assert (wrong.status_code, wrong.json()["code"]) == (400, "invalid_recipe")
    assert wrong.json()["errors"][0]["pointer"] == "/recipe/steps/1"


def test_a_mapping_that_does_not_fit_is_refused(imported):
    wrong = preview(imported, mapping={"Name": "p.nowhere"})

    assert (wrong.status_code, wrong.json()["code"]) == (409, "invalid_mapping")


def test_nothing_is_shown_where_the_mapping_cannot_be_changed(imported):
    imported.put("mapping", {"mapping": MAPPING})
    assert imported.apply(applyMode="browser").status_code == 202

    late = preview(imported, recipe=recipe(TRIM))

    assert (late.status_code, late.json()["code"]) == (409, "not_waiting")


def test_a_column_that_becomes_too_large_is_refused_in_words(imported):
    huge = {"do": "replace", "columns": ["City"], "find": "a", "by": "a" * 1_000}

    grown = preview(imported, recipe=recipe(*[huge] * 3))

    assert (grown.status_code, grown.json()["code"]) == (422, "cell_too_long")
