"""What a full sync gathers, and when it is refused or waits because that is not certain."""

import pytest

from changesets.full_sync import deleted as gathering
from changesets.models import Changeset
from deliveries.models import Delivery
from tests.imports.conftest import carry_on
from tests.references.conftest import V1, bodies_of, entry, reference
from tests.references.test_full_sync import FULL, NUMBER, deleted, members, rows

__all__ = ["members"]  # a fixture
pytestmark = pytest.mark.django_db
NO = {"key": "no", "validations": [{"validate": "unique"}]}
CHIEF = {"key": "chief", "reference": reference("member")}
ORDERS = [entry("order", NO, {"key": "qty", "columnType": "int"}, CHIEF)]


@pytest.fixture
def begin(client):
    """Return a function that asks for an apply which no worker has taken yet."""

    def begin(record, **wishes):
        address = f"{V1}/imports/{record['recordId']}/apply"
        answer = client.post(address, {**FULL, "invalidRows": "exclude", **wishes}, format="json")
        assert answer.status_code == 202, answer.content

    return begin


@pytest.fixture
def approve(client):
    """Return a function that approves a staged apply and runs it."""

    def approve(record):
        changeset = Changeset.objects.get(record__public_id=record["recordId"])
        answer = client.post(f"{V1}/changesets/{changeset.public_id}/apply")
        assert answer.status_code == 202, answer.content
        return carry_on(client, record["recordId"])

    return approve


@pytest.fixture
def read(client):
    """Return a function that brings a text to review."""

    def read(text):
        made = client.post(f"{V1}/imports", {"text": text, "catalogKey": "t"}, format="json").json()
        carry_on(client, made["recordId"])
        body = {"mapping": {"Number": "member.number", "Name": "member.name"}}
        address = f"{V1}/imports/{made['recordId']}/mapping"
        assert client.put(address, body, format="json").status_code == 202
        return carry_on(client, made["recordId"])

    return read


def with_orders(*orders):
    """Return the columns of a file with members 1 and 3, and some orders: number, qty, chief."""
    return {
        "member.number": ["M-1", "M-3", *[None] * len(orders)],
        "member.name": ["a", "b", *[None] * len(orders)],
        "order.no": [None, None, *[no for no, _, _ in orders]],
        "order.qty": [None, None, *[qty for _, qty, _ in orders]],
        "order.chief": [None, None, *[chief for _, _, chief in orders]],
    }


def meanwhile(monkeypatch, act, *, times):
    """Do something after each of the first plans that a full sync is gathered from."""
    left, plan_of = [None] * times, gathering.plan_of

    def interrupted(record):
        plan = plan_of(record)
        if left:
            left.pop()
            act(len(left))
        return plan

    monkeypatch.setattr(gathering, "plan_of", interrupted)


def test_what_becomes_known_while_it_is_gathered_is_not_deleted(
    members, bring, begin, webhook, client, know, monkeypatch
):
    members(20)
    webhook("submit", "delete")
    record = bring(rows(*(f"M-{n}" for n in range(1, 20)), "M-77"))
    begin(record)
    meanwhile(monkeypatch, lambda _: know("member", x77={"number": "M-77"}), times=1)

    assert carry_on(client, record["recordId"])["state"] == "applied"
    assert deleted(record) == [["r20"]]


def test_a_full_sync_waits_where_what_is_known_changes_all_the_time(
    members, bring, begin, approve, webhook, client, know, monkeypatch
):
    members(20)
    webhook("submit", "delete")
    record = bring(rows(*(f"M-{n}" for n in range(1, 20))))
    begin(record)
    meanwhile(
        monkeypatch, lambda n: know("member", r1={"number": "M-1", "name": f"N {n}"}), times=3
    )

    assert carry_on(client, record["recordId"])["state"] == "staged"
    assert approve(record)["state"] == "applied"
    assert deleted(record) == [["r20"]]


