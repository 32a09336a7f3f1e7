"""What people and hosts get wrong about references, and what becomes of it."""

import pytest

from changesets.follow_up import follow_due
from tabular.resolving.keys import created_ref
from tests.imports.conftest import carry_on
from tests.references.conftest import V1, bodies_of, entry, host_answers, known, orders, reference
from tests.references.test_applying import changeset_of, people, statuses, team
from tests.references.test_reverting import arrived, revert

__all__ = ["arrived"]  # fixture
pytestmark = pytest.mark.django_db
WHO = "order.customer"


def test_a_field_to_match_on_that_the_entry_lacks_finds_nothing(published, bring, issues):
    published(orders(reference(match_on=("numbr",))))

    table = {"order.no": ["1"], WHO: ["C-1"], "customer.number": ["C-1"]}
    assert issues(bring(table)) == [(0, WHO, "unknown_reference")]


def test_a_file_without_the_column_to_match_on_has_no_entity_to_mean(published, bring, issues):
    published(orders())

    record = bring({"order.no": ["1"], WHO: ["C-1"], "customer.name": ["Ada"]})

    assert issues(record) == [(0, WHO, "unknown_reference")]


def test_a_key_that_two_known_entities_have_is_asked_about_and_changes_neither(
    published, know, bring, issues, apply, client, webhook
):
    published(people())
    webhook("submit")
    both = {"a": {"id": "1", "name": "Ada"}, "b": {"id": "1", "name": "Bob"}}
    know("person", **both)
    record = bring(team(id=["1", "2"], name=["Eve", "Kim"], boss=[None, "1"]))
    assert issues(record) == [(1, "person.boss", "ambiguous_reference")]

    record = apply(record, invalidRows="include", openQuestions="dismiss")
    host_answers(200)
    follow_due()

    assert [status["status"] for status in statuses(client, record)] == ["unclear", "new"]
    now = known(client, "person")
    assert {ref: now[ref] for ref in both} == both


def test_a_person_who_refers_to_himself_or_in_a_circle_arrives(published, bring, apply, webhook):
    published(people())
    webhook("submit")

    record = apply(bring(team(id=["1", "2", "3"], name=[None] * 3, boss=["1", "3", "2"])))

    (body,) = bodies_of(record)
    first, second, third = (created_ref("person", number) for number in "123")
    assert [link["refs"] for link in body["links"]] == [[first], [third], [second]]
    assert [e["status"] for e in body["entities"]["person"]] == ["created"] * 3


def test_thousands_of_missing_keys_are_thousands_of_entities(published, bring, apply, webhook):
    published(orders(reference(onMissing="create")))
    webhook("submit", max_rows_per_delivery=700)
    keys = [f"C-{number}" for number in range(2_000)]

    record = apply(bring({"order.no": keys, WHO: keys}))

    bodies = bodies_of(record)
    made = [item for body in bodies for item in body["entities"]["customer"]]
    assert [len(body["links"]) for body in bodies] == [700, 700, 600]
    assert len({item["ref"] for item in made}) == len(made) == 2_000
    assert {item["key"]["number"] for item in made} == set(keys)


def test_a_host_that_never_answers_a_revert_keeps_its_data(client, webhook, arrived, settings):
    settings.WEBHOOK_WAITS_S = (0,)
    webhook("submit", "revert")
    record = arrived(id=["1"])
    before = known(client, "person")

    revert(client, record)
    for _ in range(2):
        host_answers(500, content=b"oops", action="revert")
    follow_due()

    changeset = changeset_of(client, record)
    assert changeset["state"] == "applied"
    assert [(note["code"], note["httpStatus"]) for note in changeset["revertNotes"]] == [
        ("exhausted", 500)
    ]
    assert known(client, "person") == before


@pytest.mark.parametrize(
    "content", [b"OK", b'{"results": 7}', b'{"results": [{"row": 99, "status": "x"}]}']
)
def test_unreadable_results_are_not_given_back(client, webhook, arrived, content):
    webhook("submit", "revert")
    record = arrived(content, id=["1"])

    revert(client, record)
    host_answers(200, content=content, action="revert")
    follow_due()

    (back,) = bodies_of(record, "revert")
    assert "results" not in back
    assert changeset_of(client, record)["state"] == "reverted"


