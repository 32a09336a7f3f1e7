"""Failed rows are exported with reasons, and only corrected cells are merged."""

import csv
from datetime import timedelta
from io import BytesIO, StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import load_workbook

from common import clock
from imports.exports import workbooks
from imports.models import ImportRecord, Workbook
from tests.imports.conftest import carry_on
from workflow import retention, tasks

pytestmark = pytest.mark.django_db
IMPORTS = "/api/import/v1/imports"
FILE = (
    "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status\n"
    "A-1;05.02.2026;Ada;ada@example.com;Stuhl;2;1.249,00;2.498,00;offen\n"
    "A-2;05.02.2026;=Bob;bob@example;Tisch;zwei;1,50;3,00;offen\n"
    "A-3;31.02.2026;Cy;cy@example.com;Bank;1;-5,00;-5,00;offen\n"
)


@pytest.fixture
def record(publish, client) -> dict:
    publish("orders")
    body = {"text": FILE, "autoMap": True, "filename": "mine.csv"}
    answer = client.post(IMPORTS, body, format="json")
    record = carry_on(client, answer.json()["recordId"])
    assert (record["state"], record["counts"]["error"]) == ("review", 2), record
    return record


@pytest.fixture
def address(record) -> str:
    return f"{IMPORTS}/{record['recordId']}"


def sheet_of(answer):
    assert answer.status_code == 200
    return load_workbook(BytesIO(b"".join(answer.streaming_content))).worksheets[0]


def lines_of(answer) -> list[dict[str, str]]:
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(StringIO(text, newline="")))


def send(client, address, content: bytes, name: str = "mine.xlsx") -> dict:
    """Upload a corrected file; read it; return the comparison."""
    file = SimpleUploadedFile(name, content)
    answer = client.post(f"{address}/corrections", {"file": file})
    assert answer.status_code == 202, answer.json()
    from workflow.worker import advance

    advance(answer.json()["correctionId"])
    return client.get(answer["Location"]).json()


def corrected(client, address, changes: dict[str, object]) -> bytes:
    """Export the failed rows, change some cells as a person would, and save."""
    sheet = sheet_of(client.get(f"{address}/export"))
    for cell, value in changes.items():
        sheet[cell] = value
    saved = BytesIO()
    sheet.parent.save(saved)
    return saved.getvalue()


def as_csv(lines: list[dict[str, str]], delimiter: str = ",") -> bytes:
    text = StringIO(newline="")
    writer = csv.DictWriter(text, lines[0], delimiter=delimiter)
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue().encode()


def test_a_workbook_of_the_failed_rows_says_what_is_wrong_where_it_is(client, address):
    sheet = sheet_of(client.get(f"{address}/export"))
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]

    assert rows[0][-2:] == ["Reasons", "Row key"]
    assert [row[0] for row in rows[1:]] == ["A-2", "A-3"]
    assert rows[1][2] == "'=Bob"
    assert rows[1][5] == "zwei"
    assert "Quantity: " in rows[1][-2]
    assert sheet["F2"].comment.text
    assert sheet["A2"].comment is None
    assert sheet.column_dimensions["L"].hidden
    assert "f" not in {cell.data_type for row in sheet.iter_rows() for cell in row}


def test_all_rows_hold_what_is_delivered_and_the_text_of_what_failed(client, address):
    lines = lines_of(client.get(f"{address}/export?rows=all&format=csv"))

    assert [line["Order number"] for line in lines] == ["A-1", "A-2", "A-3"]
    assert (lines[0]["Ordered on"], lines[0]["Amount"]) == ("2026-02-05", "2498")
    assert (lines[1]["Quantity"], lines[2]["Ordered on"]) == ("zwei", "31.02.2026")
    assert lines[0]["Reasons"] == ""
    assert lines[2]["Unit price"] == "-5,00"  # a number runs nowhere


def test_a_file_has_a_name_to_save_it_under(client, address):
    answer = client.get(f"{address}/export?format=csv", HTTP_ACCEPT="text/csv")

    assert answer["Content-Disposition"] == 'attachment; filename="mine-error.csv"'
    assert answer["Content-Type"] == "text/csv; charset=utf-8"


@pytest.mark.parametrize("parameters", ["rows=some", "format=pdf", "rows=", "format="])
def test_an_export_of_no_kind(client, address, parameters):
    assert client.get(f"{address}/export?{parameters}").status_code == 400


def test_more_rows_than_a_sheet_holds_are_refused_and_csv_is_not(client, address, monkeypatch):
    monkeypatch.setattr(workbooks, "MAX_WORKBOOK_ROWS", 1)

    assert client.get(f"{address}/export").json()["code"] == "workbook_too_large"
    assert client.get(f"{address}/export?format=csv").status_code == 200


