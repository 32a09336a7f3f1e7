"""Each kind of question: asked, answered, the import follows, remembered, reused."""

from dataclasses import replace
from ipaddress import ip_network

import pytest

from common import clock
from deliveries.services import register
from licensing.models import Tenant
from tabular.model.issue import Candidate, Question
from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.conftest import carry_on

pytestmark = pytest.mark.django_db

AMOUNTS = "Kunde;Betrag\nAda;10,50\nBob;20,75\nCyd;3,10\n"
STREETS = (
    "Customer,Street (home),Street (work)\n"
    "Ada,Main St 1,Side St 2\nBob,Hill Rd 3,Lake Rd 4\nCyd,Oak Av 9,Elm St 7\n"
)
DAYS = "Name,Born\nAda,01/02/2001\nBob,03/04/2002\n"
NUMBERS = "Name,Amount\nAda,1.234\nBob,5.678\n"
STATES = "Name,Status\nAda,open\nBob,wibble\nCyd,wibble\nDan,wobble\n"


def amounts(**of_all):
    return (
        "customer",
        {"key": "net_amount", "label": "Net amount", "columnType": "float", **of_all},
        {"key": "gross_amount", "label": "Gross amount", "columnType": "float"},
    )


STATUS = {
    "key": "status",
    "columnType": "category",
    "dropdownOptions": [
        {"label": "Open", "type": "string", "value": "open"},
        {"label": "Closed", "type": "string", "value": "closed"},
    ],
}


def learned(question):
    assert question["state"] == "answered"
    assert question["answeredBy"] == {"kind": "system", "id": "engine", "label": "learned"}
    return question["answer"]


ABOVE = "Rate:;1.500\nIssued:;03/04/2024\n\nName;Pieces\nAda;3\nBob;4\nCyd;5\n"
OF_ALL_ROWS = (
    "name",
    "pieces",
    {"key": "rate", "label": "Rate", "columnType": "float", "scope": "document"},
    {"key": "issued", "label": "Issued", "columnType": "date", "scope": "document"},
)


def test_a_question_has_the_shape_the_docs_promise(owner, client):
    publish_fields(owner, *amounts())
    imported = Imported(client, AMOUNTS)

    question = imported.question("column")

    assert set(question) == {
        "id", "kind", "subject", "state", "blocking", "field", "columns", "candidates",
        "evidence", "default", "answer", "answeredBy", "answeredAt", "learnedFrom",
        "recalled",
    }  # fmt: skip
    assert question["subject"] == imported.id
    assert question["id"].startswith("qst_")
    assert all(set(c) == {"value", "label", "score", "effect"} for c in question["candidates"])
    assert question["evidence"]


def test_which_field_a_column_feeds(owner, client):
    publish_fields(owner, *amounts())
    first = Imported(client, AMOUNTS)
    question = first.question("column")
    assert (question["state"], question["columns"]) == ("open", ["Betrag"])
    assert first.mapping()["proposed"]["mapping"] == {"Kunde": "p.customer"}

    answered = first.answer(question, "p.net_amount")

    assert answered.status_code == 202
    assert answered["Location"].endswith(first.id)
    assert answered.json()["answeredBy"]["id"].startswith("lic_")
    both = {"Kunde": "p.customer", "Betrag": "p.net_amount"}
    assert first.mapping()["proposed"]["mapping"] == both
    first.finish(remember=False)
    again = Imported(client, AMOUNTS)
    assert learned(again.question("column")) == "p.net_amount"
    assert again.mapping()["proposed"]["mapping"] == both


def test_which_of_several_columns_feeds_a_field(owner, client):
    publish_fields(owner, "customer", {"key": "street", "label": "Street"})
    first = Imported(client, STREETS)
    value = {"Street (work)": "p.street"}

    first.answer(first.question("columns"), value)

    both = {"Customer": "p.customer", **value}
    assert first.mapping()["proposed"]["mapping"] == both
    first.finish(remember=False)
    again = Imported(client, STREETS.replace("Street (work)", "STREET (WORK)"))
    assert learned(again.question("columns")) == {"STREET (WORK)": "p.street"}
    assert again.mapping()["proposed"]["mapping"]["STREET (WORK)"] == "p.street"


def test_a_column_that_holds_two_fields_is_split(owner, client):
    publish_fields(
        owner, "name", {"key": "zip", "label": "Postcode"}, {"key": "city", "label": "City"}
    )
    imported = Imported(
        client, "PLZ/Ort;Name\n10115 Berlin;Ada\n20095 Bad Oldesloe;Bob\n", autoMap=True
    )
    assert imported.state == "review"

    imported.answer(imported.question("column"), ["p.zip", "p.city"])

    assert imported.values("p.zip") == ["10115", "20095"]
    assert imported.values("p.city") == ["Berlin", "Bad Oldesloe"]