def test_an_entity_of_another_tenant_is_unknown(published, bring, issues, client_of, mint_key):
    published(orders())
    stranger = client_of(mint_key("tnt_stranger"))
    items = [{"ref": "1", "values": {"number": "C-1"}}]
    put = stranger.put(f"{V1}/references/customer", {"items": items}, format="json")
    assert put.status_code == 200

    assert issues(bring({"order.no": ["1"], WHO: ["C-1"]})) == [(0, WHO, "unknown_reference")]


def test_another_tenant_neither_sees_nor_reverts_a_changeset(
    client, webhook, arrived, client_of, mint_key
):
    webhook("submit")
    record = arrived(id=["1"])
    stranger = client_of(mint_key("tnt_stranger"))
    address = f"{V1}/changesets/{record['changesetId']}"

    answers = [stranger.get(address), stranger.post(f"{address}/revert", {}, format="json")]

    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [
        (404, "unknown_changeset")
    ] * 2


def test_several_fields_to_match_on_mean_the_same_entity_in_the_delivery(
    published, know, bring, apply, webhook, client
):
    published(orders(reference(match_on=("number", "name"))))
    webhook("submit")
    know("customer", _1={"number": "C-1", "name": "Ada Ltd"}, _2={"number": "C-2", "name": "C-1"})

    table = {"order.no": ["1", "2", "3"], WHO: ["Ada Ltd", "C-1", "Bob & Co"],
             "customer.number": ["C-9", None, None],
             "customer.name": ["Bob & Co", None, None]}  # fmt: skip
    record = apply(bring(table))
    host_answers(200)
    follow_due()

    (body,) = bodies_of(record)
    bob = created_ref("customer", "C-9")
    assert [link["refs"] for link in body["links"]] == [["1"], ["1"], [bob]]
    assert [(e["ref"], e["key"]) for e in body["entities"]["customer"]] == [
        ("1", {"number": "C-1"}), (bob, {"number": "C-9"}),
    ]  # fmt: skip
    assert known(client)[bob] == {"number": "C-9", "name": "Bob & Co"}


def test_rows_resent_in_parts_keep_the_entities_of_their_links(
    published, know, bring, apply, webhook, client
):
    published(orders())
    webhook("submit")
    know("customer", _1={"number": "C-1"}, _2={"number": "C-2"})
    record = apply(bring({"order.no": ["1", "2", "3"], WHO: ["C-1", "C-2", "C-2"]}))
    host_answers(413)
    (sent,) = client.get(f"{V1}/deliveries?recordId={record['recordId']}").json()["items"]

    address = f"{V1}/deliveries/{sent['id']}/resend"
    answer = client.post(address, {"maxRowsPerDelivery": 2}, format="json")

    assert answer.status_code == 202, answer.content
    first, second = bodies_of(record)[1:]
    assert [(link["row"], link["refs"]) for link in first["links"]] == [(0, ["1"]), (1, ["2"])]
    assert [(link["row"], link["refs"]) for link in second["links"]] == [(0, ["2"])]
    assert [item["ref"] for item in second["entities"]["customer"]] == ["2"]
    assert second["batch"] == {"index": 2, "count": 2, "of": sent["id"]}


def test_a_value_of_the_document_is_in_the_rows_of_every_entry(published, client):
    season = {"key": "season", "label": "Season", "scope": "document"}
    published([entry("order", "no", season),
               entry("customer", "number", season)])  # fmt: skip
    text = "Season: 2026\n\nno,number\n1,C-1\n2,C-2\n"
    made = client.post(
        f"{V1}/imports", {"text": text, "catalogKey": "t", "autoMap": True}, format="json"
    ).json()
    record = carry_on(client, made["recordId"])
    assert record["state"] == "review", record

    query = {"view": {"filter": "all"}, "limit": 9}
    rows = client.post(f"{V1}/imports/{made['recordId']}/rows/query", query, format="json").json()

    assert [row["values"] for row in rows["rows"]] == [
        {"order.no": n, "order.season": "2026", "customer.number": f"C-{n}",
         "customer.season": "2026"}
        for n in "12"
    ]  # fmt: skip