def test_what_rows_refer_to_that_are_not_chosen_is_not_deleted(
    members, bring, apply, webhook, know
):
    members(entries=ORDERS)
    know("order", o1={"no": "1", "chief": "M-2"})
    webhook("submit", "delete")
    columns = with_orders(("1", None, "M-2"))
    columns["member.number"][0] = "M-9"

    assert deleted(apply(bring(columns), **FULL, only="new")) == [["r1"]]


def test_rows_with_errors_that_refer_to_members_stop_a_full_sync(
    members, bring, apply, webhook, client
):
    members(entries=ORDERS)
    webhook("submit", "delete")
    record = bring(with_orders(("1", "zz", "M-2"), ("2", "zz", None)))

    refused = apply(record, status=409, **FULL)
    assert (refused["reason"], refused["rows"]) == ("rows", [2])
    assert refused["detail"].startswith("Rows with errors refer to")
    edits = {"revision": record["revision"], "exclude": [2]}
    address = f"{V1}/imports/{record['recordId']}/rows"
    assert client.patch(address, edits, format="json").status_code == 200
    assert deleted(apply(record, **FULL)) == []  # the excluded row protects it still


@pytest.mark.parametrize(("key", "stops"), [("m_2", True), ("M-1", False)])
def test_a_key_with_an_error_stops_a_full_sync_unless_it_can_be_read(
    members, published, bring, apply, webhook, key, stops
):
    members()
    rules = [{"validate": "unique"}, {"validate": "regex", "regex": "^M-[0-9]+$"}]
    number = {"key": "number", "validations": rules}
    published([{**entry("member", number, "name"), "fullSync": {}}])
    webhook("submit", "delete")
    record = bring(rows("M-1", "M-3", key))

    answer = apply(record, status=409 if stops else 202, **FULL)
    assert answer.get("rows") == ([2] if stops else None)


def test_an_excluded_row_with_an_unreadable_key_has_each_deletion_confirmed(
    members, published, bring, apply, webhook, client
):
    members(20)
    rules = [{"validate": "unique"}, {"validate": "regex", "regex": "^M-[0-9]+$"}]
    number = {"key": "number", "validations": rules}
    published([{**entry("member", number, "name"), "fullSync": {}}])
    webhook("submit", "delete")
    record = bring(rows(*[f"M-{n}" for n in range(1, 20)], "M20"))
    edits = {"revision": record["revision"], "exclude": [19]}
    address = f"{V1}/imports/{record['recordId']}/rows"
    assert client.patch(address, edits, format="json").status_code == 200

    refused = apply(record, status=409, **FULL)
    assert (refused["code"], refused["missing"]) == ("missing_not_confirmed", 1)
    assert deleted(apply(record, **FULL, confirmMissing=1)) == [["r20"]]


def test_what_has_no_key_is_neither_deleted_nor_counted(
    members, bring, apply, webhook, know, client
):
    members()
    know("member", x1={"name": "no key"}, x2={"number": " "})
    webhook("submit", "delete")
    record = bring(rows("M-1", "M-2"))
    plan = client.get(f"{V1}/imports/{record['recordId']}/plan?status=missing").json()

    assert plan["entities"] == [{"entity": "member", "known": 3, "missing": 1}]
    assert [item["refs"]["member"] for item in plan["items"]] == ["r3"]
    assert deleted(apply(record, **FULL)) == [["r3"]]
    other = apply(bring(rows("X-1")), status=409, **FULL)
    assert other["reason"] == "underWay"


def test_a_confirmation_is_about_what_was_known_then(
    members, bring, begin, approve, webhook, client, know
):
    members(10)
    webhook("submit", "delete")
    record = bring(rows(*(f"M-{n}" for n in range(1, 5))))
    begin(record, confirmMissing=6)
    client.delete(f"{V1}/references/member")  # six others take the place of those that were missing
    know("member", r1={"number": "M-1"}, **{f"z{n}": {"number": f"Z-{n}"} for n in range(6)})

    assert carry_on(client, record["recordId"])["state"] == "staged"
    assert approve(record)["state"] == "applied"
    assert len(deleted(record)[0]) == 6


