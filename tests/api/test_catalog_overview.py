"""Every catalog with its state, and what its draft changes, over HTTP."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogs.models import CatalogVersion
from common import clock
from common.ids import new_id
from imports.models import ImportRecord
from ledger.models import Question
from licensing.models import Tenant
from tests.api.test_catalogs import BASE, editor, published, put, reader, stranger

__all__ = ["editor", "published", "reader", "stranger"]  # fixtures

NAME = {"key": "name"}


def people(*fields, **members):
    return {"entries": [{"id": "person", "fields": [*fields]}], **members}


def imported(key="people", *, state="review", asks=0, rows=7):
    version = CatalogVersion.objects.get(catalog__key=key, state="published")
    record = ImportRecord.objects.create(
        public_id=new_id("rec_"),
        tenant=version.catalog.tenant,
        catalog_version=version,
        state=state,
        created_at=clock.now(),
        counts={"sourceRows": rows},
    )
    for number in range(asks):
        Question.objects.create(
            public_id=new_id("qst_"), tenant=record.tenant, subject=record.public_id, kind="table",
            fingerprint=str(number), asked_at=clock.now(), state="open",
        )  # fmt: skip
    return record.public_id


def test_every_catalog_says_its_state(editor, reader, published):
    published("people")
    put(editor, people(NAME, {"key": "age"}, title="Persons"), key="people")
    put(editor, key="unfinished")
    published("old")
    editor.post(f"{BASE}/old/retire", {}, format="json")

    items = {item["key"]: item for item in reader.get(f"{BASE}/overview").json()["items"]}

    assert {key: item["state"] for key, item in items.items()} == {
        "old": "retired", "people": "published", "unfinished": "draft",
    }  # fmt: skip
    assert items["people"]["published"]["version"] == 1
    assert (items["people"]["draft"]["version"], items["people"]["draft"]["changes"]) == (2, 2)
    assert items["people"]["draft"]["etag"] in editor.get(f"{BASE}/people/draft")["ETag"]
    assert items["people"]["fields"] == 1
    assert items["unfinished"]["published"] is None
    assert (items["old"]["draft"], items["old"]["retiredVersion"]) == (None, 1)


def test_a_catalog_says_what_goes_on_in_it(reader, published):
    published("people")
    published("quiet")
    imported(asks=2, state="applied")
    last = imported(asks=1, rows=48)

    items = reader.get(f"{BASE}/overview").json()["items"]

    assert items[0]["lastImport"]["recordId"] == last
    assert (items[0]["lastImport"]["rows"], items[0]["lastImport"]["state"]) == (48, "review")
    assert (items[0]["openImports"], items[0]["openQuestions"]) == (1, 3)
    assert (items[1]["lastImport"], items[1]["openQuestions"]) == (None, 0)


def test_a_draft_that_cannot_be_published_has_no_number_of_changes(editor, reader):
    put(editor, '{"entries": [7]}')

    (item,) = reader.get(f"{BASE}/overview").json()["items"]

    assert (item["draft"]["changes"], item["fields"]) == (None, 0)


def test_many_catalogs_take_no_more_queries_than_one(reader, published):
    published("a")
    imported("a")
    with CaptureQueriesContext(connection) as first_queries:
        reader.get(f"{BASE}/overview")
    for key in "bcde":
        published(key)
        imported(key, asks=1)

    with CaptureQueriesContext(connection) as many:
        reader.get(f"{BASE}/overview")

    assert len(many) == len(first_queries)


def test_catalogs_of_another_tenant_are_not_listed(stranger, published):
    published()
    imported(asks=1)

    assert stranger.get(f"{BASE}/overview").json() == {"items": [], "next": None}
    assert Tenant.objects.filter(public_id="tnt_stranger").exists()


def test_a_draft_says_what_it_changes_field_by_field(editor, reader, published):
    published(document=people(NAME, {"key": "mail"}, {"key": "age"}))
    put(editor, people({"key": "age"}, {**NAME, "required": True, "label": "Full name"}))

    answer = reader.get(f"{BASE}/people/changes").json()

    assert (answer["from"], answer["to"]) == (1, 2)
    assert [(c["kind"], c["pointer"], c["property"], c["class"]) for c in answer["changes"]] == [
        ("removed", "/entries/0/fields/1", None, "breaking"),
        ("moved", "/entries/0/fields/0", "position", "compatible"),
        ("changed", "/entries/0/fields/1/label", "label", "compatible"),
        ("changed", "/entries/0/fields/1/required", "required", "stricter"),
    ]
    assert answer["classes"] == {"compatible": 2, "stricter": 1, "breaking": 1}
    assert answer["changes"][2]["subject"] == {
        "entity": "person", "field": "name", "label": "Full name",
    }  # fmt: skip
    assert answer["changes"][0]["sentence"] == "Hosts no longer receive the field."


def test_any_two_versions_are_compared(editor, reader, published):
    published(document=people(NAME))
    published(document=people(NAME, {"key": "age"}))

    there = reader.get(f"{BASE}/people/changes?from=1&to=2").json()
    back = reader.get(f"{BASE}/people/changes?from=2&to=1").json()

    assert [change["kind"] for change in there["changes"]] == ["added"]
    assert [change["kind"] for change in back["changes"]] == ["removed"]


def test_where_nothing_was_published_everything_is_new(editor, reader):
    put(editor)

    answer = reader.get(f"{BASE}/people/changes").json()

    assert answer["from"] is None
    assert [(c["kind"], c["subject"]["entity"]) for c in answer["changes"]] == [("added", "person")]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("", 409, "no_draft"),
        ("?to=9", 404, "unknown_version"),
        ("?from=9&to=1", 404, "unknown_version"),
        ("?from=draft", 400, "invalid_request"),
        ("?to=1.5", 400, "invalid_request"),
        ("?from=99999999999999999999", 400, "invalid_request"),
        ("?too=1", 400, "invalid_request"),
    ],
)
def test_what_cannot_be_compared_says_so(reader, published, query, status, code):
    published()

    answer = reader.get(f"{BASE}/people/changes{query}")

    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_wrong_draft_is_named_at_its_place(editor, reader):
    put(editor, people(NAME, NAME))

    answer = reader.get(f"{BASE}/people/changes")

    assert (answer.status_code, answer.json()["code"]) == (409, "catalog_invalid")
    assert answer.json()["errors"][0]["pointer"] == "/entries/0/fields/1/key"


def test_sentences_follow_the_language(editor, reader, published):
    published()
    put(editor, people())

    answer = reader.get(f"{BASE}/people/changes", headers={"Accept-Language": "de"}).json()

    assert answer["changes"][0]["sentence"] == "Hosts erhalten das Feld nicht mehr."


def test_other_tenants_compare_nothing(stranger, published):
    published()

    assert stranger.get(f"{BASE}/people/changes").json()["code"] == "unknown_catalog"
