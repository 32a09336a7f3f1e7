"""Values that the host, the file, or both changed since an import was last delivered."""

import json
from datetime import timedelta

import pytest

from changesets.follow_up import follow_due
from changesets.models import Changeset
from common import clock
from imports.models import ImportRecord
from references.models import KnownEntity, KnownSet, LearnedText
from tests.imports.conftest import carry_on
from tests.references.conftest import V1, bodies_of, entry, host_answers, known
from tests.references.test_field_policies import BERLIN, CITY, FEE, NUMBER, customers, row
from tests.references.test_plans import plan

__all__ = ["plan"]  # a fixture
pytestmark = pytest.mark.django_db
CONFLICT = {"row": 0, "known": "Rom", "file": "Bonn", "delivered": "Berlin"}


@pytest.fixture
def deliver(bring, apply, webhook):
    """Return a function that imports a table and applies it at a host that asked for changes."""
    webhook("submit", "revert", include=["changes"])

    def run(columns, **wishes):
        record = apply(bring(columns), **wishes)
        host_answers(200)
        follow_due()
        return record, bodies_of(record)[0]

    return run


@pytest.fixture
def delivered_once(published, know, deliver):
    """Publish the catalog, and deliver one customer, who lives in Berlin."""
    published(customers())
    know("customer", _1=BERLIN)
    deliver(row("Berlin"))


@pytest.mark.parametrize(
    ("host", "file", "held", "outcome"),
    [
        ("Berlin", "Bonn", None, "Bonn"),  # the file alone
        ("Rom", "Berlin", "host", "Rom"),  # the host alone
        ("Rom", "Rom", None, "Rom"),  # both, alike
        (None, "Berlin", "host", None),  # the host alone, to nothing
        ("Rom", None, None, "Rom"),  # an empty cell changes nothing
    ],
)
def test_who_changed_a_value_last_decides(
    delivered_once, know, deliver, bring, plan, client, host, file, held, outcome
):
    know("customer", _1={**BERLIN, "city": host})
    planned = plan(bring(row(file)))

    _, body = deliver(row(file))

    assert planned["heldFields"] == ([{"field": CITY, "why": held, "rows": 1}] if held else [])
    assert planned["counts"]["changed"] == len(body.get("changes", [])) == int(outcome != host)
    assert known(client)["1"]["city"] == outcome
    assert body["rows"][0][CITY] == (None if file is None else outcome)


@pytest.mark.parametrize("file", ["Berlin", "Bonn"])
def test_a_field_that_a_snapshot_leaves_out_is_not_changed_by_the_host(
    delivered_once, know, deliver, bring, plan, client, file
):
    know("customer", _1={key: value for key, value in BERLIN.items() if key != "city"})
    planned = plan(bring(row(file)))

    _, body = deliver(row(file))

    assert planned["heldFields"] == []
    assert body["rows"][0][CITY] == known(client)["1"]["city"] == file


def test_a_field_that_both_changed_is_a_conflict_with_three_values(
    delivered_once, know, bring, apply, plan
):
    know("customer", _1={**BERLIN, "city": "Rom"})
    record = bring(row("Bonn"))

    problem, planned = apply(record, status=409), plan(record)

    assert problem["code"] == "undecided_fields"
    assert problem["fields"] == [{"field": CITY, "why": "conflict", "rows": 1, "cells": [CONFLICT]}]
    assert planned["heldFields"] == [{"field": CITY, "why": "conflict", "rows": 1}]


@pytest.mark.parametrize(("side", "city"), [("host", "Rom"), ("file", "Bonn")])
def test_one_decision_settles_every_conflict_of_a_field(
    delivered_once, know, deliver, client, side, city
):
    know("customer", _1={**BERLIN, "city": "Rom"})

    _, body = deliver(row("Bonn"), fields={CITY: {"conflicts": side}})

    assert body["rows"][0][CITY] == known(client)["1"]["city"] == city
    assert ("changes" in body) == (side == "file")


@pytest.mark.parametrize("side", ["host", "file"])
def test_a_decision_about_conflicts_leaves_what_the_host_alone_changed(
    delivered_once, know, deliver, side
):
    know("customer", _1={**BERLIN, "city": "Rom"}, _2={"number": "C-2", "city": "Ulm"})
    deliver({NUMBER: ["C-2"], CITY: ["Ulm"]})
    know("customer", _2={"number": "C-2", "city": "Genf"})

    columns = {NUMBER: ["C-1", "C-2"], CITY: ["Bonn", "Ulm"]}
    _, body = deliver(columns, fields={CITY: {"conflicts": side}})

    city = "Rom" if side == "host" else "Bonn"
    assert [line[CITY] for line in body["rows"]] == [city, "Genf"]


