"""The entities of an apply: before it is delivered, at the host, and in later imports."""

import pytest

from changesets.follow_up import follow_due
from references.models import KnownChange
from tabular.resolving.keys import created_ref
from tests.references.conftest import (
    EVERY_WAY,
    V1,
    bodies_of,
    entry,
    host_answers,
    known,
    orders,
    reference,
)

pytestmark = pytest.mark.django_db
WHO = "order.customer"
NEW = created_ref("customer", "C-3")
SOME = [{"label": item, "type": "string", "value": item} for item in ("C-1", "C-9")]


def people():
    return [
        entry("person", "id", "name", {"key": "boss", "reference": reference("person", ("id",))})
    ]


def team(**columns):
    return {f"person.{name}": list(values) for name, values in columns.items()}


def test_entities_and_links_of_a_delivery(published, know, bring, apply, webhook):
    published(orders(reference(onMissing="create", cardinality="many", separator=",")))
    know("customer", _1={"number": "C-1", "name": "Ada"}, _2={"number": "C-2"})
    webhook("submit")

    record = apply(bring({"order.no": ["1", "2", "3"], WHO: ["C-1", None, "C-3,C-1,C-1"]}))

    (body,) = bodies_of(record)
    assert body["links"] == [
        {"row": 0, "field": WHO, "entity": "customer", "refs": ["1"]},
        {"row": 2, "field": WHO, "entity": "customer", "refs": [NEW, "1"]},
    ]
    assert body["entities"] == {
        "customer": [
            {
                "ref": "1",
                "status": "matched",
                "key": {"number": "C-1"},
                "values": {"number": "C-1", "name": "Ada"},
            },
            {
                "ref": NEW,
                "status": "created",
                "key": {"number": "C-3"},
                "values": {"number": "C-3"},
            },
        ]
    }


def test_parts_hold_the_entities_of_their_rows_alone(published, know, bring, apply, webhook):
    published(orders())
    know("customer", _1={"number": "C-1"}, _2={"number": "C-2"})
    webhook("submit", max_rows_per_delivery=2)

    record = apply(bring({"order.no": ["1", "2", "3"], WHO: ["C-1", "C-2", "C-2"]}))

    first, second = bodies_of(record)
    assert [link["refs"] for link in first["links"]] == [["1"], ["2"]]
    assert [(link["row"], link["refs"]) for link in second["links"]] == [(0, ["2"])]
    assert [item["ref"] for item in second["entities"]["customer"]] == ["2"]


def test_a_catalog_without_references_delivers_neither(published, bring, apply, webhook):
    published([entry("order", "no")])
    webhook("submit")

    (body,) = bodies_of(apply(bring({"order.no": ["1"]})))

    assert not {"entities", "links", "emptyCells", "only"} & body.keys()


def test_what_is_left_out_is_null_in_the_delivery(published, know, bring, apply, webhook):
    published(orders(reference(onMissing="null")))
    know("customer", _1={"number": "C-1"})
    webhook("submit")

    (body,) = bodies_of(apply(bring({"order.no": ["1", "2"], WHO: ["C-9", "C-1"]})))

    assert [row[WHO] for row in body["rows"]] == [None, "C-1"]


@pytest.mark.parametrize(
    ("field", "separator", "cell", "value"),
    [
        ({}, None, "C-9; C-1 | C-2", "C-1 | C-2"),
        ({}, None, "C-1;C-9", "C-1"),
        ({}, "/", "C-8/C-9", None),
        ({"isMultiSelect": True, "dropdownOptions": SOME}, None, "C-9;C-1", ["C-1"]),
        ({"isMultiSelect": True, "dropdownOptions": SOME}, None, "C-9", None),
    ],
)
def test_of_several_references_only_the_unknown_are_left_out(
    published, know, bring, apply, webhook, field, separator, cell, value
):
    given = {} if separator is None else {"separator": separator}
    who = reference(onMissing="null", cardinality="many", **given)
    published(orders(who, **field))
    know("customer", _1={"number": "C-1"}, _2={"number": "C-2"})
    webhook("submit")

    (body,) = bodies_of(apply(bring({"order.no": ["1", "2"], WHO: [cell, "C-1"]})))

    assert [row[WHO] for row in body["rows"]] == [value, ["C-1"] if field else "C-1"]
    linked = {link["row"]: link["refs"] for link in body["links"]}
    assert [f"C-{ref}" for ref in linked.get(0, ())] == [
        item for item in ("C-1", "C-2") if item in str(value)
    ]


