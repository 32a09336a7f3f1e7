"""Each question shows what each answer changes; what the file decides is not asked."""

import pytest

from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.conftest import carry_on
from tests.imports.test_questions import AMOUNTS, STATES, STATUS, amounts

pytestmark = pytest.mark.django_db
SHARES = "Name,Share\nAda,0.19\nBob,0.07\nCyd,1.5\n"
PHONES = "Name,Phone\nAda,030 901820\nBob,+49 89 233 00\nCyd,0221 2210\n"


def effects(question):
    return {str(c["value"]): c["effect"] for c in question["candidates"]}


def share(**of_all):
    return {"key": "share", "columnType": "percentage", **of_all}


def test_every_kind_says_what_each_answer_changes(owner, client):
    day = {"key": "born", "columnType": "date"}
    publish_fields(owner, *amounts(), day, share(), STATUS, {"key": "phone", "columnType": "phone"})
    texts = {
        AMOUNTS,
        STATES,
        SHARES,
        PHONES,
        "Customer,Born\nAda,01/02/2001\n",
        "Ada,Oslo\nBob,Rome\nCyd,Paris\n",
    }

    questions = [q for text in texts for q in Imported(client, text, autoMap=True).questions()]

    assert {q["kind"] for q in questions} >= {
        "column", "date_order", "percent_scale", "category_value", "region", "header_row",
    }  # fmt: skip
    assert [q["kind"] for q in questions for c in q["candidates"] if not c["effect"]] == []


def test_the_order_of_days_says_how_many_rows_change_and_how_many_are_lost(owner, client):
    publish_fields(owner, "name", {"key": "born", "columnType": "date"})
    days = ["01/02/2001", "03/04/2002", "25/12/2003", "12/25/2004"]
    imported = Imported(client, "Name,Born\n" + "".join(f"N,{d}\n" for d in days), autoMap=True)

    assert effects(imported.question("date_order")) == {
        "dmy": "2 rows read this way; 1 row cannot be read",
        "mdy": "2 rows read this way; 1 row cannot be read",
    }


@pytest.mark.parametrize(
    ("header", "texts", "kind"),
    [
        ("born", ["01/02/2001", "25/12/2003"], "date"),
        ("amount", ["1.500", "1.234,50"], "float"),
        ("share", ["19", "7", "50"], "percentage"),
        ("share", ["0", "5", "10"], "percentage"),
        ("share", ["19 %", "7 %"], "percentage"),
        ("phone", ["+49 30 901820", "0049 89 23300"], "phone"),
    ],
)
def test_what_the_file_itself_decides_is_not_asked(owner, client, header, texts, kind):
    publish_fields(owner, "name", {"key": header, "columnType": kind})
    text = f"Name;{header}\n" + "".join(f"N;{item}\n" for item in texts)

    imported = Imported(client, text, autoMap=True)

    assert (imported.state, imported.questions()) == ("review", [])


def test_whether_a_bare_number_is_a_fraction_or_a_percentage(owner, client):
    publish_fields(owner, "name", share())
    imported = Imported(client, SHARES, autoMap=True)
    question = imported.question("percent_scale")
    assert question["default"] == "fraction"
    before = imported.values("p.share")

    imported.answer(question, "percent")

    assert imported.values("p.share") == [pytest.approx(value / 100) for value in before]


def test_in_which_country_numbers_without_one_are(owner, client):
    publish_fields(owner, "name", {"key": "phone", "columnType": "phone"})
    imported = Imported(client, PHONES, autoMap=True)
    question = imported.question("region")
    assert question["default"] == "DE"  # because of the other number
    assert imported.values("p.phone") == ["+4930901820", "+498923300", "+492212210"]

    imported.answer(question, "AT")

    assert imported.values("p.phone")[1:] == ["+498923300", "+432212210"]
    assert imported.finish().state == "applied"
    again = Imported(client, PHONES, autoMap=True)
    assert again.question("region")["learnedFrom"]
    assert again.values("p.phone") == imported.values("p.phone")


def test_without_evidence_no_country_is_assumed(owner, client):
    publish_fields(owner, "name", {"key": "phone", "columnType": "phone"})
    imported = Imported(client, "Name,Phone\nAda,030 901820\nCyd,0221 2210\n", autoMap=True)

    assert imported.question("region")["default"] is None
    assert imported.values("p.phone") == [None, None]


def swiss(*ibans):
    rows = (f"N{n},044 668 18 0{n},{iban}\n" for n, iban in enumerate(ibans))
    return "Name,Phone,Iban\n" + "".join(rows)


SWISS_IBANS = "CH9300762011623852957", "CH5604835012345678009", "CH3608387000001080173"