@pytest.mark.parametrize(
    ("own", "cities"),
    [
        ({"onKnown": "keep", "conflicts": "file"}, ["Bonn", "Ulm"]),
        ({"onKnown": "overwrite", "conflicts": "host"}, ["Rom", "Köln"]),
        ({"onKnown": "keep"}, ["Rom", "Ulm"]),
        ({"onKnown": "overwrite"}, None),  # the conflict is left open
        ({"conflicts": "file"}, None),  # the other cell is
    ],
)
def test_a_field_that_asks_and_has_conflicts_needs_both_answers(
    published, know, deliver, bring, apply, own, cities
):
    published(customers(city={"onKnown": "ask"}))
    know("customer", _1=BERLIN)
    deliver(row("Berlin"))
    know("customer", _1={**BERLIN, "city": "Rom"}, _2={"number": "C-2", "city": "Ulm"})
    columns = {NUMBER: ["C-1", "C-2"], CITY: ["Bonn", "Köln"]}

    if cities is None:
        assert apply(bring(columns), status=409, fields={CITY: own})["code"] == "undecided_fields"
    else:
        _, body = deliver(columns, fields={CITY: own})
        assert [line[CITY] for line in body["rows"]] == cities


@pytest.mark.parametrize(
    ("wishes", "cell"),
    [
        ({"emptyCells": "clear"}, None),
        ({"fields": {CITY: {"emptyCells": "clear"}}}, None),
        ({"only": "changed"}, "Bonn"),
        ({"only": "known"}, "Bonn"),
    ],
)
def test_an_apply_that_would_return_to_review_is_refused_at_once(
    delivered_once, know, bring, apply, wishes, cell
):
    know("customer", _1={**BERLIN, "city": "Rom"})

    problem = apply(bring(row(cell)), status=409, **wishes)

    shown = {**CONFLICT, "file": cell}
    assert problem["fields"] == [{"field": CITY, "why": "conflict", "rows": 1, "cells": [shown]}]


def test_rows_with_errors_are_asked_about_where_they_are_included(
    delivered_once, know, bring, apply
):
    know("customer", _1={**BERLIN, "city": "Rom"})
    record = bring(row("Bonn", fee="x"))

    assert apply(record, status=409, invalidRows="include")["fields"][0]["field"] == CITY


def test_nothing_is_asked_about_rows_that_are_left_out(delivered_once, know, bring, apply):
    know("customer", _1={**BERLIN, "city": "Rom"})
    record = bring({NUMBER: ["C-1", "C-2"], CITY: ["Bonn", "Ulm"]})

    assert apply(record, only="new")["counts"]["imported"] == 1


def test_a_catalog_that_keeps_a_field_has_no_conflicts_to_decide(published, know, deliver):
    published(customers(city={"onKnown": "keep"}))
    know("customer", _1=BERLIN)
    deliver(row("Berlin"))
    know("customer", _1={**BERLIN, "city": "Rom"})

    _, body = deliver(row("Bonn"), fields={CITY: {"conflicts": "file"}})

    assert body["rows"][0][CITY] == "Rom"


@pytest.mark.parametrize("spelled", ["12.50", "12.5 ", 12.5])
def test_a_host_that_spells_a_value_otherwise_did_not_change_it(
    delivered_once, know, deliver, bring, plan, client, spelled
):
    know("customer", _1={**BERLIN, "fee": spelled})

    planned = plan(bring(row("Berlin", fee="14")))

    assert planned["heldFields"] == []
    assert planned["items"][0]["changes"] == [{"field": FEE, "before": spelled, "after": 14}]
    record, _body = deliver(row("Berlin", fee="14"))
    know("customer", _1={**BERLIN, "fee": "14.00"})
    address = f"{V1}/changesets/{record['changesetId']}/revert"
    assert client.post(address, {}, format="json").status_code == 202


def test_a_decision_for_the_host_is_not_asked_for_again(delivered_once, know, deliver):
    know("customer", _1={**BERLIN, "city": "Rom"})
    deliver(row("Bonn"), fields={CITY: {"conflicts": "host"}})

    _, again = deliver(row("Bonn"))

    assert (again["rows"][0][CITY], again.get("changes")) == ("Rom", None)


