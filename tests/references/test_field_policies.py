"""What the cells of a field may do to known values: in the plan, the delivery, and afterwards."""

import pytest

from changesets.follow_up import follow_due
from tests.references.conftest import V1, bodies_of, entry, host_answers, known, orders
from tests.references.test_plans import plan

__all__ = ["plan"]  # a fixture
pytestmark = pytest.mark.django_db
CITY, NAME, NUMBER, FEE = "customer.city", "customer.name", "customer.number", "customer.fee"
BERLIN = {"number": "C-1", "name": "Ada", "city": "Berlin", "fee": 12.5}


def customers(**policies):
    """Return an entry whose fields have some members more, by key."""
    keyed = {"key": "number", "validations": [{"validate": "unique"}]}
    others = [{"key": key, **policies.get(key, {})} for key in ("name", "city")]
    fee = {"key": "fee", "columnType": "float", **policies.get("fee", {})}
    return [entry("customer", keyed, *others, fee)]


def row(city="Bonn", name="Ada", fee="12.5"):
    return {NUMBER: ["C-1"], NAME: [name], CITY: [city], FEE: [fee]}


def counted(planned):
    return {name: planned["counts"][name] for name in ("changed", "unchanged")}


@pytest.fixture
def delivered(apply, webhook):
    """Return a function that applies an import at a host that asked for changes."""
    webhook("submit", include=["changes"])

    def deliver(record, **wishes):
        (body,) = bodies_of(apply(record, **wishes))
        host_answers(200)
        follow_due()
        return body

    return deliver


@pytest.mark.parametrize(
    ("policy", "before", "cell", "after"),
    [
        ("overwrite", "Berlin", "Bonn", "Bonn"),
        ("keep", "Berlin", "Bonn", "Berlin"),
        ("keep", None, "Bonn", None),
        ("fillEmpty", "Berlin", "Bonn", "Berlin"),
        ("fillEmpty", None, "Bonn", "Bonn"),
        ("keep", "Berlin", None, "Berlin"),
    ],
)
def test_plan_delivery_and_what_is_known_follow_the_policy(
    published, know, bring, plan, delivered, client, policy, before, cell, after
):
    published(customers(city={"onKnown": policy}))
    know("customer", _1={**BERLIN, "city": before})
    record = bring(row(cell))

    planned, body = plan(record), delivered(record)

    is_changed = before != after
    assert counted(planned) == {"changed": int(is_changed), "unchanged": int(not is_changed)}
    changed = [{"field": CITY, "before": before, "after": after}] if is_changed else []
    assert planned["items"][0]["changes"] == changed
    assert body.get("changes", []) == [{"row": 0, **change} for change in changed]
    assert body["rows"][0][CITY] == after
    assert known(client)["1"]["city"] == after


def test_a_kept_number_is_delivered_as_it_is_known(published, know, bring, delivered, client):
    published(customers(fee={"onKnown": "keep", "outputFormat": "0.00"}))
    know("customer", _1=BERLIN, _2={"number": "C-2", "fee": "on request"})
    columns = {NUMBER: ["C-1", "C-2", "C-3"], FEE: ["99", "98", "97"]}

    body = delivered(bring(columns))

    assert [line[FEE] for line in body["rows"]] == [12.5, "on request", "97.00"]
    fees = sorted(str(item["fee"]) for item in known(client).values())
    assert fees == ["12.5", "97.00", "on request"]


def test_a_kept_field_of_a_new_entity_has_the_value_of_the_file(published, bring, delivered):
    published(customers(city={"onKnown": "keep"}))

    assert delivered(bring(row()))["rows"][0][CITY] == "Bonn"


def test_held_cells_are_named_in_the_plan(published, know, bring, plan):
    published(customers(city={"onKnown": "keep"}, name={"onKnown": "ask"}))
    know("customer", _1=BERLIN)

    planned = plan(bring(row(name="Eve")))

    assert planned["heldFields"] == [
        {"field": CITY, "why": "kept", "rows": 1},
        {"field": NAME, "why": "ask", "rows": 1},
    ]
    assert planned["items"][0]["held"] == [
        {"field": NAME, "why": "ask", "known": "Ada", "file": "Eve", "delivered": None},
        {"field": CITY, "why": "kept", "known": "Berlin", "file": "Bonn", "delivered": None},
    ]


