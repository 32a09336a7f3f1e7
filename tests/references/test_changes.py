"""Deliveries to hosts that asked for changes: which row is which entity, and what it changes."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from changesets.follow_up import follow_due
from tabular.resolving.keys import created_ref
from tests.references.conftest import V1, bodies_of, entry, host_answers, known, orders, reference
from tests.references.test_plans import CITY, NAME, NUMBER, customers, plan
from tests.references.test_reverting import revert

__all__ = ["plan"]  # a fixture
pytestmark = pytest.mark.django_db
ASKS = {"include": ["changes"]}


def test_a_host_that_asked_learns_what_each_row_is_and_changes(
    published, know, bring, apply, webhook
):
    published(customers())
    know(
        "customer",
        _1={"number": "C-1", "name": "Ada", "city": "Berlin"},
        _2={"number": "C-2", "name": "Bo"},
    )
    webhook("submit", **ASKS)

    columns = {NUMBER: ["C-2", "C-3", "C-1"], NAME: ["Bo", "Cy", "Ada"], CITY: [None, None, "Bonn"]}
    (body,) = bodies_of(apply(bring(columns)))

    new = created_ref("customer", "C-3")
    refs = [(item["ref"], item["status"]) for item in body["entities"]["customer"]]
    assert sorted(refs) == sorted([("1", "changed"), ("2", "matched"), (new, "created")])
    assert body["rowEntities"] == [
        {"row": 0, "entity": "customer", "ref": "2"},
        {"row": 1, "entity": "customer", "ref": new},
        {"row": 2, "entity": "customer", "ref": "1"},
    ]
    assert body["changes"] == [{"row": 2, "field": CITY, "before": "Berlin", "after": "Bonn"}]
    assert "links" not in body


def test_others_see_no_difference(published, know, bring, apply, webhook):
    published(customers())
    know("customer", _1={"number": "C-1", "name": "Ada"})
    webhook("submit", path="a")
    webhook("submit", path="b", **ASKS)

    plain, with_changes = bodies_of(apply(bring({NUMBER: ["C-1"], NAME: ["Bo"]})))

    assert with_changes.keys() - plain.keys() == {"entities", "rowEntities", "changes"}
    assert {k: v for k, v in with_changes.items() if k in plain and k != "deliveryId"} == {
        k: v for k, v in plain.items() if k != "deliveryId"
    }


def test_what_such_a_host_got_is_known_although_nothing_was(
    published, bring, apply, webhook, client
):
    published(customers())
    webhook("submit", **ASKS)

    (body,) = bodies_of(apply(bring({NUMBER: ["C-1"], NAME: ["Ada"]})))
    host_answers()
    follow_due()

    assert [item["status"] for item in body["entities"]["customer"]] == ["created"]
    assert known(client) == {created_ref("customer", "C-1"): {"number": "C-1", "name": "Ada"}}


def test_each_part_names_its_own_rows(published, know, bring, apply, webhook):
    published(customers())
    know("customer", **{f"_{n}": {"number": f"C-{n}", "name": "Ada"} for n in range(3)})
    webhook("submit", max_rows_per_delivery=2, **ASKS)

    columns = {NUMBER: ["C-0", "C-1", "C-2"], NAME: ["Ada", "Bo", "Cy"]}
    first, second = bodies_of(apply(bring(columns)))

    assert [item["row"] for item in first["changes"]] == [1]
    assert second["changes"] == [{"row": 0, "field": NAME, "before": "Ada", "after": "Cy"}]
    assert second["rowEntities"] == [{"row": 0, "entity": "customer", "ref": "2"}]
    assert [item["ref"] for item in second["entities"]["customer"]] == ["2"]


def test_a_known_entity_keeps_its_ref_where_others_are_referred_to(
    published, know, bring, apply, webhook, client
):
    product = {"key": "sku", "validations": [{"validate": "unique"}]}
    published([*orders(reference()), entry("product", product, "title")])
    know("customer", _1={"number": "C-1"})
    know("product", p7={"sku": "A-1", "title": "Lamp"})
    webhook("submit")

    record = bring(
        {
            "order.no": ["1"],
            "order.customer": ["C-1"],
            "product.sku": ["A-1"],
            "product.title": ["Blue lamp"],
        }
    )
    apply(record)
    host_answers()
    follow_due()

    assert known(client, "product") == {"p7": {"sku": "A-1", "title": "Blue lamp"}}


ROWS = st.dictionaries(
    st.sampled_from(["C-1", "C-2", "C-3"]), st.sampled_from(["Ada", "Bo", None]), min_size=1
)
STEPS = st.lists(ROWS | st.just("revert"), min_size=2, max_size=4)


@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS, number=st.uuids())
def test_plan_delivery_and_receiver_agree_over_any_history(
    published, bring, apply, webhook, client, plan, steps, number
):
    scope = f"scope-{number}"
    if not client.get(f"{V1}/catalogs").json()["items"]:
        published(customers())
        webhook("submit", "revert", **ASKS)
    receiver, applied = {}, []
    for step in steps:
        if step == "revert":
            if applied:
                record, before = applied.pop()
                revert(client, record)
                host_answers(action="revert")
                follow_due()
                (body,) = bodies_of(record, "revert")
                taken_back(receiver, body)
                assert receiver == before
        else:
            before = {ref: dict(values) for ref, values in receiver.items()}
            record = bring({NUMBER: list(step), NAME: list(step.values())}, scope=scope)
            planned = plan(record)
            record = apply(record)
            (body,) = bodies_of(record)
            host_answers()
            follow_due()
            changes = [change for item in planned["items"] for change in item["changes"]]
            cells = [{name: item[name] for name in ("field", "before", "after")}
                     for item in body["changes"]] if "changes" in body else []  # fmt: skip
            assert cells == changes
            stored(receiver, body)
            applied.append((record, before))
        items = client.get(f"{V1}/references/customer?scope={scope}").json()["items"]
        assert {item["ref"]: item["values"] for item in items} == receiver


def stored(receiver, body):
    """Store a delivery as a host does: by ref, without a look-up."""
    status = {item["ref"]: item["status"] for item in body["entities"]["customer"]}
    assert {
        ref for ref, word in status.items() if word == "created"
    } == status.keys() - receiver.keys()
    refs = {item["row"]: item["ref"] for item in body["rowEntities"]}
    for row, ref in refs.items():
        delivered = {path.partition(".")[2]: value for path, value in body["rows"][row].items()}
        if ref not in receiver:
            receiver[ref] = {name: value for name, value in delivered.items() if value is not None}
    for change in body.get("changes", ()):
        values, field = receiver[refs[change["row"]]], change["field"].partition(".")[2]
        assert values.get(field) == change["before"]
        values[field] = change["after"]


def taken_back(receiver, body):
    """Take a delivery back as a host does, from what the revert repeats of it."""
    refs = {item["row"]: item["ref"] for item in body["rowEntities"]}
    for item in body["entities"]["customer"]:
        if item["status"] == "created":
            del receiver[item["ref"]]
    for change in body.get("changes", ()):
        values, field = receiver[refs[change["row"]]], change["field"].partition(".")[2]
        if change["before"] is None:
            del values[field]
        else:
            values[field] = change["before"]
