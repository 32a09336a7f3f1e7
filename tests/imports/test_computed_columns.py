"""Columns that a recipe computes, from a file to the receiver and back."""

from ipaddress import ip_network

import pytest

from common import clock
from imports import services
from imports.models import ImportRecord
from tests.deliveries.conftest import make_host
from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.received import delivered_to

__all__ = ["make_host"]  # fixtures

TEXT = "Name;Net;Count\nAda;10,50;3\nBob;7,00;0\nCyd;9,00;four\n"
EACH = {
    "do": "calculate",
    "left": {"column": "Net"},
    "op": "divided_by",
    "right": {"column": "Count"},
    "decimals": 2,
    "format": "eu",
    "into": "Each",
}
SIZE = {
    "do": "when",
    "cases": [{"if": {"Each": {"gt": 3}}, "then": {"value": "large"}}],
    "otherwise": {"value": "small"},
    "format": "eu",
    "into": "Size",
}
MAPPING = {
    "mapping": {"Name": "p.name", "Each": "p.each", "Size": "p.size"},
    "recipe": {"version": 1, "steps": [EACH, SIZE]},
}


@pytest.fixture
def imported(owner, client):
    publish_fields(owner, "name", "each", "size")
    imported = Imported(client, TEXT)
    assert imported.put("mapping", MAPPING).status_code == 202
    return imported


def issues_of(imported):
    rows = imported.client.post(imported.url("rows/query"), {}, format="json").json()["rows"]
    return [
        (row["row"], issue["field"], issue["code"], issue["message"])
        for row in rows
        for issue in row["issues"]
    ]


@pytest.mark.django_db
def test_each_cell_that_cannot_be_made_says_why(imported):
    by_zero, four = "The recipe divides 7 by zero.", "“four” is not a number."

    assert issues_of(imported) == [
        (1, "p.each", "division_by_zero", by_zero),
        (1, "p.size", "division_by_zero", by_zero),
        (2, "p.each", "not_a_number", four),
        (2, "p.size", "not_a_number", four),
    ]


@pytest.mark.django_db
def test_an_edit_replaces_a_cell_that_could_not_be_made(imported):
    body = {"revision": imported.record["revision"]}
    edits = [{"row": 1, "field": "p.each", "text": "0"}]

    answer = imported.client.patch(imported.url("rows"), {**body, "edits": edits}, format="json")

    assert answer.status_code == 200

    assert (1, "p.each") not in {issue[:2] for issue in issues_of(imported)}
    assert (1, "p.size") in {issue[:2] for issue in issues_of(imported)}


@pytest.mark.django_db
def test_an_explanation_names_the_steps_and_the_cells_of_the_file(imported, client):
    story = client.get(imported.url("rows/0/explain")).json()

    (size,) = [cell for cell in story["cells"] if cell["field"] == "p.size"]
    assert [step["do"] for step in size["steps"]] == ["calculate", "when"]
    assert size["texts"] == {"Net": "10,50", "Count": "3"}


@pytest.mark.django_db
def test_computed_columns_are_replayed_byte_for_byte(imported):
    record = ImportRecord.objects.get(public_id=imported.id)

    assert services.replay(record=record, at=clock.now()).is_identical


@pytest.mark.django_db(transaction=True)  # the dispatcher's threads
def test_what_is_computed_is_delivered(owner, client, make_host, settings):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    host = make_host()
    client.post(f"{V1}/webhooks", {"url": host.url}, format="json")
    publish_fields(owner, "name", {"key": "each", "columnType": "currency_eur"}, "size")
    imported = Imported(client, TEXT)
    imported.put("mapping", MAPPING)

    imported.apply(invalidRows="exclude")
    (body,) = delivered_to(host)

    assert [(row["p.each"], row["p.size"]) for row in body["rows"]] == [(3.5, "large")]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"left": {"column": "Price"}}, "/recipe/steps/0"),
        ({"decimals": None}, "/recipe/steps/0/decimals"),
        ({"right": {"number": "1,5"}}, "/recipe/steps/0/right/number"),
        ({"right": {"number": "9" * 10_000}}, "/recipe/steps/0/right/number"),
        ({"left": {}}, "/recipe/steps/0/left"),
        ({"op": "power"}, "/recipe/steps/0/op"),
        ({"into": "Count"}, "/recipe/steps/0"),
    ],
)
def test_a_step_that_cannot_work_is_refused_with_its_place(owner, client, change, pointer):
    publish_fields(owner, "name", "each")
    step = {name: item for name, item in {**EACH, **change}.items() if item is not None}
    wanted = {"mapping": {"Name": "p.name"}, "recipe": {"version": 1, "steps": [step]}}

    refused = Imported(client, TEXT).put("mapping", wanted)

    assert refused.status_code == 400
    assert refused.json()["errors"][0]["pointer"].startswith(pointer)


@pytest.mark.django_db
def test_a_list_with_a_key_twice_is_refused_with_its_row(owner, client):
    publish_fields(owner, "name")
    rows = [["Ada", "1"], ["Bob", "2"], ["Ada", "3"]]
    step = {"do": "lookup", "column": "Name", "into": "c", "rows": rows}
    wanted = {"mapping": {"c": "p.name"}, "recipe": {"version": 1, "steps": [step]}}

    (error,) = Imported(client, TEXT).put("mapping", wanted).json()["errors"]

    assert (error["pointer"], error["code"]) == ("/recipe/steps/0/rows/2/0", "duplicate_key")
    assert error["detail"] == "The list has the key “Ada” twice."
