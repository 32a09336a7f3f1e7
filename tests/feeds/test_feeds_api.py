"""Feeds over HTTP: for backends with the entitlement, each for its own tenant."""

import pytest

from catalogs.models import CatalogVersion
from common import clock
from common.ids import new_id
from common.models import Event
from feeds.models import Feed, FeedRun
from imports.models import Profile
from licensing.models import Tenant
from tests.feeds.conftest import put, run_twice, work
from tests.imports.asked import publish_fields
from tests.imports.conftest import owner

pytestmark = pytest.mark.django_db
__all__ = ["owner", "put"]  # fixtures
V1 = "/api/import/v1"
SECRET = "secret-of-the-feed"
WEB = {"url": "https://files.example/a.csv", "auth": "bearer"}
UNPROVEN = {
    "host": "mail.example",
    "user": "engine",
    "senders": ["@shop.example"],
    "unprovenSenders": True,
}
PROVEN = {**UNPROVEN, "unprovenSenders": False, "authServer": "mx.shop.example"}
WANTED = {
    "name": "Members",
    "kind": "sftp",
    "catalogKey": "members",
    "scope": "acme",
    "settings": {"host": "files.example", "user": "engine", "folder": "out"},
    "secret": {"password": SECRET},
    "schedule": "0 6 * * 1",
    "timeZone": "Europe/Berlin",
    "rules": {"apply": True, "maxInvalidPercent": 1.5},
    "afterTaking": {"action": "move", "to": "done"},
}


@pytest.fixture
def host(owner, mint_key, client_of):
    publish_fields(owner, "number", "name", key="members")
    return client_of(mint_key(entitlements=("feeds",)))


@pytest.fixture
def create(host):
    def create_one(**changed):
        return host.post(f"{V1}/feeds", WANTED | changed, format="json")

    return create_one


def test_a_feed_is_created_and_read_without_its_secret(host, create):
    answer = create()
    made = answer.json()

    assert answer.status_code == 201, made
    assert answer["Location"] == f"{V1}/feeds/{made['id']}"
    assert host.get(f"{V1}/feeds/{made['id']}").json() == made
    assert [item["id"] for item in host.get(f"{V1}/feeds").json()["items"]] == [made["id"]]
    assert (made["state"], made["health"], made["hasSecret"]) == ("active", "new", True)
    assert made["rules"]["maxInvalidPercent"] == 1.5
    assert made["afterTaking"] == {"action": "move", "to": "done"}
    assert made["nextRunAt"].endswith(":00:00.000Z")
    assert SECRET not in answer.content.decode()


def test_a_secret_is_encrypted_at_rest(create):
    from django.db import connection

    create()
    with connection.cursor() as cursor:
        cursor.execute("SELECT secret, settings FROM feeds_feed")
        stored = "".join(cursor.fetchone())

    assert SECRET not in stored
    assert SECRET in Feed.objects.get().secret


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"schedule": "every monday"}, "/schedule"),
        ({"timeZone": "Berlin"}, "/timeZone"),
        ({"kind": "ftp"}, "/kind"),
        ({"settings": {"host": "files.example"}}, "/settings/user"),
        ({"settings": {**WANTED["settings"], "hots": "x"}}, "/settings/hots"),
        ({"secret": {}}, "/secret/password"),
        ({"kind": "https", "settings": WEB, "secret": {}}, "/secret/token"),
        ({"afterTaking": {"action": "move"}}, "/afterTaking/to"),
        ({"afterTaking": {"action": "keep", "to": "x"}}, "/afterTaking/to"),
        ({"rules": {"maxInvalidPercent": 101}}, "/rules/maxInvalidPercent"),
        ({"rules": {"maxWrong": 1}}, "/rules/maxWrong"),
        ({"sender": {"address": "sam"}}, "/sender/address"),
        ({"sender": {"address": "sam@x.example\nBcc: a@x.example"}}, "/sender/address"),
        ({"sender": {"language": "xx", "address": "sam@x.example"}}, "/sender/language"),
        ({"sender": {"mails": ["all"], "address": "sam@x.example"}}, "/sender/mails/0"),
        ({"sender": {"corrects": True}}, "/sender/address"),
        (
            {"kind": "imap", "settings": UNPROVEN, "secret": {"password": "x"}, "sender": {}},
            "/sender/address",
        ),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(create, changed, pointer):
    answer = create(**changed)

    assert answer.status_code == 400, answer.json()
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]
    assert not Feed.objects.exists()


