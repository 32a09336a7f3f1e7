"""Known entities over HTTP: in bulk, by ref, of one tenant and scope."""

import pytest

from references import key_index
from references.models import KnownEntity, KnownKey
from references.services import set_of
from tests.imports.conftest import client, owner
from tests.references.conftest import V1

__all__ = ["client", "owner"]  # fixtures

pytestmark = pytest.mark.django_db
CUSTOMERS = "/api/import/v1/references/customer"


def put(client, *items, query="", status=200):
    answer = client.put(f"{CUSTOMERS}{query}", {"items": list(items)}, format="json")
    assert answer.status_code == status, answer.content
    return answer.json()


def customer(ref, **values):
    return {"ref": ref, "values": values}


def refs(client, query=""):
    return [item["ref"] for item in client.get(f"{CUSTOMERS}{query}").json()["items"]]


def test_an_upsert_says_what_is_new_changed_and_as_it_was(client):
    put(client, customer("1", number="C-1", name="Ada"), customer("2", number="C-2"))

    done = put(
        client, customer("1", number="C-1"), customer("2", number="C-2"), customer("3", number=3)
    )

    assert done == {"created": 1, "changed": 1, "unchanged": 1}
    items = client.get(CUSTOMERS).json()["items"]
    assert [(item["ref"], item["values"]) for item in items] == [
        ("1", {"number": "C-1"}),  # an upsert replaces all values
        ("2", {"number": "C-2"}),
        ("3", {"number": 3}),
    ]


def test_a_list_comes_in_pages_and_by_ref(client):
    put(client, *(customer(f"{n:03d}") for n in range(5)))

    first = client.get(f"{CUSTOMERS}?limit=3").json()
    rest = client.get(f"{CUSTOMERS}?limit=3&cursor={first['next']}").json()

    assert [item["ref"] for item in first["items"] + rest["items"]] == [
        "000", "001", "002", "003", "004",
    ]  # fmt: skip
    assert refs(client, "?ref=001&ref=004") == ["001", "004"]


def test_some_or_all_are_forgotten(client):
    put(client, *(customer(str(n)) for n in range(4)))

    assert client.delete(f"{CUSTOMERS}?ref=1&ref=9").json() == {"deleted": 1}
    assert refs(client) == ["0", "2", "3"]
    assert client.delete(CUSTOMERS).json() == {"deleted": 3}
    assert refs(client) == []


def test_a_scope_and_a_tenant_know_their_own_alone(client, client_of, mint_key):
    put(client, customer("1"))
    put(client, customer("2"), query="?scope=shop")
    stranger = client_of(mint_key("tnt_stranger"))
    put(stranger, customer("3"))

    assert (refs(client), refs(client, "?scope=shop"), refs(stranger)) == (["1"], ["2"], ["3"])
    stranger.delete(CUSTOMERS)
    assert refs(client) == ["1"]


def test_a_ref_that_appears_twice_is_refused_by_its_place(client):
    answer = put(client, customer("1"), customer("1"), status=409)

    assert [error["pointer"] for error in answer["errors"]] == ["/items/1/ref"]
    assert not KnownEntity.objects.exists()


@pytest.mark.parametrize(
    "body",
    [{}, {"items": []}, {"items": [{"ref": "1"}]}, {"items": [{"ref": 1, "values": {}}]},
     {"items": [{"ref": "1", "values": []}]}, {"items": [{"ref": "1", "values": {}, "x": 1}]}],
)  # fmt: skip
def test_a_body_that_is_not_a_list_of_entities_is_refused(client, body):
    assert client.put(CUSTOMERS, body, format="json").status_code == 400


def test_an_index_is_made_once_and_kept(owner, client):
    put(client, customer("1", number="C-1", name="Ada Lovelace"), customer("2", name="Bob"))
    known_set = set_of(tenant=owner, scope="", entity="customer")

    key_index.require(known_set, ["number", "name"], blocks=True)
    first = KnownKey.objects.count()
    key_index.require(known_set, ["number", "name"], blocks=True)
    assert KnownKey.objects.count() == first > 3

    put(client, customer("1", number="C-1", name="Ada King"))
    put(client, customer("2", name="Bob"), customer("3", number="C-3"))
    kept = set(KnownKey.objects.values_list("known__ref", "digest"))
    KnownKey.objects.all().delete()
    known_set.indexed = {}
    known_set.save()
    key_index.require(known_set, ["number", "name"], blocks=True)
    assert kept == set(KnownKey.objects.values_list("known__ref", "digest"))


def test_a_key_in_a_page_neither_sees_nor_changes_what_is_known(client, client_of, mint_key):
    put(client, customer("1"))
    page = client_of(mint_key(origins=("https://shop.example",)))

    answers = [
        page.get(CUSTOMERS), page.delete(CUSTOMERS),
        page.put(CUSTOMERS, {"items": [customer("2")]}, format="json"),
    ]  # fmt: skip

    assert [answer.status_code for answer in answers] == [403, 403, 403]
    assert refs(client) == ["1"]


def test_the_names_of_what_is_known_are_listed_with_counts(client, know, mint_key, client_of):
    know("product", _1={"name": "Chair"}, _2={"name": "Table"})
    know("product", scope="acme", _1={"name": "Lamp"})
    know("customer", _1={"name": "Ada"})
    know("gone", _1={"name": "Ada"})
    client.delete(f"{V1}/references/gone")

    first = client.get(f"{V1}/references?limit=1").json()
    rest = client.get(f"{V1}/references?cursor={first['next']}").json()

    assert first["items"] == [{"entity": "customer", "count": 1}]
    assert (rest["items"], rest["next"]) == ([{"entity": "product", "count": 3}], None)
    stranger = client_of(mint_key("tnt_stranger"))
    assert stranger.get(f"{V1}/references").json()["items"] == []


def test_a_key_in_a_page_does_not_see_the_names_of_what_is_known(know, mint_key, client_of):
    know("product", _1={"name": "Chair"})
    page = client_of(mint_key("tnt_owner", origins=("https://shop.example",)))

    answer = page.get(f"{V1}/references", headers={"Origin": "https://shop.example"})

    assert (answer.status_code, answer.json()["code"]) == (403, "page_key_not_allowed")
