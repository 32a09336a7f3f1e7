"""A host that checks rows in review: its findings become issues, its silence a warning."""

import json
from datetime import timedelta

import pytest

from common import clock
from deliveries.models import Delivery
from imports.host_checks.answers import follow_due
from imports.host_checks.model import HostCheck
from tests.imports.conftest import carry_on
from tests.references.conftest import (
    V1,
    apply,
    bodies_of,
    bring,
    entry,
    host_answers,
    issues,
    published,
    webhook,
)

__all__ = ["apply", "bring", "issues", "published", "webhook"]  # fixtures
pytestmark = pytest.mark.django_db
TABLE = {"order.no": ["1", "2", "3"], "order.city": ["Ulm", "Bonn", "Ulm"]}
NO, CITY = "order.no", "order.city"


@pytest.fixture
def checked(published, webhook, bring):
    """Bring a table to review that one host receives and another checks; return the record."""

    def checked(table=TABLE, **more):
        published([entry("order", "no", "city")])
        webhook("submit", path="submit")
        webhook("check", path="check", **more)
        return bring(table)

    return checked


def body_of(*findings):
    """Return an answer. Each finding: row, field, severity, message."""
    named = ("row", "field", "severity", "message")
    return json.dumps(
        {"results": [dict(zip(named, finding, strict=True)) for finding in findings]}
    ).encode()


def answers(*findings, status=200, content=None):
    content = body_of(*findings) if content is None else content
    host_answers(status, action="check", content=content)
    follow_due()


@pytest.fixture
def read(client):
    def read(record):
        return client.get(f"{V1}/imports/{record['recordId']}").json()

    return read


@pytest.fixture
def edit(client, read):
    def edit(record, row, field, text):
        body = {
            "revision": read(record)["revision"],
            "edits": [{"row": row, "field": field, "text": text}],
        }
        address = f"{V1}/imports/{record['recordId']}/rows"
        assert client.patch(address, body, format="json").status_code == 200

    return edit


def past_the_deadline():
    HostCheck.objects.update(deadline_at=clock.now() - timedelta(seconds=1))


def test_a_host_that_checks_gets_the_rows_in_review(checked):
    record = checked()

    (body,) = bodies_of(record, "check")

    assert (body["action"], body["recordId"], body["rowCount"]) == ("check", record["recordId"], 3)
    assert body["rows"][1] == {NO: "2", CITY: "Bonn"}
    assert record["deliveries"] == []
    assert record["hostCheck"] == {"state": "waiting", "batches": {"waiting": 1}, "note": ""}


def test_what_it_finds_are_issues_of_the_rows(checked, issues, read, client):
    record = checked()

    answers((1, CITY, "error", "No depot in Bonn."), (2, CITY, "warning", "Far away."))

    assert issues(record) == [(1, CITY, "host_check"), (2, CITY, "host_check")]
    now = read(record)
    assert {name: now["counts"][name] for name in ("valid", "warning", "error")} == {
        "valid": 1, "warning": 1, "error": 1,
    }  # fmt: skip
    assert now["hostCheck"]["state"] == "answered"
    (group, _) = client.get(f"{V1}/imports/{record['recordId']}/issues").json()["issues"]
    assert (group["code"], group["message"]) == (
        "host_check", "The receiving system says: No depot in Bonn.",
    )  # fmt: skip


def test_a_finding_may_be_about_a_whole_row(checked, issues):
    record = checked()

    answers((0, None, "error", "The order is closed."))

    assert issues(record) == [(0, "", "host_check")]


def test_rows_it_refuses_are_left_out_or_named_in_the_delivery(checked, apply, read):
    record = checked()
    answers((1, CITY, "error", "No depot in {value}."))

    blocked = apply(record, status=409, invalidRows="block")
    apply(record, invalidRows="include")

    assert blocked["code"] == "invalid_rows"
    (body,) = bodies_of(record)
    assert body["rows"][1][CITY] is None
    assert body["rowIssues"] == [
        {"row": 1, "field": CITY, "code": "host_check", "value": "Bonn",
         "message": "The receiving system says: No depot in {value}."}
    ]  # fmt: skip
    assert len(read(record)["deliveries"]) == 1


