"""A full sync deletes what is known and missing from the file, with a brake."""

import pytest

from changesets.follow_up import follow_due
from changesets.models import Changeset
from tests.imports.conftest import carry_on
from tests.references.conftest import V1, bodies_of, entry, host_answers, known

pytestmark = pytest.mark.django_db
NUMBER = {"key": "number", "validations": [{"validate": "unique"}]}
FULL = {"mode": "full"}


@pytest.fixture
def members(published, client):
    """Return a function that publishes members, and makes some of them known by their numbers."""

    def members(count=3, entries=(), scope="", **rule):
        member = {**entry("member", NUMBER, "name"), "fullSync": rule}
        published([member, *entries])
        items = [{"ref": f"r{n}", "values": {"number": f"M-{n}"}} for n in range(1, count + 1)]
        address = f"{V1}/references/member?scope={scope}"
        assert client.put(address, {"items": items}, format="json").status_code == 200

    return members


def rows(*numbers):
    """Return the columns of a file with some members."""
    return {"member.number": list(numbers), "member.name": [f"N {n}" for n in numbers]}


def deleted(record):
    """Return the refs that receivers are asked to delete."""
    return [
        [item["ref"] for item in body["entities"]["member"]] for body in bodies_of(record, "delete")
    ]


def delivered(record):
    """Have the host accept what waits, and the engine follow."""
    for action in ("submit", "delete", "revert"):
        host_answers(200, action=action)
    follow_due()


def test_what_no_row_names_is_deleted_and_comes_back_by_a_revert(
    members, bring, apply, webhook, client
):
    members()
    webhook("submit", "revert", "delete")
    webhook("submit", path="old")  # it did not ask for deletions
    record = apply(bring(rows("M-1", "M-3", "M-9")), **FULL)

    (body,) = bodies_of(record, "delete")
    assert (body["rows"], body["rowCount"]) == ([], 0)
    missing = {"ref": "r2", "status": "deleted", "key": {"number": "M-2"}}
    assert body["entities"] == {"member": [{**missing, "values": {"number": "M-2"}}]}
    assert len(bodies_of(record)) == 2
    assert "r2" in known(client, "member")
    delivered(record)
    assert "r2" not in known(client, "member")

    changeset = f"{V1}/changesets/{record['changesetId']}"
    shown = client.get(changeset).json()
    assert shown["deletes"] == [{"entity": "member", "deleted": 1, "known": 3}]
    assert shown["counts"]["deleted"] == 1
    assert client.post(f"{changeset}/revert", {}, format="json").status_code == 202
    carry_on(client, record["recordId"])
    taken_back = bodies_of(record, "revert")
    assert [body.get("entities", {}) for body in taken_back][-1] == body["entities"]
    delivered(record)
    assert known(client, "member") == {f"r{n}": {"number": f"M-{n}"} for n in (1, 2, 3)}


def test_only_the_own_scope_is_deleted(members, bring, apply, webhook, know):
    members(scope="berlin")
    know("member", r8={"number": "M-8"})
    know("member", scope="rome", r7={"number": "M-7"})
    webhook("submit", "delete")

    assert deleted(apply(bring(rows("M-1", "M-2"), scope="berlin"), **FULL)) == [["r3"]]


def test_what_a_row_refers_to_and_another_entry_is_not_deleted(members, bring, apply, webhook):
    chief = {"key": "chief", "reference": {"entity": "member", "matchOn": ["number"],
             "cardinality": "one", "onMissing": "error"}}  # fmt: skip
    members(entries=[entry("order", "no", chief)])
    webhook("submit", "delete")
    columns = {**rows("M-1"), "order.no": ["1"], "order.chief": ["M-2"]}

    assert deleted(apply(bring(columns), **FULL)) == [["r3"]]