def test_rows_are_decided_one_by_one_by_their_cells(delivered_once, know, deliver, bring, client):
    know("customer", _1={**BERLIN, "city": "Rom"}, _2={"number": "C-2", "city": "Ulm"})
    deliver({NUMBER: ["C-2"], CITY: ["Ulm"]})
    know("customer", _2={"number": "C-2", "city": "Genf"})
    record = bring({NUMBER: ["C-1", "C-2"], CITY: ["Bonn", "Köln"]})
    address = f"{V1}/imports/{record['recordId']}"
    edits = [{"row": 0, "field": CITY, "text": "Rom"}]
    body = {"revision": record["revision"], "edits": edits}
    assert client.patch(f"{address}/rows", body, format="json").status_code == 200

    wishes = {"fields": {CITY: {"conflicts": "file"}}}
    answer = client.post(f"{address}/apply", wishes, format="json")
    carry_on(client, record["recordId"])

    assert answer.status_code == 202
    assert [line[CITY] for line in bodies_of(record)[0]["rows"]] == ["Rom", "Köln"]


def test_values_of_the_host_that_changed_during_an_apply_are_not_overwritten(
    delivered_once, know, bring, client, webhook
):
    record = bring(row("Bonn"))
    address = f"{V1}/imports/{record['recordId']}"
    assert client.post(f"{address}/apply", {}, format="json").status_code == 202
    know("customer", _1={**BERLIN, "city": "Rom"})

    state = carry_on(client, record["recordId"])["state"]

    assert state == "review"
    assert Changeset.objects.latest("pk").state == "discarded"
    assert bodies_of(record) == []
    assert known(client)["1"]["city"] == "Rom"


def test_a_policy_decides_before_a_merge(published, know, deliver, client):
    published(customers(city={"onKnown": "keep"}))
    know("customer", _1=BERLIN)
    deliver(row("Berlin"))
    know("customer", _1={**BERLIN, "city": "Rom"})

    _, body = deliver(row("Bonn"))

    assert body["rows"][0][CITY] == "Rom"


def test_values_that_were_never_delivered_are_overwritten_as_before(published, know, deliver):
    published(customers())
    know("customer", _1=BERLIN)
    know("customer", _1={**BERLIN, "city": "Rom"})

    assert deliver(row("Bonn"))[1]["changes"][0]["before"] == "Rom"


def test_a_revert_restores_what_had_been_delivered_before(
    delivered_once, know, deliver, client, apply, bring
):
    know("customer", _1={**BERLIN, "city": "Rom"})
    record, _ = deliver(row("Bonn"), fields={CITY: {"conflicts": "file"}})
    client.post(f"{V1}/changesets/{record['changesetId']}/revert", {}, format="json")
    carry_on(client, record["recordId"])
    host_answers(200, action="revert")
    follow_due()

    problem = apply(bring(row("Bonn")), status=409)

    assert known(client)["1"]["city"] == "Rom"
    assert problem["fields"][0]["cells"] == [CONFLICT]


def test_another_scope_has_a_history_of_its_own(published, know, bring, apply, client):
    published(customers())
    for scope in ("acme", "other"):
        know("customer", scope=scope, _1=BERLIN)
    record = apply(bring(row("Berlin"), scope="acme"), applyMode="browser")
    client.post(f"{V1}/imports/{record['recordId']}/results/ack")
    follow_due()
    for scope in ("acme", "other"):
        know("customer", scope=scope, _1={**BERLIN, "city": "Rom"})

    apply(bring(row("Bonn"), scope="acme"), status=409)
    assert apply(bring(row("Bonn"), scope="other"), applyMode="browser")["state"] == "applied"


def test_confirmed_values_stop_no_revert_of_an_earlier_import(published, know, deliver, client):
    published(customers())
    first, _ = deliver(row("Berlin"))
    deliver(row("Berlin"))

    address = f"{V1}/changesets/{first['changesetId']}/revert"
    assert client.post(address, {}, format="json").status_code == 202


def put(client, as_of, city="Rom"):
    body = {"items": [{"ref": "1", "values": {**BERLIN, "city": city}}], "asOf": clock.iso(as_of)}
    return client.put(f"{V1}/references/customer", body, format="json")