@pytest.mark.parametrize(("empty", "city"), [("clear", None), ("keep", "Berlin")])
def test_empty_cells_of_one_field(published, know, bring, plan, delivered, client, empty, city):
    published(customers(city={"emptyCells": empty}))
    know("customer", _1=BERLIN)
    opposite = {"clear": "keep", "keep": "clear"}[empty]
    record = bring(row(None, name=None), emptyCells=opposite)

    planned, body = plan(record), delivered(record)

    gone = [NAME] if empty == "keep" else [CITY]
    assert [change["field"] for change in planned["items"][0]["changes"]] == gone
    assert [change["field"] for change in body["changes"]] == gone
    assert body["rows"][0][CITY] == city
    assert known(client)["1"]["city"] == city
    assert (known(client)["1"]["name"] is None) == (empty == "keep")


def test_a_field_that_asks_stops_the_apply_until_a_person_decides(
    published, know, bring, apply, delivered, client
):
    published(customers(city={"onKnown": "ask"}))
    know("customer", _1=BERLIN)
    record = bring(row())

    problem = apply(record, status=409)

    assert problem["code"] == "undecided_fields"
    cell = {"row": 0, "known": "Berlin", "file": "Bonn", "delivered": None}
    assert problem["fields"] == [{"field": CITY, "why": "ask", "rows": 1, "cells": [cell]}]
    body = delivered(record, fields={CITY: {"onKnown": "keep"}})
    assert (body["rows"][0][CITY], body.get("changes")) == ("Berlin", None)
    assert known(client)["1"]["city"] == "Berlin"


def test_a_field_that_asks_stops_nothing_where_nothing_differs(published, know, bring, delivered):
    published(customers(city={"onKnown": "ask"}))
    know("customer", _1=BERLIN)

    assert delivered(bring(row("Berlin")))["rows"][0][CITY] == "Berlin"


def test_an_edit_settles_what_was_to_be_decided(published, know, bring, apply, client, delivered):
    published(customers(city={"onKnown": "ask"}))
    know("customer", _1=BERLIN)
    record = bring(row())
    assert apply(record, status=409)["code"] == "undecided_fields"
    edits = [{"row": 0, "field": CITY, "text": "Berlin"}]
    address, seen = f"{V1}/imports/{record['recordId']}", record["revision"]
    changed = client.patch(f"{address}/rows", {"revision": seen, "edits": edits}, format="json")

    assert changed.status_code == 200
    assert delivered(record)["rows"][0][CITY] == "Berlin"


def test_a_revert_restores_what_a_policy_let_through(
    published, know, bring, apply, webhook, client
):
    published(customers(city={"onKnown": "keep"}))
    webhook("submit", "revert")
    know("customer", _1=BERLIN)
    record = apply(bring(row(name="Eve")))
    host_answers(200)
    follow_due()
    assert known(client)["1"] == {**BERLIN, "name": "Eve"}

    reverted = client.post(f"{V1}/changesets/{record['changesetId']}/revert", {}, format="json")
    from tests.imports.conftest import carry_on

    carry_on(client, record["recordId"])
    host_answers(200, action="revert")
    follow_due()

    assert reverted.status_code == 202
    assert known(client)["1"] == BERLIN


@pytest.fixture
def page_of(client, client_of, know, published, bring):
    """Return a function that opens a page of a session, and an import of it."""

    def open_it(catalog, **terms):
        published(catalog)
        know("customer", scope="acme", _1=BERLIN)
        request = {"catalogKey": "t", "scope": "acme", "applyMode": "browser", **terms}
        session = client.post(f"{V1}/sessions", request, format="json")
        assert session.status_code == 201, session.content
        page = client_of(session.json()["token"])
        fields = {"fields": terms["fields"]} if "fields" in terms else {}
        return page, bring(row(), scope="acme", **fields)

    return open_it


@pytest.mark.parametrize(
    ("own", "wished", "status"),
    [
        ({"onKnown": "keep"}, {"onKnown": "overwrite"}, 403),
        ({"onKnown": "keep"}, {"onKnown": "fillEmpty"}, 403),
        ({"onKnown": "fillEmpty"}, {"onKnown": "keep"}, 202),
        ({}, {"onKnown": "keep"}, 202),
        ({"onKnown": "ask"}, {"onKnown": "overwrite"}, 202),
        ({}, {"emptyCells": "clear"}, 403),
        ({"emptyCells": "clear"}, {"emptyCells": "keep"}, 202),
    ],
)
def test_a_page_may_only_narrow_a_policy(page_of, own, wished, status):
    page, record = page_of(customers(city=own))
    address = f"{V1}/imports/{record['recordId']}/apply"

    answer = page.post(address, {"fields": {CITY: wished}, "applyMode": "browser"}, format="json")

    assert answer.status_code == status, answer.content