def test_a_large_share_is_deleted_once_a_person_confirmed_the_number(
    members, bring, apply, webhook
):
    members(50)
    webhook("submit", "delete", max_rows_per_delivery=45)
    record = bring(rows(*(f"M-{n}" for n in range(1, 45))))

    refused = apply(record, status=409, **FULL)
    assert refused["code"] == "missing_not_confirmed"
    assert refused["missing"] == 6
    assert refused["entities"] == [{"entity": "member", "missing": 6, "known": 50}]
    for other in (5, 7):
        assert apply(record, status=409, **FULL, confirmMissing=other)["missing"] == 6
    applied = apply(record, **FULL, confirmMissing=6)
    assert [len(refs) for refs in deleted(applied)] == [6]


@pytest.mark.parametrize(
    ("count", "named", "rule", "is_refused"),
    [
        (50, 45, {}, False),
        (5, 1, {}, False),  # four rows
        (2, 0, {}, True),  # another file: no row names a known one
        (5, 4, {"share": 0, "rows": 1}, True),
    ],
)
def test_the_catalog_says_how_many_need_a_confirmation(
    members, bring, apply, webhook, count, named, rule, is_refused
):
    members(count, **rule)
    webhook("submit", "delete")
    record = bring(rows("X-1", *(f"M-{n}" for n in range(1, named + 1))))

    answer = apply(record, status=409 if is_refused else 202, **FULL)
    assert answer.get("code") == ("missing_not_confirmed" if is_refused else None)


def test_a_full_sync_needs_a_catalog_and_a_receiver_that_allow_it(
    members, published, bring, apply, webhook
):
    members()
    webhook("submit")
    record = bring(rows("M-1"))
    reasons = [apply(record, status=409, **FULL, **more)["reason"]
               for more in ({}, {"applyMode": "browser"})]  # fmt: skip
    published([entry("member", NUMBER, "name")])
    reasons.append(apply(bring(rows("M-1")), status=409, **FULL)["reason"])

    assert reasons == ["webhook", "browser", "catalog"]


def test_rows_of_which_it_is_unknown_what_they_name_stop_a_full_sync(
    members, bring, apply, webhook, client
):
    members()
    webhook("submit", "delete")
    record = bring({"member.number": ["M-1", None, "M-2"], "member.name": ["a", "b", "c"]})

    refused = apply(record, status=409, **FULL)
    assert (refused["code"], refused["reason"]) == ("full_sync_refused", "rows")
    assert refused["rows"] == [1]
    edits = {"revision": record["revision"], "exclude": [1]}
    address = f"{V1}/imports/{record['recordId']}/rows"
    assert client.patch(address, edits, format="json").status_code == 200
    assert deleted(apply(record, **FULL)) == [["r3"]]


def test_rows_that_were_skipped_stop_a_full_sync(members, bring, apply, webhook, client):
    members()
    webhook("submit", "delete")
    columns = rows("M-1", "M-2", "M-3")
    record = bring(columns)
    drop = {"do": "drop_rows", "columns": ["member.number"], "where": "matches", "value": "^M-3$"}
    body = {"mapping": {name: name for name in columns}}
    body["recipe"] = {"version": 1, "steps": [drop]}
    address = f"{V1}/imports/{record['recordId']}/mapping"
    assert client.put(address, body, format="json").status_code == 202
    carry_on(client, record["recordId"])

    refused = apply(record, status=409, **FULL)
    assert (refused["code"], refused["reason"]) == ("full_sync_refused", "skipped")


def test_two_applies_of_the_same_records_wait_for_each_other(
    members, bring, apply, webhook, client
):
    members()
    webhook("submit", "delete")
    records = [bring(rows("M-1", "M-2")) for _ in range(3)]
    first = apply(records[0])

    refused = apply(records[1], status=409, **FULL)
    assert (refused["reason"], refused["changesets"]) == ("underWay", [first["changesetId"]])
    delivered(first)
    second = apply(records[1], **FULL)
    refused = apply(records[2], status=409)
    assert refused["code"] == "full_sync_under_way"
    assert refused["changesets"] == [second["changesetId"]]
    staged = apply(records[2], staged=True)
    client.post(f"{V1}/changesets/{staged['changesetId']}/apply")
    assert carry_on(client, records[2]["recordId"])["state"] == "staged"  # not yet
    delivered(second)
    client.post(f"{V1}/changesets/{staged['changesetId']}/apply")
    assert carry_on(client, records[2]["recordId"])["state"] == "applied"


