"""Catalogs over HTTP."""

import json

import jsonschema
import pytest
from django.contrib.auth.models import Group
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from api.v1 import urls
from catalogs.models import CatalogVersion
from licensing.models import Membership, Tenant
from tabular.model.i_json import MAX_BYTES

BASE = "/api/import/v1/catalogs"
PEOPLE = {"entries": [{"id": "person", "fields": [{"key": "name"}]}]}


@pytest.fixture
def editor(db, mint_key, client_of):
    return client_of(mint_key(entitlements=("catalogEditor",)))


@pytest.fixture
def reader(db, mint_key, client_of):
    return client_of(mint_key())


@pytest.fixture
def stranger(db, mint_key, client_of):
    return client_of(mint_key("tnt_stranger", entitlements=("catalogEditor",)))


def put(client, document=PEOPLE, *, key="people", **headers):
    text = document if isinstance(document, str | bytes) else json.dumps(document)
    return client.put(f"{BASE}/{key}/draft", text, content_type="application/json", headers=headers)


@pytest.fixture
def published(editor):
    def _published(key="people", document=PEOPLE):
        put(editor, document, key=key)
        return editor.post(f"{BASE}/{key}/publish").json()

    return _published


def test_a_draft_is_saved_published_and_read(editor, reader):
    saved = put(editor)
    assert (saved.status_code, saved.json()["state"], saved.json()["findings"]) == (
        200,
        "draft",
        [],
    )

    answer = editor.post(f"{BASE}/people/publish", {"note": "The first"}, format="json")
    assert (answer.json()["state"], answer.json()["note"]) == ("published", "The first")

    catalog = reader.get(f"{BASE}/people")
    assert catalog.content.decode() == (
        '{"key":"people","title":"people","version":1,"keySeparator":".",'
        '"entries":[{"id":"person","fields":[{"key":"name"}]}]}'
    )
    assert catalog["Content-Type"] == "application/json"


def test_only_published_catalogs_are_listed(editor, reader, published):
    published("people")
    published("orders")
    put(editor, key="unfinished")

    page = reader.get(BASE, {"limit": 1}).json()
    rest = reader.get(BASE, {"limit": 1, "cursor": page["next"]}).json()

    assert set(page["items"][0]) == {"key", "title", "version", "publishedAt"}
    assert [item["key"] for item in page["items"] + rest["items"]] == ["orders", "people"]
    assert rest["next"] is None


def test_a_lost_race_is_a_conflict_and_loses_nothing(editor):
    read = put(editor)["ETag"]
    put(editor, {**PEOPLE, "title": "Theirs"}, **{"If-Match": read})

    lost = put(editor, {**PEOPLE, "title": "Mine"}, **{"If-Match": read})

    assert (lost.status_code, lost.json()["code"]) == (409, "draft_changed")
    draft = editor.get(f"{BASE}/people/draft")
    assert draft.json()["title"] == "Theirs"
    assert (
        put(editor, {**PEOPLE, "title": "Mine"}, **{"If-Match": draft["ETag"]}).status_code == 200
    )


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"If-Match": "*"}, 200),
        ({}, 200),  # no condition: whichever draft is there
        ({"If-None-Match": "*"}, 409),
        ({"If-Match": f'"{"0" * 64}"'}, 409),
        ({"If-Match": '"0"'}, 409),
        ({"If-Match": "{}"}, 409),
        ({"If-Match": ""}, 400),
        ({"If-None-Match": '"a"'}, 400),
        ({"If-None-Match": ""}, 400),
        ({"If-Match": "*", "If-None-Match": ""}, 400),
        ({"If-Match": '"a", "b"'}, 400),
    ],
)
def test_the_condition_on_a_save_is_kept(editor, headers, status):
    put(editor)

    assert put(editor, {**PEOPLE, "title": "Next"}, **headers).status_code == status


def test_a_weakened_etag_still_names_the_draft(editor):
    etag = put(editor)["ETag"]

    assert put(editor, {**PEOPLE, "title": "Next"}, **{"If-Match": f"W/{etag}"}).status_code == 200