@pytest.fixture
def large(monkeypatch) -> None:
    """Let a worker write every workbook."""
    monkeypatch.setattr(workbooks, "CELLS_AT_ONCE", 0)


def test_a_large_workbook_is_written_by_a_worker_once(client, address, large):
    first = client.get(f"{address}/export")
    again = client.get(f"{address}/export")
    assert (first.status_code, first["Retry-After"], again.status_code) == (202, "1", 202)
    assert first.json() == {"state": "writing", "done": 0, "total": 2}
    assert Workbook.objects.count() == 1

    tasks.write_workbook("")

    rows = list(sheet_of(client.get(f"{address}/export")).values)
    assert [row[0] for row in rows[1:]] == ["A-2", "A-3"]
    assert sheet_of(client.get(f"{address}/export")).max_row == 3
    assert Workbook.objects.get().state == "ready"


def test_a_large_workbook_shows_the_rows_as_they_are_now(
    client, address, record, large, data_folder
):
    client.get(f"{address}/export?rows=all")
    tasks.write_workbook("")
    edit = {"row": 1, "field": "orders.customer", "text": "Bert"}
    body = {"revision": record["revision"], "edits": [edit]}
    assert client.patch(f"{address}/rows", body, format="json").status_code == 200

    assert client.get(f"{address}/export?rows=all").status_code == 202
    tasks.write_workbook("")

    rows = list(sheet_of(client.get(f"{address}/export?rows=all")).values)
    assert rows[2][2] == "Bert"
    assert len(list((data_folder / "files" / "exports").iterdir())) == 1


def test_a_workbook_that_cannot_be_written_says_so_and_is_tried_again(
    client, address, large, monkeypatch
):
    def broken(*args, **named):
        raise OSError("no room")

    with monkeypatch.context() as patched:
        patched.setattr(workbooks, "write_rows", broken)
        patched.setattr(workbooks, "TRY_AGAIN", timedelta(0))
        client.get(f"{address}/export")
        tasks.write_workbook("")
        answer = client.get(f"{address}/export")

    assert (answer.status_code, answer.json()["code"]) == (503, "workbook_failed")
    assert client.get(f"{address}/export").status_code == 202
    tasks.write_workbook("")
    assert client.get(f"{address}/export").status_code == 200


def test_a_workbook_whose_writer_died_is_written_by_the_next(client, address, large):
    client.get(f"{address}/export")
    long_ago = clock.now() - timedelta(hours=1)
    Workbook.objects.update(claimed_until=long_ago, claim_no=1, done=1)

    assert workbooks.due_workbooks(limit=1)
    tasks.write_workbook("")

    assert client.get(f"{address}/export").status_code == 200


def test_nothing_waits_for_the_workbook_of_a_deleted_import(
    client, address, large, monkeypatch, data_folder
):
    client.get(f"{address}/export")
    real = workbooks.write_rows

    def deleted_meanwhile(*args, progress, **named):
        client.delete(address)
        progress(1)
        real(*args, progress=progress, **named)

    monkeypatch.setattr(workbooks, "write_rows", deleted_meanwhile)
    tasks.write_workbook("")

    assert not Workbook.objects.exists()
    assert not (data_folder / "files" / "exports").exists()


def test_workbooks_are_kept_for_a_day(client, address, large, data_folder):
    client.get(f"{address}/export")
    tasks.write_workbook("")
    Workbook.objects.update(created_at=clock.now() - timedelta(days=2))

    retention.purge()

    assert not Workbook.objects.exists()
    assert list((data_folder / "files" / "exports").iterdir()) == []
    assert client.get(f"{address}/export").status_code == 202


def test_before_there_are_rows_nothing_is_exported(publish, upload, client):
    publish("orders")
    record = upload("orders-cp1252.csv")
    answer = client.get(f"{IMPORTS}/{record['recordId']}/export")

    assert (answer.status_code, answer.json()["code"]) == (409, "no_rows_yet")


