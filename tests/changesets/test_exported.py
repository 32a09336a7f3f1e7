"""Applied or refused rows are exported with their former values and the hosts' messages."""

import csv
import json
from io import BytesIO, StringIO

import pytest
from openpyxl import load_workbook

from changesets.exported import applied_rows
from common import clock
from common.actors import ENGINE
from deliveries import services as deliveries
from deliveries.models import Delivery
from deliveries.transitions import finish
from deliveries.verdict import Final
from imports.exports import workbooks
from imports.models import ImportRecord
from imports.services.review import rows_of
from tests.imports.conftest import carry_on, client, owner
from tests.references.conftest import (
    V1,
    apply,
    bring,
    entry,
    host_answers,
    know,
    published,
    webhook,
)

__all__ = ["apply", "bring", "client", "know", "owner", "published", "webhook"]  # fixtures

pytestmark = pytest.mark.django_db
NAMES = ["Ada", "=Bob", "Cyd", "Dee", "Eve"]
NUMBER = {"key": "id", "validations": [{"validate": "unique"}]}


@pytest.fixture
def imported(published, bring, apply, webhook):
    """Import five rows for a receiver that has not answered yet."""

    def imported(**about):
        published([entry("person", "name")])
        webhook("submit", **about)
        return apply(bring({"person.name": NAMES}))

    return imported


def says(rows, status="refused", message="Locked") -> bytes:
    results = [{"row": row, "status": status, "message": message} for row in rows]
    return json.dumps({"results": results}).encode()


def export(client, record, file_format="csv", rows="refused", **headers):
    address = f"{V1}/imports/{record['recordId']}/export?rows={rows}&format={file_format}"
    return client.get(address, headers=headers)


def lines(client, record, rows="refused", **headers) -> list[tuple[str, str]]:
    """Return the first value and the reasons of each line."""
    answer = export(client, record, rows=rows, **headers)
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    head, *records = csv.reader(StringIO(text, newline=""))
    return [(line[0], line[head.index("Reasons")]) for line in records]


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
    finish([whole.pk], Final("rejected"), at=clock.now())
    whole.refresh_from_db()
    parts = deliveries.resend_in_parts(delivery=whole, max_rows=2, actor=ENGINE, at=clock.now())
    assert [part.row_count for part in parts] == [2, 1]

    host_answers(200, content=says([0]))

    assert rest.row_count == 2
    assert [name for name, _ in lines(client, record)] == ["Ada", "Cyd", "Dee"]


def test_what_two_receivers_said_is_shown_together(client, imported, webhook):
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
    monkeypatch.setattr(workbooks, "CELLS_AT_ONCE", 1)
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
    results = [{"row": 0, "status": "created"}, {"row": 1, "status": "refused"}]
    host_answers(200, content=json.dumps({"results": results}).encode())

    shown = client.get(f"{V1}/deliveries/{Delivery.objects.get().public_id}").json()

    assert shown["results"] == [results[0], {**results[1], "refused": True}]


@pytest.fixture
def compared(published, know, bring, apply, webhook):
    """Import three people, two of whom are known, one of them with other values."""
    published([entry("person", NUMBER, "name", "town")])
    know("person", a={"id": "1", "name": "Ada", "town": "Ulm"}, b={"id": "2", "name": "Bob"})
    webhook("submit", label="Shop")
    return apply(
        bring(
            {
                "person.id": ["1", "2", "3"],
                "person.name": ["Eve", "Bob", "Cyd"],
                "person.town": ["Bonn", None, None],
            }
        )
    )


def test_all_applied_rows_leave_with_what_they_were_before(client, compared):
    assert lines(client, compared, "applied") == [
        ("1", "name: It was “Ada”.; town: It was “Ulm”."),
        ("2", "It is unchanged."),
        ("3", "It is new."),
    ]


def test_what_was_before_is_said_in_the_language_of_the_person(client, compared):
    content = [reasons for _, reasons in lines(client, compared, "applied", accept_language="de")]

    assert content == [
        "name: Vorher: „Ada“.; town: Vorher: „Ulm“.",
        "Sie ist unverändert.",
        "Sie ist neu.",
    ]


def test_an_applied_row_says_who_refused_it(client, compared):
    host_answers(200, content=says([2]))

    assert lines(client, compared, "applied")[2] == ("3", "It is new.; Shop: Locked")


def test_the_cell_of_a_field_says_what_it_was(client, compared):
    book = b"".join(export(client, compared, "xlsx", "applied").streaming_content)

    sheet = load_workbook(BytesIO(book)).worksheets[0]
    notes = {cell.coordinate: cell.comment.text for row in sheet for cell in row if cell.comment}
    assert [note for note in notes.values() if "Ada" in note] == ["It was “Ada”."]


def test_rows_a_few_at_a_time_say_what_all_say(compared):
    record = ImportRecord.objects.get(public_id=compared["recordId"])
    chosen = applied_rows(record, rows_of(record))

    one_by_one = [chosen.say(chosen.rows[at : at + 1]) for at in range(3)]
    assert {row: reasons for some in one_by_one for row, reasons in some.items()} == chosen.say(
        chosen.rows
    )
    assert chosen.say(chosen.rows[:0]) == {}


def test_where_nothing_was_known_applied_rows_leave_as_they_are(client, imported):
    assert lines(client, imported(), "applied") == [
        (name if name != "=Bob" else "'=Bob", "") for name in NAMES
    ]
