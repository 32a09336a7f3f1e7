"""No JSON answer exceeds a megabyte; a larger page ends early and loses nothing."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from catalogs import services as catalogs
from common import clock
from common.actors import ENGINE
from common.response_size import MOST_BYTES
from references.models import KnownEntity, KnownSet
from tests.api.documented import openapi_document
from tests.imports.conftest import carry_on, client, owner

__all__ = ["client", "owner"]  # fixtures

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
ROWS, COLUMNS, LONG = 30, 40, 3_000  # 3.6 MB of text
CELL = "é" * 150  # two bytes each


@pytest.fixture
def editor(mint_key, client_of):
    return client_of(mint_key(plan="enterprise", entitlements=("catalogEditor",)))


def publish_fields(owner, key: str, fields: list[dict]) -> None:
    text = json.dumps({"key": key, "title": key, "entries": [{"id": "e", "fields": fields}]})
    catalogs.publish_document(
        tenant=owner, key=key, text=text.encode(), at=clock.now(), actor=ENGINE
    )


@pytest.fixture
def import_of(editor, owner):
    """Return a function that imports a CSV into a catalog of texts."""

    def make(lines: list[list[str]], **members) -> str:
        names = [f"c{n}" for n in range(len(lines[0]))]
        publish_fields(owner, "wide", [{"key": name} for name in names])
        content = "\n".join(",".join(line) for line in [names, *lines])
        file = SimpleUploadedFile("wide.csv", content.encode())
        answer = editor.post(
            f"{V1}/imports",
            {"file": file, "catalogKey": "wide", "autoMap": "true", **members},
        )
        record = carry_on(editor, answer.json()["recordId"])
        assert record["state"] == "review", record
        return f"{V1}/imports/{record['recordId']}"

    return make


@pytest.fixture
def wide(import_of) -> str:
    return import_of([[f"{row}-{n}" + "x" * LONG for n in range(COLUMNS)] for row in range(ROWS)])


def size_checked(answer) -> dict:
    assert answer.status_code == 200, answer.content[:500]
    assert len(answer.content) <= MOST_BYTES
    return answer.json()


def test_pages_of_wide_rows_end_early_and_together_hold_every_row(editor, wide):
    seen, offset, pages = [], 0, 0
    while offset is not None:
        query = {"offset": offset, "limit": 500}
        page = size_checked(editor.post(f"{wide}/rows/query", query, format="json"))
        seen += [(row["row"], row["values"]["e.c0"]) for row in page["rows"]]
        assert "cut" not in page["rows"][0]
        offset, pages = page["next"], pages + 1

    assert seen == [(row, f"{row}-0" + "x" * LONG) for row in range(ROWS)]
    assert 1 < pages < ROWS


def test_a_page_that_ends_because_nothing_follows_says_so(editor, import_of):
    record = import_of([["a"], ["b"]])

    page = size_checked(editor.post(f"{record}/rows/query", {"limit": 2}, format="json"))

    assert (len(page["rows"]), page["next"]) == (2, None)


def test_a_row_that_is_larger_by_itself_is_cut_and_says_where(editor, import_of):
    record = import_of([["é" * 600_000, "short"], ["b", "c"]])

    page = size_checked(editor.post(f"{record}/rows/query", {}, format="json"))

    first = page["rows"][0]
    assert first["cut"] == ["e.c0"]
    assert first["values"]["e.c0"].endswith("é…")
    assert first["values"]["e.c1"] == "short"


def test_the_rows_that_an_edit_changed_fit(editor, wide):
    numbers = list(range(ROWS))

    changed = size_checked(
        editor.patch(f"{wide}/rows", {"revision": 1, "exclude": numbers}, format="json")
    )

    assert changed["changedRows"] == ROWS
    assert 0 < len(changed["rows"]) < ROWS


def apply(editor, record: str) -> None:
    body = {"applyMode": "browser", "openQuestions": "dismiss", "invalidRows": "include"}
    assert editor.post(f"{record}/apply", body, format="json").status_code == 202
    assert carry_on(editor, record.rpartition("/")[2])["state"] == "applied"


def test_pages_of_results_end_early_and_together_hold_every_row(editor, wide):
    apply(editor, wide)

    seen, cursor = [], "0"
    while cursor is not None:
        page = size_checked(editor.get(f"{wide}/results?limit=10000&cursor={cursor}"))
        seen += page["items"]
        cursor = page["next"]

    assert [row["e.c1"] for row in seen] == [f"{row}-1" + "x" * LONG for row in range(ROWS)]


def test_a_result_larger_than_an_answer_comes_alone_and_whole(editor, import_of):
    record = import_of([["a", "b"], ["c" * 1_200_000, "d"], ["e", "f"]])
    apply(editor, record)

    seen, cursor = [], "0"
    while cursor is not None:
        page = editor.get(f"{record}/results?cursor={cursor}").json()
        seen.append([len(row["e.c0"]) for row in page["items"]])
        cursor = page["next"]

    assert seen == [[1], [1_200_000], [1]]


def test_a_list_ends_early_and_goes_on_at_its_cursor(client, owner):
    known = KnownSet.objects.create(tenant=owner, entity="e")
    KnownEntity.objects.bulk_create(
        KnownEntity(
            known_set=known, ref=f"{n:03}", values={"a": "x" * 9_000}, changed_at=clock.now()
        )
        for n in range(300)
    )

    seen, query = [], "limit=500"
    while query:
        page = size_checked(client.get(f"{V1}/references/e?{query}"))
        seen += [item["ref"] for item in page["items"]]
        query = page["next"] and f"limit=500&cursor={page['next']}"

    assert seen == [f"{n:03}" for n in range(300)]


def test_every_reading_call_of_an_import_fits(editor, wide):
    record_id = wide.rpartition("/")[2]
    document = openapi_document()
    paths = [
        path
        for path, methods in document["paths"].items()
        if "get" in methods and "{record_id}" in path and path.count("{") == 1
        and path.startswith(f"{V1}/imports/")
    ]  # fmt: skip

    for path in paths:
        answer = editor.get(path.replace("{record_id}", record_id))
        assert answer.status_code < 500, path
        assert answer.streaming or len(answer.content) <= MOST_BYTES, path

    assert len(paths) > 10


def test_a_file_of_very_many_columns_can_still_be_mapped(editor, import_of):
    record = import_of([["é" * 800] * 700])

    mapping = size_checked(editor.get(f"{record}/mapping"))
    tables = size_checked(editor.get(f"{record}/tables"))

    assert len(mapping["columns"]) == len(tables["tables"][0]["columns"]) == 700
    assert all(column["samples"][0].endswith("…") for column in mapping["columns"])


def test_what_cannot_end_early_is_refused_whole(editor, wide, monkeypatch):
    monkeypatch.setattr("common.http.middleware.MOST_BYTES", 100)

    answer = editor.get(wide)

    assert (answer.status_code, answer.json()["code"]) == (422, "answer_too_large")
    assert answer["Content-Type"] == "application/problem+json"


def test_a_catalog_is_given_as_it_was_sent_however_large(editor, owner):
    publish_fields(owner, "large", [{"key": f"f{n}", "label": "é" * 100} for n in range(6_000)])

    answer = editor.get(f"{V1}/catalogs/large")

    assert answer.status_code == 200
    assert len(answer.content) > MOST_BYTES
