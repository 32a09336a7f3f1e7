"""A catalog is suggested from a file; nothing is saved, and the file goes after a day."""

import io
from datetime import timedelta

import pytest

from catalogs.models import Catalog
from common import clock, storage
from imports.models import ImportRecord
from tests.previews.conftest import V1
from workflow.retention import purge

ARTICLES = "Artikel-Nr.;Preis netto;Status\n" + "".join(
    f"A-{n};{n},50;{'aktiv' if n % 2 else 'alt'}\n" for n in range(1, 13)
)


def test_a_file_becomes_a_draft_that_can_be_saved_and_published(tried, editor):
    preview = tried("infer", ARTICLES, filename="artikel_stamm.csv")

    assert (preview["state"], preview["rows"], preview["problem"]) == ("checked", 12, None)
    suggestion = preview["suggestion"]
    assert (suggestion["title"], suggestion["key"]) == ("Artikel stamm", "artikel-stamm")
    assert [(c["key"], c["columnType"], c["unique"]) for c in suggestion["columns"]] == [
        ("artikel_nr", "string", True),
        ("preis_netto", "float", False),
        ("status", "category", False),
    ]
    assert suggestion["columns"][0]["evidence"] == ["100 % filled", "all different"]
    assert not Catalog.objects.exists()

    address = f"{V1}/catalogs/{suggestion['key']}"
    saved = editor.put(f"{address}/draft", suggestion["catalog"], format="json")
    published = editor.post(f"{address}/publish")

    assert (saved.json()["findings"], published.status_code) == ([], 200)


def test_the_file_that_made_a_catalog_fits_it(tried, editor):
    from workflow.worker import advance

    catalog = tried("infer", ARTICLES)["suggestion"]["catalog"]
    editor.put(f"{V1}/catalogs/{catalog['key']}/draft", catalog, format="json")
    editor.post(f"{V1}/catalogs/{catalog['key']}/publish")
    body = {"text": ARTICLES, "autoMap": True}

    record_id = editor.post(f"{V1}/imports", body, format="json").json()["recordId"]
    advance(record_id)

    record = editor.get(f"{V1}/imports/{record_id}").json()
    assert (record["state"], record["counts"]["error"]) == ("review", 0)


def test_a_form_or_a_file_that_is_here_is_taken_too(tried, editor):
    first = editor.post(f"{V1}/catalogs/infer", {"file": io.BytesIO(ARTICLES.encode())}).json()
    again = tried("infer", recordId=first["recordId"])

    assert again["recordId"] != first["recordId"]
    assert again["suggestion"]["columns"][0]["column"] == "Artikel-Nr."


def test_the_suggested_key_is_of_no_catalog_so_far(tried, editor):
    catalog = tried("infer", ARTICLES, filename="people.csv")["suggestion"]["catalog"]
    editor.put(f"{V1}/catalogs/people/draft", catalog, format="json")

    assert tried("infer", ARTICLES, filename="people.csv")["suggestion"]["key"] == "people-2"
    assert tried("infer", ARTICLES, filename="schema.csv")["suggestion"]["key"] == "schema-2"


def test_a_file_that_cannot_be_read_says_why(tried):
    preview = tried("infer", "%PDF-1.7 broken", filename="x.pdf")

    assert (preview["state"], preview["suggestion"]) == ("failed", None)
    assert preview["problem"]["code"] == "malformed"


def test_evidence_follows_the_language(tried, editor):
    record_id = tried("infer", ARTICLES)["recordId"]

    answer = editor.get(
        f"{V1}/catalogs/infer/{record_id}", headers={"Accept-Language": "de"}
    ).json()

    evidence = answer["suggestion"]["columns"][0]["evidence"]
    assert evidence == ["100 % ausgefüllt", "alle verschieden"]


def test_pasted_markup_stays_text(tried):
    html = "Name;<b>Größe</b>\n<script>alert(1)</script>;5\n"

    columns = tried("infer", html)["suggestion"]["columns"]

    assert [column["label"] for column in columns] == ["Name", "<b>Größe</b>"]
    assert columns[0]["samples"] == ["<script>alert(1)</script>"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 422, "file_missing"),
        ({"recordId": "rec_none"}, 404, "unknown_import"),
        ({"text": ""}, 400, "invalid_request"),
        ({"text": "a", "more": 1}, 400, "invalid_request"),
        ({"text": "a", "recordId": "rec_none"}, 422, "file_missing"),
    ],
)
def test_what_is_not_a_file_is_refused(editor, body, status, code):
    answer = editor.post(f"{V1}/catalogs/infer", body, format="json")

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not ImportRecord.objects.exists()


def test_only_an_editor_has_files_tried_and_only_of_the_own_tenant(
    tried, stranger, mint_key, client_of
):
    record_id = tried("infer", ARTICLES)["recordId"]
    reader = client_of(mint_key())

    assert reader.post(f"{V1}/catalogs/infer", {"text": "a"}, format="json").status_code == 403
    assert stranger.get(f"{V1}/catalogs/infer/{record_id}").json()["code"] == "unknown_trial"
    taken = stranger.post(f"{V1}/catalogs/infer", {"recordId": record_id}, format="json")
    assert taken.json()["code"] == "unknown_import"


def test_a_tried_file_is_not_an_import_and_goes_after_a_day(tried, editor, monkeypatch):
    record_id = tried("infer", ARTICLES)["recordId"]
    record = ImportRecord.objects.get(public_id=record_id)
    assert editor.get(f"{V1}/imports").json()["items"] == []
    assert editor.get(f"{V1}/imports/{record_id}").status_code == 404

    late = clock.now() + timedelta(days=1, minutes=1)
    monkeypatch.setattr(clock, "now", lambda: late)
    purge()

    assert not storage.local_path(record.file).exists()
    assert not storage.local_path(record.source).exists()
    assert ImportRecord.objects.get(public_id=record_id).report is None


@pytest.mark.child
def test_a_file_is_looked_at_in_a_child(tried):
    assert tried("infer", ARTICLES)["suggestion"]["key"] == "text"