def test_a_region_that_the_file_decides_for_is_told_and_can_be_answered_otherwise(owner, client):
    iban = {"key": "iban", "columnType": "iban"}
    publish_fields(owner, "name", {"key": "phone", "columnType": "phone"}, iban)
    imported = Imported(client, swiss(*SWISS_IBANS), autoMap=True)

    assert imported.questions(state="open") == []
    question = imported.question("region")
    assert (question["state"], question["default"]) == ("dismissed", "CH")
    assert question["evidence"][-1] == "All evidence in the file agrees on CH"
    assert imported.values("p.phone")[0] == "+41446681800"

    imported.answer(question, "DE")

    assert imported.question("region")["state"] == "answered"
    assert imported.values("p.phone")[0] != "+41446681800"


def test_a_region_is_asked_for_once_the_file_no_longer_decides(owner, client):
    iban = {"key": "iban", "columnType": "iban"}
    publish_fields(owner, "name", {"key": "phone", "columnType": "phone"}, iban)
    imported = Imported(client, swiss(*SWISS_IBANS), autoMap=True)

    mapping = {"Name": "p.name", "Phone": "p.phone"}
    client.put(imported.url("mapping"), {"mapping": mapping}, format="json")
    imported.record = carry_on(client, imported.id)

    (question,) = imported.questions(state="open")
    assert (question["kind"], question["default"]) == ("region", None)
    assert imported.values("p.phone")[0] is None


def test_a_country_that_the_host_names_is_not_asked_for(owner, client):
    publish_fields(owner, "name", {"key": "phone", "columnType": "phone"})

    imported = Imported(client, PHONES, autoMap=True, context={"region": "DE"})

    assert imported.questions() == []
    assert imported.record["counts"]["error"] == 0


@pytest.mark.parametrize("value", ["XX", "Germany", "", 49])
def test_no_country_is_refused_as_an_answer(owner, client, value):
    publish_fields(owner, "name", {"key": "phone", "columnType": "phone"})
    imported = Imported(client, PHONES, autoMap=True)

    refused = imported.answer(imported.question("region"), value)

    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_answer")


@pytest.mark.parametrize(
    ("context", "pointer"),
    [
        ({"country": "DE"}, "/context/country"),
        ({"today": "2020-01-01"}, "/context/today"),
        ({"region": "Germany"}, "/context/region"),
        ({"region": 3}, "/context/region"),
        ({"defaults": {"p.name": 3}}, "/context/defaults/p.name"),
        ({"options": {"p.name": [{"label": "x"}]}}, "/context/options/p.name/0"),
    ],
)
def test_a_context_that_cannot_be_used_is_refused_at_its_place(owner, client, context, pointer):
    publish_fields(owner, "name")

    refused = client.post(f"{V1}/imports", {"text": "Name\nAda\n", "context": context}, "json")

    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_context")
    assert refused.json()["errors"][0]["pointer"].startswith(pointer)


@pytest.mark.parametrize("context", [{"defaults": {"p.nope": "x"}}, {"options": {"p.nope": []}}])
def test_a_context_about_fields_of_another_catalog_is_a_conflict(owner, client, context):
    publish_fields(owner, "name")

    refused = client.post(f"{V1}/imports", {"text": "Name\nAda\n", "context": context}, "json")

    assert (refused.status_code, refused.json()["code"]) == (409, "unknown_fields")
    assert refused.json()["errors"][0]["pointer"] == f"/context/{next(iter(context))}/p.nope"


def test_the_region_is_the_imports_or_else_the_catalogs(owner, client):
    publish_fields(owner, "name", {"key": "phone", "columnType": "phone"}, region="AT")

    imported = Imported(client, PHONES, autoMap=True)

    assert imported.questions() == []
    assert imported.values("p.phone") == [None, "+498923300", "+432212210"]
    own = Imported(client, PHONES, autoMap=True, context={"region": "DE"})
    assert own.questions() == []
    assert own.values("p.phone") == ["+4930901820", "+498923300", "+492212210"]


def test_the_region_of_a_session_counts_before_the_catalogs(owner, client, client_of):
    publish_fields(owner, "name", {"key": "phone", "columnType": "phone"}, region="AT")
    wanted = {"scope": "s", "region": "DE", "rights": ["context"]}

    opened = client.post(f"{V1}/sessions", wanted, format="json")
    page = client_of(opened.json()["token"])

    assert opened.json()["region"] == "DE"
    imported = Imported(page, PHONES, autoMap=True)
    assert imported.values("p.phone") == ["+4930901820", "+498923300", "+492212210"]
    own = Imported(page, PHONES, autoMap=True, context={"region": "AT"})
    assert own.values("p.phone") == [None, "+498923300", "+432212210"]
    unnamed = Imported(page, PHONES, autoMap=True, context={"region": None})
    assert unnamed.values("p.phone") == imported.values("p.phone")


@pytest.mark.parametrize("region", ["XX", "ch", "Germany", 49, ""])
def test_a_session_of_no_country_is_refused(client, region):
    refused = client.post(f"{V1}/sessions", {"region": region}, format="json")

    assert refused.status_code == 400
    assert [error["pointer"] for error in refused.json()["errors"]] == ["/region"]
