"""What a staff member may call: their groups say what, the membership for which tenant."""

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from rest_framework.test import APIClient

from common import clock
from contracts.models import SigningKey
from deliveries.models import Registration
from imports.models import ImportRecord
from licensing.models import Membership
from licensing.rights.table import OPERATIONS
from staging.models import Revision
from tests.api.documented import openapi_document
from tests.api.test_callers import question_about
from tests.api.test_isolation import owned
from tests.imports.conftest import carry_on, client, owner, publish, upload
from workflow.worker import advance

__all__ = ["client", "owned", "owner", "publish", "upload"]  # fixtures

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
PEOPLE = [
    (group, role) for group in ("", "viewer", "editor", "publisher", "operator")
    for role in ("editor", "viewer")
]  # fmt: skip


@pytest.fixture
def sign_in(owner):
    """Return a function that signs in a staff member of the owner."""

    def sign_in(group="", role="editor", tenant=owner) -> APIClient:
        user = get_user_model().objects.create_user(f"{group}-{role}", is_staff=True)
        if group:
            user.groups.add(Group.objects.get(name=group))
        Membership.objects.create(user=user, tenant=tenant, role=role)
        browser = APIClient(headers={"X-Import-Tenant": tenant.public_id})
        browser.force_login(user)
        return browser

    return sign_in


def every_call() -> list[tuple[str, str, str]]:
    paths = openapi_document()["paths"]
    operations = [
        (m, path, item["operationId"]) for path, ms in paths.items() for m, item in ms.items()
    ]
    return sorted(operations, key=lambda call: (call[0] == "delete", "cancel" in call[1], call[1]))


@pytest.mark.parametrize(("group", "role"), PEOPLE)
def test_each_group_calls_what_the_table_says(group, role, owned, owner, sign_in):
    browser = sign_in(group, role)
    names = {**owned, "{question_id}": question_about(owned["{record_id}"], owner)}
    permissions = get_user_model().objects.get().get_all_permissions()
    surprises = {}
    for method, path, name in every_call():
        address = path
        for place, value in names.items():
            address = address.replace(place, value)
        answer = getattr(browser, method)(address, data={}, format="json")
        operation = OPERATIONS[name]
        may = operation.is_open or (
            operation.staff in permissions and (operation.reads or role == "editor")
        )
        is_let_in = answer.status_code not in {401, 403}
        if is_let_in != may or answer.status_code >= 500:
            surprises[method, path] = answer.status_code

    assert surprises == {}


@pytest.mark.parametrize("group", ["", "viewer"])
def test_who_only_looks_changes_nothing_for_the_host(group, owned, sign_in):
    browser = sign_in(group)
    hook, key = Registration.objects.get(), SigningKey.objects.get()
    calls = [
        ("post", "webhooks", {"url": "http://127.0.0.1:9/mine"}),
        ("post", f"webhooks/{hook.public_id}/rotate", {}),
        ("post", "contracts", {"catalogKey": "orders"}),
        ("post", f"contracts/keys/{key.kid}/revoke", {}),
        ("delete", f"imports/{owned['{record_id}']}", {}),
    ]
    answers = [getattr(browser, m)(f"{V1}/{path}", body, format="json") for m, path, body in calls]

    assert [answer.status_code for answer in answers] == [403] * len(calls)
    assert {answer.json()["code"] for answer in answers} == {"permission_required"}
    assert Registration.objects.count() == 1
    assert not SigningKey.objects.exclude(revoked_at=None).exists()
    assert not ImportRecord.objects.exclude(purged_at=None).exists()


@pytest.mark.parametrize(
    ("group", "status"), [("", 403), ("viewer", 403), ("operator", 403), ("editor", 200)]
)
def test_cells_are_for_those_who_work_on_imports(group, status, owned, sign_in):
    address = f"{V1}/imports/{owned['{record_id}']}"
    browser = sign_in(group)

    page = browser.post(f"{address}/rows/query", {}, format="json")
    exported = browser.get(f"{address}/export", {"rows": "all", "format": "csv", "wait": 0})

    assert page.status_code == status
    assert (exported.status_code < 300) == (status == 200)


def test_the_refusal_names_the_permission(owned, sign_in):
    answer = sign_in("viewer").post(f"{V1}/webhooks", {"url": "http://x/"}, format="json")

    assert answer.json()["permission"] == "deliveries.add_registration"


def test_a_superuser_with_a_membership_may_do_what_the_staff_may(owned, owner):
    root = get_user_model().objects.create_superuser("root")
    Membership.objects.create(user=root, tenant=owner, role="editor")
    browser = APIClient(headers={"X-Import-Tenant": "tnt_owner"})
    browser.force_login(root)

    assert browser.delete(f"{V1}/imports/{owned['{record_id}']}").status_code == 204


