"""What a test key makes is apart from live data, marked, and deleted after seven days."""

import json
from datetime import timedelta
from ipaddress import ip_network

import pytest
from django.core.management import call_command

from catalogs import services as catalogs
from changesets.follow_up import follow_due
from common import clock
from common.actors import ENGINE
from common.models import Move
from deliveries import bodies
from deliveries.models import Delivery, Registration
from importengine.erasure import erase_tenant
from imports.models import ImportRecord
from ledger.models import Answer
from licensing import selectors, services
from licensing.models import License, Membership, PageSession, Tenant
from licensing.refusals import LicenseRejected
from licensing.tokens import keyfiles, keys
from links.models import Link
from signatures import keysets
from staging.models import Revision
from tests.imports.conftest import client, owner, publish, upload
from tests.links.conftest import Browser
from workflow import retention
from workflow.worker import advance

__all__ = ["client", "owner", "publish", "upload"]  # fixtures

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
CATALOG = {
    "key": "shop",
    "entries": [{"id": "o", "fields": [{"key": "number", "required": True}, {"key": "city"}]}],
}
TEXT = "number,city\nA1,Ulm\n"
LINK = {"catalogKey": "shop", "page": {"name": "Northwind"}}
HOOK = {"url": "http://127.0.0.1:9/apply"}


@pytest.fixture
def live(owner, mint_key, client_of, settings):
    """Return the tenant's server with a live key, and a published catalog."""
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    settings.RATE_PER_MINUTE = 10**6
    text = json.dumps(CATALOG).encode()
    catalogs.publish_document(tenant=owner, key="shop", text=text, at=clock.now(), actor=ENGINE)
    return client_of(mint_key(entitlements=("hostedLinks",)))


@pytest.fixture
def test(live, mint_key, client_of):
    """Return the same server with a test key."""
    return client_of(mint_key(is_test=True, entitlements=("hostedLinks",)))


def register(server) -> dict:
    answer = server.post(f"{V1}/webhooks", HOOK, format="json")
    assert answer.status_code == 201, answer.content
    return answer.json()


def start(server, **members) -> dict:
    body = {"catalogKey": "shop", "text": TEXT, "filename": "a.csv", "autoMap": True, **members}
    answer = server.post(f"{V1}/imports", body, format="json")
    assert answer.status_code == 202, answer.content
    advance(answer.json()["recordId"])
    return server.get(f"{V1}/imports/{answer.json()['recordId']}").json()


def apply(server, record_id: str) -> str:
    answer = server.post(f"{V1}/imports/{record_id}/apply", {}, format="json")
    assert answer.status_code == 202, answer.content
    advance(record_id)
    return server.get(f"{V1}/imports/{record_id}").json()["changesetId"]


def side(owner) -> Tenant:
    return Tenant.objects.get(test_of=owner)


def test_a_test_import_goes_to_receivers_of_test_keys_alone_and_says_so(live, test, owner):
    of_live, of_test = register(live), register(test)

    apply(test, start(test)["recordId"])

    (delivery,) = Delivery.objects.all()
    body = json.loads(bodies.content(delivery))
    assert delivery.registration.public_id == of_test["id"] != of_live["id"]
    assert (body["test"], body["tenantId"]) == (True, owner.public_id)


def test_a_live_import_goes_to_live_receivers_alone(live, test):
    of_live, _ = register(live), register(test)

    apply(live, start(live)["recordId"])

    (delivery,) = Delivery.objects.all()
    assert delivery.registration.public_id == of_live["id"]
    assert "test" not in json.loads(bodies.content(delivery))


def test_a_test_import_without_a_test_receiver_is_refused_like_one_without_any(live, test):
    register(live)
    record_id = start(test)["recordId"]

    answer = test.post(f"{V1}/imports/{record_id}/apply", {}, format="json")

    assert answer.status_code == 409
    assert not Delivery.objects.exists()


