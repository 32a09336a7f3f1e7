"""A template that a person filled in is mapped without a question."""

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import load_workbook

from tests.imports.conftest import carry_on, client, owner, publish

__all__ = ["carry_on", "client", "owner", "publish"]  # fixtures

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def test_a_filled_template_maps_itself(publish, client):
    publish("orders")
    answer = client.get(f"{V1}/catalogs/orders/template", HTTP_ACCEPT=XLSX)
    book = load_workbook(BytesIO(answer.content))
    sheet = book.worksheets[0]
    names = [cell.value for cell in sheet[1]]
    for number in range(3):
        row = [f"A-{number}", "2026-02-03", "Ada", f"a{number}@example.com", "Chair", 2, 1.5, 3]
        sheet.append([*row, "open", "none"])
    filled = BytesIO()
    book.save(filled)

    sent = client.post(f"{V1}/imports", {"file": SimpleUploadedFile("f.xlsx", filled.getvalue())})
    carry_on(client, sent.json()["recordId"])

    assert (answer["Content-Type"], "orders.xlsx" in answer["Content-Disposition"]) == (XLSX, True)
    proposal = client.get(f"{V1}/imports/{sent.json()['recordId']}/mapping").json()
    mapped = {c["column"]: c["field"] for c in proposal["columns"]}
    assert list(mapped) == names
    assert all(mapped.values())


def test_an_unknown_catalog_has_no_template(client):
    answer = client.get(f"{V1}/catalogs/nope/template")

    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