def test_a_snapshot_older_than_the_last_delivery_is_refused(delivered_once, client):
    delivered_at = KnownSet.objects.get().delivered_at

    refused = put(client, delivered_at - timedelta(seconds=1))
    assert (refused.status_code, refused.json()["code"]) == (409, "snapshot_outdated")
    assert refused.json()["deliveredAt"]
    assert known(client)["1"]["city"] == "Berlin"
    assert put(client, clock.now() + timedelta(seconds=1)).status_code == 200
    assert known(client)["1"]["city"] == "Rom"


def test_an_import_without_anything_to_decide_is_not_planned_at_its_apply(
    published, know, bring, apply, webhook, monkeypatch
):
    from changesets.plans import deciding

    published(customers())
    webhook("submit")
    know("customer", _1=BERLIN)
    record = bring(row())
    monkeypatch.setattr(deciding, "plan_of", lambda record: pytest.fail("it was planned"))

    assert apply(record)["state"] == "applied"
    assert ImportRecord.objects.get().plans.count() == 0


def test_a_staged_apply_is_compared_again_when_it_is_approved(
    delivered_once, know, bring, apply, client
):
    record = apply(bring(row("Bonn")), staged=True)
    address = f"{V1}/changesets/{record['changesetId']}"
    know("customer", _1={**BERLIN, "name": "Eve"})

    def approve():
        assert client.post(f"{address}/apply", {}, format="json").status_code == 202
        return carry_on(client, record["recordId"])["state"]

    assert approve() == "staged"  # the name of the host stays: that is not what was approved
    assert bodies_of(record) == []
    (shown,) = client.get(f"{address}/rows").json()["items"]
    assert {item["field"]: item["before"] for item in shown["differences"]} == {CITY: "Berlin"}
    assert approve() == "applied"
    assert bodies_of(record)[0]["rows"][0]["customer.name"] == "Eve"


def test_a_staged_apply_with_a_new_conflict_returns_to_review(
    delivered_once, know, bring, apply, client
):
    record = apply(bring(row("Bonn")), staged=True)
    know("customer", _1={**BERLIN, "city": "Rom"})

    client.post(f"{V1}/changesets/{record['changesetId']}/apply", {}, format="json")

    assert carry_on(client, record["recordId"])["state"] == "review"
    assert bodies_of(record) == []


def test_a_staged_apply_is_delivered_if_nothing_that_it_says_changed(
    delivered_once, know, bring, apply, client
):
    record = apply(bring(row("Bonn")), staged=True)
    know("customer", _9={"number": "C-9"})

    client.post(f"{V1}/changesets/{record['changesetId']}/apply", {}, format="json")

    assert carry_on(client, record["recordId"])["state"] == "applied"


def test_rows_that_a_receiver_refused_are_not_known(published, know, bring, apply, webhook, client):
    published(customers())
    webhook("submit", include=["changes"])
    know("customer", _1=BERLIN)
    apply(bring({NUMBER: ["C-1", "C-2"], CITY: ["Bonn", "Ulm"]}))
    results = [{"row": 0, "status": "rejected"}, {"row": 1, "status": "created"}]

    host_answers(200, content=json.dumps({"results": results}).encode())
    follow_due()

    assert sorted(item["city"] for item in known(client).values()) == ["Berlin", "Ulm"]
    again = bodies_of(apply(bring({NUMBER: ["C-1"], CITY: ["Bonn"]})))[0]
    assert again["changes"] == [{"row": 0, "field": CITY, "before": "Berlin", "after": "Bonn"}]


def test_an_entity_of_a_refused_and_an_accepted_row_is_known(
    published, know, bring, apply, webhook, client
):
    keyed = [{"key": "no", "validations": [{"validate": "unique"}]}]
    published([entry("order", *keyed), *customers()])
    webhook("submit", include=["changes"])
    know("customer", _1=BERLIN)
    apply(bring({"order.no": ["1", "2"], NUMBER: ["C-1", "C-1"], CITY: ["Bonn", "Bonn"]}))
    results = [{"row": 0, "status": "rejected"}, {"row": 1, "status": "updated"}]

    host_answers(200, content=json.dumps({"results": results}).encode())
    follow_due()

    assert known(client)["1"]["city"] == "Bonn"


@pytest.mark.parametrize(("status", "taught"), [("rejected", 0), ("created", 1)])
def test_a_refused_row_teaches_no_text(published, know, bring, apply, webhook, status, taught):
    from tests.references.conftest import EVERY_WAY, orders, reference

    published(orders(reference(match_on=("name",), resolve=EVERY_WAY)))
    webhook("submit")
    know("customer", _1={"number": "C-1", "name": "Adalbert Meier"})
    apply(bring({"order.no": ["1"], "order.customer": ["Adalbert Meir"]}))
    results = [{"row": 0, "status": status}]

    host_answers(200, content=json.dumps({"results": results}).encode())
    follow_due()

    assert LearnedText.objects.count() == taught


