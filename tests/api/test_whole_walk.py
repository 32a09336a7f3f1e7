"""A real messy workbook from upload to delivery, over HTTP alone; only the workers are called."""

import csv
import json
from io import BytesIO, StringIO
from ipaddress import ip_network

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import load_workbook

from deliveries.services.attempt import new_client
from deliveries.services.dispatch import Dispatcher
from tests.api.messy import CATALOG, workbook
from tests.deliveries.conftest import make_host
from tests.receiving import assert_delivery
from workflow.worker import advance

__all__ = ["make_host"]  # fixtures

V1 = "/api/import/v1"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class Person:
    """A person with a key and one import."""

    def __init__(self, client) -> None:
        self._client = client
        self.url = ""

    def call(self, method, path, body=None, *, expect=200, **more):
        """Call a path of the API; a path with a leading slash is below the import."""
        address = f"{self.url}{path}" if path.startswith("/") or not path else f"{V1}/{path}"
        more = more or ({} if body is None else {"data": body, "format": "json"})
        answer = getattr(self._client, method)(address, **more)
        assert answer.status_code == expect, answer.content
        return b"".join(answer.streaming_content) if answer.streaming else answer.json()

    def send(self, path, content):
        """Send a workbook as a form."""
        file = SimpleUploadedFile("liste.xlsx", content, content_type=XLSX)
        return self.call("post", path, data={"file": file}, expect=202)

    def record(self):
        """Run the worker; return the import."""
        advance(self.call("get", "")["recordId"])
        return self.call("get", "")

    def change(self, method, path, **members):
        """Change the current rows; return the answer."""
        return self.call(method, path, {"revision": self.record()["revision"], **members})

    def rows(self, **view):
        return self.call("post", "/rows/query", {"view": view})["rows"]

    def errors(self):
        return {
            (row["row"], issue["code"])
            for row in self.rows(filter="error")
            for issue in row["issues"]
            if issue["severity"] == "error"
        }

    def values(self, field):
        return [row["values"][field] for row in self.rows()]


@pytest.fixture
def person(mint_key, client_of, settings) -> Person:
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    return Person(client_of(mint_key("tnt_office", entitlements=("catalogEditor",))))


@pytest.mark.django_db(transaction=True)  # the dispatcher's threads have connections of their own
def test_a_messy_workbook_is_mended_and_delivered(person, make_host):
    host = make_host()
    secret = person.call("post", "webhooks", {"url": host.url}, expect=201)["signingSecret"]
    person.call("put", "catalogs/jobs/draft", CATALOG)
    person.call("post", "catalogs/jobs/publish")

    upload(person)
    settle(person)
    correct_by_hand(person)
    undo_and_redo(person)
    correct_in_the_spreadsheet(person)
    apply(person)

    (received,) = delivered(host)
    assert_delivery(received, url=host.url, secret=secret)
    check_rows(json.loads(received.body))
    (delivery,) = person.record()["deliveries"]
    assert (delivery["state"], delivery["attempts"]) == ("delivered", 1)


def upload(person):
    """Check that the table is found on the second sheet, below a title, without units and sums."""
    person.url = f"{V1}/imports/{person.send('imports', workbook())['recordId']}"
    assert person.record()["state"] == "mapping"
    tables = person.call("get", "/tables")
    table = tables["tables"][tables["chosen"]]
    assert (table["sheet"], table["headerRows"], table["rowCount"]) == ("Aufträge", [3, 4], 8)
    assert {part: count for part, count in table["skipped"].items() if count} == {
        "preamble": 2,
        "units": 1,
        "subtotals": 1,
    }


def settle(person):
    """Confirm the mapping, the order of day and month, and the meaning of a status text."""
    proposed = person.call("get", "/mapping")["proposed"]
    assert len(proposed["mapping"]) == 8
    person.call("put", "/mapping", {"mapping": proposed["mapping"]}, expect=202)
    record = person.record()
    assert (record["state"], record["counts"]["error"]) == ("review", 6)
    assert person.values("job.amount")[:4] == [1249, 89.9, 3.5, 12000]
    assert person.values("job.due")[0] == "2026-04-03"

    (open_question,) = [
        question
        for question in person.call("get", "/questions")["items"]
        if question["kind"] == "date_order"
    ]
    person.call("post", f"questions/{open_question['id']}/answer", {"value": "mdy"}, expect=202)
    assert person.record()["state"] == "review"
    assert person.values("job.due")[0] == "2026-03-04"

    texts = person.call("get", "/values/job.status")["unmatched"]
    assert texts == [{"value": "erledigt", "count": 2}]
    values = {"values": {"erledigt": "delivered"}}
    person.call("put", "/values/job.status", values, expect=202)
    assert person.record()["state"] == "review"
    wrong = {(1, "not_an_email"), (2, "not_a_whole_number"), (4, "unique"), (7, "not_a_date")}
    assert person.errors() == wrong
    assert person.call("post", "/apply", {}, expect=409)["code"] == "invalid_rows"


