"""The audit log of a tenant names who did what, or which rule did it; over HTTP."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model

from common import clock
from common.models import Event
from imports.models import ImportRecord
from licensing.models import License, Tenant
from tests.imports.asked import publish_fields
from tests.imports.conftest import carry_on, client, owner
from workflow.retention import purge

__all__ = ["client", "owner"]  # fixtures

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"


def events(client, **filters):
    answer = client.get(f"{V1}/events", filters)
    assert answer.status_code == 200, answer.content
    return answer.json()["items"]


def kinds(client, **filters):
    return [event["kind"] for event in events(client, **filters)][::-1]


@pytest.fixture
def record_id(owner, client):
    publish_fields(owner, "id", "note")
    body = {"text": "Id;Note\nK1;red\nK2;blue\n", "autoMap": True}
    made = client.post(f"{V1}/imports", body, format="json").json()["recordId"]
    carry_on(client, made)
    return made


def send(client, method, path, body=None, who="Ada"):
    answer = getattr(client, method)(f"{V1}/{path}", body, format="json", HTTP_X_IMPORT_ACTOR=who)
    assert answer.status_code < 300, answer.content
    return answer.json() if answer.content else None


def test_a_line_has_room_for_every_id_a_tenant_may_have():
    room = Event._meta.get_field("tenant").max_length

    assert room >= Tenant._meta.get_field("public_id").max_length


def test_webhooks_name_who_registered_rotated_and_deleted_them(client, owner, settings):
    url = "https://93.184.216.34/apply?token=s3cret"
    made = send(client, "post", "webhooks", {"url": url}, who="Ada")
    send(client, "post", f"webhooks/{made['id']}/rotate", {"overlapHours": 2}, who="Bob")
    send(client, "delete", f"webhooks/{made['id']}", who="Eve")

    log = events(client)[::-1]

    assert [(event["kind"], event["actor"]["label"], event["subject"]) for event in log] == [
        ("webhook.registered", "Ada", made["id"]),
        ("webhook.rotated", "Bob", made["id"]),
        ("webhook.deleted", "Eve", made["id"]),
    ]
    assert log[1]["about"] == {"url": "https://93.184.216.34/apply", "overlapHours": 2}
    assert "s3cret" not in str(log)


def test_what_happens_to_rows_is_told_with_who_did_it(client, record_id):
    at = f"imports/{record_id}"
    edit = {"revision": 1, "edits": [{"row": 0, "field": "p.note", "text": "navy"}]}
    send(client, "patch", f"{at}/rows", edit, who="Ada")
    replace = {"revision": 2, "inFields": ["p.note"], "find": "blue", "replace": "turquoise"}
    send(client, "post", f"{at}/rows/replace", replace, who="Bob")
    send(client, "post", f"{at}/undo", {"revision": 3}, who="Bob")
    send(client, "post", f"{at}/redo", {"revision": 2}, who="Bob")
    mapping = {"mapping": {"Id": "p.id", "Note": "p.note"}, "remember": False}
    send(client, "put", f"{at}/mapping", mapping, who="Eve")
    carry_on(client, record_id)
    send(client, "post", f"{at}/apply", {"applyMode": "browser"}, who="Ada")

    log = events(client, recordId=record_id)[::-1]

    assert [(event["kind"], event["actor"]["label"]) for event in log] == [
        ("rows.edited", "Ada"),
        ("rows.replaced", "Bob"),
        ("rows.undone", "Bob"),
        ("rows.redone", "Bob"),
        ("mapping.settled", "Eve"),
        ("import.applied", "Ada"),
    ]
    assert log[1]["about"] == {"revision": 3, "cells": 1}
    assert "navy" not in str(log)
    assert "turquoise" not in str(log)


def test_a_purge_names_who_deleted_or_which_rule(client, record_id, settings):
    send(client, "delete", f"imports/{record_id}", who="Ada")
    settings.RETENTION_DAYS = 7
    body = {"text": "Id\nK1\n"}
    old = send(client, "post", "imports", body)["recordId"]
    carry_on(client, old)
    long_ago = clock.now() - timedelta(days=8)
    ImportRecord.objects.filter(public_id=old).update(created_at=long_ago)
    from common.models import Move

    Move.objects.filter(subject=old).update(at=long_ago)
    purge()

    deleted, purged = events(client, kind="import.purged")[::-1]

    assert (deleted["actor"]["label"], deleted["rule"]) == ("Ada", "")
    assert (purged["actor"]["kind"], purged["recordId"]) == ("system", old)
    assert purged["rule"] == "nothing happened for 7 days (IMPORT_RETENTION_DAYS)"


def test_publishing_and_revoking_are_told(client, owner, record_id, mint_key, client_of):
    send(client, "get", "license/verify")
    from licensing.services import revoke_license

    assert events(client, kind="catalog.published")[0]["subject"] == "people"
    other = client_of(mint_key("tnt_owner"))
    license = License.objects.get()
    revoke_license(license=license, reason="leaked", at=clock.now())

    (revoked,) = events(other, kind="license.revoked")
    assert (revoked["subject"], revoked["about"]) == (license.public_id, {"reason": "leaked"})


def test_the_admin_page_names_the_person_who_revokes(client, owner, admin_client, mint_key):
    send(client, "get", "license/verify")
    license = License.objects.get()
    body = {"action": "revoke", "_selected_action": [license.pk], "reason": "leaked"}
    admin_client.post("/admin/licensing/license/", body)

    (event,) = Event.objects.filter(kind="license.revoked")
    assert event.actor_label == get_user_model().objects.get().get_username()


def test_the_list_is_narrowed_and_comes_in_pages(client, record_id):
    for row in (0, 1):
        edit = {"row": row, "field": "p.note", "text": "x"}
        body = {"revision": row + 1, "edits": [edit]}
        send(client, "patch", f"imports/{record_id}/rows", body, who=["Ada", "Bob"][row])
    moment = events(client)[0]["at"]

    whole = events(client)
    first = client.get(f"{V1}/events", {"limit": 2}).json()
    rest = client.get(f"{V1}/events", {"limit": 2, "cursor": first["next"]}).json()
    assert first["items"] + rest["items"] == whole
    assert kinds(client, actor="Bob") == ["rows.edited"]
    assert kinds(client, recordId="rec_other") == []
    assert kinds(client, kind=["rows.edited", "catalog.published"]) == [
        "catalog.published",
        "rows.edited",
        "rows.edited",
    ]
    assert events(client, since=moment) == whole[:1]
    assert events(client, before=moment) == whole[1:]


@pytest.mark.parametrize("filters", [{"kind": "nothing"}, {"since": "soon"}, {"who": "Ada"}])
def test_a_filter_that_is_not_known_is_refused(client, filters):
    assert client.get(f"{V1}/events", filters).status_code == 400


def test_tenants_do_not_see_each_other(client, record_id, client_of, mint_key):
    assert events(client)
    assert events(client_of(mint_key("tnt_other"))) == []
