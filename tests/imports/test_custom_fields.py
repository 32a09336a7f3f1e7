"""A column that no field takes is kept as a field of its own, to the delivery and the next file."""

import json
from ipaddress import ip_network

import pytest

from catalogs import services as catalogs
from common import clock
from common.actors import ENGINE
from deliveries import bodies
from deliveries.models import Delivery
from imports import services
from imports.models import ImportRecord, Profile
from staging.selectors import at_revision
from tests.imports.asked import V1, Imported
from tests.imports.conftest import carry_on

pytestmark = pytest.mark.django_db
TEXT = "Name,Farbe,Größe\nAda,red,38\nBob,blue,x\n"
COLOR = {"column": "Farbe", "label": "Color", "columnType": "string"}
SIZE = {"column": "Größe", "label": "Shoe size", "columnType": "int"}
NAMED = {"Name": "p.name"}
SHOWN = [
    {"field": "p.custom.color", "key": "color", "label": "Color", "columnType": "string"},
    {"field": "p.custom.shoe_size", "key": "shoe_size", "label": "Shoe size", "columnType": "int"},
]


def publish(tenant, *fields, allows=True):
    full = [{"key": name, "columnType": "string"} for name in fields]
    entry = {"id": "p", "fields": full, **({"allowCustomFields": True} if allows else {})}
    document = {"key": "people", "title": "People", "keySeparator": ".", "entries": [entry]}
    text = json.dumps(document).encode()
    return catalogs.publish_document(
        tenant=tenant, key="people", text=text, at=clock.now(), actor=ENGINE
    )


@pytest.fixture
def imported(owner, client):
    publish(owner, "name")
    return Imported(client, TEXT)


def confirm(imported, *custom, mapping=NAMED, **more):
    return imported.put("mapping", {"mapping": mapping, "customFields": list(custom), **more})


def refused(answer, status, code):
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content
    return answer.json().get("errors")


def record_of(imported) -> ImportRecord:
    return ImportRecord.objects.get(public_id=imported.id)


def test_a_column_becomes_a_field_that_is_validated_as_its_type(imported):
    assert confirm(imported, COLOR, SIZE).status_code == 202

    rows = imported.client.post(imported.url("rows/query"), {}, format="json").json()["rows"]
    assert rows[0]["values"] == {"p.name": "Ada", "p.custom.color": "red", "p.custom.shoe_size": 38}
    assert [issue["field"] for issue in rows[1]["issues"]] == ["p.custom.shoe_size"]
    mapped = imported.mapping()
    assert mapped["customFields"] == SHOWN
    assert mapped["mapping"]["Farbe"] == "p.custom.color"
    fields = imported.client.get(imported.url("catalog")).json()["entries"][0]["fields"]
    assert [field.get("label") for field in fields] == [None, "Color", "Shoe size"]


def test_they_are_exported_and_corrected_like_other_fields(imported):
    confirm(imported, COLOR, SIZE)

    edit = {"row": 1, "field": "p.custom.shoe_size", "text": "41"}
    edited = imported.client.patch(
        imported.url("rows"), {"revision": 1, "edits": [edit]}, format="json"
    )
    export = imported.client.get(imported.url("export"), {"rows": "all", "format": "csv"})

    assert edited.status_code == 200, edited.content
    text = b"".join(export.streaming_content) if export.streaming else export.content
    header, _, second = text.decode("utf-8-sig").splitlines()[:3]
    assert ("Color" in header, "Shoe size" in header) == (True, True)
    assert "blue" in second
    assert "41" in second


def test_a_delivery_has_them_by_path_and_lists_what_they_are(imported, settings):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    hook = {"url": "http://127.0.0.1:9/apply"}
    assert imported.client.post(f"{V1}/webhooks", hook, format="json").status_code == 201
    confirm(imported, COLOR)

    assert imported.apply(applyMode="webhook").status_code == 202

    body = json.loads(bodies.content(Delivery.objects.get()))
    assert body["rows"][0] == {"p.name": "Ada", "p.custom.color": "red"}
    assert body["mapping"] == {"Name": "p.name", "Farbe": "p.custom.color"}
    assert body["customFields"] == SHOWN[:1]


def test_the_results_of_a_page_list_what_they_are(imported):
    confirm(imported, COLOR)
    assert imported.apply(applyMode="browser").status_code == 202

    results = imported.client.get(imported.url("results")).json()

    assert results["items"][0] == {"p.name": "Ada", "p.custom.color": "red"}
    assert results["customFields"] == SHOWN[:1]


def test_the_plan_has_them_and_a_replay_gives_the_same_rows(imported):
    imported.put("mapping", {"mapping": NAMED})
    plain = at_revision(imported.id, 1).files.plan
    confirm(imported, COLOR)
    plan = at_revision(imported.id, 2).files.plan

    assert plan.digest != plain.digest
    assert "p.custom.color" in plan.fields
    assert "custom" not in json.dumps(plain.mapping) + plain.catalog.model_dump_json()
    assert services.replay(record=record_of(imported), at=clock.now()).is_identical


def test_they_are_remembered_with_the_mapping(imported, client):
    confirm(imported, COLOR, SIZE)
    imported.finish()

    again = Imported(client, TEXT.replace("red", "green"), autoMap=True)

    assert Profile.objects.get().custom_fields == record_of(imported).decided.custom_fields
    assert again.state == "review"
    assert again.mapping()["customFields"] == SHOWN
    assert again.values("p.custom.color") == ["green", "blue"]


