"""Before a draft is published, the newest rows show what it would refuse."""

import pytest

from catalogs.models import CatalogVersion
from common import clock
from common.actors import ENGINE
from common.ids import new_id
from imports.models import ImportRecord, Profile
from previews import impact as step
from tests.previews.conftest import V1
from tests.previews.test_testing import catalog
from workflow.worker import advance

CATALOGS = f"{V1}/catalogs"
ROWS = "Nummer;Betrag;Mail\nA1;50,00;a@b.de\nA2;80,50;keine\nA3;120,00;c@d.de\n"


@pytest.fixture
def save(editor):
    def save(document):
        return editor.put(f"{CATALOGS}/orders/draft", document, format="json")

    return save


@pytest.fixture
def published(editor, save):
    save(catalog())
    return editor.post(f"{CATALOGS}/orders/publish").json()


@pytest.fixture
def imported(editor, published):
    """Return a function that brings a text to review."""

    def imported(text=ROWS, **members):
        body = {"text": text, "catalogKey": "orders", "autoMap": True, **members}
        record_id = editor.post(f"{V1}/imports", body, format="json").json()["recordId"]
        advance(record_id)
        return record_id

    return imported


@pytest.fixture
def looked(editor):
    """Return a function that checks rows against the draft; returns the result."""

    def looked():
        made = editor.post(f"{CATALOGS}/orders/draft/impact")
        assert made.status_code == 202, made.content
        advance(made.json()["recordId"])
        return editor.get(made["Location"]).json()

    return looked


def test_rows_that_the_draft_alone_refuses_are_counted(imported, save, looked):
    imported()  # its second and third row are refused as it is
    imported("Nummer;Betrag;Mail\nB1;80,00;a@b.de\nB2;20,00;\n")
    save(catalog(limit=60))

    rows = looked()["rows"]

    assert (rows["state"], rows["looked"], rows["wouldFail"]) == ("checked", 5, 1)
    assert [(rule["code"], rule["rows"]) for rule in rows["rules"]] == [("compare", 1)]


def test_an_edit_counts_as_what_is_there(imported, save, looked, editor):
    record_id = imported()
    edits = [{"row": 1, "field": "order.mail", "text": "x@y.de"}]
    body = {"revision": 1, "edits": edits}
    answer = editor.patch(f"{V1}/imports/{record_id}/rows", body, format="json")
    assert answer.status_code == 200, answer.content
    save(catalog(limit=60))

    rows = looked()["rows"]

    assert rows["wouldFail"] == 1
    (rule,) = rows["rules"]
    assert (rule["entity"], rule["field"], rule["code"], rule["rows"]) == (
        "order", "amount", "compare", 1,
    )  # fmt: skip
    assert rule["pointer"] == "/entries/0/fields/1/validations/0"
    assert rule["example"]["recordId"] == record_id
    assert rule["example"]["value"] == "80,50"
    assert rule["example"]["message"] == "“80,50” must be at most 60."


def test_a_narrower_type_and_a_size_are_at_their_members(imported, save, looked):
    imported("Nummer;Betrag\nA1;50,00\n17;80,00\n")
    document = catalog()
    document["entries"][0]["fields"][0] |= {"columnType": "int"}
    document["entries"][0]["fields"][1] |= {"columnSize": 2}
    save(document)

    rules = {rule["field"]: rule for rule in looked()["rows"]["rules"]}

    assert rules["number"]["pointer"] == "/entries/0/fields/0/columnType"
    assert rules["number"]["code"] == "not_a_whole_number"


def test_a_new_required_field_is_missing_from_what_was_imported(imported, save, looked):
    imported()
    document = catalog()
    document["entries"][0]["fields"].append({"key": "day", "required": True})
    save(document)

    assert looked()["rows"]["missing"] == ["order.day"]


def test_no_more_rows_are_looked_at_than_allowed(imported, save, looked, monkeypatch):
    monkeypatch.setattr(step, "MOST_ROWS", 4)
    imported()
    imported()
    save(catalog(limit=1))

    assert looked()["rows"]["looked"] == 4


def test_open_imports_and_mappings_that_lose_a_field_are_named(imported, save, editor):
    record_id = imported()
    version = CatalogVersion.objects.get(catalog__key="orders")
    Profile.objects.create(
        public_id=new_id("prf_"),
        tenant=version.catalog.tenant,
        catalog_key="orders",
        fingerprint="f",
        columns=["Nr", "Post"],
        mapping={"Nr": "order.number", "Post": "order.mail"},
        saved_at=clock.now(),
        saved_by=ENGINE.as_dict(),
    )
    document = catalog()
    document["entries"][0]["fields"].pop()
    save(document)

    impact = editor.get(f"{CATALOGS}/orders/draft/impact").json()

    assert impact["rows"] is None
    assert [profile["columns"] for profile in impact["profiles"]] == [{"Post": "order.mail"}]
    assert [(import_["recordId"], import_["version"]) for import_ in impact["openImports"]] == [
        (record_id, 1)
    ]
    assert impact["openImportCount"] == 1


def test_rows_are_looked_at_once_for_each_draft(imported, save, editor):
    imported()
    save(catalog(limit=60))
    first = editor.post(f"{CATALOGS}/orders/draft/impact").json()
    again = editor.post(f"{CATALOGS}/orders/draft/impact").json()
    save(catalog(limit=70))
    other = editor.post(f"{CATALOGS}/orders/draft/impact").json()

    assert first["recordId"] == again["recordId"] != other["recordId"]
    assert first["looked"] is None
    assert ImportRecord.objects.filter(purpose="impact").count() == 2


def test_another_tenant_learns_nothing_of_the_rows(imported, stranger, save):
    imported()
    stranger.put(f"{CATALOGS}/orders/draft", catalog(limit=1), format="json")

    made = stranger.post(f"{CATALOGS}/orders/draft/impact").json()
    advance(made["recordId"])

    rows = stranger.get(f"{CATALOGS}/orders/draft/impact").json()["rows"]
    assert (rows["looked"], rows["wouldFail"]) == (0, 0)


def test_looking_at_rows_asks_for_the_entitlement(published, mint_key, client_of, save):
    save(catalog(limit=60))
    reader = client_of(mint_key())

    assert reader.get(f"{CATALOGS}/orders/draft/impact").status_code == 200
    assert reader.post(f"{CATALOGS}/orders/draft/impact").status_code == 403
