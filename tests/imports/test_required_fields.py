"""An import that waits for the column of a required field says so, with the best candidates."""

import pytest

from tests.imports.asked import Imported, publish_fields

pytestmark = pytest.mark.django_db
TEXT = "Alpha,Beta,City\nAda,x1,Oslo\nBob,x2,Rome\n"


@pytest.fixture
def people(owner):
    publish_fields(owner, "city", {"key": "surname", "label": "Surname", "required": True})


@pytest.mark.parametrize("auto", [True, False])
def test_the_field_is_asked_about_by_name_with_columns_to_choose_from(people, client, auto):
    imported = Imported(client, TEXT, autoMap=auto)

    question = imported.question("required_field")

    assert (imported.state, question["state"], question["blocking"]) == ("mapping", "open", True)
    assert (question["field"], question["default"]) == ("p.surname", None)
    assert [c["value"] for c in question["candidates"]] == ["Alpha", "Beta", None]
    assert question["candidates"][-1]["effect"] == "2 rows have an error"
    assert "Surname" in question["evidence"][0]


def test_the_column_that_is_named_feeds_it_and_the_import_goes_on(people, client):
    imported = Imported(client, TEXT, autoMap=True)

    answered = imported.answer(imported.question("required_field"), "Alpha")

    assert answered.status_code == 202
    assert imported.state == "review"
    assert imported.values("p.surname") == ["Ada", "Bob"]
    assert imported.values("p.city") == ["Oslo", "Rome"]


@pytest.mark.parametrize("close", ["answer", "dismiss"])
def test_none_is_an_answer_and_the_rows_say_what_is_missing(people, client, close):
    imported = Imported(client, TEXT, autoMap=True)
    question = imported.question("required_field")

    imported.dismiss(question) if close == "dismiss" else imported.answer(question, None)

    assert imported.state == "review"
    assert imported.record["counts"]["error"] == 2


def test_a_column_that_feeds_another_field_is_taken_from_it(people, client):
    imported = Imported(client, TEXT, autoMap=True)

    imported.answer(imported.question("required_field"), "City")

    assert imported.mapping()["mapping"] == {"City": "p.surname"}


def test_no_column_is_refused(people, client):
    imported = Imported(client, TEXT)

    refused = imported.answer(imported.question("required_field"), "Nope")

    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_answer")


def test_a_settled_mapping_leaves_nothing_to_ask(people, client):
    imported = Imported(client, TEXT)

    imported.put("mapping", {"mapping": {"City": "p.city"}})

    assert imported.question("required_field")["state"] == "superseded"


def test_the_answer_is_remembered_once_it_is_applied(people, client):
    first = Imported(client, TEXT, autoMap=True)
    first.answer(first.question("required_field"), "Alpha")
    first.finish()

    again = Imported(client, TEXT, autoMap=True)

    assert again.state == "review"
    assert again.question("required_field")["learnedFrom"].startswith("ans_")
    assert again.values("p.surname") == ["Ada", "Bob"]


def test_a_default_of_the_host_is_enough(people, client):
    context = {"defaults": {"p.surname": "unknown"}}

    imported = Imported(client, TEXT, autoMap=True, context=context)

    assert imported.state == "review"
    assert "required_field" not in {q["kind"] for q in imported.questions()}
    assert imported.values("p.surname") == ["unknown", "unknown"]


def test_an_import_that_waits_says_for_what(people, client):
    by_hand = Imported(client, "City,Surname\nOslo,Ada\nRome,Bob\n")
    asked = Imported(client, TEXT, autoMap=True)

    assert by_hand.record["waitsFor"] == ["mapping"]
    assert asked.record["waitsFor"] == ["questions"]
    by_hand.finish()
    assert by_hand.record["waitsFor"] == []