def test_columns_that_make_one_field_are_joined(owner, client):
    publish_fields(owner, {"key": "full_name", "label": "Full name"}, "note")
    imported = Imported(client, "Vorname,Nachname,Note\nAda,Low,x\nBob,Roe,y\n", autoMap=True)
    question = imported.question("columns")

    imported.answer(question, question["default"])

    assert imported.values("p.full_name") == ["Ada Low", "Bob Roe"]


def test_day_or_month_first(owner, client):
    publish_fields(owner, "name", {"key": "born", "columnType": "date"})
    first = Imported(client, DAYS, autoMap=True)
    question = first.question("date_order")
    assert (question["state"], question["default"], question["field"]) == ("open", "dmy", "p.born")
    assert first.values("p.born") == ["2001-02-01", "2002-04-03"]

    first.answer(question, "mdy")

    assert first.values("p.born") == ["2001-01-02", "2002-03-04"]
    first.finish()
    again = Imported(client, DAYS, autoMap=True)
    assert learned(again.question("date_order")) == "mdy"
    assert again.values("p.born") == ["2001-01-02", "2002-03-04"]


def test_what_is_remembered_never_overrules_what_the_values_say(owner, client):
    publish_fields(owner, "name", {"key": "born", "columnType": "date"})
    first = Imported(client, DAYS, autoMap=True)
    first.answer(first.question("date_order"), "mdy")
    first.finish()

    clear = Imported(client, "Name,Born\nAda,25/12/2001\nBob,03/04/2002\n", autoMap=True)

    assert clear.questions() == []
    assert clear.values("p.born") == ["2001-12-25", "2002-04-03"]


def test_point_or_comma_before_the_decimals(owner, client):
    publish_fields(owner, "name", {"key": "amount", "columnType": "float"})
    first = Imported(client, NUMBERS, autoMap=True)
    question = first.question("decimal_separator")
    before = first.values("p.amount")
    other = {"eu": "us", "us": "eu"}[question["default"]]

    first.answer(question, other)

    after = first.values("p.amount")
    assert sorted([before[0], after[0]]) == [1.234, 1234]
    first.finish()
    again = Imported(client, NUMBERS, autoMap=True)
    assert learned(again.question("decimal_separator")) == other
    assert again.values("p.amount") == after


def test_which_option_a_text_means(owner, client):
    publish_fields(owner, "name", STATUS)
    first = Imported(client, STATES, autoMap=True)
    assert first.record["counts"]["error"] == 3
    (question,) = [q for q in first.questions() if q["evidence"][0] == "wibble"]
    assert question["kind"] == "category_value"

    first.answer(question, "closed")

    assert first.values("p.status") == ["open", "closed", "closed", None]
    assert first.record["counts"]["error"] == 1
    first.finish()
    again = Imported(client, STATES, autoMap=True)
    (reused,) = [q for q in again.questions() if q["evidence"][0] == "wibble"]
    assert learned(reused) == "closed"
    assert again.values("p.status") == ["open", "closed", "closed", None]


@pytest.fixture
def asking(monkeypatch):
    """Let the reader ask one more question, unless the requested choice was made."""
    from sandbox import bench

    def ask(question, choice):
        run = bench.run_job

        def run_and_ask(folder, request, **others):
            result = run(folder, request, **others)
            if request.job == "read" and getattr(request.choices, choice) is None:
                result = replace(result, questions=(*result.questions, question))
            return result

        monkeypatch.setattr(bench, "run_job", run_and_ask)

    return ask


TABLE = Question("table", candidates=(Candidate(0, "Stock"), Candidate(1, "Notes")), default=0)


def chosen_table(client, record):
    return client.get(f"{V1}/imports/{record['recordId']}/tables").json()["chosen"]


def test_which_table(publish, upload, client):
    publish("stock")
    record = upload("stock-two-sheets.xlsx")
    url = f"{V1}/imports/{record['recordId']}/questions"
    (question,) = [q for q in client.get(url).json()["items"] if q["kind"] == "table"]
    assert (question["state"], chosen_table(client, record)) == ("open", 0)
    other = next(c["value"] for c in question["candidates"] if c["value"] != 0)

    client.post(f"{V1}/questions/{question['id']}/answer", {"value": other}, format="json")

    assert carry_on(client, record["recordId"])["state"] == "mapping"
    assert chosen_table(client, record) == other
    Imported.of(client, record).finish(remember=False)
    again = upload("stock-two-sheets.xlsx")
    items = client.get(f"{V1}/imports/{again['recordId']}/questions").json()["items"]
    assert learned(next(q for q in items if q["kind"] == "table")) == other
    assert chosen_table(client, again) == other


