"""Memory is made from applied imports, belongs to one scope, is listed and can be forgotten."""

import pytest

from licensing.models import Tenant
from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.test_profiles import MAPPING, TEXT, mapped, people, profiles
from tests.imports.test_questions import AMOUNTS, STATES, STATUS, amounts

__all__ = ["people"]
pytestmark = pytest.mark.django_db
NAMED = "Email,Name\nada@x.example,Ada\nbob@x.example,Bob\n"


def answers(client):
    return client.get(f"{V1}/answers").json()["items"]


def answered(client, **members):
    imported = Imported(client, AMOUNTS, **members)
    imported.answer(imported.question("column"), "p.net_amount")
    return imported


@pytest.fixture
def money(owner):
    publish_fields(owner, *amounts())


@pytest.mark.parametrize("end", ["nothing", "cancel", "delete"])
def test_what_is_not_applied_teaches_nothing(money, client, end):
    imported = answered(client)
    imported.put("mapping", imported.mapping()["proposed"])
    if end == "cancel":
        client.post(imported.url("cancel"))
    if end == "delete":
        client.delete(f"{V1}/imports/{imported.id}")

    assert (answers(client), profiles(client)) == ([], [])


def test_an_answer_that_the_applied_mapping_overruled_is_not_remembered(money, client):
    imported = answered(client)
    imported.put("mapping", {"mapping": {"Kunde": "p.customer", "Betrag": "p.gross_amount"}})

    imported.finish()

    assert answers(client) == []


def test_a_mapping_that_only_the_engine_chose_teaches_nothing(people, client):
    Imported(client, "Name,City\nAda,Oslo\n", autoMap=True).finish()

    assert profiles(client) == []


def test_many_texts_settled_at_once_are_remembered_when_applied(owner, client):
    publish_fields(owner, "name", STATUS)
    imported = Imported(client, STATES, autoMap=True)
    imported.put("values/p.status", {"values": {"wibble": "closed", "wobble": None}})
    assert answers(client) == []

    imported.finish()

    assert {answer["evidence"][0]: answer["value"] for answer in answers(client)} == {
        "wibble": "closed",
        "wobble": None,
    }


def test_a_column_says_which_profile_decided(people, client):
    mapped(client)
    (kept,) = profiles(client)

    columns = Imported(client, TEXT).mapping()["columns"]

    assert [c["decidedBy"] for c in columns] == [{"kind": "profile", "id": kept["id"]}] * 3
    assert all(kept["id"] in c["reason"] for c in columns)


def test_a_column_of_another_header_says_which_profile_taught_it(people, client):
    mapped(client)
    (kept,) = profiles(client)

    columns = Imported(client, "Beta,Gamma,Delta\nOslo,1,9\nRome,2,8\n").mapping()["columns"]

    by = {c["column"]: c["decidedBy"] for c in columns}
    profile = {"kind": "profile", "id": kept["id"]}
    assert by == {"Beta": profile, "Gamma": profile, "Delta": None}
    assert all(kept["id"] in c["reason"] for c in columns[:2])


def test_a_column_and_a_question_say_which_answer_decided(money, client):
    answered(client).finish(remember=False)
    (kept,) = answers(client)

    again = Imported(client, AMOUNTS)

    (column,) = [c for c in again.mapping()["columns"] if c["column"] == "Betrag"]
    assert column["decidedBy"] == {"kind": "answer", "id": kept["id"]}
    assert kept["id"] in column["reason"]
    assert again.question("column")["learnedFrom"] == kept["id"]


def test_deleting_an_import_forgets_what_it_alone_taught(money, client):
    imported = answered(client).finish()
    assert (len(answers(client)), len(profiles(client))) == (1, 1)

    client.delete(f"{V1}/imports/{imported.id}")

    assert (answers(client), profiles(client)) == ([], [])


def test_what_another_import_taught_too_stays(money, client):
    first = answered(client).finish()
    second = Imported(client, AMOUNTS)
    second.put("mapping", second.mapping()["proposed"])
    second.finish()

    client.delete(f"{V1}/imports/{first.id}")

    assert len(profiles(client)) == 1
    client.delete(f"{V1}/imports/{second.id}")
    assert profiles(client) == []


def test_what_was_left_out_before_is_asked_about_where_a_required_field_has_its_name(owner, client):
    publish_fields(owner, "name", {"key": "email", "columnType": "email"})
    left = Imported(client, NAMED)
    left.put("mapping", {"mapping": {"Name": "p.name"}})
    left.finish()
    assert Imported(client, NAMED, autoMap=True).mapping()["mapping"] == {"Name": "p.name"}
    required = {"key": "email", "columnType": "email", "required": True}
    publish_fields(owner, "name", required)

    again = Imported(client, NAMED, autoMap=True)

    question = again.question("column")
    assert (question["default"], question["state"]) == ("p.email", "open")
    assert [c["value"] for c in question["candidates"]] == ["p.email", None]
    assert again.mapping()["mapping"] == {"Name": "p.name", "Email": "p.email"}


@pytest.mark.parametrize("other", ["", "acme"])
def test_memory_never_crosses_a_scope(money, client, other):
    answered(client, scope="globex").finish()

    again = Imported(client, AMOUNTS, **({"scope": other} if other else {}))

    assert again.question("column")["state"] == "open"
    assert again.record["profile"] is None
    assert [answer["scope"] for answer in (*answers(client), *profiles(client))] == ["globex"] * 2


def test_memory_serves_its_own_scope(money, client):
    answered(client, scope="globex").finish(remember=False)

    again = Imported(client, AMOUNTS, scope="globex")

    assert again.record["scope"] == "globex"
    assert again.question("column")["state"] == "answered"


def test_a_key_in_a_page_chooses_no_scope(owner, client, client_of, mint_key):
    publish_fields(owner, "name")
    assert Tenant.objects.filter(public_id="tnt_owner").exists()
    page = client_of(mint_key("tnt_owner", origins=("https://host.example",)))
    page.credentials(
        HTTP_AUTHORIZATION=page._credentials["HTTP_AUTHORIZATION"],
        HTTP_ORIGIN="https://host.example",
    )

    refused = page.post(f"{V1}/imports", {"text": NAMED, "scope": "acme"}, format="json")

    assert (refused.status_code, refused.json()["code"]) == (403, "page_key_not_allowed")


def test_the_mapping_that_was_applied_is_remembered_not_the_one_put_first(people, client):
    imported = Imported(client, TEXT)
    imported.put("mapping", {"mapping": MAPPING})
    imported.put("mapping", {"mapping": {"Alpha": "p.name"}})

    imported.finish()

    (kept,) = profiles(client)
    assert client.get(f"{V1}/profiles/{kept['id']}").json()["mapping"] == {"Alpha": "p.name"}
