"""From a file to a signed delivery: through the API and a real child process."""

import json
from io import BytesIO

import pytest

from catalogs import services as catalogs
from common import clock
from common.actors import ENGINE
from deliveries import bodies
from deliveries.models import Delivery
from deliveries.services import register
from tests.imports.asked import Imported, publish_fields
from tests.imports.conftest import EXAMPLES, carry_on
from tests.tabular.reading.pdf.papers import Sheet, columns, document

pytestmark = [pytest.mark.django_db, pytest.mark.child]
IMPORTS = "/api/import/v1/imports"
FILES = {
    "orders": "orders-cp1252.csv",
    "stock": "stock-two-sheets.xlsx",
    "prices": "price-list.pdf",
}


@pytest.fixture
def registration(owner, settings):
    from ipaddress import ip_network

    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    return register(tenant=owner, url="http://127.0.0.1:9/apply", at=clock.now()).registration


@pytest.mark.parametrize("catalog", sorted(FILES))
def test_a_messy_file_becomes_the_rows_a_careful_person_expects(
    catalog, publish, upload, client, registration
):
    publish(catalog)
    expected = json.loads((EXAMPLES / "expected" / f"{catalog}.json").read_bytes())
    record = upload(FILES[catalog], autoMap="true")
    assert record["state"] == "review", record

    wishes = {"invalidRows": "exclude", "openQuestions": "dismiss"}
    answer = client.post(f"{IMPORTS}/{record['recordId']}/apply", wishes, format="json")
    assert answer.status_code == 202
    record = carry_on(client, record["recordId"])

    body = delivered_body(record)
    assert record["state"] == "applied"
    assert body["rows"] == expected["rows"]
    assert body["mapping"] == expected["mapping"]
    assert body["rowCount"] == len(expected["rows"])


def test_the_counts_of_an_applied_import_add_up(publish, upload, client, registration):
    publish("orders")
    record = upload(FILES["orders"], autoMap="true")
    client.post(f"{IMPORTS}/{record['recordId']}/apply", {"invalidRows": "exclude"}, format="json")
    counts = carry_on(client, record["recordId"])["counts"]

    assert counts["rows"] == counts["imported"] + counts["failed"]
    assert counts["rows"] == counts["valid"] + counts["warning"] + counts["error"]


def test_the_same_apply_written_twice_gives_the_same_bytes(publish, upload, client, registration):
    from changesets.models import Changeset
    from changesets.services import store_bodies

    publish("orders")
    record = upload(FILES["orders"], autoMap="true")
    client.post(f"{IMPORTS}/{record['recordId']}/apply", {"invalidRows": "include"}, format="json")
    changeset = Changeset.objects.get()

    written = {next(store_bodies(changeset)).sha256 for _ in range(2)}

    assert len(written) == 1


def delivered_body(record: dict) -> dict:
    delivery = Delivery.objects.get(record_id=record["recordId"])
    assert [d["id"] for d in record["deliveries"]] == [delivery.public_id]
    return json.loads(bodies.content(delivery))


def test_without_automap_the_mapping_waits_for_a_person(publish, upload, client):
    publish("orders")
    record = upload(FILES["orders"])
    assert record["state"] == "mapping"
    url = f"{IMPORTS}/{record['recordId']}/mapping"
    proposal = client.get(url).json()
    proposed = {c["column"]: c["field"] for c in proposal["columns"] if c["field"]}

    answer = client.put(url, {"mapping": proposed}, format="json")

    assert answer.status_code == 202
    assert carry_on(client, record["recordId"])["state"] == "review"
    assert client.get(url).json()["mapping"] == proposed


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"No such column": "orders.amount"}, "unknown_column"),
        ({"Menge": "orders.no_such_field"}, "unknown_field"),
        ({"Menge": "orders.amount", "Betrag": "orders.amount"}, "field_taken"),
    ],
)
def test_a_mapping_that_does_not_fit_is_refused_by_name(publish, upload, client, change, code):
    publish("orders")
    record = upload(FILES["orders"])
    url = f"{IMPORTS}/{record['recordId']}/mapping"

    answer = client.put(url, {"mapping": change}, format="json")

    assert (answer.status_code, answer.json()["code"]) == (409, "invalid_mapping")
    assert code in [error["code"] for error in answer.json()["errors"]]
    assert client.get(f"{IMPORTS}/{record['recordId']}").json()["state"] == "mapping"