def test_which_row_names_the_columns(owner, client):
    publish_fields(owner, "name", "city")
    text = "Ada,Oslo\nBob,Rome\nCyd,Paris\n"
    first = Imported(client, text)
    question = first.question("header_row")
    assert (question["state"], question["default"]) == ("open", [0])
    assert first.record["counts"]["sourceRows"] == 2

    first.answer(question, None)

    assert first.record["counts"]["sourceRows"] == 3
    first.put("mapping", {"mapping": {"Column 1": "p.name"}, "remember": False})
    first.finish()
    again = Imported(client, text)
    assert learned(again.question("header_row")) == []
    assert again.record["counts"]["sourceRows"] == 3


def test_a_choice_about_the_file_supersedes_the_question(owner, client):
    publish_fields(owner, "name", "city")
    imported = Imported(client, "Ada,Oslo\nBob,Rome\nCyd,Paris\n")

    imported.put("reading", {"headerRows": [1]})

    assert imported.question("header_row")["state"] == "superseded"


def test_a_question_about_a_required_field_proposes_it_first(owner, client):
    publish_fields(owner, *amounts(required=True))
    imported = Imported(client, AMOUNTS, autoMap=True)
    question = imported.question("column")

    assert (question["default"], question["blocking"]) == ("p.net_amount", True)
    assert imported.values("p.net_amount") == [10.5, 20.75, 3.1]


def test_a_dismissed_question_takes_its_default_and_teaches_nothing(owner, client):
    publish_fields(owner, *amounts(required=True))
    imported = Imported(client, AMOUNTS)
    question = imported.question("column")

    dismissed = imported.dismiss(question)

    assert dismissed.json()["state"] == "dismissed"
    assert dismissed.json()["answeredBy"] is None
    assert imported.mapping()["proposed"]["mapping"]["Betrag"] == question["default"]
    assert client.get(f"{V1}/answers").json()["items"] == []


def test_an_answer_can_be_corrected(owner, client):
    publish_fields(owner, *amounts())
    imported = Imported(client, AMOUNTS)
    question = imported.question("column")
    imported.answer(question, "p.net_amount")

    imported.answer(question, "p.gross_amount")

    proposed = imported.mapping()["proposed"]["mapping"]
    assert proposed == {"Kunde": "p.customer", "Betrag": "p.gross_amount"}
    imported.finish()
    (kept,) = client.get(f"{V1}/answers").json()["items"]
    assert kept["value"] == "p.gross_amount"


def test_an_answer_for_this_import_only_is_not_remembered(owner, client):
    publish_fields(owner, *amounts())
    first = Imported(client, AMOUNTS)
    first.answer(first.question("column"), "p.net_amount", remember=False)
    first.finish(remember=False)

    again = Imported(client, AMOUNTS)

    assert again.question("column")["state"] == "open"


def test_a_forgotten_answer_is_asked_again(owner, client):
    publish_fields(owner, *amounts())
    first = Imported(client, AMOUNTS)
    first.answer(first.question("column"), "p.net_amount")
    first.finish(remember=False)
    (kept,) = client.get(f"{V1}/answers").json()["items"]
    assert client.get(f"{V1}/answers/{kept['id']}").json() == kept

    assert client.delete(f"{V1}/answers/{kept['id']}").status_code == 204

    again = Imported(client, AMOUNTS)
    assert again.question("column")["state"] == "open"


def test_a_settled_mapping_supersedes_what_was_asked_about_columns(owner, client):
    publish_fields(owner, *amounts())
    imported = Imported(client, AMOUNTS)

    imported.put("mapping", {"mapping": {"Kunde": "p.customer"}})

    assert imported.question("column")["state"] == "superseded"
    assert imported.questions(state="open") == []


def test_answers_outlive_another_reading_of_the_file(owner, client):
    publish_fields(owner, *amounts())
    imported = Imported(client, AMOUNTS)
    imported.answer(imported.question("column"), "p.net_amount", remember=False)

    imported.put("reading", {"delimiter": ";"})

    assert imported.question("column")["state"] == "answered"
    assert imported.mapping()["proposed"]["mapping"]["Betrag"] == "p.net_amount"


def test_an_open_blocking_question_blocks_the_apply_by_name(asking, owner, client, settings):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    register(tenant=owner, url="http://127.0.0.1:9/apply", at=clock.now())
    asking(replace(TABLE, blocking=True), "table")
    publish_fields(owner, "name", "city")
    imported = Imported(client, "Name,City\nAda,Oslo\n")
    imported.put("mapping", {"mapping": {"Name": "p.name", "City": "p.city"}})
    question = imported.question("table")

    refused = client.post(imported.url("apply"), {}, format="json")
    imported.dismiss(question)
    accepted = client.post(imported.url("apply"), {}, format="json")

    assert (refused.status_code, refused.json()["code"]) == (409, "open_questions")
    (named,) = refused.json()["questions"]
    assert (named["id"], named["kind"], named["default"]) == (question["id"], "table", 0)
    assert accepted.status_code == 202


