"""An own sample of a catalog: kept byte for byte, and given instead of the generated template."""

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import Workbook

from catalogs import samples
from catalogs.models import CatalogSample
from tests.api.test_catalogs import BASE, editor, published, reader, stranger

__all__ = ["editor", "published", "reader", "stranger"]  # fixtures
pytestmark = pytest.mark.django_db
SAMPLE, TEMPLATE = f"{BASE}/people/sample", f"{BASE}/people/template"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
TEXT = "\ufeffname;born\nAda;10.12.1815\n".encode()


def workbook() -> bytes:
    book, saved = Workbook(), BytesIO()
    book.active.append(["Our own header"])
    book.active.append(["Ada"])
    book.save(saved)
    return saved.getvalue()


def send(client, content: bytes, name: str, address=SAMPLE):
    return client.put(address, {"file": SimpleUploadedFile(name, content)}, format="multipart")


@pytest.mark.parametrize(
    ("content", "name", "media_type"),
    [(workbook(), "Vorlage 2026.XLSX", XLSX), (TEXT, "sample.csv", "text/csv")],
    ids=["workbook", "csv"],
)
def test_the_template_is_the_sample_byte_for_byte(
    content, name, media_type, editor, reader, published
):
    published()
    made = send(editor, content, name)

    assert (made.status_code, made.json()["size"]) == (201, len(content)), made.content
    assert send(editor, content, name).status_code == 200
    for address in (SAMPLE, TEMPLATE):
        answer = reader.get(address)
        assert answer.content == content
        assert answer["Content-Type"].startswith(media_type)
        assert f'filename="people.{made.json()["kind"]}"' in answer["Content-Disposition"]


def test_without_the_sample_the_template_is_generated_again(editor, reader, published):
    published()
    send(editor, TEXT, "sample.csv")
    gone = editor.delete(SAMPLE)

    assert gone.status_code == 204
    assert reader.get(TEMPLATE)["Content-Type"] == XLSX
    for answer in (reader.get(SAMPLE), editor.delete(SAMPLE)):
        assert (answer.status_code, answer.json()["code"]) == (404, "no_sample")


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (TEXT, "sample.pdf"),
        (TEXT, "sample.xlsx"),
        (workbook(), "sample.csv"),
        (b"PK\x03\x04" + b"not a workbook" * 50, "sample.xlsx"),
    ],
)
def test_what_is_not_a_readable_workbook_or_csv_is_refused(content, name, editor, published):
    published()
    answer = send(editor, content, name)

    assert answer.status_code == 422, answer.content
    assert not CatalogSample.objects.exists()


def test_a_sample_has_at_most_five_megabytes(editor, published, monkeypatch):
    published()
    assert samples.MOST_BYTES == 5 * 1024**2
    monkeypatch.setattr(samples, "MOST_BYTES", len(TEXT))
    taken, refused = send(editor, TEXT, "a.csv"), send(editor, TEXT + b"\n", "a.csv")

    assert taken.status_code == 201
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")


def test_only_editors_of_the_tenant_change_the_sample(editor, reader, stranger, published):
    published()

    assert send(reader, TEXT, "a.csv").status_code == 403
    assert reader.delete(SAMPLE).status_code == 403
    assert send(stranger, TEXT, "a.csv").status_code in {403, 404}
    assert send(editor, TEXT, "a.csv", f"{BASE}/nothing/sample").status_code == 404