def test_more_missing_than_were_confirmed_wait_for_a_person(members, bring, webhook, client, know):
    members(2)
    webhook("submit", "delete")
    record = bring(rows("M-1"))
    address = f"{V1}/imports/{record['recordId']}"
    answer = client.post(f"{address}/apply", FULL, format="json")
    assert answer.status_code == 202, answer.content
    know("member", **{f"n{n}": {"number": f"N-{n}"} for n in range(6)})
    waiting = carry_on(client, record["recordId"])
    assert waiting["state"] == "staged"
    changeset = f"{V1}/changesets/{waiting['changesetId']}"
    assert client.get(changeset).json()["deletes"][0]["deleted"] == 7
    client.post(f"{changeset}/apply")
    assert carry_on(client, record["recordId"])["state"] == "applied"
    assert len(deleted(record)[0]) == 7


def test_an_apply_that_only_deletes_is_applied(members, bring, apply, webhook):
    members()
    webhook("submit", "delete")
    record = apply(bring(rows("M-1", "M-2")), **FULL, only="new")

    assert (record["state"], bodies_of(record), deleted(record)) == ("applied", [], [["r3"]])


def test_deletions_count_for_a_second_person(members, published, bring, apply, webhook):
    members()
    member = {**entry("member", NUMBER, "name"), "fullSync": {}}
    published([member], secondPerson={"above": 2})
    webhook("submit", "delete")

    assert apply(bring(rows("M-1", "M-2")))["state"] == "applied"
    host_answers(200)
    follow_due()
    assert apply(bring(rows("M-1", "M-2")), **FULL)["state"] == "staged"


def test_a_deletion_is_not_taken_back_where_the_key_was_used_again(
    members, bring, apply, webhook, client, know
):
    members()
    webhook("submit", "delete", "revert")
    record = apply(bring(rows("M-1", "M-2")), **FULL)
    delivered(record)
    know("member", again={"number": "M-3"})
    address = f"{V1}/changesets/{record['changesetId']}/revert"

    refused = client.post(address, {}, format="json")
    assert (refused.status_code, refused.json()["refs"]) == (409, ["r3"])
    forced = client.post(address, {"force": True}, format="json")
    assert forced.status_code == 202, forced.content
    carry_on(client, record["recordId"])
    delivered(record)
    assert known(client, "member")["again"] == {"number": "M-3"}
    assert "r3" not in known(client, "member")
    assert Changeset.objects.get().revert_notes == [{"code": "changed_since", "ref": "r3"}]


def test_what_the_host_said_since_stays_known(members, bring, apply, webhook, client, know):
    members()
    webhook("submit", "delete")
    record = apply(bring(rows("M-1", "M-2")), **FULL)
    know("member", r3={"number": "M-3", "name": "still here"})
    delivered(record)

    assert known(client, "member")["r3"]["name"] == "still here"


def test_a_page_deletes_only_with_the_right(members, bring, webhook, client, client_of):
    members(scope="berlin")
    webhook("submit", "delete")
    for rights, status in (([], 403), (["deleteKnown"], 202)):
        record = bring(rows("M-1", "M-2"), scope="berlin")
        wanted = {"scope": "berlin", "catalogKey": "t", "rights": rights}
        opened = client.post(f"{V1}/sessions", wanted, format="json").json()
        page = client_of(opened["token"])
        address = f"{V1}/imports/{record['recordId']}/apply"

        assert page.post(address, FULL, format="json").status_code == status
