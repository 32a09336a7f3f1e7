"""The text pages of the catalogs, which work without scripts."""

import json
import re
from html import unescape

import pytest
from django.contrib.auth.models import Group

from catalogs import selectors
from catalogs.models import Catalog
from licensing.models import Membership
from tests.catalogs.conftest import COLLEAGUE, text_of

LIST = "/admin/catalogs/text"
PAGE = "/admin/catalogs/people/text"


@pytest.fixture
def staff(acme, client, django_user_model):
    """Return Edith, who edits for Acme, with a browser."""
    user = django_user_model.objects.create_user("edith", is_staff=True)
    user.groups.add(Group.objects.get(name="publisher"))
    Membership.objects.create(user=user, tenant=acme, role="editor")
    client.force_login(user)
    return client


def hidden(page, name):
    match = re.search(rf'name="{name}" value="([^"]*)"', page.content.decode())
    return match[1]


def text_in(page):
    match = re.search(r"<textarea[^>]*>\n(.*)</textarea>", page.content.decode(), re.DOTALL)
    return unescape(match[1])


def press(staff, page, action="save", text=None, **fields):
    """Submit the form of a page, as a browser does."""
    typed = (text_in(page) if text is None else text).replace("\n", "\r\n")
    form = {"expected": hidden(page, "expected"), "text": typed, "action": action, **fields}
    return staff.post(page.request["PATH_INFO"], form, follow=True)


@pytest.mark.parametrize("address", [LIST])
def test_the_list_shows_each_catalog_with_its_state(staff, publish, save, address):
    publish()
    save(text_of(title="Persons"), actor=COLLEAGUE)

    page = staff.get(address)

    assert page.status_code == 200
    text = page.content.decode()
    assert "Version 1" in text
    assert "Draft of version 2" in text
    assert "Carl" in text
    assert f'href="{PAGE}?tenant=tnt_acme"' in text


@pytest.mark.parametrize("address", [LIST, PAGE])
def test_no_visitor_sees_the_pages_without_a_staff_login(client, django_user_model, address):
    anonymous = client.get(address)
    client.force_login(django_user_model.objects.create_user("guest"))
    guest = client.get(address)

    assert [anonymous.status_code, guest.status_code] == [302, 302]
    assert anonymous["Location"].startswith("/admin/login/")


def test_a_catalog_is_begun_saved_and_published(staff, acme):
    page = staff.post(LIST, {"key": "people"}, follow=True)
    page = press(staff, page)
    assert "The draft of version 1 is saved." in page.content.decode()

    page = press(staff, page, "publish", note="The first")

    assert "Version 1 is published" in page.content.decode()
    version = selectors.published(acme, "people").version
    assert (version.note, version.published_by["label"]) == ("The first", "edith")


def test_opening_a_page_makes_nothing(staff):
    staff.get(PAGE)

    assert not Catalog.objects.exists()


def test_a_key_that_cannot_be_one_is_refused_in_its_place(staff):
    page = staff.post(LIST, {"key": "two words"})

    assert page.status_code == 422
    assert 'value="two words"' in page.content.decode()
    assert 'aria-describedby="refused"' in page.content.decode()


def test_a_draft_may_be_wrong_and_its_findings_are_at_their_lines(staff, acme):
    wrong = json.dumps({"entries": [{"id": "", "fields": [{"key": "a"}]}]})

    page = press(staff, staff.get(PAGE), "publish", text=wrong)

    text = page.content.decode()
    assert "cannot be published yet" in text
    assert 'data-line="8">Line 8</a>' in text  # of the text as the page shows it now
    assert text_in(page).split("\n")[7].strip() == '"id": "",'
    assert "<code>/entries/0/id</code>" in text
    assert selectors.draft(acme, "people").number == 1


def test_text_that_cannot_be_saved_stays_in_the_form(staff):
    typed = '{\n "entries": [}\n<b>"'

    page = press(staff, staff.get(PAGE), text=typed)

    assert page.status_code == 422
    assert text_in(page) == typed
    assert 'data-line="2"' in page.content.decode()
    assert not Catalog.objects.exists()


def test_a_lost_race_keeps_both_texts_and_the_second_try_replaces(staff, save, acme):
    save()
    page = staff.get(PAGE)
    save(text_of(title="Carl's"), actor=COLLEAGUE)
    mine = text_of(title="Mine")

    page = press(staff, page, text=mine)
    assert page.status_code == 409
    assert "Carl saved this draft" in page.content.decode()
    assert text_in(page) == mine
    assert selectors.draft(acme, "people").title == "Carl's"

    press(staff, page)
    assert selectors.draft(acme, "people").title == "Mine"