def test_a_wrong_draft_is_saved_with_its_findings_and_not_published(editor):
    wrong = {"entries": [{"id": "person", "fields": [{"key": "a", "columnType": "text"}]}]}

    saved = put(editor, wrong)
    refused = editor.post(f"{BASE}/people/publish")

    pointer = "/entries/0/fields/0/columnType"
    assert [finding["pointer"] for finding in saved.json()["findings"]] == [pointer]
    assert (refused.status_code, refused["Content-Type"]) == (409, "application/problem+json")
    assert refused.json()["code"] == "catalog_invalid"
    assert [error["pointer"] for error in refused.json()["errors"]] == [pointer]


@pytest.mark.parametrize(
    ("text", "status", "code"),
    [
        ("", 422, "catalog_invalid"),
        ('{"entries": NaN}', 422, "catalog_invalid"),
        ('{"entries": [], "entries": []}', 422, "catalog_invalid"),
        (b"\xff", 422, "catalog_invalid"),
        (b" " * (MAX_BYTES + 1), 413, "too_large"),
    ],
)
def test_what_is_not_a_catalog_is_refused(editor, text, status, code):
    answer = put(editor, text)

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not CatalogVersion.objects.exists()


def test_another_content_type_is_refused(editor):
    answer = editor.put(f"{BASE}/people/draft", "key: people", content_type="text/yaml")

    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("put", "people/draft"),
        ("post", "people/publish"),
        ("post", "people/retire"),
        ("post", "people/versions/1/restore"),
    ],
)
def test_editing_asks_for_the_entitlement(reader, published, method, path):
    published()

    answer = getattr(reader, method)(f"{BASE}/{path}", PEOPLE, format="json")

    assert (answer.status_code, answer.json()["code"]) == (403, "entitlement_required")
    assert answer.json()["entitlement"] == "catalogEditor"
    assert CatalogVersion.objects.count() == 1


READS = ["", "/schema", "/people", "/people/draft", "/people/versions", "/people/versions/1"]


@pytest.mark.parametrize("path", READS)
def test_any_license_reads_and_no_caller_without_one(editor, reader, published, path):
    published()
    put(editor, {**PEOPLE, "title": "Next"})

    assert reader.get(BASE + path).status_code == 200
    assert APIClient().get(BASE + path).status_code == 401


@pytest.mark.parametrize("path", READS[2:])
def test_the_catalogs_of_another_tenant_are_not_there(editor, stranger, published, path):
    published()
    put(editor, {**PEOPLE, "title": "Next"})

    answer = stranger.get(BASE + path)

    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_catalog")


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/nothing", 404, "unknown_catalog"),
        ("/people/draft", 409, "no_draft"),
        ("/people/versions/9", 404, "unknown_version"),
        ("/people/versions/99999999999999999999", 404, "unknown_version"),
        ("/people/versions/0", 404, "unknown_version"),
    ],
)
def test_what_is_not_there_says_so(reader, published, path, status, code):
    published()

    answer = reader.get(BASE + path)

    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_key_that_no_address_can_hold_is_refused(editor):
    answer = put(editor, key="two words")

    assert (answer.status_code, answer.json()["code"]) == (400, "bad_catalog_key")


def test_versions_are_listed_newest_first_and_restored(editor, reader, published):
    published()
    published(document={**PEOPLE, "title": "Second"})

    versions = reader.get(f"{BASE}/people/versions").json()["items"]
    restored = editor.post(f"{BASE}/people/versions/1/restore")

    assert [(v["version"], v["state"]) for v in versions] == [(2, "published"), (1, "retired")]
    assert versions[0]["publishedBy"]["id"].startswith("lic_")
    assert (restored.json()["version"], restored.json()["state"]) == (3, "draft")
    assert reader.get(f"{BASE}/people/draft").json()["title"] == "people"


def test_restoring_respects_a_draft_one_has_not_seen(editor, published):
    published()
    put(editor, {**PEOPLE, "title": "Next"})

    answer = editor.post(f"{BASE}/people/versions/1/restore", headers={"If-None-Match": "*"})

    assert (answer.status_code, answer.json()["code"]) == (409, "draft_changed")


def test_publishing_what_one_has_not_seen_is_refused(editor):
    seen = put(editor)["ETag"]
    put(editor, {**PEOPLE, "title": "Unseen"})

    answer = editor.post(f"{BASE}/people/publish", headers={"If-Match": seen})

    assert (answer.status_code, answer.json()["code"]) == (409, "draft_changed")


