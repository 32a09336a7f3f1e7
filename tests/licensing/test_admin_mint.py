"""A key is minted in the admin of a development engine, and shown once."""

import html
import re

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client

from common import clock
from common.models import Event
from licensing.models import License, Membership, Tenant
from licensing.tokens import keyfiles
from signatures.keysets import thumbprint

pytestmark = pytest.mark.django_db
MINT = "/admin/licensing/license/add/"
ENTRY = {
    "id": "orders",
    "label": "Orders",
    "fields": [{"key": "number", "label": "Number", "columnType": "string"}],
}


@pytest.fixture
def root() -> Client:
    browser = Client()
    browser.force_login(get_user_model().objects.create_superuser("root"))
    return browser


@pytest.fixture
def in_development(settings, data_folder):
    """Set the engine up as ``make run`` starts it."""
    settings.DEMO = True
    pair = keyfiles.write_key_pair(data_folder / "keys")
    settings.LICENSE_PUBLIC_KEY = pair.public_key.read_text("utf-8")
    assert pair.kid == thumbprint(keyfiles.read_private_key(pair.private_key).public_key())
    return pair


def mint(browser: Client, **wishes):
    page = browser.get(MINT).content.decode()
    ticket = re.search(r'name="ticket" value="([^"]+)"', page)
    sent = {"ticket": ticket[1] if ticket else "", "days": "30", **wishes}
    return sent, browser.post(MINT, sent)


def key_in(answer) -> str:
    match = re.search(r"<textarea[^>]*>\s*(imp_lic_[^<]+)</textarea>", answer.content.decode())
    return html.unescape(match[1]) if match else ""


def test_a_minted_key_is_shown_once_and_works(root, in_development, client_of):
    _, answer = mint(root, tenant="tnt_acme", label="Acme", plan="enterprise",
                     entitlements=["agentAccess"])  # fmt: skip
    key = key_in(answer)

    verified = client_of(key).get("/api/import/v1/license/verify").json()
    assert (verified["tenantId"], verified["entitlements"]) == ("tnt_acme", {"agentAccess": True})
    assert Tenant.objects.get().label == "Acme"
    assert "no-store" in answer.headers["Cache-Control"]
    license = License.objects.get()
    for page in ("/admin/licensing/license/", f"/admin/licensing/license/{license.pk}/change/"):
        assert key not in root.get(page).content.decode()
    noted = Event.objects.get(kind="license.minted")
    assert (noted.subject, noted.actor_label) == (license.public_id, "root")


def test_the_admin_names_a_key_by_its_label_wherever_it_names_an_author(
    root, in_development, client_of
):
    _, answer = mint(root, tenant="tnt_acme", key_label="Nightly export",
                     entitlements=["catalogEditor"])  # fmt: skip
    author = client_of(key_in(answer))
    catalog = {"key": "orders", "title": "Orders", "entries": []}
    saved = author.put("/api/import/v1/catalogs/orders/draft", catalog, format="json")

    assert saved.status_code == 200, saved.content
    assert saved.json()["savedBy"]["label"] == "Nightly export"
    root_user = get_user_model().objects.get()
    Membership.objects.create(user=root_user, tenant=Tenant.objects.get())
    for page in ("licensing/license/", "catalogs/text", "catalogs/orders/text"):
        assert "Nightly export" in root.get(f"/admin/{page}").content.decode(), page


def test_an_author_without_a_label_is_told_by_the_end_of_the_key(root, mint_key, client_of):
    author = client_of(mint_key(license_id="lic_01j8zq7fq2", entitlements=("catalogEditor",)))
    catalog = {"key": "orders", "title": "Orders", "entries": [ENTRY]}
    author.put("/api/import/v1/catalogs/orders/draft", catalog, format="json")
    published = author.post("/api/import/v1/catalogs/orders/publish", format="json")

    assert published.status_code == 200, published.content
    Membership.objects.create(user=get_user_model().objects.get(), tenant=Tenant.objects.get())
    for page in ("common/event/", "catalogs/text", "catalogs/orders/text"):
        shown = root.get(f"/admin/{page}").content.decode()
        assert "Key …7fq2" in shown, page
        assert "lic_01j8zq7fq2" not in shown, page


def test_sending_the_form_again_mints_no_second_key(root, in_development):
    sent, _ = mint(root, tenant="tnt_acme")

    again = root.post(MINT, sent)

    assert key_in(again) == ""
    assert "already sent" in again.content.decode()
    assert License.objects.count() == 1


@pytest.mark.parametrize(
    ("wishes", "expected"),
    [
        ({}, "Name the new tenant, or enter the id of an existing one."),
        ({"tenant": " ", "label": " "}, "Name the new tenant"),
        ({"tenant": "acme"}, "This must be tnt_ and up to 60 letters"),
        ({"tenant": "tnt_a", "plan": "a b"}, "This must be up to 40 letters"),
        ({"tenant": "tnt_a", "origins": "https://a.example/page"}, "must be like https://app."),
        ({"tenant": "tnt_a", "for_pages": "on"}, "must name the pages"),
        ({"tenant": "tnt_a", "entitlements": ["agentAccess"]}, "enterprise plan only"),
        ({"tenant": "tnt_a", "days": "0"}, "greater than or equal to 1"),
    ],
)
def test_what_no_engine_would_honour_is_said_in_the_form(root, in_development, wishes, expected):
    _, answer = mint(root, **wishes)

    assert expected in html.unescape(answer.content.decode())
    assert not License.objects.exists()


def test_a_new_tenant_is_minted_by_its_name_alone(root, in_development):
    _, answer = mint(root, label="Acme")

    assert key_in(answer)
    assert Tenant.objects.get().label == "Acme"


@pytest.mark.parametrize("is_demo", [True, False])
def test_an_engine_without_a_key_to_sign_with_names_the_command(
    root, settings, is_demo, data_folder
):
    settings.DEMO = is_demo
    if not is_demo:  # a key that should not be there is not used
        keyfiles.write_key_pair(data_folder / "keys")

    page = root.get(MINT)
    sent = root.post(MINT, {"tenant": "tnt_acme", "days": "1"})

    assert "manage.py license mint" in page.content.decode()
    assert '<form method="post" novalidate' not in page.content.decode()
    assert sent.status_code == 403
    assert not License.objects.exists()


def test_an_operator_mints_for_the_tenants_they_act_for(in_development):
    ours, theirs = (
        Tenant.objects.create(public_id=name, created_at=clock.now())
        for name in ("tnt_ours", "tnt_theirs")
    )
    user = get_user_model().objects.create_user("oda", is_staff=True)
    user.groups.add(Group.objects.get(name="operator"))
    Membership.objects.create(user=user, tenant=ours)
    Membership.objects.create(user=user, tenant=theirs, role="viewer")
    browser = Client()
    browser.force_login(user)

    refused = [mint(browser, tenant=name)[1] for name in ("tnt_theirs", "tnt_new", "")]
    given = mint(browser, tenant="tnt_ours")[1]

    assert [key_in(answer) for answer in refused] == ["", "", ""]
    assert key_in(given)
    assert License.objects.get().tenant == ours


def test_who_may_only_look_does_not_mint(in_development):
    user = get_user_model().objects.create_user("vera", is_staff=True)
    user.groups.add(Group.objects.get(name="viewer"))
    browser = Client()
    browser.force_login(user)

    assert browser.get(MINT).status_code == 403