def test_mending_json_does_not_hide_a_race_lost_meanwhile(staff, save, acme):
    save()
    page = staff.get(PAGE)
    save(text_of(title="Carl's"), actor=COLLEAGUE)

    page = press(staff, page, text="{")
    page = press(staff, page, text=text_of(title="Mine"))

    assert page.status_code == 409
    assert selectors.draft(acme, "people").title == "Carl's"


def test_an_old_version_is_looked_at_and_restored(staff, publish, acme):
    publish()
    publish(text_of(field="full_name"))

    old = staff.get(PAGE, {"version": 1})
    assert json.loads(text_in(old))["entries"][0]["fields"] == [{"key": "name"}]
    assert "readonly" in old.content.decode()

    press(staff, old, restore="1")
    assert json.loads(selectors.draft(acme, "people").document)["version"] == 3


def test_a_catalog_is_retired_by_its_button(staff, publish, acme):
    publish()
    page = staff.get(PAGE)
    assert 'form="retire" name="action" value="retire"' in page.content.decode()

    page = staff.post(PAGE, {"action": "retire"}, follow=True)

    assert "Version 1 is retired" in page.content.decode()
    assert "Not published" in page.content.decode()
    assert 'value="retire"' not in page.content.decode()
    assert not selectors.published_catalogs(acme).exists()


@pytest.mark.parametrize("number", ["9", "x", "-1", "²"])
def test_restoring_what_never_was_says_so(staff, publish, acme, number):
    publish()

    page = press(staff, staff.get(PAGE), restore=number)

    assert "has no version" in page.content.decode()
    assert selectors.draft(acme, "people") is None


def test_a_viewer_retires_nothing(staff, publish, acme):
    publish()
    Membership.objects.update(role="viewer")

    page = staff.post(PAGE, {"action": "retire"}, follow=True)

    assert 'value="retire"' not in page.content.decode()
    assert selectors.published_catalogs(acme).count() == 1


def test_a_viewer_looks_and_changes_nothing(staff, publish, acme):
    publish()
    Membership.objects.update(role="viewer")

    page = staff.get(PAGE)
    answer = press(staff, page, "publish", text=text_of(title="Mine"))

    assert "readonly" in page.content.decode()
    assert 'value="publish"' not in page.content.decode()
    assert "is read-only" in answer.content.decode()
    assert selectors.draft(acme, "people") is None


def test_a_viewer_begins_no_catalog(staff):
    Membership.objects.update(role="viewer")

    assert staff.get(PAGE).status_code == 404


@pytest.mark.parametrize("address", [LIST, PAGE])
def test_the_catalogs_of_a_tenant_without_membership_are_not_there(staff, stranger, address):
    assert staff.get(address, {"tenant": "tnt_stranger"}).status_code == 404


def test_a_member_of_two_tenants_chooses(staff, stranger, publish):
    publish(key="theirs", tenant=stranger)
    user = Membership.objects.get().user
    Membership.objects.create(user=user, tenant=stranger, role="viewer")

    page = staff.get(LIST, {"tenant": "tnt_stranger"})

    assert "/admin/catalogs/theirs/text?tenant=tnt_stranger" in page.content.decode()
    assert '<option value="tnt_acme">' in page.content.decode()


def test_a_staff_user_without_a_tenant_is_told_so(client, admin_user):
    client.force_login(admin_user)

    assert "belong to a tenant yet" in client.get(LIST).content.decode()


def test_the_form_needs_the_token_of_its_page(staff, django_user_model):
    staff.handler.enforce_csrf_checks = True

    assert staff.post(PAGE, {"text": "{}", "action": "save"}).status_code == 403
    assert not Catalog.objects.exists()


@pytest.mark.parametrize("address", [LIST, PAGE])
def test_a_page_runs_no_inline_script_or_style(staff, publish, address):
    publish()

    page = staff.get(address)

    assert "script-src 'self'; style-src 'self'" in page["Content-Security-Policy"]
    text = page.content.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", text)


def test_what_a_colleague_wrote_is_text_and_never_markup(staff, save):
    save(text_of(title="</textarea><script>alert(1)</script>"))

    text = staff.get(PAGE).content.decode()

    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text


def test_the_admin_leads_to_the_catalogs(staff):
    assert 'href="/admin/catalogs"' in staff.get("/admin/").content.decode()
