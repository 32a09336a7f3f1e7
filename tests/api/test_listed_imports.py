"""Which imports a page may list: those of its scope, each with who started it."""

import pytest

from tests.imports.conftest import client, owner, publish

__all__ = ["client", "owner", "publish"]  # fixtures

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
TEXT = "Artikel,Menge\nA,1\n"
ADA, BOB = {"id": "u-1", "label": "Ada"}, {"id": "u-2", "label": "Bob"}


@pytest.fixture
def server(mint_key, client_of, publish):
    """Return the host's server, with the catalogs ``orders`` and ``prices``."""
    publish("orders")
    publish("prices")
    return client_of(mint_key())


@pytest.fixture
def open_page(server, client_of):
    """Return a function that opens a session and returns a client with its token."""

    def open_one(**wanted):
        opened = server.post(f"{V1}/sessions", wanted, format="json")
        assert opened.status_code == 201, opened.content
        return client_of(opened.json()["token"])

    return open_one


def start(caller, **members) -> str:
    answer = caller.post(f"{V1}/imports", {"text": TEXT, **members}, format="json")
    assert answer.status_code == 202, answer.content
    return answer.json()["recordId"]


def listed(caller, query="") -> list[dict]:
    answer = caller.get(f"{V1}/imports{query}")
    assert answer.status_code == 200, answer.content
    return answer.json()["items"]


def ids(caller, query="") -> list[str]:
    return [item["recordId"] for item in listed(caller, query)]


def test_two_people_of_one_scope_see_each_other_by_name(open_page):
    ada = open_page(scope="gym", catalogKey="orders", actor=ADA)
    bob = open_page(scope="gym", catalogKey="orders", actor=BOB)
    first, second = start(ada), start(bob)

    expected = [(second, "Bob"), (first, "Ada")]
    for page in (ada, bob):
        assert [(i["recordId"], i["startedBy"]["label"]) for i in listed(page)] == expected


def test_another_scope_and_no_scope_list_nothing_of_it(open_page):
    start(open_page(scope="gym", catalogKey="orders", actor=ADA))

    assert ids(open_page(scope="spa", catalogKey="orders", actor=ADA)) == []
    assert ids(open_page(catalogKey="orders", actor=ADA)) == []


def test_a_session_without_a_scope_lists_only_what_it_made(open_page):
    page, other = open_page(catalogKey="orders"), open_page(catalogKey="orders")
    mine = start(page)
    start(other)

    assert ids(page) == [mine]


def test_another_tenant_with_the_same_scope_lists_nothing_of_it(open_page, mint_key, client_of):
    start(open_page(scope="gym"), catalogKey="orders")
    stranger = client_of(mint_key("tnt_stranger"))
    opened = stranger.post(f"{V1}/sessions", {"scope": "gym"}, format="json")
    page = client_of(opened.json()["token"])

    assert (ids(page), ids(stranger)) == ([], [])


def test_a_session_of_one_catalog_lists_no_other(open_page):
    prices = open_page(scope="gym", catalogKey="prices")
    start(prices)
    orders = open_page(scope="gym", catalogKey="orders")
    mine = start(orders)

    assert ids(orders) == [mine]
    assert ids(orders, "?catalogKey=prices") == []


def test_every_listed_import_can_be_opened(open_page, server):
    page = open_page(scope="gym", catalogKey="orders", actor=ADA)
    start(page)
    start(server, catalogKey="orders", scope="gym")
    elsewhere = start(server, catalogKey="orders", scope="spa")

    assert len(ids(page)) == 2
    for record_id in ids(page):
        assert page.get(f"{V1}/imports/{record_id}").status_code == 200
    assert page.get(f"{V1}/imports/{elsewhere}").status_code == 404


def test_a_page_key_lists_nothing(server, mint_key, client_of):
    page = client_of(mint_key(origins=("https://shop.example",)))
    start(page, catalogKey="orders")

    answer = page.get(f"{V1}/imports")

    assert (answer.status_code, answer.json()["code"]) == (403, "page_key_not_allowed")


def test_an_announced_import_and_one_from_a_former_file_say_who_started_them(open_page):
    ada = open_page(scope="gym", catalogKey="orders", actor=ADA)
    bob = open_page(scope="gym", catalogKey="orders", actor=BOB)
    announced = bob.post(f"{V1}/imports", {"size": 10, "filename": "a.csv"}, format="json")
    former = start(ada)
    again = bob.post(f"{V1}/imports", {"from": former}, format="json")

    assert (announced.status_code, again.status_code) == (202, 202), again.content
    assert [item["startedBy"]["label"] for item in listed(ada)] == ["Bob", "Ada", "Bob"]


def test_an_import_from_before_the_starter_was_kept_says_null(open_page):
    from imports.models import ImportRecord

    page = open_page(scope="gym", catalogKey="orders")
    start(page)
    ImportRecord.objects.update(started_by=None)

    assert listed(page)[0]["startedBy"] is None
