"""The admin sees and revokes licenses; it neither makes nor forgets them."""

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.test import Client

from licensing.models import License

pytestmark = pytest.mark.django_db
LICENSES = "/admin/licensing/license/"
VERIFY = "/api/import/v1/license/verify"


@pytest.fixture
def staff():
    """Return a browser with a logged-in operator who has every right."""
    get_user_model().objects.create_superuser("root", password="pw")
    browser = Client()
    browser.post("/admin/login/", {"username": "root", "password": "pw"})
    return browser


@pytest.fixture
def used_key(mint_key, client_of):
    """Return a valid key that the engine has seen."""
    key = mint_key("tnt_owner", license_id="lic_one")
    assert client_of(key).get(VERIFY).status_code == 200
    return key


def revoke(browser: Client, reason: str):
    chosen = {"action": "revoke", "reason": reason, "_selected_action": License.objects.get().pk}
    return browser.post(LICENSES, chosen, follow=True)


def test_a_used_key_is_listed_without_itself(staff, used_key):
    page = staff.get(LICENSES).content.decode()

    assert "lic_one" in page
    assert used_key not in page


def test_a_key_revoked_in_the_admin_gets_401(staff, used_key, client_of):
    revoke(staff, "leaked on a page")

    assert client_of(used_key).get(VERIFY).json()["code"] == "license_revoked"
    assert License.objects.get().revoked_reason == "leaked on a page"


def test_revoking_asks_for_a_reason(staff, used_key):
    page = revoke(staff, "  ").content.decode()

    assert "Enter a reason" in page
    assert License.objects.get().revoked_at is None


def test_who_may_only_look_does_not_revoke(used_key):
    looker = get_user_model().objects.create_user("looker", is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_license"))
    browser = Client()
    browser.force_login(looker)

    assert browser.get(LICENSES).status_code == 200
    revoke(browser, "because")

    assert License.objects.get().revoked_at is None


@pytest.mark.parametrize("page", ["add/", "{pk}/delete/"])
def test_licenses_are_neither_added_nor_deleted(staff, used_key, page):
    address = LICENSES + page.format(pk=License.objects.get().pk)

    assert staff.post(address, {"post": "yes"}).status_code == 403
    assert License.objects.count() == 1


def test_a_license_is_not_edited(staff, used_key):
    license = License.objects.get()

    answer = staff.post(f"{LICENSES}{license.pk}/change/", {"plan": "enterprise"})

    assert answer.status_code == 403
    assert License.objects.get().plan == ""


@pytest.mark.parametrize("page", ["tenant/", "membership/", "membership/add/"])
def test_tenants_and_memberships_have_pages(staff, used_key, page):
    assert staff.get(f"/admin/licensing/{page}").status_code == 200


def test_a_tenant_is_named_and_its_id_stays(staff, used_key):
    tenant = License.objects.get().tenant
    rows = {f"memberships-{part}_FORMS": "0" for part in ("TOTAL", "INITIAL")}

    staff.post(
        f"/admin/licensing/tenant/{tenant.pk}/change/",
        {"label": "Acme", "public_id": "tnt_other", **rows},
    )

    tenant.refresh_from_db()
    assert (tenant.label, tenant.public_id) == ("Acme", "tnt_owner")
