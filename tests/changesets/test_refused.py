"""Rows that a receiver refused leave as a file with what it said, and come back corrected."""

import csv
import json
from io import BytesIO, StringIO

import pytest
from openpyxl import load_workbook

from common import clock
from common.actors import ENGINE
from deliveries import services as deliveries
from deliveries.models import Delivery
from imports.services import exporting
from tests.imports.conftest import carry_on, client, owner
from tests.references.conftest import V1, apply, bring, entry, host_answers, published, webhook

__all__ = ["apply", "bring", "client", "owner", "published", "webhook"]  # fixtures

pytestmark = pytest.mark.django_db
NAMES = ["Ada", "=Bob", "Cyd", "Dee", "Eve"]


@pytest.fixture
def imported(published, bring, apply, webhook):
    """Import five rows to a receiver that has not answered yet."""

    def imported(**about):
        published([entry("person", "name")])
        webhook("submit", **about)
        return apply(bring({"person.name": NAMES}))

    return imported


def says(rows, status="refused", message="Locked") -> bytes:
    said = [{"row": row, "status": status, "message": message} for row in rows]
    return json.dumps({"results": said}).encode()


def export(client, record, file_format="csv"):
    address = f"{V1}/imports/{record['recordId']}/export?rows=refused&format={file_format}"
    return client.get(address)


def lines(client, record) -> list[tuple[str, str]]:
    """Give the name and the reasons of each line."""
    text = b"".join(export(client, record).streaming_content).decode("utf-8-sig")
    return [tuple(line[:2]) for line in csv.reader(StringIO(text, newline=""))][1:]


def test_the_refused_rows_leave_with_what_the_receiver_said(client, imported):
    record = imported(label="Webshop")
    host_answers(200, content=says([1, 3]))

    assert lines(client, record) == [("'=Bob", "Webshop: Locked"), ("Dee", "Webshop: Locked")]


def test_no_message_can_become_a_formula(client, imported):
    record = imported()
    host_answers(200, content=says([0], message="=HYPERLINK(1)"))

    assert lines(client, record) == [("Ada", "'=HYPERLINK(1)")]
    book = b"".join(export(client, record, "xlsx").streaming_content)
    cell = load_workbook(BytesIO(book)).worksheets[0]["B2"]
    assert (cell.data_type, cell.value) == ("s", "'=HYPERLINK(1)")


@pytest.mark.parametrize("status", ["rejected", "Failed", "error", "invalid"])
def test_other_words_for_refused_count_and_a_blank_message_says_the_word(client, imported, status):
    record = imported()
    host_answers(200, content=says([2], status, ""))

    assert lines(client, record) == [("Cyd", status)]


def test_rows_are_found_in_every_delivery_and_its_parts(client, imported):
    record = imported(max_rows_per_delivery=3)
    whole, rest = Delivery.objects.order_by("pk")
    for state in ("sending", "rejected"):
        whole.move_to(
            state, at=clock.now(), due_at=None if state == "rejected" else whole.due_at,
            claimed_until=clock.now() if state == "sending" else None,
            settled_at=clock.now() if state == "rejected" else None,
        )  # fmt: skip
    parts = deliveries.resend_in_parts(delivery=whole, max_rows=2, actor=ENGINE, at=clock.now())
    assert [part.row_count for part in parts] == [2, 1]

    host_answers(200, content=says([0]))

    assert rest.row_count == 2
    assert [name for name, _ in lines(client, record)] == ["Ada", "Cyd", "Dee"]


def test_what_two_receivers_said_stands_together(client, imported, webhook):
    webhook("submit", path="other", label="News")
    record = imported(label="Webshop")
    host_answers(200, content=says([4]))

    ((name, reasons),) = lines(client, record)
    assert (name, set(reasons.split("; "))) == ("Eve", {"Webshop: Locked", "News: Locked"})


def test_before_the_apply_there_is_nothing_refused(client, published, bring):
    published([entry("person", "name")])

    answer = export(client, bring({"person.name": NAMES}))

    assert (answer.status_code, answer.json()["code"]) == (409, "not_applied")


def test_too_many_for_a_sheet_that_is_written_at_once_are_told_to_leave_as_csv(
    client, imported, monkeypatch
):
    monkeypatch.setattr(exporting, "CELLS_AT_ONCE", 1)
    record = imported()
    host_answers(200, content=says([1, 3]))

    answer = export(client, record, "xlsx")

    assert (answer.status_code, answer.json()["code"]) == (422, "workbook_too_large")
    assert len(lines(client, record)) == 2


def test_refused_rows_come_back_as_a_follow_up_and_no_others(client, imported):
    record = imported()
    host_answers(200, content=says([3]))
    text = b"".join(export(client, record).streaming_content).decode("utf-8-sig")

    made = client.post(
        f"{V1}/imports", {"text": text, "catalogKey": "t", "autoMap": True}, format="json"
    )
    back = carry_on(client, made.json()["recordId"])

    assert (back["corrects"], back["counts"]["rows"]) == (record["recordId"], 1)


def test_a_delivery_says_of_each_row_whether_it_was_refused(client, imported):
    imported()
    said = [{"row": 0, "status": "created"}, {"row": 1, "status": "refused"}]
    host_answers(200, content=json.dumps({"results": said}).encode())

    shown = client.get(f"{V1}/deliveries/{Delivery.objects.get().public_id}").json()

    assert shown["results"] == [said[0], {**said[1], "refused": True}]
