"""An open question prevents an apply; an answer, a dismissal or an edit closes it."""

import pytest

from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.conftest import carry_on
from tests.imports.test_questions import AMOUNTS, DAYS, STATES, STATUS, amounts

pytestmark = pytest.mark.django_db
BROWSER = {"applyMode": "browser"}


@pytest.fixture
def born(owner, client):
    publish_fields(owner, "name", {"key": "born", "columnType": "date"})
    return Imported(client, DAYS, autoMap=True)


@pytest.fixture
def money(owner, client):
    publish_fields(owner, *amounts(required=True))
    return Imported(client, AMOUNTS, autoMap=True)


def test_an_open_question_is_named_and_nothing_is_applied(born):
    question = born.question("date_order")

    refused = born.apply(**BROWSER)

    assert (refused.status_code, refused.json()["code"]) == (409, "open_questions")
    named = {key: question[key] for key in ("id", "kind", "field", "columns", "default")}
    assert refused.json()["questions"] == [named]
    assert born.state == "review"


@pytest.mark.parametrize("close", ["answer", "dismiss"])
def test_an_answer_or_a_dismissal_opens_the_way(born, close):
    question = born.question("date_order")
    born.dismiss(question) if close == "dismiss" else born.answer(question, "mdy")

    assert born.apply(**BROWSER).status_code == 202


def test_a_caller_without_a_person_takes_the_defaults_with_the_apply(born):
    applied = born.apply(**BROWSER, openQuestions="dismiss")

    assert applied.status_code == 202
    assert born.state == "applied"
    assert born.question("date_order")["state"] == "dismissed"


def test_a_refused_apply_dismisses_nothing(owner, client):
    publish_fields(
        owner, {"key": "age", "columnType": "int"}, {"key": "born", "columnType": "date"}
    )
    text = "Age,Born\n30,01/02/2001\nold,03/04/2002\n31,05/06/2003\n32,07/08/2004\n"
    imported = Imported(client, text, autoMap=True)

    refused = imported.apply(**BROWSER, openQuestions="dismiss")

    assert refused.json()["code"] == "invalid_rows"
    assert imported.question("date_order")["state"] == "open"


def test_all_that_is_open_is_dismissed_at_once(owner, client):
    fields = "name", {"key": "born", "columnType": "date"}, {"key": "died", "columnType": "date"}
    publish_fields(owner, *fields)
    imported = Imported(client, "Name,Born,Died\nAda,01/02/2001,03/04/2005\n", autoMap=True)

    dismissed = client.post(imported.url("questions/dismiss"))

    assert dismissed.status_code == 202
    assert [q["state"] for q in dismissed.json()["items"]] == ["dismissed", "dismissed"]
    assert imported.apply(**BROWSER).status_code == 202


def test_dismissing_all_lets_an_import_in_mapping_take_the_defaults(owner, client):
    publish_fields(owner, *amounts())
    imported = Imported(client, AMOUNTS)
    default = imported.question("column")["default"]

    client.post(imported.url("questions/dismiss"))

    assert imported.mapping()["proposed"]["mapping"]["Betrag"] == default


def test_an_automatic_import_goes_on_to_review_by_the_default_and_no_further(money):
    question = money.question("column")

    assert (money.state, question["state"]) == ("review", "open")
    assert money.mapping()["mapping"]["Betrag"] == question["default"]
    assert money.apply(**BROWSER).json()["code"] == "open_questions"


def test_dismissing_what_the_rows_follow_already_changes_no_row(money):
    revision = money.record["revision"]

    money.dismiss(money.question("column"))

    assert (money.state, money.record["revision"]) == ("review", revision)


def test_another_answer_changes_the_rows(money):
    question = money.question("column")
    other = next(c["value"] for c in question["candidates"] if c["value"] != question["default"])

    money.answer(question, other)

    assert money.values(other) == [10.5, 20.75, 3.1]


@pytest.mark.parametrize("how", ["edit", "exclude"])
def test_a_text_that_no_row_has_any_more_is_no_longer_asked_about(owner, client, how):
    publish_fields(owner, "name", STATUS)
    imported = Imported(client, STATES, autoMap=True)
    rows = range(1, 4)
    edits = [{"row": row, "field": "p.status", "text": "closed"} for row in rows]
    body = {"edits": edits} if how == "edit" else {"exclude": list(rows)}

    client.patch(imported.url("rows"), {"revision": 1, **body}, format="json")

    assert imported.apply(**BROWSER).status_code == 202
    assert {q["state"] for q in imported.questions()} == {"superseded"}


def test_an_open_question_about_a_text_stops_the_apply_even_without_the_invalid_rows(owner, client):
    publish_fields(owner, "name", STATUS)
    imported = Imported(client, STATES, autoMap=True)

    refused = imported.apply(**BROWSER, invalidRows="exclude")

    assert refused.json()["code"] == "open_questions"
    assert len(refused.json()["questions"]) == 2


@pytest.mark.parametrize("end", ["cancel", "delete"])
def test_an_import_that_ended_asks_nothing(money, client, end):
    question = money.question("column")
    if end == "cancel":
        client.post(money.url("cancel"))
    else:
        client.delete(f"{V1}/imports/{money.id}")

    assert client.get(f"{V1}/questions/{question['id']}").json()["state"] == "superseded"


def test_an_import_that_failed_for_good_asks_nothing(born, client, monkeypatch):
    from sandbox import bench
    from tabular.model.problem import UnreadableFile

    def fail(*args, **kwargs):
        raise UnreadableFile("damaged_file", "It broke.")

    question = born.question("date_order")
    client.put(born.url("mapping"), {"mapping": {"Born": "p.born"}}, format="json")
    monkeypatch.setattr(bench, "run_job", fail)

    assert carry_on(client, born.id)["state"] == "failed"

    assert client.get(f"{V1}/questions/{question['id']}").json()["state"] == "superseded"