def test_rows_above_the_table_have_each_deletion_confirmed(members, read, apply, webhook):
    members(20)
    webhook("submit", "delete")
    lines = "".join(f"M-{n},N {n}\n" for n in range(1, 20))
    record = read(f"Members of the club\n\nNumber,Name\n{lines}")

    refused = apply(record, status=409, **FULL)
    assert (refused["code"], refused["missing"]) == ("missing_not_confirmed", 1)
    assert deleted(apply(record, **FULL, confirmMissing=1)) == [["r20"]]
    everything = read(f"Members of the club\n\nNumber,Name\n{lines}M-20,N 20\n")
    assert apply(everything, status=409, **FULL)["reason"] == "underWay"


def test_a_table_without_rows_above_it_needs_no_confirmation(members, read, apply, webhook):
    members(20)
    webhook("submit", "delete")
    lines = "".join(f"M-{n},N {n}\n" for n in range(1, 20))

    assert deleted(apply(read(f"Number,Name\n{lines}"), **FULL)) == [["r20"]]


def test_a_newer_catalog_withdraws_a_full_sync(
    members, published, bring, apply, begin, approve, webhook, client
):
    members()
    webhook("submit", "delete")
    records = [bring(rows("M-1", "M-2")) for _ in range(3)]
    apply(records[0], **FULL, staged=True)
    begin(records[1])
    published([entry("member", NUMBER, "name")])

    assert apply(records[2], status=409, **FULL)["reason"] == "catalog"
    assert approve(records[0])["state"] == "staged"  # what was approved is not the same any more
    assert carry_on(client, records[1]["recordId"])["state"] == "staged"
    assert approve(records[0])["state"] == "applied"
    assert deleted(records[0]) == []


def test_a_newer_catalog_has_a_stricter_brake(members, published, bring, apply, webhook):
    members(50)
    webhook("submit", "delete")
    record = bring(rows(*(f"M-{n}" for n in range(1, 50))))
    published([{**entry("member", NUMBER, "name"), "fullSync": {"share": 0, "rows": 1}}])

    assert apply(record, status=409, **FULL)["missing"] == 1


def test_what_other_known_entities_refer_to_is_not_deleted(members, bring, apply, webhook, know):
    boss = {"key": "boss", "reference": reference("member")}
    members(entries=[*ORDERS, entry("team", NO, boss)])
    know("order", o1={"no": "1", "chief": "m-2"})
    know("team", t1={"no": "1", "boss": "r3"}, t2={"no": "2", "boss": "M-9"})
    know("member", r4={"number": "M-4"})
    webhook("submit", "delete")

    assert deleted(apply(bring(rows("M-1")), **FULL, confirmMissing=3)) == [["r4"]]


def test_what_a_kept_entity_refers_to_is_kept_and_what_is_deleted_keeps_nothing(
    published, bring, apply, webhook, know
):
    lead = {"key": "lead", "reference": reference("member")}
    published([{**entry("member", NUMBER, "name", lead), "fullSync": {}}, *ORDERS])
    know("member", **{
        f"r{n}": {"number": f"M-{n}", "lead": lead}
        for n, lead in enumerate([None, "M-3", "M-4", None, "M-6", "M-5"], start=1)
    })  # fmt: skip
    know("order", o1={"no": "1", "chief": "M-2"})
    webhook("submit", "delete")

    assert deleted(apply(bring(rows("M-1")), **FULL, confirmMissing=5)) == [["r5", "r6"]]


def test_deletions_that_no_host_takes_any_more_wait(
    members, bring, begin, approve, webhook, client
):
    members()
    webhook("submit")
    takes = webhook("delete", path="x")
    record = bring(rows("M-1", "M-2"))
    begin(record)
    client.delete(f"{V1}/webhooks/{takes.public_id}")

    assert carry_on(client, record["recordId"])["state"] == "staged"
    assert approve(record)["state"] == "staged"
    assert not Delivery.objects.exists()
    webhook("delete", path="y")
    assert approve(record)["state"] == "applied"
    assert (len(bodies_of(record)), deleted(record)) == (1, [["r3"]])