@pytest.mark.parametrize(("side", "city"), [("host", None), ("file", "Bonn")])
def test_a_conflict_where_only_empty_values_are_filled_is_decided(
    published, know, deliver, bring, apply, side, city
):
    published(customers(city={"onKnown": "fillEmpty"}))
    know("customer", _1=BERLIN)
    deliver(row("Berlin"))
    know("customer", _1={**BERLIN, "city": None})

    assert apply(bring(row("Bonn")), status=409)["fields"][0]["why"] == "conflict"
    _, body = deliver(row("Bonn"), fields={CITY: {"conflicts": side}})

    assert body["rows"][0][CITY] == city


def test_a_changeset_that_cannot_be_followed_stops_no_other(
    published, know, bring, apply, webhook, client, monkeypatch
):
    from changesets import known_entities

    published(customers())
    webhook("submit")
    know("customer", _1=BERLIN)
    first, second = (apply(bring(row(city))) for city in ("Ulm", "Bonn"))
    real = known_entities.learn

    def learn(*, changeset, at):
        if changeset.public_id == first["changesetId"]:
            raise OverflowError("a value that no program expects")
        real(changeset=changeset, at=at)

    monkeypatch.setattr(known_entities, "learn", learn)
    host_answers(200)
    follow_due()

    assert second["changesetId"]
    assert known(client)["1"]["city"] == "Bonn"


def test_other_values_of_a_linked_entity_need_no_second_approval(
    published, know, bring, apply, webhook, client
):
    from tests.references.conftest import orders

    published(orders())
    webhook("submit")
    know("customer", _1={"number": "C-1", "stock": 1})
    record = apply(bring({"order.no": ["1"], "order.customer": ["C-1"]}), staged=True)
    know("customer", _1={"number": "C-1", "stock": 2})

    client.post(f"{V1}/changesets/{record['changesetId']}/apply", {}, format="json")

    assert carry_on(client, record["recordId"])["state"] == "applied"


def test_another_entity_of_a_row_needs_a_second_approval(
    delivered_once, know, bring, apply, client
):
    record = apply(bring(row("Bonn")), staged=True)
    client.delete(f"{V1}/references/customer", {"refs": ["1"]}, format="json")
    know("customer", _99=BERLIN)

    client.post(f"{V1}/changesets/{record['changesetId']}/apply", {}, format="json")

    assert carry_on(client, record["recordId"])["state"] == "staged"


def test_a_forced_revert_asks_the_database_once_for_all_its_entities(
    published, know, bring, apply, webhook, django_assert_max_num_queries
):
    from changesets.known_entities import restore

    published(customers())
    webhook("submit", "revert", include=["changes"])
    numbers = [f"C-{n}" for n in range(60)]
    record = apply(bring({NUMBER: numbers, CITY: ["Bonn"] * 60}))
    host_answers(200)
    follow_due()
    for entity in KnownEntity.objects.all():
        entity.values["city"] = "Rom"
        entity.save()
    changeset = Changeset.objects.get(public_id=record["changesetId"])

    with django_assert_max_num_queries(25):
        assert len(restore(changeset=changeset, at=clock.now())) == 60


def test_imports_are_learned_however_many_others_are_not_confirmed(
    published, know, bring, apply, webhook, client, monkeypatch
):
    from changesets import follow_up

    monkeypatch.setattr(follow_up, "MOST", 1)
    published(customers())
    webhook("submit")
    know("customer", _1=BERLIN)
    apply(bring(row("Ulm")), applyMode="browser")  # never acknowledged
    apply(bring(row("Bonn")))

    host_answers(200)
    follow_due()

    assert known(client)["1"]["city"] == "Bonn"


def test_the_plan_names_applies_that_are_still_on_their_way(
    published, know, bring, apply, webhook, plan
):
    published(customers())
    webhook("submit")
    know("customer", _1=BERLIN)
    know("customer", scope="other", _1=BERLIN)
    first = apply(bring(row("Ulm")))
    second, elsewhere = bring(row("Bonn")), bring(row("Bonn"), scope="other")

    assert plan(second)["underWay"] == [first["changesetId"]]
    assert plan(elsewhere)["underWay"] == []
    host_answers(200)
    follow_due()
    assert plan(second)["underWay"] == []


