"""An import that waits for the column of a required field asks for it, with the best candidates."""

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

    imported.put("mapping", {"mapping": {"City": "p.city"}, "allowMissing": True})

    assert imported.question("required_field")["state"] == "superseded"


def test_a_mapping_without_a_required_field_says_which_and_is_taken_when_allowed(people, client):
    imported = Imported(client, TEXT)
    mapping = {"mapping": {"City": "p.city"}}

    refused = imported.put("mapping", mapping)

    problem = refused.json()
    assert (refused.status_code, problem["code"]) == (409, "required_unmapped")
    assert problem["missing"] == [{"entity": "p", "field": "p.surname", "label": "Surname"}]
    assert imported.state == "mapping"
    assert imported.question("required_field")["state"] == "open"

    taken = imported.put("mapping", {**mapping, "allowMissing": True})

    assert (taken.status_code, imported.state) == (202, "review")
    assert imported.record["counts"]["error"] == 2
    again = imported.put("mapping", {"mapping": {"City": "p.city", "Alpha": "p.surname"}})
    assert (again.status_code, imported.values("p.surname")) == (202, ["Ada", "Bob"])
    assert imported.put("mapping", mapping).json()["code"] == "required_unmapped"


@pytest.mark.parametrize(
    "filled",
    [
        {"context": {"defaults": {"p.surname": "Lovelace"}}},
        {"recipe": [{"do": "constant", "into": "Name", "value": "Lovelace"}]},
        {"recipe": [{"do": "copy", "column": "Alpha", "into": "Name"}]},
    ],
)
def test_a_default_a_constant_or_a_step_fills_a_required_field(people, client, filled):
    imported = Imported(client, TEXT, context=filled.get("context", {}))
    steps = filled.get("recipe", [])
    made = {"Name": "p.surname"} if steps else {}

    body = {"mapping": {"City": "p.city", **made}, "recipe": {"version": 1, "steps": steps}}
    answer = imported.put("mapping", body)

    assert answer.status_code == 202, answer.json()
    assert (imported.state, imported.record["counts"]["error"]) == ("review", 0)


def test_a_pair_above_the_table_fills_a_required_field_of_the_document(owner, client):
    number = {"key": "number", "label": "Invoice", "required": True, "scope": "document"}
    publish_fields(owner, "city", "name", number)
    text = "Invoice: R-17\n\nName,City\nAda,Oslo\nBob,Rome\n"
    imported = Imported(client, text)

    answer = imported.put("mapping", {"mapping": {"Name": "p.name", "City": "p.city"}})

    assert answer.status_code == 202, answer.json()
    assert imported.values("p.number") == ["R-17", "R-17"]


def test_who_said_that_no_column_feeds_a_field_need_not_say_it_again(people, client):
    imported = Imported(client, TEXT)
    imported.answer(imported.question("required_field"), None)

    assert imported.put("mapping", {"mapping": {"City": "p.city"}}).status_code == 202


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
    imported = Imported(client, TEXT, autoMap=True)

    assert by_hand.record["waitsFor"] == ["mapping"]
    assert imported.record["waitsFor"] == ["questions"]
    by_hand.finish()
    assert by_hand.record["waitsFor"] == []