def test_neither_reads_applies_or_reverts_what_the_other_made(live, test):
    for mine, other in ((live, test), (test, live)):
        register(mine)
        record_id = start(mine)["recordId"]
        changeset_id = apply(mine, record_id)
        calls = (
            other.get(f"{V1}/imports/{record_id}"),
            other.post(f"{V1}/imports/{record_id}/apply", {}, format="json"),
            other.post(f"{V1}/imports", {"from": record_id}, format="json"),
            other.get(f"{V1}/changesets/{changeset_id}"),
            other.post(f"{V1}/changesets/{changeset_id}/revert", {}, format="json"),
        )

        assert [call.status_code for call in calls] == [404] * len(calls)
        assert other.get(f"{V1}/imports").json()["items"] == []
        ImportRecord.objects.all().delete()


def test_everything_a_test_key_made_names_its_mode(live, test):
    for server, mode in ((live, "live"), (test, "test")):
        hook = register(server)
        session = server.post(f"{V1}/sessions", {}, format="json").json()
        link = server.post(f"{V1}/links", LINK, format="json").json()
        record = start(server)
        changeset = server.get(f"{V1}/changesets/{apply(server, record['recordId'])}").json()
        (delivery,) = server.get(f"{V1}/deliveries").json()["items"]
        key = server.get(f"{V1}/license/verify").json()

        shown = (hook, session, link, record, changeset, delivery, key)
        assert [item["mode"] for item in shown] == [mode] * len(shown)
        assert key["tenantId"] == "tnt_owner"


def test_a_session_and_a_link_of_a_test_key_start_test_imports(test, client_of, owner):
    opened = test.post(f"{V1}/sessions", {"catalogKey": "shop"}, format="json").json()
    page = client_of(opened["token"])

    record = start(page)

    assert (record["mode"], page.get(f"{V1}/license/verify").json()["mode"]) == ("test", "test")
    link = test.post(f"{V1}/links", LINK, format="json").json()
    browser = Browser()
    browser.open(link)
    visit = client_of(browser.session(link).json()["token"])
    assert start(visit)["mode"] == "test"
    assert {Link.objects.get().tenant, *(s.tenant for s in PageSession.objects.all())} == {
        side(owner)
    }


def test_a_session_ends_with_the_test_key_that_opened_it(test, client_of):
    opened = test.post(f"{V1}/sessions", {"catalogKey": "shop"}, format="json").json()
    page = client_of(opened["token"])
    assert page.get(f"{V1}/catalogs").status_code == 200

    services.revoke_license(
        license=PageSession.objects.get().license, reason="leaked", at=clock.now()
    )

    answer = page.get(f"{V1}/catalogs")
    assert (answer.status_code, answer.json()["code"]) == (401, "license_revoked")


def test_a_test_key_uses_the_live_catalogs_and_cannot_edit_them(test, owner):
    assert [item["key"] for item in test.get(f"{V1}/catalogs").json()["items"]] == ["shop"]

    answer = test.put(f"{V1}/catalogs/shop/draft", CATALOG, format="json")

    assert (answer.status_code, answer.json()["code"]) == (403, "entitlement_required")
    assert not side(owner).catalogs.exists()


def test_a_test_key_sees_neither_drafts_nor_kept_files(live, test, mint_key, client_of):
    editor = client_of(mint_key(entitlements=("catalogEditor",)))
    draft = editor.put(f"{V1}/catalogs/shop/draft", CATALOG, format="json")
    assert draft.status_code in {200, 201}, draft.content

    assert test.get(f"{V1}/catalogs/shop/draft").json()["code"] == "no_draft"
    assert test.get(f"{V1}/catalogs/shop/tests").status_code == 404
    assert editor.get(f"{V1}/catalogs/shop/tests").status_code == 200
    states = {item["state"] for item in test.get(f"{V1}/catalogs/shop/versions").json()["items"]}
    assert states == {"published"}


def test_what_people_answer_in_a_test_is_not_remembered_for_live_imports(live, test, owner):
    headed = "Nummer,Stadt\nA1,Ulm\n"
    record = start(test, text=headed, autoMap=False)
    mapping = {"Nummer": "o.number", "Stadt": "o.city"}
    test.put(
        f"{V1}/imports/{record['recordId']}/mapping", {"mapping": mapping, "remember": True},
        format="json",
    )  # fmt: skip
    advance(record["recordId"])
    register(test)
    apply(test, record["recordId"])
    follow_due()

    assert not owner.profiles.exists()
    assert not Answer.objects.filter(tenant=owner).exists()