def test_a_mapping_of_nothing_is_refused(publish, upload, client):
    publish("orders")
    record = upload(FILES["orders"])

    answer = client.put(f"{IMPORTS}/{record['recordId']}/mapping", {"mapping": {}}, format="json")

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "/mapping"


def test_rows_come_in_pages_with_their_issues(publish, upload, client):
    publish("orders")
    record = upload(FILES["orders"], autoMap="true")
    url = f"{IMPORTS}/{record['recordId']}/rows/query"

    errors = client.post(url, {"view": {"filter": "error"}, "limit": 2}, format="json").json()
    everything = client.post(url, {}, format="json").json()

    assert errors["total"] == record["counts"]["error"]
    assert len(errors["rows"]) == 2
    assert all(row["issues"][0]["message"] for row in errors["rows"])
    assert [row["row"] for row in everything["rows"]] == list(range(record["counts"]["rows"]))


def test_another_header_row_reads_the_file_again(publish, upload, client):
    publish("orders")
    record = upload(FILES["orders"])
    url = f"{IMPORTS}/{record['recordId']}"

    assert client.put(f"{url}/reading", {"headerRows": []}, format="json").status_code == 202
    carry_on(client, record["recordId"])

    tables = client.get(f"{url}/tables").json()
    assert tables["tables"][tables["chosen"]]["headerRows"] == []


def test_what_blocks_an_apply_is_named_before_anything_freezes(publish, upload, client, request):
    publish("orders")
    record = upload(FILES["orders"], autoMap="true")
    url = f"{IMPORTS}/{record['recordId']}/apply"

    unregistered = client.post(url, {}, format="json")
    request.getfixturevalue("registration")
    invalid = client.post(url, {}, format="json")

    assert (unregistered.status_code, unregistered.json()["code"]) == (409, "no_webhook_registered")
    assert (invalid.status_code, invalid.json()["code"]) == (409, "invalid_rows")
    assert client.get(f"{IMPORTS}/{record['recordId']}").json()["state"] == "review"


def test_an_import_is_applied_once(publish, upload, client, registration):
    publish("orders")
    record = upload(FILES["orders"], autoMap="true")
    url = f"{IMPORTS}/{record['recordId']}/apply"
    client.post(url, {"invalidRows": "exclude"}, format="json")
    carry_on(client, record["recordId"])

    again = client.post(url, {"invalidRows": "exclude"}, format="json")

    assert (again.status_code, again.json()["code"]) == (409, "not_ready")
    assert Delivery.objects.count() == 1


def test_a_deleted_import_leaves_no_bytes(publish, upload, client, data_folder):
    publish("orders")
    record = upload(FILES["orders"], autoMap="true")

    assert client.delete(f"{IMPORTS}/{record['recordId']}").status_code == 204

    assert [path for path in (data_folder / "files").rglob("*") if path.is_file()] == []
    assert client.get(f"{IMPORTS}/{record['recordId']}").json()["state"] == "cancelled"


