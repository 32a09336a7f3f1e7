"""The page of a catalog's analytics: numbers, what is proposed, and one action that adds it."""

import re

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalogs import selectors
from catalogs.models import RegressionFile
from common import clock
from imports.models import ImportRecord
from licensing.models import Membership
from tests.importengine.admin_rows import tenant
from tests.importengine.analytics_rows import add_header, add_imports, add_questions, add_text
from tests.imports.asked import publish_fields

pytestmark = pytest.mark.django_db
PAGE = "/admin/catalogs/orders/analytics"
OPTIONS = [{"type": "string", "value": "paid", "label": "Paid"}]


@pytest.fixture
def ours():
    owner = tenant("tnt_ours")
    status = {"key": "status", "columnType": "category", "dropdownOptions": OPTIONS}
    publish_fields(owner, "number", status, key="orders")
    add_imports(owner)
    add_header(owner, "Auftragskürzel", "p.number", 14)
    add_text(owner, "p.status", "zu", "paid")
    return owner


def signed_in(name: str, owner, *, role: str, groups: tuple[str, ...]) -> Client:
    user = get_user_model().objects.create_user(name, is_staff=True)
    user.groups.set(Group.objects.filter(name__in=groups))
    Membership.objects.create(user=user, tenant=owner, role=role)
    browser = Client()
    browser.force_login(user)
    return browser


@pytest.fixture
def editor(ours) -> Client:
    return signed_in("ada", ours, role="editor", groups=("catalog editor", "editor", "reviewer"))


def shown(browser: Client) -> str:
    answer = browser.get(PAGE)
    assert answer.status_code == 200
    return answer.content.decode()


def test_texts_that_no_option_takes_are_for_those_who_may_see_cells(ours, editor):
    add_questions(ours, "p.status", "storniert", 3)
    viewer = signed_in("bob", ours, role="viewer", groups=("viewer",))

    assert re.search(r"storniert.*?</th><td>3</td><td>3</td>", shown(editor))
    assert "storniert" not in shown(viewer)


def test_the_steps_are_drawn_and_in_a_table(editor):
    page = shown(editor)

    rows = re.findall(r'<th scope="row">([^<]+)</th><td>([^<]+)</td><td>([^<]+)</td>', page)
    assert ("Uploaded", "1,200", "100%") in rows
    assert ("Applied", "870", "72%") in rows
    assert "<title>Table read: 120 stopped</title>" in page


def test_one_action_of_an_editor_adds_what_is_selected_to_the_draft(editor, ours):
    ids = re.findall(r'name="proposal" value="(\w+)"', shown(editor))
    answer = editor.post(PAGE, {"action": "add", "proposal": ids}, follow=True)

    assert answer.redirect_chain[0][0].startswith("/admin/catalogs/orders/text")
    assert "Added 2 proposals to the draft of version 2." in answer.content.decode()
    number, status = selectors.draft(ours, "orders").as_catalog().entries[0].fields
    assert number.alternative_matches == ("Auftragskürzel",)
    assert status.dropdown_options[0].alternative_matches == ("zu",)


def test_a_viewer_looks_on_and_sees_no_cell(ours):
    viewer = signed_in("eve", ours, role="viewer", groups=("viewer",))
    page = shown(viewer)

    assert "Auftragskürzel" in page
    assert "Your role does not show cells of imports." in page
    assert 'name="proposal"' not in page
    assert viewer.post(PAGE, {"action": "add"}).status_code == 403


def test_what_passed_its_test_files_is_added_one_at_a_time(editor, ours):
    page = shown(editor)
    ids = re.findall(r'type="checkbox" name="proposal" value="(\w+)"', page)
    assert "is from a cell" in page
    base = selectors.published_catalogs(ours).get()
    RegressionFile.objects.create(
        catalog=base.catalog, public_id="tst_a", name="a", filename="a.csv", file="f", size=1,
        sha256="s", expected={}, created_at=clock.now(),
    )  # fmt: skip
    about = {"base": base.etag, "additions": [], "test": "tst_a", "expected": {}}
    ImportRecord.objects.create(
        public_id="rec_a", tenant=ours, purpose="test", state="checked", created_at=clock.now(),
        tested_against={"catalogKey": "orders", "proposals": about},
        report={"results": {name: [] for name in ids}},
    )  # fmt: skip

    tested = shown(editor)
    assert re.findall(r'type="radio" name="proposal" value="(\w+)"', tested) == ids
    assert "Add the selected one to the draft" in tested
    answer = editor.post(PAGE, {"action": "add", "proposal": ids}, follow=True)
    assert "Each proposal was tested alone." in answer.content.decode()


def test_the_page_is_for_those_who_may_see_catalogs(ours):
    outsider = signed_in("eve", ours, role="editor", groups=())

    assert outsider.get(PAGE).status_code == 403


def test_an_action_keeps_the_days_and_an_unknown_one_is_refused(editor):
    answer = editor.post(f"{PAGE}?days=90", {"action": "test"})

    assert answer.url.endswith("?tenant=tnt_ours&days=90")
    assert editor.post(PAGE, {"action": "publish"}).status_code == 400


def test_a_stranger_finds_no_page(ours):
    stranger = signed_in("eve", tenant("tnt_theirs"), role="editor", groups=("editor",))

    assert stranger.get(PAGE).status_code == 404
    assert stranger.get(f"{PAGE}?tenant=tnt_ours").status_code == 404


def test_the_page_takes_as_many_queries_however_much_was_corrected(editor, ours):
    with CaptureQueriesContext(
        connection,
    ) as few:
        shown(editor)
    for n in range(30):
        add_header(ours, f"Header {n}", "p.number")
        add_text(ours, "p.status", f"text {n}", "paid")
    with CaptureQueriesContext(connection) as many:
        shown(editor)

    assert len(many) == len(few)
