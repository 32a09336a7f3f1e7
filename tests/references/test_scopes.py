"""What the tenant knows is known in every scope; what a scope knows is known there alone."""

import pytest
from rest_framework.test import APIClient

from changesets.follow_up import follow_due
from tests.imports.conftest import carry_on
from tests.references.conftest import EVERY_WAY, V1, bodies_of, entry, orders, reference

pytestmark = pytest.mark.django_db
ELSEWHERE = "It exists in another scope only. Import with that scope, or add it without one."
BOTH = reference(match_on=("number", "name"))


@pytest.fixture
def page_of(client):
    """Return a function that opens a page session; returns a client with its token."""

    def page_of(**terms):
        made = client.post(f"{V1}/sessions", terms, format="json")
        assert made.status_code == 201, made.content
        page = APIClient()
        page.credentials(HTTP_AUTHORIZATION=f"Bearer {made.json()['token']}")
        return page

    return page_of


def known_in(client, scope, entity="customer"):
    items = client.get(f"{V1}/references/{entity}?limit=500&scope={scope}").json()["items"]
    return {item["ref"]: item["values"] for item in items}


def refs_of(client, record, **filters):
    """Return which entity each text names: text to ref."""
    address = f"{V1}/imports/{record['recordId']}/references"
    return {item["text"]: item["ref"] for item in client.get(address, filters).json()["items"]}


def taken_by_the_host(client, record):
    answer = client.post(f"{V1}/imports/{record['recordId']}/results/ack")
    assert answer.status_code in {200, 204}, answer.content
    follow_due()


def test_what_the_tenant_knows_is_known_in_every_scope(published, know, bring, issues, client):
    published(orders())
    know("customer", _1={"number": "C-1"})

    record = bring({"order.no": ["1"], "order.customer": ["C-1"]}, scope="acme")

    assert issues(record) == []
    assert refs_of(client, record) == {"C-1": "1"}


def test_what_a_scope_knows_is_known_in_no_other_scope(published, know, bring, issues):
    published(orders())
    know("customer", scope="acme", _1={"number": "C-1"})

    for scope in ({}, {"scope": "other"}):
        record = bring({"order.no": ["1"], "order.customer": ["C-1"]}, **scope)
        assert issues(record) == [(0, "order.customer", "unknown_reference")]


def test_the_entity_of_the_scope_wins_over_one_of_the_tenant_with_its_key(
    published, know, bring, issues, client
):
    published(orders(BOTH))
    know("customer", t1={"number": "C-1", "name": "Old"}, t2={"number": "C-2", "name": "Bob"})
    know("customer", scope="acme", s1={"number": "C-1", "name": "Ada"})

    texts = ["C-1", "Ada", "Bob", "Old"]
    record = bring({"order.no": list("1234"), "order.customer": texts}, scope="acme")

    assert refs_of(client, record) == {"C-1": "s1", "Ada": "s1", "Bob": "t2", "Old": None}
    assert issues(record) == [(3, "order.customer", "unknown_reference")]


def test_the_entity_of_the_scope_wins_over_one_of_the_tenant_with_its_ref(
    published, know, bring, client
):
    published(orders(BOTH))
    know("customer", x={"number": "C-1", "name": "Old"})
    know("customer", scope="acme", x={"number": "C-9", "name": "Ada"})

    columns = {"order.no": list("12"), "order.customer": ["C-1", "C-9"]}
    record = bring(columns, scope="acme")

    assert refs_of(client, record) == {"C-1": None, "C-9": "x"}


def test_an_entity_that_another_one_hides_is_not_taken_by_likeness(published, know, bring, client):
    published(orders(reference(match_on=("number", "name"), resolve=EVERY_WAY)))
    know("customer", t1={"number": "C-1", "name": "Lindenhof Textil"})
    know("customer", scope="acme", s1={"number": "C-1", "name": "Brunner Metallbau"})

    texts = ["Lindenhof Textill", "Brunner Metalbau"]
    record = bring({"order.no": list("12"), "order.customer": texts}, scope="acme")

    assert refs_of(client, record) == {"Lindenhof Textill": None, "Brunner Metalbau": "s1"}


def test_texts_that_come_by_editing_mean_what_the_tenant_knows_too(published, know, bring, client):
    published(orders())
    know("customer", t1={"number": "C-1"}, t2={"number": "C-2"})
    know("customer", scope="acme", s2={"number": "C-2"})
    record = bring({"order.no": list("12"), "order.customer": ["?", "?!"]}, scope="acme")

    edits = [{"row": row, "field": "order.customer", "text": f"C-{row + 1}"} for row in (0, 1)]
    answer = client.patch(
        f"{V1}/imports/{record['recordId']}/rows", {"revision": 1, "edits": edits}, format="json"
    )

    assert answer.status_code == 200, answer.content
    assert refs_of(client, record) == {"C-1": "t1", "C-2": "s2"}


def test_an_import_of_a_scope_teaches_its_scope_alone_and_a_revert_forgets_it(
    published, know, bring, apply, client
):
    published([entry("person", "id", "name", {"key": "boss", "reference": _boss()})])
    know("person", ada={"id": "P-1", "name": "Ada", "city": "Bern"})
    columns = {"person.id": ["P-1", "P-2"], "person.name": ["Ada M.", "Bob"],
               "person.boss": ["P-2", "P-1"]}  # fmt: skip
    before = known_in(client, "", "person")

    record = apply(bring(columns, scope="acme"), applyMode="browser")
    taken_by_the_host(client, record)

    mine = known_in(client, "acme", "person")
    assert known_in(client, "", "person") == before
    assert mine["ada"] == {"id": "P-1", "name": "Ada M.", "city": "Bern", "boss": "P-2"}
    assert len(mine) == 2
    revert = client.post(f"{V1}/changesets/{record['changesetId']}/revert", {}, format="json")
    assert revert.status_code == 202, revert.content
    assert carry_on(client, record["recordId"])["state"] == "reverted"
    assert known_in(client, "acme", "person") == {}
    assert known_in(client, "", "person") == before