def test_rows_are_known_once_the_host_has_them(published, bring, apply, webhook, client):
    published(people())
    webhook("submit")
    apply(bring(team(id=["1", "2"], name=["Ada", "Bob"], boss=[None, "1"])))
    follow_due()
    assert known(client, "person") == {}

    host_answers(200)
    follow_due()

    assert list(known(client, "person").values()) == [
        {"id": "1", "name": "Ada"},
        {"id": "2", "name": "Bob", "boss": "1"},
    ]


def test_browser_results_teach_when_they_are_acknowledged(published, bring, apply, client):
    published(people())
    record = apply(bring(team(id=["1"], name=["Ada"], boss=["1"])), applyMode="browser")
    follow_due()
    assert known(client, "person") == {}

    acknowledged = client.post(f"{V1}/imports/{record['recordId']}/results/ack")
    follow_due()

    assert acknowledged.status_code == 200
    assert [item["name"] for item in known(client, "person").values()] == ["Ada"]


def test_what_was_taken_by_likeness_is_learned(published, know, bring, apply, client, issues):
    published(orders(reference(match_on=("name",), resolve=EVERY_WAY)))
    know("customer", _1={"name": "Müller Maschinenbau"})
    table = {"order.no": ["1"], WHO: ["Müler Maschinenbau"]}
    record = apply(bring(table), applyMode="browser")
    client.post(f"{V1}/imports/{record['recordId']}/results/ack")
    follow_due()

    assert issues(bring(table)) == []  # no longer a guess


def changeset_of(client, record):
    return client.get(f"{V1}/changesets/{record['changesetId']}").json()


def statuses(client, record, query=""):
    address = f"{V1}/changesets/{record['changesetId']}/rows{query}"
    return client.get(address).json()["items"]


def test_a_second_look_says_what_is_new_changed_and_as_it_was(
    published, know, bring, apply, client, webhook
):
    published(people())
    webhook("submit")
    know("person", a={"id": "1", "name": "Ada"}, b={"id": "2", "name": "Bob"})
    table = team(id=["1", "2", "3"], name=["Ada", "Rob", "Eve"], boss=[None, None, "1"])

    record = apply(bring(table), staged=True)

    assert record["state"] == "staged"
    assert bodies_of(record) == []
    changeset = changeset_of(client, record)
    assert (changeset["state"], changeset["emptyCells"]) == ("staged", "keep")
    assert {n: changeset["counts"][n] for n in ("new", "changed", "unchanged")} == {
        "new": 1, "changed": 1, "unchanged": 1,
    }  # fmt: skip
    changed = [{"field": "person.name", "before": "Bob", "after": "Rob"}]
    assert statuses(client, record) == [
        {"row": 0, "status": "unchanged", "differences": []},
        {"row": 1, "status": "changed", "differences": changed},
        {"row": 2, "status": "new", "differences": []},
    ]
    assert [status["row"] for status in statuses(client, record, "?status=changed")] == [1]


def test_a_staged_changeset_is_applied_once(published, bring, apply, client, webhook):
    from tests.imports.conftest import carry_on

    published([entry("order", "no")])
    webhook("submit")
    record = apply(bring({"order.no": ["1"]}), staged=True)
    address = f"{V1}/changesets/{record['changesetId']}/apply"

    first, second = client.post(address), client.post(address)

    assert (first.status_code, second.status_code, second.json()["code"]) == (
        202, 409, "not_staged",
    )  # fmt: skip
    assert carry_on(client, record["recordId"])["state"] == "applied"
    assert len(bodies_of(record)) == 1


def test_a_discarded_changeset_leaves_the_import_in_review(
    published, bring, apply, client, webhook
):
    published([entry("order", "no")])
    webhook("submit")
    record = apply(bring({"order.no": ["1"]}), staged=True)

    client.post(f"{V1}/changesets/{record['changesetId']}/discard")

    assert changeset_of(client, record)["state"] == "discarded"
    assert client.get(f"{V1}/imports/{record['recordId']}").json()["state"] == "review"
    assert apply(record)["state"] == "applied"