def test_what_was_corrected_is_shown_first_and_merged_when_confirmed(client, address):
    shown = send(client, address, corrected(client, address, {"D2": "bob@example.com", "F2": "2"}))
    comparison = shown["comparison"]
    before = client.get(address).json()["counts"]["error"]

    answer = client.post(f"{address}/corrections/{shown['correctionId']}/confirm")

    changes = {(d["row"], d["field"]): (d["before"], d["after"]) for d in comparison["differences"]}
    assert changes == {
        (1, "orders.email"): ("bob@example", "bob@example.com"),
        (1, "orders.quantity"): ("zwei", "2"),
    }
    assert (comparison["changedRows"], comparison["unchangedRows"], before) == (1, 1, 2)
    assert answer.json()["changedCells"] == 2
    assert client.get(address).json()["counts"]["error"] == 1
    again = client.post(f"{address}/corrections/{shown['correctionId']}/confirm")
    assert (again.status_code, again.json()["code"]) == (409, "not_read_yet")


def test_corrections_are_undone_as_one(client, address):
    shown = send(client, address, corrected(client, address, {"D2": "b@example.com", "F2": "2"}))
    merged = client.post(f"{address}/corrections/{shown['correctionId']}/confirm").json()

    client.post(f"{address}/undo", {"revision": merged["revision"]}, format="json")

    assert client.get(address).json()["counts"]["error"] == 2


def test_a_file_that_comes_back_as_it_was_changes_nothing(client, address):
    shown = send(client, address, corrected(client, address, {}))
    answer = client.post(f"{address}/corrections/{shown['correctionId']}/confirm")

    assert shown["comparison"]["differences"] == []
    assert shown["comparison"]["unchangedRows"] == 2
    assert (answer.status_code, answer.json()["code"]) == (409, "no_corrections")


def test_good_rows_and_new_lines_are_never_taken(client, address):
    lines = lines_of(client.get(f"{address}/export?rows=all&format=csv"))
    lines[0]["Customer"] = "Somebody else"
    lines[1]["Quantity"] = "7"
    lines.append({**lines[1], "Order number": "A-9", "Row key": ""})
    lines.append({**lines[1], "Quantity": "8"})
    shown = send(client, address, as_csv(lines, ";"), "all.csv")["comparison"]

    assert [(d["row"], d["after"]) for d in shown["differences"]] == [(1, "7")]
    assert (shown["staleRows"], shown["unknownLines"]) == (1, 2)


def test_the_export_of_another_import_is_said_to_be_one(client, address, upload):
    other = upload("orders-cp1252.csv", catalogKey="orders", autoMap="true")
    lines = lines_of(client.get(f"{address}/export?rows=all&format=csv"))
    for line in lines:
        line["Row key"] = line["Row key"].replace(address.rpartition("/")[2], other["recordId"])
    sent = send(client, address, as_csv(lines, ";"), "other.csv")

    assert (sent["status"], sent["code"]) == (409, "correction_of_another_import")
    assert sent["importIds"] == [other["recordId"]]


def test_a_row_that_a_person_changed_since_is_left_alone(client, address, record):
    content = corrected(client, address, {"F2": "2"})
    edit = {"row": 1, "field": "orders.customer", "text": "Bert"}
    body = {"revision": record["revision"], "edits": [edit]}
    assert client.patch(f"{address}/rows", body, format="json").status_code == 200

    shown = send(client, address, content)["comparison"]

    assert (shown["differences"], shown["staleRows"]) == ([], 1)


def test_lines_may_be_sorted_and_columns_left_out(client, address):
    lines = lines_of(client.get(f"{address}/export?format=csv"))
    kept = [
        {name: line[name] for name in ("Row key", "Ordered on", "Order number")}
        for line in reversed(lines)
    ]
    kept[0]["Ordered on"] = "28.02.2026"

    shown = send(client, address, as_csv(kept), "some.csv")["comparison"]

    assert [(d["row"], d["field"]) for d in shown["differences"]] == [(2, "orders.ordered_on")]


def test_a_file_that_was_not_an_export(client, address):
    file = SimpleUploadedFile("other.csv", FILE.encode())
    answer = client.post(f"{address}/corrections", {"file": file})
    from workflow.worker import advance

    advance(answer.json()["correctionId"])

    assert client.get(answer["Location"]).json()["code"] == "not_an_export"


def test_a_corrected_file_is_not_an_import_of_its_own(client, address):
    shown = send(client, address, corrected(client, address, {"F2": "2"}))

    assert len(client.get(IMPORTS).json()["items"]) == 1
    assert client.get(f"{IMPORTS}/{shown['correctionId']}").status_code == 404
    assert client.delete(address).status_code == 204
    assert not ImportRecord.objects.filter(purged_at=None).exists()


def test_after_apply_nothing_is_corrected(client, address):
    ImportRecord.objects.update(state="applied")
    file = SimpleUploadedFile("mine.xlsx", b"x")

    answer = client.post(f"{address}/corrections", {"file": file})

    assert (answer.status_code, answer.json()["code"]) == (409, "not_in_review")