def test_an_output_format_shapes_pages_results_and_deliveries(owner, client, registration):
    catalog = {
        "key": "days",
        "entries": [
            {
                "id": "d",
                "fields": [{"key": "day", "columnType": "date", "outputFormat": "DD.MM.YYYY"}],
            }
        ],
    }
    catalogs.publish_document(
        tenant=owner, key="days", text=json.dumps(catalog), at=clock.now(), actor=ENGINE
    )
    sent = {"text": "day\n2026-01-31\n2026-02-01\n", "autoMap": True}
    record_id = client.post(IMPORTS, sent, format="json").json()["recordId"]
    carry_on(client, record_id)
    page = client.post(f"{IMPORTS}/{record_id}/rows/query", {}, format="json").json()

    client.post(f"{IMPORTS}/{record_id}/apply", {}, format="json")

    wanted = [{"d.day": "31.01.2026"}, {"d.day": "01.02.2026"}]
    assert [row["values"] for row in page["rows"]] == wanted
    assert delivered_body(carry_on(client, record_id))["rows"] == wanted


def test_a_value_names_the_file_and_the_cell_it_comes_from(publish, upload, client):
    publish("stock")
    record = upload(FILES["stock"], autoMap="true")
    table = client.get(f"{IMPORTS}/{record['recordId']}/tables").json()

    story = client.get(f"{IMPORTS}/{record['recordId']}/rows/0/explain").json()

    assert story["file"] == {"filename": FILES["stock"], "sha256": record["sha256"]}
    places = [place for cell in story["cells"] for place in cell["places"]]
    assert {place["row"] for place in places} == {story["sourceRow"]}
    columns = table["tables"][table["chosen"]]["columns"]
    (first,) = [place for place in places if place["name"] == columns[0]]
    assert (first["column"], first["cell"]) == (0, f"A{story['sourceRow'] + 1}")
    assert story["box"] is None


def test_a_value_of_a_pdf_names_the_box_of_its_table_and_of_its_cell(publish, upload, client):
    publish("prices")
    record = upload(FILES["prices"], autoMap="true")

    story = client.get(f"{IMPORTS}/{record['recordId']}/rows/1/explain").json()

    left, top, right, bottom = story["box"]
    boxes = [place["box"] for cell in story["cells"] for place in cell["places"]]
    assert story["page"] == 1
    assert len({tuple(box) for box in boxes}) == len(boxes) > 1
    for cell_left, cell_top, cell_right, cell_bottom in boxes:
        assert left - 1 <= cell_left < cell_right <= right + 1
        assert top <= cell_top < cell_bottom <= bottom


def test_the_tables_show_why_they_were_read_so(publish, upload, client):
    publish("stock")
    record = upload(FILES["stock"])

    shown = client.get(f"{IMPORTS}/{record['recordId']}/tables").json()

    evidence = {item["decision"]: item for item in shown["tables"][shown["chosen"]]["evidence"]}
    assert {"header", "merged"} <= set(evidence)
    assert "merged range" in evidence["merged"]["reason"]


def test_doubtful_lines_of_a_pdf_are_asked_about_and_the_answer_reads_the_file_again(owner, client):
    publish_fields(owner, "article", {"key": "price", "columnType": "float"})
    rows = [["Article", "Note", "Price"], ["100", "Oak shelf with door", "7.50"]]
    rows += [["", "Hinges of brass too", ""]]
    rows += [[str(number), f"Ash shelf {number}", "8.50"] for number in range(101, 106)]
    sheet = Sheet()
    columns(sheet, rows, xs=[60, 160, 300, 360], top=80, step=11)
    file = BytesIO(document(sheet))
    file.name = "shelves.pdf"
    answer = client.post(IMPORTS, {"file": file, "autoMap": "true"})
    imported = Imported.of(client, carry_on(client, answer.json()["recordId"]))
    question = imported.question("joined_lines")
    refused = client.post(f"{IMPORTS}/{imported.id}/apply", {"applyMode": "browser"}, format="json")
    assert (question["state"], question["default"], refused.status_code) == ("open", "join", 409)

    imported.answer(question, "apart")

    assert imported.question("joined_lines")["answer"] == "apart"
    assert imported.values("p.article")[:3] == ["100", None, "101"]
    assert imported.values("p.price") == [7.5, None, *[8.5] * 5]