def test_test_imports_are_purged_after_seven_days_and_live_ones_are_not(live, test, owner):
    for server in (live, test):
        start(server)
    past = clock.now() - timedelta(days=8)
    ImportRecord.objects.update(created_at=past)
    Move.objects.update(at=past)
    Revision.objects.update(created_at=past)

    retention.purge()

    purged = {r.tenant: r.purged_at is not None for r in ImportRecord.objects.all()}
    assert purged == {owner: False, side(owner): True}


def test_a_test_receiver_that_was_not_used_for_seven_days_is_deleted(live, test, owner):
    register(live), register(test)
    Registration.objects.update(created_at=clock.now() - timedelta(days=8))

    retention.purge()

    kept = Registration.objects.filter(deleted_at=None)
    assert [registration.tenant for registration in kept] == [owner]


def test_a_key_says_that_it_is_a_test_key_and_an_older_engine_refuses_it(mint_key, signing_key):
    key = mint_key(is_test=True)
    public = keysets.read_public_keys(_pem(signing_key))

    assert key.startswith("imp_lic_test_")
    assert keys.verify(key, public).is_test
    assert keys.verify(keys.bare(key), public).is_test
    assert not keys.verify(mint_key(), public).is_test
    with pytest.raises(LicenseRejected):  # a live key that is spelled like a test key
        keys.verify(f"imp_lic_test_{keys.bare(mint_key())}", public)


def _pem(signing_key) -> str:
    return keyfiles.public_pem(signing_key.public_key()).decode()


def test_the_command_mints_and_lists_test_keys(tmp_path, settings, db, capsys):
    settings.DATA_DIR = tmp_path
    call_command("license", "keygen")
    capsys.readouterr()

    call_command("license", "mint", "--tenant", "tnt_acme", "--label", "Acme", "--test", "--json")
    made = json.loads(capsys.readouterr().out)
    call_command("license", "list", "--tenant", "tnt_acme", "--json")
    (listed,) = json.loads(capsys.readouterr().out)

    assert made["key"].startswith("imp_lic_test_")
    assert (made["test"], made["tenantId"], listed["test"]) == (True, "tnt_acme", True)
    assert str(License.objects.get().tenant) == "Acme (test)"


def test_members_of_a_tenant_act_for_its_test_side(test, owner, django_user_model):
    test.get(f"{V1}/catalogs")  # the first call makes it
    user = django_user_model.objects.create_user("ada", is_staff=True)
    Membership.objects.create(user=user, tenant=owner)
    stranger = django_user_model.objects.create_user("eve", is_staff=True)

    for person, sees in ((user, True), (stranger, False)):
        membership = selectors.membership_of(user=person, tenant_id=side(owner).public_id)
        assert (membership is not None) is sees
        assert selectors.tenants_of(person).filter(pk=side(owner).pk).exists() is sees


def test_the_lists_of_the_admin_mark_test_rows_and_filter_them(live, test, admin_client):
    for server in (live, test):
        start(server)
    address = "/admin/imports/importrecord/"

    shown = {keys_: admin_client.get(address, {"keys": keys_} if keys_ else {}).content.decode()
             for keys_ in ("", "live", "test")}  # fmt: skip

    badge = '<span class="tag plain">test</span>'
    assert [text.count(badge) for text in shown.values()] == [1, 0, 1]
    assert [text.count('class="action-select"') for text in shown.values()] == [2, 1, 1]


def test_erasing_a_tenant_erases_what_its_test_keys_made(live, test, owner):
    start(live), start(test)

    erase_tenant(tenant=owner, actor=ENGINE, at=clock.now())

    assert not ImportRecord.objects.exists()
    assert test.get(f"{V1}/catalogs").json()["code"] == "license_revoked"
