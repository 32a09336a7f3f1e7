"""A file's name is stored without its path and deceptive characters, however it arrived."""

import io
import zipfile

import pytest

from tabular.model.places import plain_name
from tabular.reading.archive import MOST_FILES
from tests.imports.conftest import carry_on

pytestmark = pytest.mark.django_db
IMPORTS = "/api/import/v1/imports"
RIGHT_TO_LEFT = chr(0x202E)
ISOLATE = chr(0x2066)
SENT = f"C:\\inbox/../or{RIGHT_TO_LEFT}ders{ISOLATE}\x07 März.csv"
KEPT = "orders März.csv"


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("orders.csv", "orders.csv"),
        ("/etc/passwd", "passwd"),
        ("C:\\Users\\me\\a.csv", "a.csv"),
        ("a/b\\c.csv", "c.csv"),
        ("../..", ""),
        ("folder/", ""),
        ("", ""),
        (" a b .csv ", "a b .csv"),
        ("a\r\nb.csv", "ab.csv"),
        (f"exe.{RIGHT_TO_LEFT}vsc", "exe.vsc"),
        ("a\u200bb\ufeff.csv", "ab.csv"),  # no width at all
        ("Übersicht 2026 – 表.xlsx", "Übersicht 2026 – 表.xlsx"),
        ("x" * 300 + ".csv", "x" * 251 + ".csv"),
    ],
)
def test_a_name_without_path_and_unshown_signs(name, kept):
    assert plain_name(name) == kept


@pytest.mark.parametrize("sent", [SENT, "\\\\host\\share\\" + KEPT, "/tmp/" + KEPT])
def test_however_it_is_named_in_json(publish, client, sent):
    publish("orders")

    for about in ({"text": "a\n1"}, {"rows": [{"a": 1}]}, {"size": 3}):
        made = client.post(IMPORTS, about | {"filename": sent}, format="json").json()

        assert made["filename"] == KEPT


def test_in_a_form_by_its_part_and_by_its_member(publish, client):
    publish("orders")
    boundary = "frontier"

    def post(member: str = "") -> dict:
        disposition = f'Content-Disposition: form-data; name="file"; filename="{SENT}"'
        parts = [f"--{boundary}\r\n{disposition}\r\n\r\na\n1\r\n"]
        if member:
            named = 'Content-Disposition: form-data; name="filename"'
            parts.append(f"--{boundary}\r\n{named}\r\n\r\n{member}\r\n")
        body = "".join([*parts, f"--{boundary}--\r\n"]).encode()
        kind = f"multipart/form-data; boundary={boundary}"
        return client.post(IMPORTS, body, content_type=kind).json()

    assert post()["filename"] == KEPT
    assert post(f"x/{RIGHT_TO_LEFT}other.csv")["filename"] == "other.csv"


def test_the_bytes_of_an_announced_file_do_not_rename_it(publish, client):
    publish("orders")
    body = {"filename": SENT, "size": 4}
    record_id = client.post(IMPORTS, body, format="json").json()["recordId"]

    client.put(
        f"{IMPORTS}/{record_id}/file",
        b"a\n1\n",
        content_type="application/octet-stream",
        headers={"Content-Disposition": 'attachment; filename="../evil.csv"'},
    )

    assert client.get(f"{IMPORTS}/{record_id}").json()["filename"] == KEPT


def test_a_name_of_which_nothing_is_left(publish, client):
    publish("orders")
    body = {"text": "a\n1", "filename": f"/{RIGHT_TO_LEFT}"}

    assert client.post(IMPORTS, body, format="json").json()["filename"] == "file"


def test_a_corrected_file_and_what_is_exported_from_it(publish, upload, client):
    publish("orders")
    record = upload("orders-cp1252.csv", autoMap=True, filename=SENT)
    at = f"{IMPORTS}/{record['recordId']}"
    export = client.get(f"{at}/export?format=csv")
    named = export.headers["Content-Disposition"]

    sheet = io.BytesIO(b"".join(export.streaming_content))
    sheet.name = f"x\\{KEPT}"
    correction = client.post(f"{at}/corrections", {"file": sheet}).json()

    assert "orders%20M%C3%A4rz-error.csv" in named
    assert correction["filename"] == KEPT


def test_members_of_an_archive_that_are_named_in_a_problem(publish, client):
    publish("orders")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(MOST_FILES + 1):
            archive.writestr(f"in/{RIGHT_TO_LEFT}{number}.csv", "a\n1\n")
    packed.seek(0)
    packed.name = "both.zip"
    record_id = client.post(IMPORTS, {"file": packed}).json()["recordId"]

    problem = carry_on(client, record_id)["problem"]

    assert problem["code"] == "several_files"
    assert problem["names"][:2] == ["0.csv", "1.csv"]