@pytest.mark.parametrize(
    "value",
    ["p.no_such_field", ["p.net_amount", "p.net_amount"], {"Kunde": "p.net_amount"}, 3, {}, [], ""],
)
def test_an_answer_that_does_not_fit_is_refused(owner, client, value):
    publish_fields(owner, *amounts())
    imported = Imported(client, AMOUNTS)
    question = imported.question("column")

    refused = imported.answer(question, value)

    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_answer")
    assert refused.json()["errors"][0]["pointer"] == "/value"
    assert imported.question("column")["state"] == "open"


@pytest.mark.parametrize("value", ["ymd", None, {"order": "mdy"}])
def test_a_refusal_lists_what_may_be_answered_as_it_is_sent(owner, client, value):
    publish_fields(owner, "name", {"key": "born", "columnType": "date"})
    imported = Imported(client, DAYS, autoMap=True)

    refused = imported.answer(imported.question("date_order"), value)

    assert refused.json()["detail"] == 'Answer with one of "dmy", "mdy".'


def test_an_answer_without_a_value_is_refused(owner, client):
    publish_fields(owner, *amounts())
    imported = Imported(client, AMOUNTS)
    url = f"{V1}/questions/{imported.question('column')['id']}/answer"

    refused = client.post(url, {"remember": True}, format="json")

    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")


def test_a_question_of_a_cancelled_import_is_not_answered(owner, client):
    publish_fields(owner, *amounts())
    imported = Imported(client, AMOUNTS)
    question = imported.question("column")
    client.post(imported.url("cancel"))

    refused = imported.answer(question, "p.net_amount")

    assert (refused.status_code, refused.json()["code"]) == (409, "not_waiting")


def test_a_deleted_import_keeps_no_cell_values_in_its_questions(owner, client):
    publish_fields(owner, *amounts())
    imported = Imported(client, AMOUNTS)

    client.delete(f"{V1}/imports/{imported.id}")

    question = imported.question("column")
    assert (question["state"], question["evidence"]) == ("superseded", [])


def test_another_tenant_sees_and_changes_nothing(owner, client, client_of, mint_key):
    publish_fields(owner, *amounts())
    imported = Imported(client, AMOUNTS)
    question = imported.question("column")
    imported.answer(question, "p.net_amount")
    imported.finish()
    (kept,) = client.get(f"{V1}/answers").json()["items"]
    (profile,) = client.get(f"{V1}/profiles").json()["items"]
    stranger = client_of(mint_key("tnt_stranger"))

    answers = [
        stranger.get(imported.url("questions")),
        stranger.get(imported.url("values/p.customer")),
        stranger.get(f"{V1}/questions/{question['id']}"),
        stranger.post(f"{V1}/questions/{question['id']}/answer", {"value": None}, format="json"),
        stranger.post(f"{V1}/questions/{question['id']}/dismiss"),
        stranger.get(f"{V1}/answers/{kept['id']}"),
        stranger.delete(f"{V1}/answers/{kept['id']}"),
        stranger.get(f"{V1}/profiles/{profile['id']}"),
        stranger.delete(f"{V1}/profiles/{profile['id']}"),
    ]

    assert [answer.status_code for answer in answers] == [404] * len(answers)
    assert stranger.get(f"{V1}/answers").json()["items"] == []
    assert stranger.get(f"{V1}/profiles").json()["items"] == []


def test_a_tenant_learns_nothing_from_another(owner, client, client_of, mint_key):
    publish_fields(owner, *amounts())
    first = Imported(client, AMOUNTS)
    first.answer(first.question("column"), "p.net_amount")
    first.finish()
    stranger = client_of(mint_key("tnt_stranger"))
    stranger.get(f"{V1}/imports")
    publish_fields(Tenant.objects.get(public_id="tnt_stranger"), *amounts())

    theirs = Imported(stranger, AMOUNTS)

    assert theirs.question("column")["state"] == "open"


def test_a_text_above_the_table_that_reads_two_ways_is_asked_about_and_the_answer_holds(
    owner, client
):
    publish_fields(owner, *OF_ALL_ROWS)
    imported = Imported(client, ABOVE, autoMap=True)
    number, day = imported.question("decimal_separator"), imported.question("date_order")
    assert (number["columns"], number["field"]) == ([], "p.rate")
    assert [candidate["effect"] for candidate in day["candidates"]] == [
        "Every row gets 2024-04-03", "Every row gets 2024-03-04",
    ]  # fmt: skip

    imported.answer(number, "us")
    imported.answer(day, "mdy")

    assert imported.values("p.rate") == [1.5] * 3
    assert imported.values("p.issued") == ["2024-03-04"] * 3