def test_a_catalog_that_takes_none_any_more_uses_no_mapping_with_them(imported, client, owner):
    confirm(imported, COLOR)
    imported.finish()
    publish(owner, "name", "city", allows=False)

    again = Imported(client, TEXT, autoMap=True)

    assert "Farbe" not in again.mapping()["proposed"]["mapping"]
    assert again.mapping()["customFields"] == []


def test_a_field_that_the_catalog_has_by_now_is_not_doubled(imported, client, owner):
    confirm(imported, COLOR)
    imported.finish()
    publish(owner, "name", "custom.color")

    again = Imported(client, TEXT)

    fields = client.get(again.url("catalog")).json()["entries"][0]["fields"]
    assert [field["key"] for field in fields] == ["name", "custom.color"]


def test_a_file_that_is_taken_again_keeps_them(imported, client):
    confirm(imported, COLOR)

    about = {"from": imported.id, "catalogKey": "people"}
    made = client.post(f"{V1}/imports", about, format="json").json()
    again = Imported.of(client, carry_on(client, made["recordId"]))

    assert again.mapping()["customFields"] == SHOWN[:1]


def test_they_stay_while_the_mapping_names_them(imported):
    confirm(imported, COLOR, SIZE)
    confirm(imported, mapping=NAMED | {"Farbe": "p.custom.color"})

    assert imported.mapping()["customFields"] == SHOWN[:1]
    rows = imported.client.post(imported.url("rows/query"), {}, format="json").json()["rows"]
    assert rows[0]["values"] == {"p.name": "Ada", "p.custom.color": "red"}


def test_undoing_a_mapping_brings_back_its_fields(imported):
    confirm(imported, COLOR)
    confirm(imported)
    assert imported.mapping()["customFields"] == []

    undone = imported.client.post(imported.url("undo"), {"revision": 2}, format="json")

    assert undone.status_code == 200, undone.content
    assert imported.mapping()["customFields"] == SHOWN[:1]


@pytest.mark.parametrize(
    ("labels", "keys"),
    [
        (["Color", "COLOR!"], ["color", "color_2"]),
        (["色", "???"], ["色", "field"]),
        (["Größe (EU)", "x"], ["größe_eu", "x"]),
    ],
)
def test_keys_come_from_labels_and_are_unique(imported, labels, keys):
    wishes = [{**wish, "label": label} for wish, label in zip((COLOR, SIZE), labels, strict=True)]

    confirm(imported, *wishes)

    assert [field["key"] for field in imported.mapping()["customFields"]] == keys


def test_a_key_never_shadows_a_field_of_the_catalog(owner, client):
    publish(owner, "name", "custom.color")
    imported = Imported(client, TEXT)

    confirm(imported, COLOR)

    assert imported.mapping()["customFields"][0]["field"] == "p.custom.color_2"


def test_a_catalog_takes_them_only_where_it_says_so(owner, client):
    publish(owner, "name", allows=False)
    imported = Imported(client, TEXT)

    refused(confirm(imported, COLOR), 409, "custom_fields_not_allowed")

    assert imported.state == "mapping"


@pytest.mark.parametrize(
    ("custom", "status", "code", "pointer"),
    [
        ([{**COLOR, "column": "Name"}], 400, "invalid_custom_fields", "/customFields/0/column"),
        ([COLOR, COLOR], 400, "invalid_custom_fields", "/customFields/1/column"),
        ([{**COLOR, "column": "Nowhere"}], 409, "invalid_mapping", "/customFields/0/column"),
        ([{**COLOR, "label": " "}], 400, "invalid_request", "/customFields/0/label"),
        ([{**COLOR, "columnType": "category"}], 400, "invalid_request",
         "/customFields/0/columnType"),
        ([COLOR] * 51, 400, "invalid_request", "/customFields"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_with_its_place(imported, custom, status, code, pointer):
    errors = refused(confirm(imported, *custom), status, code)

    assert errors[0]["pointer"] == pointer
    assert imported.state == "mapping"


def test_an_import_has_at_most_fifty(owner, client):
    publish(owner, "name")
    names = [f"c{number}" for number in range(52)]
    imported = Imported(client, ",".join(["Name", *names]) + "\n" + ",".join(["x"] * 53) + "\n")
    wishes = [{"column": name, "label": name, "columnType": "string"} for name in names]
    confirm(imported, *wishes[:50])
    mapping = imported.mapping()["mapping"]
    assert len(mapping) == 51

    errors = refused(confirm(imported, wishes[50], mapping=mapping), 400, "invalid_custom_fields")

    assert errors[0]["pointer"] == "/customFields"


def test_a_page_adds_them_only_with_the_right(imported, owner, mint_key, client_of):
    server = client_of(mint_key("tnt_owner", plan="enterprise"))

    def page(**session):
        body = {"scope": "s", "catalogKey": "people", **session}
        opened = server.post(f"{V1}/sessions", body, format="json")
        assert opened.status_code == 201, opened.content
        return Imported(client_of(opened.json()["token"]), TEXT)

    bare, allowed = page(), page(rights=["customFields"])

    refused(confirm(bare, COLOR), 403, "right_required")
    assert confirm(bare).status_code == 202
    assert confirm(allowed, COLOR).status_code == 202
    again = allowed.mapping()["mapping"]
    assert confirm(allowed, mapping=again).status_code == 202


def test_a_mapping_with_them_becomes_no_contract(imported, client):
    confirm(imported, COLOR)
    imported.finish()
    about = {"catalogKey": "people", "profileId": Profile.objects.get().public_id}

    refused(client.post(f"{V1}/contracts", about, format="json"), 409, "custom_fields_not_exported")