def test_its_findings_are_in_the_export(checked, client):
    record = checked()
    answers((1, CITY, "error", "No depot in Bonn."))

    address = f"{V1}/imports/{record['recordId']}/export?rows=error&format=csv"
    text = b"".join(client.get(address).streaming_content).decode("utf-8-sig")

    assert "No depot in Bonn." in text


def test_an_apply_waits_for_the_answer_until_the_deadline(checked, apply, read):
    record = checked()

    assert apply(record, status=409)["code"] == "still_checking"
    past_the_deadline()

    assert read(record)["hostCheck"]["state"] == "late"
    assert apply(record)["state"] == "applied"


def test_a_late_answer_still_arrives(checked, issues):
    record = checked()
    past_the_deadline()

    answers((0, CITY, "warning", "Far away."))

    assert issues(record) == [(0, CITY, "host_check")]


def test_an_answer_after_the_apply_changes_nothing(checked, apply, read):
    record = checked()
    past_the_deadline()
    apply(record)

    answers((0, CITY, "error", "Too late."))

    assert read(record)["counts"]["error"] == 0
    assert read(record)["hostCheck"]["state"] == "answered"


def test_an_edit_asks_again_for_its_row_alone(checked, issues, edit, apply):
    record = checked()
    answers((1, CITY, "error", "No depot in Bonn."), (2, CITY, "warning", "Far away."))

    edit(record, 1, CITY, "Köln")
    assert apply(record, status=409)["code"] == "still_checking"
    follow_due()

    assert [body["rows"] for body in bodies_of(record, "check")[1:]] == [[{NO: "2", CITY: "Köln"}]]
    answers((0, NO, "warning", "Köln is full."))
    assert issues(record) == [(1, NO, "host_check"), (2, CITY, "host_check")]
    assert apply(record)["state"] == "applied"


def test_an_undo_brings_the_findings_back_without_asking(checked, issues, edit, read, client):
    record = checked()
    answers((1, CITY, "error", "No depot in Bonn."))
    edit(record, 1, CITY, "Köln")
    follow_due()
    answers((0, CITY, "warning", "Köln is full."))
    checks = Delivery.objects.filter(action="check").count()

    address = f"{V1}/imports/{record['recordId']}"
    undone = client.post(f"{address}/undo", {"revision": read(record)["revision"]}, format="json")
    assert undone.status_code == 200, undone.content
    follow_due()

    assert issues(record) == [(1, CITY, "host_check")]
    assert Delivery.objects.filter(action="check").count() == checks
    redone = client.post(f"{address}/redo", {"revision": read(record)["revision"]}, format="json")
    follow_due()
    assert redone.status_code == 200, redone.content
    rows = client.post(
        f"{address}/rows/query", {"view": {"filter": "all"}, "limit": 9}, format="json"
    ).json()["rows"]
    assert [issue["message"] for issue in rows[1]["issues"]] == [
        "The receiving system says: Köln is full."
    ]