@pytest.mark.parametrize(
    ("only", "names"),
    [("new", ["Eve"]), ("changed", ["Rob"]), ("known", ["Ada", "Rob"])],
)
def test_an_apply_may_take_some_rows_alone(
    published, know, bring, apply, client, webhook, only, names
):
    published(people())
    webhook("submit")
    know("person", a={"id": "1", "name": "Ada"}, b={"id": "2", "name": "Bob"})
    table = team(id=["1", "2", "3"], name=["Ada", "Rob", "Eve"], boss=[None, None, None])

    record = apply(bring(table), only=only)

    (body,) = bodies_of(record)
    assert [row["person.name"] for row in body["rows"]] == names
    assert (body["only"], body["rowCount"]) == (only, len(names))
    counts = changeset_of(client, record)["counts"]
    assert counts["rows"] == counts["imported"] + counts["unselected"] == 3


def test_fields_that_differ_are_counted_those_of_most_rows_first(
    published, know, bring, apply, client, webhook
):
    published(people())
    webhook("submit")
    know("person", a={"id": "1", "name": "Ada"}, b={"id": "2", "name": "Bob", "boss": "1"})
    record = apply(
        bring(team(id=["1", "2", "3"], name=["Eve", "Ann", "New"], boss=[None, "2", None]))
    )

    assert changeset_of(client, record)["changedFields"] == [
        {"field": "person.name", "rows": 2},
        {"field": "person.boss", "rows": 1},
    ]


def test_an_apply_of_no_row_goes_back_to_review(published, bring, apply, client, webhook):
    published(people())
    webhook("submit")

    record = apply(bring(team(id=["1"], name=["Ada"], boss=[None])), only="changed")

    assert record["state"] == "review"
    assert changeset_of(client, record)["state"] == "discarded"


@pytest.mark.parametrize(("empty", "name"), [("keep", "Ada"), ("clear", None)])
def test_an_empty_cell_keeps_or_clears(published, know, bring, apply, client, webhook, empty, name):
    published(people())
    webhook("submit")
    know("person", a={"id": "1", "name": "Ada"})

    table = team(id=["1", "2"], name=[None, "Bob"], boss=[None, "1"])
    record = apply(bring(table), emptyCells=empty)
    host_answers(200)
    follow_due()

    (body,) = bodies_of(record)
    assert body["emptyCells"] == empty
    assert known(client, "person")["a"]["name"] == name
    status = statuses(client, record)[0]["status"]
    assert status == ("unchanged" if empty == "keep" else "changed")


def test_a_reference_to_a_row_that_would_be_left_out_stops_the_apply(published, bring, apply):
    person = entry(
        "person", "id", {"key": "age", "columnType": "int"},
        {"key": "boss", "reference": reference("person", ("id",))},
    )  # fmt: skip
    published([person])

    problem = apply(bring(team(id=["1", "2"], age=["x", "2"], boss=[None, "1"])), status=409)

    assert (problem["code"], problem["rows"]) == ("dangling_references", [1])


@pytest.mark.parametrize("invalid", ["exclude", "include"])
def test_a_reference_that_an_invalid_key_would_leave_null_stops_the_apply(
    published, bring, apply, invalid
):
    person = entry(
        "person", {"key": "id", "columnSize": 3}, "name",
        {"key": "boss", "reference": reference("person", ("id",), onMissing="null")},
    )  # fmt: skip
    published([person])

    table = team(id=["12345", "2"], name=["Ada", "Bob"], boss=[None, "12345"])
    problem = apply(bring(table), status=409, applyMode="browser", invalidRows=invalid)

    assert (problem["code"], problem["rows"]) == ("dangling_references", [1])


def test_a_reference_that_was_left_out_before_does_not_stop_the_apply(published, bring, apply):
    person = entry(
        "person", "id", {"key": "age", "columnType": "int"},
        {"key": "boss", "reference": reference("person", ("id",), onMissing="null")},
    )  # fmt: skip
    published([person])

    table = team(id=["1", "2"], age=["x", "2"], boss=[None, "nobody"])
    record = apply(bring(table), applyMode="browser", invalidRows="include")

    assert record["state"] == "applied"


def test_learning_twice_doubles_nothing(published, bring, apply, webhook, client):
    from changesets.known_entities import learn
    from changesets.models import Changeset
    from common import clock

    published(people())
    webhook("submit")
    apply(bring(team(id=["1"], name=["Ada"], boss=[None])))
    host_answers(200)
    changeset = Changeset.objects.get()

    learn(changeset=changeset, at=clock.now())
    learn(changeset=changeset, at=clock.now())

    assert KnownChange.objects.count() == 1