def correct_by_hand(person):
    """Correct two cells, one text everywhere, and one group of issues."""
    cells = [
        {"row": 1, "field": "job.email", "text": "bob@example.com"},
        {"row": 2, "field": "job.quantity", "text": "12"},
    ]
    person.change("patch", "/rows", edits=cells)
    search = {"inFields": ["job.email"], "find": "exmaple", "replace": "example"}
    preview = person.change("post", "/rows/replace", **search, preview=True)
    assert (preview["cells"], preview["samples"][0]["after"]) == (2, "fay@example.com")
    person.change("post", "/rows/replace", **search)
    fix = {"field": "job.number", "code": "unique", "exclude": True}
    assert person.change("post", "/rows/fix", **fix, preview=True)["cells"] == 1
    counts = person.change("post", "/rows/fix", **fix)["counts"]
    assert (counts["error"], counts["excluded"]) == (1, 1)


def undo_and_redo(person):
    """Undo three changes and an answer up to the beginning, and redo them: equal rows."""
    there = person.rows()
    for _ in range(3):
        person.change("post", "/undo")
    assert person.values("job.quantity")[2] is None
    steps = 3
    while person.record()["revision"] > 1:
        person.change("post", "/undo")
        steps += 1
    assert person.call("post", "/undo", {"revision": 1}, expect=409)["code"] == "nothing_to_undo"
    for _ in range(steps):
        person.change("post", "/redo")
    assert person.rows() == there
    story = person.call("get", "/rows/2/explain")
    assert [(edit["previous"], edit["text"]) for edit in story["edits"]] == [("zwölf", "12")]


def correct_in_the_spreadsheet(person):
    """Export the row that is still wrong as a workbook, correct it there, and upload it."""
    book = load_workbook(BytesIO(person.call("get", "/export")))
    sheet = book.active
    assert [row[0].value for row in sheet.iter_rows(min_row=2)] == ["A-0108"]
    assert sheet["B2"].comment is not None
    sheet["B2"] = "28.02.2026"
    saved = BytesIO()
    book.save(saved)
    correction = person.send("/corrections", saved.getvalue())["correctionId"]
    advance(correction)
    comparison = person.call("get", f"/corrections/{correction}")["comparison"]
    assert (comparison["changedRows"], comparison["staleRows"]) == (1, 0)
    person.call("post", f"/corrections/{correction}/confirm")
    assert person.record()["counts"]["error"] == 0
    everything = person.call("get", "/export?rows=all&format=csv").decode("utf-8-sig")
    assert len(list(csv.DictReader(StringIO(everything)))) == 7  # without the one left out


def apply(person):
    """Check that exactly the counted rows are applied, and that nothing changes afterwards."""
    person.call("post", "/apply", {}, expect=202)
    record = person.record()
    counts = record["counts"]
    assert record["state"] == "applied"
    assert [counts[name] for name in ("rows", "imported", "excluded", "failed")] == [8, 7, 1, 0]
    cell = {"row": 0, "field": "job.number", "text": "x"}
    late = {"revision": record["revision"], "edits": [cell]}
    assert person.call("patch", "/rows", late, expect=409)["code"] == "not_in_review"


def delivered(host):
    Dispatcher(client=new_client()).run()
    return host.received


def check_rows(body):
    rows = {row["job.number"]: row for row in body["rows"]}
    assert body["rowCount"] == len(body["rows"]) == len(rows) == 7
    assert rows["A-0102"] == {
        "job.number": "A-0102",
        "job.ordered": "2026-02-06",
        "job.customer": "Bob Noyce",
        "job.email": "bob@example.com",
        "job.quantity": 1,
        "job.amount": 89.9,
        "job.status": "delivered",
        "job.due": "2026-04-05",
    }
    assert rows["A-0101"]["job.customer"] == "Ada Lovelace"
    assert rows["A-0103"]["job.quantity"] == 12
    assert rows["A-0104"]["job.status"] == rows["A-0107"]["job.status"] == "delivered"
    assert rows["A-0107"]["job.email"] == "gil@example.com"
    assert rows["A-0108"]["job.ordered"] == "2026-02-28"
