"""A file is imported once more, and an error file comes back, on its way to the receiver."""

import pytest

from tests.imports.asked import V1, publish_fields
from tests.imports.conftest import carry_on
from tests.imports.wishes.conftest import FromFile, values

pytestmark = pytest.mark.django_db(transaction=True)  # the dispatcher's threads
PEOPLE = "Name,Mail\nAda,a@a.de\nBob,bob\nCyd,cyd\nDee,d@d.de\n"
DUES = "Name,Due,Note\nAda,01/02/2024,x\nBob,03/04/2024,y\n"


@pytest.fixture
def settled(owner, send):
    """Return an import whose mapping and answer differ from the proposal."""
    publish_fields(owner, "name", {"key": "due", "columnType": "date"}, "note", "extra")
    upload = send(DUES)
    upload.map({"Name": "p.name", "Due": "p.due", "Note": "p.extra"}, remember=False)
    upload.answer(upload.question("date_order"), "mdy", remember=False)
    return upload


def again(upload, **members):
    body = {"from": upload.id, **members}
    answer = upload.client.post(f"{V1}/imports", body, format="json")
    assert answer.status_code == 202, answer.json()
    return FromFile.of(upload.client, carry_on(upload.client, answer.json()["recordId"]))


def test_once_more_with_its_mapping_and_answers_the_same_arrives(settled, receiver):
    first = settled.delivered_to(receiver)

    more = again(settled)
    second = more.delivered_to(receiver)

    assert more.record["startedFrom"] == settled.id
    assert values(first, "p.due", "p.extra") == [("2024-01-02", "x"), ("2024-03-04", "y")]
    assert (second["rows"], second["mapping"]) == (first["rows"], first["mapping"])
    assert second["deliveryId"] != first["deliveryId"]


def test_once_more_without_them_it_is_settled_again(settled, receiver):
    settled.delivered_to(receiver)

    more = again(settled, withMapping=False)
    assert more.state == "mapping"
    more.map(more.mapping()["proposed"]["mapping"])
    body = more.delivered_to(receiver, openQuestions="dismiss")

    assert values(body, "p.due", "p.note") == [("2024-02-01", "x"), ("2024-04-03", "y")]


@pytest.fixture
def failing(owner, send):
    """Return an import in review with errors in two rows."""
    publish_fields(owner, "name", {"key": "mail", "columnType": "email"})
    upload = send(PEOPLE, autoMap="true")
    assert (upload.state, upload.record["counts"]["error"]) == ("review", 2)
    return upload


def mended(upload):
    """Export the rows with errors, and correct them as a person does in a spreadsheet."""
    answer = upload.client.get(upload.url("export?format=csv&rows=error"))
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    return text.replace('"bob"', '"bob@b.de"').replace('"cyd"', '"cyd@c.de"')


def test_an_error_file_that_comes_back_in_review_is_merged_and_arrives(failing, send, receiver):
    back = send(mended(failing), autoMap="true")

    assert (back.state, back.record["corrects"]) == ("mapping", failing.id)
    failing.call("post", f"corrections/{back.id}/confirm")
    body = failing.delivered_to(receiver)

    assert [mail for (mail,) in values(body, "p.mail")] == [
        "a@a.de", "bob@b.de", "cyd@c.de", "d@d.de"]  # fmt: skip
    assert len(receiver.took()) == 1


def test_an_error_file_that_comes_back_after_apply_brings_each_failed_row_once(
    failing, send, receiver
):
    file = mended(failing)
    first = failing.delivered_to(receiver, invalidRows="exclude")

    back = send(file, autoMap="true")
    second = back.delivered_to(receiver)
    third = send(file, autoMap="true")

    assert back.record["corrects"] == failing.id
    assert values(first, "p.name") == [("Ada",), ("Dee",)]
    assert values(second, "p.name", "p.mail") == [("Bob", "bob@b.de"), ("Cyd", "cyd@c.de")]
    assert third.record["problem"]["code"] == "rows_brought_before"
    assert len(receiver.took()) == 2