def test_a_new_mapping_keeps_what_was_found_about_the_same_rows(checked, issues, client):
    record = checked()
    answers((1, CITY, "error", "No depot in Bonn."))

    mapping = {"mapping": {NO: NO, CITY: CITY}, "recipe": {"version": 1, "steps": []}}
    again = client.put(f"{V1}/imports/{record['recordId']}/mapping", mapping, format="json")
    assert again.status_code == 202, again.content
    carry_on(client, record["recordId"])
    follow_due()

    assert issues(record) == [(1, CITY, "host_check")]
    assert len(bodies_of(record, "check")) == 1


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"OK", "not JSON"),
        (b"", "empty"),
        (b'{"status":"ok"}', "no list results"),
        (body_of((3, NO, "error", "x")), "row is not a number from 0 to 2"),
        (body_of((0, NO, "fatal", "x")), "severity"),
        (body_of((0, NO, "error", "  ")), "message"),
        (body_of((0, "order.nowhere", "error", "x")), "field is none"),
        (b'{"results":[{"row":true,"severity":"error","message":"x"}]}', "row is not a number"),
    ],
)
def test_garbage_is_refused_with_a_reason_and_stops_no_import(
    checked, issues, read, apply, client, content, why
):
    record = checked()

    answers(content=content)

    check = read(record)["hostCheck"]
    assert check["state"] == "refused"
    assert why in check["note"]
    assert issues(record) == []
    assert apply(record)["state"] == "applied"


@pytest.mark.parametrize("status", [404, 409, 413])
def test_a_host_that_refuses_is_a_warning(checked, read, apply, status):
    record = checked()

    answers(status=status, content=b"no")

    assert read(record)["hostCheck"]["state"] == "failed"
    assert apply(record)["state"] == "applied"


def test_a_host_that_fails_is_asked_twice_more_and_then_a_warning(checked, read, apply):
    record = checked()

    for _ in range(3):
        assert read(record)["hostCheck"]["state"] == "waiting"
        answers(status=500, content=b"oops")

    assert read(record)["hostCheck"]["state"] == "failed"
    assert apply(record)["state"] == "applied"


def test_many_rows_come_in_batches(checked, issues, monkeypatch):
    numbers = [str(number) for number in range(5)]
    record = checked({NO: numbers, CITY: ["Ulm"] * 5}, max_rows_per_delivery=2)

    bodies = bodies_of(record, "check")
    answers((0, NO, "error", "taken"))

    assert [body["batch"] for body in bodies] == [{"index": n, "count": 3} for n in (1, 2, 3)]
    assert issues(record) == [(0, NO, "host_check"), (2, NO, "host_check"), (4, NO, "host_check")]


def test_many_findings_are_written_as_files(checked, issues, monkeypatch, edit, read):
    from staging.exports import host_findings

    monkeypatch.setattr(host_findings, "MAX_OVERLAY", 1)
    record = checked()

    answers((0, None, "warning", "a"), (1, CITY, "error", "b"), (1, NO, "error", "c"))

    assert issues(record) == [(0, "", "host_check"), (1, CITY, "host_check"), (1, NO, "host_check")]
    assert read(record)["counts"]["error"] == 1
    edit(record, 2, CITY, "Bonn")
    assert len(issues(record)) == 3


def test_a_row_that_is_left_out_is_not_asked_about(checked, client, read, edit):
    record = checked()
    answers()
    body = {"revision": read(record)["revision"], "edits": [], "exclude": [0]}
    client.patch(f"{V1}/imports/{record['recordId']}/rows", body, format="json")

    follow_due()

    assert len(bodies_of(record, "check")) == 1


def test_a_check_alone_takes_no_deliveries(published, webhook, bring, apply):
    published([entry("order", "no")])
    webhook("check")
    record = bring({"order.no": ["1"]})
    answers()

    assert apply(record, status=409)["code"] == "no_webhook_registered"


def test_a_host_that_does_not_check_is_not_asked(published, webhook, bring):
    published([entry("order", "no")])
    webhook("submit", "revert")

    record = bring({"order.no": ["1"]})

    assert record["hostCheck"] is None
    assert bodies_of(record, "check") == []


def test_a_check_that_was_too_large_is_not_resent_in_parts(checked, client):
    record = checked()
    answers(status=413, content=b"")
    (sent,) = Delivery.objects.filter(action="check", record_id=record["recordId"])

    address = f"{V1}/deliveries/{sent.public_id}/resend"
    answer = client.post(address, {"maxRowsPerDelivery": 1}, format="json")

    assert (answer.status_code, answer.json()["code"]) == (409, "not_resent")