def test_a_right_to_clear_does_not_open_a_field_that_keeps(page_of):
    page, record = page_of(customers(city={"emptyCells": "keep"}), rights=["clearKnown"])
    fields = {CITY: {"emptyCells": "clear"}, NAME: {"emptyCells": "clear"}}
    address = f"{V1}/imports/{record['recordId']}/apply"

    answer = page.post(address, {"fields": fields, "applyMode": "browser"}, format="json")

    assert answer.status_code == 403
    assert [error["pointer"] for error in answer.json()["errors"]] == [f"/fields/{CITY}/emptyCells"]


@pytest.mark.parametrize(("rights", "seen"), [([], 0), (["seeChanges"], 1)])
def test_a_page_is_shown_known_values_of_a_decision_only_with_the_right(page_of, rights, seen):
    page, record = page_of(customers(city={"onKnown": "ask"}), rights=rights)
    address = f"{V1}/imports/{record['recordId']}/apply"

    problem = page.post(address, {"applyMode": "browser"}, format="json").json()

    ((field, rows, cells),) = [(f["field"], f["rows"], f["cells"]) for f in problem["fields"]]
    assert (field, rows, len(cells)) == (CITY, 1, seen)


def test_a_session_narrows_what_the_catalog_says(page_of, plan):
    _, record = page_of(customers(), fields={CITY: {"onKnown": "keep"}})

    assert plan(record)["heldFields"] == [{"field": CITY, "why": "kept", "rows": 1}]


def test_a_session_widens_no_policy_without_the_entitlement(published, client, owner):
    published(customers(city={"onKnown": "keep"}))
    from catalogs.overlays import Overlay, widenings
    from imports.customization import choose

    catalog = choose(owner, "t").version.as_catalog()
    wider = Overlay.model_validate({"fields": {CITY: {"onKnown": "overwrite"}}})
    same = Overlay.model_validate({"fields": {CITY: {"onKnown": "keep"}}})

    assert widenings(catalog, wider) == [f"/fields/{CITY}/onKnown"]
    assert widenings(catalog, same) == []


def test_an_apply_names_only_fields_that_the_catalog_has(published, bring, apply):
    published(customers())

    problem = apply(bring(row()), status=400, fields={"customer.nope": {"onKnown": "keep"}})

    assert problem["errors"][0]["pointer"] == "/fields/customer.nope"


def test_of_two_rows_with_a_key_that_must_be_unique_the_first_one_counts(
    published, know, bring, plan, delivered, client
):
    published(customers())
    know("customer", _1=BERLIN)
    record = bring({NUMBER: ["C-1", "C-1", "C-2"], CITY: ["Bonn", "Köln", "Rom"]})

    planned, body = plan(record), delivered(record)

    assert [(item["row"], item["status"]) for item in planned["items"]] == [
        (0, "changed"), (2, "new")
    ]  # fmt: skip
    assert [line[CITY] for line in body["rows"]] == ["Bonn", "Rom"]
    assert known(client)["1"]["city"] == "Bonn"


def test_of_two_rows_with_one_key_the_later_one_counts(
    published, know, bring, plan, delivered, client
):
    published([*orders(), entry("team", "id")])
    know("customer", _1={"number": "C-1", "name": "Ada"})
    record = bring({"order.no": ["1", "2"], NUMBER: ["C-1", "C-1"], NAME: ["Bo", "Cy"]})

    planned, body = plan(record), delivered(record)

    changes = [(0, NAME, "Ada", "Bo"), (1, NAME, "Ada", "Cy")]
    assert [
        (item["row"], *change.values()) for item in planned["items"] for change in item["changes"]
    ] == changes
    assert [tuple(change.values()) for change in body["changes"]] == changes
    (entity,) = body["entities"]["customer"]
    assert entity["values"]["name"] == known(client)["1"]["name"] == "Cy"


def test_a_changed_key_is_another_entity_and_the_former_one_is_missing(
    published, know, bring, plan, delivered, client
):
    published(customers())
    know("customer", _1=BERLIN)
    record = bring({**row(), NUMBER: ["C-9"]})

    planned, body = plan(record), delivered(record)

    assert (planned["counts"]["new"], planned["counts"]["missing"]) == (1, 1)
    assert body["entities"]["customer"][0]["status"] == "created"
    assert known(client)["1"] == BERLIN