def test_a_group_reaches_no_other_tenant(owned, sign_in):
    from common import clock
    from licensing.models import Tenant

    other = Tenant.objects.create(public_id="tnt_other", created_at=clock.now())
    browser = sign_in("publisher", tenant=other)

    assert browser.get(f"{V1}/imports/{owned['{record_id}']}").status_code == 404


CELLS = "Nummer;Kunde\nA-1;Geheim GmbH\nA-2;Secret Ltd\nA-3;Privat AG\n"
SECRETS = ("Geheim", "Secret", "Privat")


@pytest.fixture
def file_of_import(client, owner, publish, mint_key, client_of):
    """Return the id of an import whose cells only some may see, and a catalog editor's client."""
    publish("orders")
    record_id = upload_text(client, CELLS)
    editor = client_of(mint_key("tnt_owner", entitlements=("catalogEditor",)))
    return record_id, editor


def upload_text(client, text) -> str:
    made = client.post(f"{V1}/imports", {"text": text, "catalogKey": "orders"}, format="json")
    assert made.status_code == 202, made.content
    carry_on(client, made.json()["recordId"])
    return str(made.json()["recordId"])


def tried(editor, path, record_id) -> str:
    made = editor.post(f"{V1}/catalogs/{path}", {"recordId": record_id}, format="json")
    assert made.status_code == 202, made.content
    advance(made.json()["recordId"])
    return str(made["Location"])


def needs_cells(answer) -> bool:
    assert answer.status_code == 403, answer.content
    assert not any(word in answer.content.decode() for word in SECRETS)
    return answer.json()["permission"] == "imports.review_importrecord"


@pytest.mark.parametrize("group", ["viewer", "operator"])
def test_what_a_file_was_tried_for_is_shown_to_those_who_see_rows(group, file_of_import, sign_in):
    record_id, editor = file_of_import
    draft = editor.get(f"{V1}/catalogs/orders/export").json()
    editor.put(f"{V1}/catalogs/orders/draft", draft, format="json")
    inferred = tried(editor, "infer", record_id)
    tested = tried(editor, "orders/draft/test", record_id)
    browser = sign_in(group)

    assert "Geheim" in editor.get(inferred).content.decode()
    assert needs_cells(browser.get(inferred))
    assert needs_cells(browser.get(tested))
    assert "Geheim" in sign_in("editor").get(inferred).content.decode()


def test_who_edits_catalogs_alone_tries_no_file_of_an_import(file_of_import, owner, sign_in):
    record_id, editor = file_of_import
    trial = tried(editor, "infer", record_id).rpartition("/")[2]
    draft = editor.get(f"{V1}/catalogs/orders/export").json()
    assert editor.put(f"{V1}/catalogs/orders/draft", draft, format="json").status_code == 200
    alone = Group.objects.create(name="catalogs alone")
    for codename in ("view_catalog", "change_catalog"):
        alone.permissions.add(Permission.objects.get(codename=codename))
    browser = sign_in("catalogs alone")
    pattern = {"type": "regex", "pattern": "Geheim.*"}

    for given in (record_id, trial):
        for path in ("infer", "orders/draft/test"):
            assert needs_cells(
                browser.post(f"{V1}/catalogs/{path}", {"recordId": given}, format="json")
            )
    sample = {"recordId": trial, "detector": pattern}
    assert needs_cells(browser.post(f"{V1}/catalogs/detect", sample, format="json"))
    own = browser.post(f"{V1}/catalogs/infer", {"text": CELLS}, format="json")
    assert own.status_code == 202


def test_rows_that_a_draft_refuses_are_counted_for_those_who_see_rows(file_of_import, sign_in):
    _, editor = file_of_import
    draft = editor.get(f"{V1}/catalogs/orders/export").json()
    editor.put(f"{V1}/catalogs/orders/draft", draft, format="json")
    address = f"{V1}/catalogs/orders/draft/impact"
    assert editor.post(address).status_code == 202

    assert editor.get(address).json()["rows"] is not None
    assert sign_in("editor").get(address).json()["rows"] is not None
    assert sign_in("viewer").get(address).json()["rows"] is None


def test_the_history_quotes_no_text_to_those_who_see_no_rows(owned, owner, client, sign_in):
    address = f"{V1}/imports/{owned['{record_id}']}"
    Revision.objects.create(
        subject=owned["{record_id}"], number=90, kind="replace", cells=1, counts={}, manifest={},
        actor={"kind": "person", "id": "u-1", "label": ""}, base=90, transform=90,
        about={"find": "Geheim", "replace": "x"}, created_at=clock.now(),
    )  # fmt: skip

    assert "Geheim" in client.get(f"{address}/history").content.decode()
    shown = sign_in("viewer").get(f"{address}/history")
    assert shown.status_code == 200
    assert "Geheim" not in shown.content.decode()
    assert {"revision": 90, "kind": "replace", "cells": 1} in [
        item["about"] for item in shown.json()["items"]
    ]
