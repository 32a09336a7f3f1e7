"""The page that shows the editor's element."""

import json
import re

import pytest
from django.contrib.auth.models import Group

from catalogs.models import CatalogVersion
from licensing.models import Membership

LIST = "/admin/catalogs"
PAGE = "/admin/catalogs/people/edit"


@pytest.fixture
def staff(acme, client, django_user_model):
    """Return Edith, who edits for Acme, with a browser."""
    user = django_user_model.objects.create_user("edith", is_staff=True)
    user.groups.add(Group.objects.get(name="publisher"))
    Membership.objects.create(user=user, tenant=acme, role="editor")
    client.force_login(user)
    return client


def element(page):
    return re.search(r"<service-catalog-editor [^>]*>", page.content.decode())[0]


@pytest.mark.parametrize("address", [LIST, LIST + "/", PAGE])
def test_the_editor_is_let_in_by_the_session(staff, address):
    page = staff.get(address)

    assert 'transport="session" tenant="tnt_acme"' in element(page)
    assert "read-only" not in element(page)
    assert "csrftoken" in page.cookies


def test_the_address_names_the_catalog(staff):
    assert 'catalog-key="people"' in element(staff.get(PAGE))
    assert "catalog-key" not in element(staff.get(LIST))


def test_a_viewer_is_given_an_editor_that_changes_nothing(staff):
    Membership.objects.update(role="viewer")

    assert "read-only" in element(staff.get(PAGE))


DRAFT = {"key": "people", "title": "People", "version": 1, "keySeparator": ".", "entries": []}
OURS = {"X-Import-Tenant": "tnt_acme"}


@pytest.mark.parametrize(("group", "status"), [("editor", 403), ("publisher", 200)])
def test_editors_save_drafts_and_publishers_publish_them(staff, group, status):
    Membership.objects.get().user.groups.set(Group.objects.filter(name=group))
    v1 = "/api/import/v1/catalogs/people"

    saved = staff.put(f"{v1}/draft", DRAFT, content_type="application/json", headers=OURS)
    published = staff.post(f"{v1}/publish", {}, content_type="application/json", headers=OURS)
    retired = staff.post(f"{v1}/retire", {}, content_type="application/json", headers=OURS)

    assert [saved.status_code, published.status_code, retired.status_code] == [200, status, status]
    if status == 403:
        assert {item.json()["code"] for item in (published, retired)} == {"publisher_required"}


def test_what_an_editor_wanted_to_publish_is_saved(staff):
    Membership.objects.get().user.groups.set(Group.objects.filter(name="editor"))
    typed = {"text": json.dumps(DRAFT), "expected": "", "action": "publish"}

    page = staff.post("/admin/catalogs/people/text", typed, follow=True)

    assert "Ask a publisher" in page.content.decode()
    (version,) = CatalogVersion.objects.all()
    assert (version.state, version.title) == ("draft", "People")


@pytest.mark.parametrize(("address", "text"), [(LIST, "/text"), (PAGE, "/people/text")])
def test_without_scripts_the_page_leads_to_the_text(staff, address, text):
    page = staff.get(address).content.decode()

    assert f'href="/admin/catalogs{text}?tenant=tnt_acme"' in page
    assert staff.get(f"/admin/catalogs{text}").status_code == 200


@pytest.mark.parametrize("address", [LIST, PAGE])
def test_no_visitor_sees_the_page_without_a_staff_login(client, django_user_model, address):
    anonymous = client.get(address)
    client.force_login(django_user_model.objects.create_user("guest"))

    assert [anonymous.status_code, client.get(address).status_code] == [302, 302]


@pytest.mark.parametrize("address", [LIST, PAGE])
def test_another_tenant_is_not_there(staff, stranger, address):
    assert staff.get(address, {"tenant": "tnt_stranger"}).status_code == 404


def test_what_no_catalog_can_be_called_is_not_there(staff):
    assert staff.get("/admin/catalogs/two words/edit").status_code == 404


def test_a_member_of_two_tenants_chooses(staff, stranger):
    Membership.objects.create(
        user=Membership.objects.get().user, tenant=stranger, role="viewer"
    )  # fmt: skip

    page = staff.get(LIST, {"tenant": "tnt_stranger"})

    assert '<option value="tnt_acme">' in page.content.decode()
    assert 'tenant="tnt_stranger"' in element(page)


@pytest.mark.parametrize("address", [LIST, PAGE])
def test_the_page_runs_no_inline_script_or_style(staff, address):
    page = staff.get(address)

    assert "script-src 'self'; style-src 'self'" in page["Content-Security-Policy"]
    assert not re.search(
        r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page.content.decode()
    )  # fmt: skip


@pytest.mark.parametrize("address", ["/admin/login/", LIST])
def test_a_browser_names_its_origin_with_the_forms_of_a_page(staff, address):
    # Under "no-referrer" it sends "Origin: null", and logging in would fail.
    assert staff.get(address)["Referrer-Policy"] == "same-origin"