def test_an_unchanged_catalog_is_not_sent_again(reader, published):
    published()
    etag = reader.get(f"{BASE}/people")["ETag"]

    again = reader.get(f"{BASE}/people", headers={"If-None-Match": etag})

    assert (again.status_code, again.content) == (304, b"")


def test_the_schema_accepts_what_is_published_and_refuses_what_is_not(reader, published):
    published()
    schema = reader.get(f"{BASE}/schema").json()
    catalog = reader.get(f"{BASE}/people").json()

    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(catalog, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**catalog, "surprise": 1}, schema)


@pytest.fixture
def staff(client, django_user_model):
    def _staff(role):
        user = django_user_model.objects.create_user("sam", is_staff=True)
        user.groups.add(Group.objects.get(name="editor"))
        tenant, _ = Tenant.objects.get_or_create(
            public_id="tnt_owner", defaults={"created_at": "2026-11-20T12:00:00Z"}
        )
        Membership.objects.create(user=user, tenant=tenant, role=role)
        session = APIClient(headers={"X-Import-Tenant": "tnt_owner"})
        session.force_login(user)
        return session

    return _staff


def test_an_editor_of_the_staff_edits_and_a_viewer_only_looks(staff, published):
    published()
    session = staff("editor")
    assert put(session, {**PEOPLE, "title": "Sam's"}).json()["savedBy"]["label"] == "sam"

    Membership.objects.update(role="viewer")
    assert session.get(f"{BASE}/people/draft").status_code == 200
    assert put(session).status_code == 403


def test_every_operation_is_in_the_openapi_document():
    document = SchemaGenerator().get_schema(request=None, public=True)

    routes = {str(route.pattern) for route in urls.urlpatterns}
    routed = {route for route in routes if route.startswith("catalogs")}
    paths = {path for path in document["paths"] if path.startswith(BASE)}
    assert len(paths) == len(routed)
    assert {"Catalog", "Field", "Validation"} <= set(document["components"]["schemas"])
    assert document["paths"][f"{BASE}/{{key}}/draft"]["put"]["operationId"] == "saveDraft"


def test_a_retired_catalog_is_not_offered_and_its_versions_stay(editor, reader, published):
    published()

    answer = editor.post(f"{BASE}/people/retire", {"note": "Merged"}, format="json")
    again = editor.post(f"{BASE}/people/retire", {}, format="json")

    assert (answer.status_code, answer.json()["state"]) == (200, "retired")
    assert (again.status_code, again.json()["code"]) == (409, "not_published")
    assert reader.get(BASE).json()["items"] == []
    assert reader.get(f"{BASE}/people").json()["code"] == "unknown_catalog"
    assert reader.get(f"{BASE}/people/versions/1").status_code == 200


RENAMED = {"entries": [{"id": "person", "fields": [{"key": "label"}]}]}


def test_breaking_changes_are_published_once_they_are_confirmed(editor, published):
    published()
    put(editor, RENAMED)

    refused = editor.post(f"{BASE}/people/publish", {"confirm": []}, format="json")
    confirmed = editor.post(f"{BASE}/people/publish", {"confirm": ["breaking"]}, format="json")

    assert (refused.status_code, refused.json()["code"]) == (409, "breaking_changes")
    assert refused.json()["errors"] == [
        {
            "pointer": "/entries/0/fields/0",
            "code": "removed",
            "detail": "Hosts no longer receive the field.",
            "label": "name",
        }
    ]
    assert (confirmed.status_code, confirmed.json()["version"]) == (200, 2)


def test_a_caller_that_confirms_nothing_publishes_as_ever(editor, published):
    published()
    put(editor, RENAMED)

    assert editor.post(f"{BASE}/people/publish").status_code == 200


def test_nothing_has_to_be_confirmed_of_what_breaks_nothing(editor, published):
    put(editor)
    first = editor.post(f"{BASE}/people/publish", {"confirm": []}, format="json")
    put(editor, {**PEOPLE, "title": "Persons"})
    second = editor.post(f"{BASE}/people/publish", {"confirm": []}, format="json")

    assert (first.status_code, second.status_code) == (200, 200)


def test_retiring_takes_no_confirmation(editor, published):
    published()

    answer = editor.post(f"{BASE}/people/retire", {"confirm": []}, format="json")

    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/confirm")