def test_a_forced_revert_forgets_what_had_been_delivered(
    delivered_once, know, deliver, client, bring, plan
):
    record, _ = deliver(row("Bonn"))
    know("customer", _1={**BERLIN, "city": "Rom"})  # by hand, after the import

    revert = f"{V1}/changesets/{record['changesetId']}/revert"
    assert client.post(revert, {}, format="json").status_code == 409
    client.post(revert, {"force": True}, format="json")
    carry_on(client, record["recordId"])
    host_answers(200, action="revert")
    follow_due()

    (entity,) = KnownEntity.objects.all()
    assert (entity.values["city"], entity.delivered["city"]) == ("Rom", "Berlin")
    assert plan(bring(row("Berlin")))["heldFields"] == [{"field": CITY, "why": "host", "rows": 1}]


def test_a_snapshot_from_before_a_revert_is_refused(delivered_once, deliver, client):
    record, _ = deliver(row("Bonn"))
    read_at = clock.now()
    client.post(f"{V1}/changesets/{record['changesetId']}/revert", {}, format="json")
    carry_on(client, record["recordId"])
    host_answers(200, action="revert")
    follow_due()

    assert put(client, read_at, city="Bonn").json()["code"] == "snapshot_outdated"
    assert known(client)["1"]["city"] == "Berlin"


def test_a_snapshot_is_stored_whole_or_not_at_all(published, client, monkeypatch):
    from references import services

    monkeypatch.setattr(services, "SLICE", 1)
    real, calls = services.write, []

    def write(known_set, items, **about):
        calls.append(items)
        if len(calls) == 2:
            raise RuntimeError("the database is gone")
        return real(known_set, items, **about)

    monkeypatch.setattr(services, "write", write)
    items = [{"ref": ref, "values": {"number": ref}} for ref in ("1", "2")]
    client.raise_request_exception = False
    answer = client.put(f"{V1}/references/customer", {"items": items}, format="json")

    assert answer.status_code == 500
    assert known(client) == {}


@pytest.mark.parametrize("sent", ["Rom", "Berlin", "Bonn"])
def test_what_the_host_changes_before_a_delivery_is_learned_stays(
    delivered_once, know, bring, apply, client, plan, sent
):
    apply(bring(row("Bonn")))
    host_answers(200)
    know("customer", _1={**BERLIN, "city": sent})  # confirmed, and not learned yet
    follow_due()

    (entity,) = KnownEntity.objects.all()
    assert entity.values["city"] == ("Rom" if sent == "Rom" else "Bonn")
    assert entity.delivered["city"] == "Bonn"
    waiting = [item["why"] for item in plan(bring(row("Ulm")))["heldFields"]]
    assert waiting == (["conflict"] if sent == "Rom" else [])


def test_two_imports_that_are_learned_late_leave_the_later_value(
    delivered_once, bring, apply, client
):
    for city in ("Ulm", "Bonn"):
        apply(bring(row(city)))
    host_answers(200)
    follow_due()

    assert known(client)["1"]["city"] == "Bonn"


def test_what_was_delivered_is_kept_by_entity(delivered_once):
    (entity,) = KnownEntity.objects.all()

    assert entity.delivered == {"number": "C-1", "name": "Ada", "city": "Berlin", "fee": 12.5}


@pytest.mark.parametrize(
    ("column_type", "text", "snapshot"),
    [("float", "89", 89.0), ("float", "89.5", 89.5), ("int", "89", 89.0), ("float", "1e3", 1000)],
)
def test_a_number_is_the_same_whatever_the_host_writes_behind_the_point(
    published, know, deliver, bring, plan, client, column_type, text, snapshot
):
    key = {"key": "number", "validations": [{"validate": "unique"}]}
    published([entry("customer", key, {"key": "fee", "columnType": column_type})])
    columns = {NUMBER: ["C-1"], "customer.fee": [text]}
    know("customer", _1={"number": "C-1"})
    deliver(columns)
    know("customer", _1={"number": "C-1", "fee": snapshot})  # the host repeats what it got

    planned = plan(bring(columns))

    assert (planned["counts"]["unchanged"], planned["heldFields"]) == (1, [])
    other = plan(bring({**columns, "customer.fee": ["95"]}))
    assert (other["counts"]["changed"], other["heldFields"]) == (1, [])