def test_rows_as_the_tenant_knows_them_are_unchanged_and_teach_nothing(
    published, know, bring, apply, client
):
    published([entry("person", "id", "name", {"key": "boss", "reference": _boss()})])
    know("person", ada={"id": "P-1", "name": "Ada"})

    columns = {"person.id": ["P-1"], "person.name": ["Ada"]}
    record = apply(bring(columns, scope="acme"), applyMode="browser")
    taken_by_the_host(client, record)

    rows = client.get(f"{V1}/changesets/{record['changesetId']}/rows").json()["items"]
    assert [row["status"] for row in rows] == ["unchanged"]
    assert known_in(client, "acme", "person") == {}


def test_a_delivery_of_a_scope_names_what_the_tenant_knows(published, know, bring, apply, webhook):
    published(orders())
    know("customer", t1={"number": "C-1", "name": "Ada"})
    webhook("submit")

    record = apply(bring({"order.no": ["1"], "order.customer": ["C-1"]}, scope="acme"))

    (body,) = bodies_of(record)
    assert [link["refs"] for link in body["links"]] == [["t1"]]
    assert body["entities"]["customer"] == [
        {"ref": "t1", "status": "matched", "key": {"number": "C-1"},
         "values": {"number": "C-1", "name": "Ada"}}
    ]  # fmt: skip


def test_an_import_of_a_scope_builds_on_what_one_of_the_tenant_made(
    published, know, bring, apply, client
):
    published(orders(reference(onMissing="create")))
    columns = {"order.no": ["1"], "order.customer": ["C-1"]}
    made = apply(bring(columns), applyMode="browser")
    taken_by_the_host(client, made)
    apply(bring(columns, scope="acme"), applyMode="browser")

    address = f"{V1}/changesets/{made['changesetId']}/revert"
    answer = client.post(address, {}, format="json")

    assert (answer.status_code, answer.json()["code"]) == (409, "built_on")


def test_a_ref_that_the_tenant_knows_answers_a_question_of_a_scope(
    published, know, bring, client, issues
):
    published(orders(reference(match_on=("name",))))
    know("customer", a={"name": "Ada"}, b={"name": "Ada"}, c={"name": "Bob"})
    record = bring({"order.no": ["1"], "order.customer": ["Ada"]}, scope="acme")
    (question,) = client.get(f"{V1}/imports/{record['recordId']}/questions").json()["items"]

    answer = client.post(f"{V1}/questions/{question['id']}/answer", {"value": "c"}, format="json")

    assert answer.status_code == 202, answer.content
    carry_on(client, record["recordId"])
    assert issues(record) == []


def hints_of(client, record):
    body = {"view": {"filter": "all"}}
    page = client.post(f"{V1}/imports/{record['recordId']}/rows/query", body, format="json").json()
    return [issue["hint"] for row in page["rows"] for issue in row["issues"]]


def test_a_text_that_only_another_scope_knows_has_a_hint_for_the_hosts_server(
    published, know, bring, client
):
    published(orders(BOTH))
    know("customer", scope="other", o1={"number": "C-1", "name": "Ada"})

    texts = ["C-1", "Ada", "C-2"]
    record = bring({"order.no": list("123"), "order.customer": texts}, scope="acme")

    plain = "A record that already exists or is in the file."
    assert hints_of(client, record) == [ELSEWHERE, ELSEWHERE, plain]
    items = client.get(f"{V1}/imports/{record['recordId']}/references").json()["items"]
    assert {item["text"]: item["elsewhere"] for item in items} == {
        "C-1": True, "Ada": True, "C-2": False,
    }  # fmt: skip


def test_a_page_does_not_learn_what_another_scope_knows(published, know, owner, client, page_of):
    published(orders())
    know("customer", scope="other", o1={"number": "C-1"})
    page = page_of(scope="acme", catalogKey="t")

    rows = [{"order.no": "1", "order.customer": "C-1"}]
    made = page.post(f"{V1}/imports", {"rows": rows, "catalogKey": "t"}, format="json").json()
    carry_on(client, made["recordId"])
    mapping = {"mapping": {name: name for name in rows[0]}}
    page.put(f"{V1}/imports/{made['recordId']}/mapping", mapping, format="json")
    carry_on(client, made["recordId"])

    assert hints_of(page, made) == ["A record that already exists or is in the file."]
    (item,) = page.get(f"{V1}/imports/{made['recordId']}/references").json()["items"]
    assert item["elsewhere"] is False
    assert hints_of(client, made) == [ELSEWHERE]


def test_looking_into_other_scopes_makes_no_keys_of_many_entities(
    published, know, bring, client, monkeypatch
):
    monkeypatch.setattr("references.lookup.FEW", 1)
    published(orders())
    know("customer", scope="large", o1={"number": "C-1"}, o2={"number": "C-2"})
    know("customer", scope="small", o3={"number": "C-3"})

    texts = ["C-1", "C-3"]
    record = bring({"order.no": list("12"), "order.customer": texts}, scope="acme")

    assert [hint == ELSEWHERE for hint in hints_of(client, record)] == [False, True]


def _boss():
    return reference("person", ("id",), onMissing="create")