def test_a_sender_is_kept_changed_and_removed(host, create):
    made = create(sender={"address": "sam@shop.example", "corrects": True}).json()
    at = f"{V1}/feeds/{made['id']}"
    wanted = {"address": "sam@shop.example", "language": "en", "mails": [], "corrects": True}
    assert made["sender"] == wanted

    changed = host.patch(at, {"sender": wanted | {"mails": ["digest"]}}, format="json").json()
    assert changed["sender"]["mails"] == ["digest"]
    assert Feed.objects.get().summary_due_at is not None
    assert host.patch(at, {"sender": None}, format="json").json()["sender"] is None
    assert Feed.objects.get().summary_due_at is None


def test_a_mailbox_that_proves_senders_needs_no_address(create):
    about = {"kind": "imap", "settings": PROVEN, "secret": {"password": "x"}}
    assert create(**about, sender={"corrects": True}).status_code == 201


def make_profile(tenant, **about):
    kept = {
        "public_id": new_id("prf_"),
        "catalog_key": "members",
        "fingerprint": "x",
        "columns": ["Nr"],
        "mapping": {"Nr": "members.number"},
        "saved_at": clock.now(),
        "saved_by": {},
    }
    return Profile.objects.create(tenant=tenant, **(kept | about)).public_id


def test_a_feed_names_a_profile_of_its_catalog_and_scope(host, create, owner):
    profile = make_profile(owner, scope="acme")
    made = create(profileId=profile).json()
    at = f"{V1}/feeds/{made['id']}"

    assert made["profileId"] == profile
    refused = host.patch(at, {"scope": "other"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (404, "unknown_profile")
    assert host.patch(at, {"profileId": ""}, format="json").json()["profileId"] == ""


@pytest.mark.parametrize(
    ("tenant", "about"),
    [
        ("tnt_owner", {"scope": "other"}),
        ("tnt_owner", {"catalog_key": "orders"}),
        ("tnt_other", {}),
    ],
)
def test_a_profile_of_another_tenant_catalog_or_scope_is_refused(tenant, about, create):
    whose, _ = Tenant.objects.get_or_create(public_id=tenant, defaults={"created_at": clock.now()})
    profile = make_profile(whose, **about)

    assert create(profileId=profile).json()["code"] == "unknown_profile"
    assert not Feed.objects.exists()


def test_an_unknown_catalog_is_refused(create):
    assert create(catalogKey="nothing").json()["code"] == "unknown_catalog"


def test_a_key_without_the_entitlement_creates_none(host, mint_key, client_of):
    plain = client_of(mint_key())
    answer = plain.post(f"{V1}/feeds", WANTED, format="json")

    assert (answer.status_code, answer.json()["code"]) == (403, "entitlement_required")


def test_another_tenant_and_a_page_see_no_feed(create, mint_key, client_of, host):
    made = create().json()
    stranger = client_of(mint_key("tnt_stranger", entitlements=("feeds",)))
    wanted = {"catalogKey": "members"}
    session = host.post(f"{V1}/sessions", wanted, format="json").json()
    page = client_of(session["token"])

    assert stranger.get(f"{V1}/feeds").json()["items"] == []
    for verb, path in [("get", ""), ("patch", ""), ("delete", ""), ("get", "/runs")] + [
        ("post", f"/{name}") for name in ("test", "run", "pause", "resume")
    ]:
        address = f"{V1}/feeds/{made['id']}{path}"
        assert getattr(stranger, verb)(address, {}, format="json").status_code == 404
        assert getattr(page, verb)(address, {}, format="json").status_code in {401, 403}


def test_a_secret_is_never_sent_to_another_place(host, create):
    address = f"{V1}/feeds/{create().json()['id']}"
    elsewhere = {"settings": {**WANTED["settings"], "host": "evil.example"}}
    Feed.objects.update(host_key="SHA256:abc")
    refused = host.patch(address, elsewhere, format="json")
    other_folder = {"settings": {**WANTED["settings"], "folder": "in"}}
    same_place = host.patch(address, other_folder, format="json").json()
    moved = host.patch(address, elsewhere | {"secret": {"password": "new"}}, format="json").json()

    assert refused.status_code == 400
    assert refused.json()["errors"][0]["pointer"] == "/secret"
    assert (same_place["settings"]["folder"], same_place["hostKey"]) == ("in", "SHA256:abc")
    assert (moved["settings"]["host"], moved["hostKey"]) == ("evil.example", "")


def test_a_feed_is_paused_resumed_and_run(host, create):
    address = f"{V1}/feeds/{create().json()['id']}"
    paused = host.post(f"{address}/pause").json()
    refused = host.post(f"{address}/run")
    resumed = host.post(f"{address}/resume").json()
    due = host.post(f"{address}/run")

    assert (paused["state"], paused["nextRunAt"]) == ("paused", None)
    assert (refused.status_code, refused.json()["code"]) == (409, "feed_paused")
    assert resumed["state"] == "active"
    assert (due.status_code, due.json()["nextRunWhy"]) == (202, "request")
    assert due.json()["nextRunAt"] < resumed["nextRunAt"]
    kinds = Event.objects.filter(kind__startswith="feed.").order_by("pk")
    assert list(kinds.values_list("kind", flat=True)) == [
        "feed.created",
        "feed.paused",
        "feed.resumed",
    ]


@pytest.fixture
def real_host(owner, mint_key, client_of):
    return client_of(mint_key(entitlements=("feeds",), expires_in_s=10**8))


def test_a_test_says_what_is_wrong(real_host, feed, place):
    address = f"{V1}/feeds/{feed.public_id}/test"
    good = real_host.post(address).json()
    place.rmdir()
    wrong = real_host.post(address).json()

    assert good == {"ok": True, "problems": [], "hostKey": ""}
    assert wrong["ok"] is False
    assert [item["code"] for item in wrong["problems"]] == ["source_folder_missing"]


def test_runs_name_their_files_and_imports_their_feed(feed, put, time, real_host):
    put("a.csv", "number,name,joined\n1,Ada,\n")
    run_twice(feed, time)
    work(feed)
    (shown,) = real_host.get(f"{V1}/feeds/{feed.public_id}/runs").json()["items"]
    (file,) = shown["files"]
    record = real_host.get(f"{V1}/imports/{file['recordId']}").json()

    assert (shown["outcome"], shown["counts"]["imported"]) == ("taken", 1)
    assert record["source"] == {
        "feedId": feed.public_id,
        "runId": shown["id"],
        "kind": "sftp",
        "path": "a.csv",
        "modifiedAt": record["source"]["modifiedAt"],
    }
    assert [item["code"] for item in record["waitsBecause"]] == ["mapping_is_new"]
    assert record["waitsBecause"][0]["detail"].startswith("The mapping is not")


def test_a_deleted_feed_leaves_its_imports(feed, put, time, real_host):
    put("a.csv", "number,name,joined\n1,Ada,\n")
    run_twice(feed, time)
    answer = real_host.delete(f"{V1}/feeds/{feed.public_id}")

    assert answer.status_code == 204
    assert not FeedRun.objects.exists()
    (record,) = real_host.get(f"{V1}/imports").json()["items"]
    assert record["source"]["feedId"] == feed.public_id
    assert CatalogVersion.objects.exists()
