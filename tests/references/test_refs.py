"""A ref once given belongs to one entity, whatever becomes of its key."""

import pytest

from changesets.follow_up import follow_due
from tabular.resolving.keys import created_ref
from tests.references.conftest import V1, bodies_of, entry, known, orders, reference

pytestmark = pytest.mark.django_db
WHO = "order.customer"
GIVEN = created_ref("customer", "C-1")


@pytest.fixture
def taught(bring, apply, client):
    """Return a function that applies a table in browser mode and learns; returns the import."""

    def taught(columns):
        record = apply(bring(columns), applyMode="browser")
        client.post(f"{V1}/imports/{record['recordId']}/results/ack")
        follow_due()
        return record

    return taught


@pytest.fixture
def graph(client):
    """Return the links and entities of an applied import, as a delivery has them."""

    def graph(record):
        from changesets.models import Changeset
        from changesets.selectors import references_of

        made = Changeset.objects.get(public_id=record["changesetId"])
        return references_of(made, offset=0, limit=100, sees_known=True)

    return graph


def creating():
    return [*orders(reference(onMissing="create"))]


def test_an_old_key_never_overwrites_who_has_another_key_now(published, know, taught, client):
    published(creating())
    taught({"order.no": ["1"], WHO: ["C-1"]})
    know("customer", **{GIVEN: {"number": "C-100", "name": "Ada"}})

    taught({"order.no": ["2"], WHO: ["C-1"]})

    now = known(client)
    assert now.pop(GIVEN) == {"number": "C-100", "name": "Ada"}
    assert list(now.values()) == [{"number": "C-1"}]


def test_rows_of_an_old_key_are_a_new_entity(published, know, taught, graph, client):
    published(orders())
    taught({"customer.number": ["C-1"], "customer.name": ["Ada"]})
    know("customer", **{GIVEN: {"number": "C-100", "name": "Ada"}})

    record = taught({"order.no": ["1"], WHO: ["C-1"], "customer.number": ["C-1"],
                     "customer.name": ["Eve"]})  # fmt: skip

    (ref,) = known(client).keys() - {GIVEN}
    assert known(client) == {
        GIVEN: {"number": "C-100", "name": "Ada"},
        ref: {"number": "C-1", "name": "Eve"},
    }
    assert graph(record)["links"][0]["refs"] == [ref]
    (made,) = graph(record)["entities"]["customer"]
    assert (made["ref"], made["status"]) == (ref, "created")


def test_a_new_entity_under_an_old_key_keeps_its_own_ref(published, know, taught, graph, client):
    published(creating())
    first = {"order.no": ["1"], WHO: ["C-1"]}
    taught(first)
    know("customer", **{GIVEN: {"number": "C-100"}})
    second, third = graph(taught(first)), graph(taught(first))

    assert second["links"] == third["links"]
    assert third["entities"]["customer"][0]["status"] == "matched"
    assert len(known(client)) == 2


def test_a_key_may_change_again_and_again(published, know, taught, client):
    published(creating())
    for number in range(3):
        taught({"order.no": ["1"], WHO: ["C-1"]})
        (last,) = (ref for ref, values in known(client).items() if values["number"] == "C-1")
        know("customer", **{last: {"number": f"was {number}"}})

    assert sorted(item["number"] for item in known(client).values()) == ["was 0", "was 1", "was 2"]


def test_an_edited_cell_with_an_old_key_means_no_known_entity(
    published, know, bring, taught, graph, apply, client
):
    published(creating())
    taught({"order.no": ["1"], WHO: ["C-1"]})
    know("customer", **{GIVEN: {"number": "C-100"}})
    record = bring({"order.no": ["2"], WHO: ["C-100"]})
    address = f"{V1}/imports/{record['recordId']}/rows"
    edit = {"revision": 1, "edits": [{"row": 0, "field": WHO, "text": "C-1"}]}
    assert client.patch(address, edit, format="json").status_code == 200

    (link,) = graph(apply(record, applyMode="browser"))["links"]

    assert link["refs"] != [GIVEN]


def test_none_of_them_makes_a_new_entity(published, know, bring, apply, client, webhook):
    from tests.imports.conftest import carry_on

    published(creating())
    webhook("submit")
    know("customer", _17={"number": "C-1"}, **{GIVEN: {"number": "C-1", "name": "Ada"}})
    record = bring({"order.no": ["1"], WHO: ["C-1"]})
    (question,) = client.get(f"{V1}/imports/{record['recordId']}/questions").json()["items"]
    answer = client.post(f"{V1}/questions/{question['id']}/answer", {"value": None}, format="json")
    assert answer.status_code in {200, 202}, answer.content
    carry_on(client, record["recordId"])

    (body,) = bodies_of(apply(record))

    (made,) = body["entities"]["customer"]
    assert made["status"] == "created"
    assert made["ref"] not in {"17", GIVEN}


def test_a_key_that_changes_after_the_apply_is_not_changed_back(
    published, know, bring, apply, client
):
    published(
        [entry("person", "id", "name", {"key": "boss", "reference": reference("person", ("id",))})]
    )
    know("person", a={"id": "1", "name": "Ada"})
    table = {"person.id": ["1"], "person.name": ["Eve"], "person.boss": ["1"]}
    record = apply(bring(table), applyMode="browser")
    know("person", a={"id": "2", "name": "Ada"})

    client.post(f"{V1}/imports/{record['recordId']}/results/ack")
    follow_due()

    assert known(client, "person") == {"a": {"id": "2", "name": "Ada"}}
