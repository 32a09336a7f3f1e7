"""Every page of the admin: whose rows it shows, what it never shows, and its query counts."""

import re

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from common import clock
from licensing.models import Membership
from references.models import KnownEntity
from tests.importengine.admin_rows import CELL, SECRET, add_rows, tenant

pytestmark = pytest.mark.django_db
admin.autodiscover()  # the pages are loaded with the routes, and the parameters below need them
LISTED = sorted(
    (model for model in admin.site._registry if model._meta.app_label != "auth"),
    key=lambda model: model._meta.label,
)
GROUPS = ("viewer", "editor", "publisher", "operator")
NAMES = [model._meta.model_name for model in LISTED]


def address_of(model, *parts) -> str:
    return "/".join(["/admin", model._meta.app_label, model._meta.model_name, *map(str, parts), ""])


@pytest.fixture
def ours():
    return tenant("tnt_ours")


@pytest.fixture
def theirs():
    return tenant("tnt_theirs")


@pytest.fixture
def sign_in():
    """Return a function that signs in a member of a group."""

    def sign_in(*memberships, group="viewer", role="editor") -> Client:
        user = get_user_model().objects.create_user(f"{group}-{role}", is_staff=True)
        user.groups.add(Group.objects.get(name=group))
        for owner in memberships:
            Membership.objects.create(user=user, tenant=owner, role=role)
        browser = Client()
        browser.force_login(user)
        return browser

    return sign_in


@pytest.fixture
def root() -> Client:
    browser = Client()
    browser.force_login(get_user_model().objects.create_superuser("root"))
    return browser


def rows_of(owner, added, model):
    return [owner] if model._meta.model_name == "tenant" else added[model._meta.model_name]


def texts_that_tell(owner) -> set[str]:
    return {owner.public_id, owner.label, f"plan-{owner.pk}", f"scope-{owner.pk}"}


@pytest.mark.parametrize("model", LISTED, ids=NAMES)
@pytest.mark.parametrize("group", GROUPS)
def test_a_member_sees_the_rows_of_their_tenant_and_no_others(model, group, ours, theirs, sign_in):
    mine, others = add_rows(ours), add_rows(theirs)
    browser = sign_in(ours, group=group)

    shown = browser.get(address_of(model)).content.decode()
    results = browser.get(address_of(model), {"q": theirs.public_id}).content.decode()
    own = browser.get(address_of(model, rows_of(ours, mine, model)[0].pk, "change"))
    other = rows_of(theirs, others, model)[0].pk

    assert ours.public_id in shown or ours.label in shown
    assert [text for text in texts_that_tell(theirs) if text in shown] == []
    assert theirs.label not in results
    assert own.status_code == 200
    for page in ("change", "history", "delete"):
        answer = browser.get(address_of(model, other, page))
        assert answer.status_code in {302, 403, 404}, page


@pytest.mark.parametrize("model", LISTED, ids=NAMES)
def test_a_superuser_sees_all_and_a_member_of_nothing_sees_nothing(
    model, ours, theirs, root, sign_in
):
    add_rows(ours)
    add_rows(theirs)

    whole = root.get(address_of(model)).content.decode()
    nothing = sign_in().get(address_of(model)).content.decode()

    for owner in (ours, theirs):
        assert owner.public_id in whole or owner.label in whole
        assert owner.public_id not in nothing
        assert owner.label not in nothing


@pytest.mark.parametrize("model", LISTED, ids=NAMES)
def test_a_list_of_fifty_asks_no_more_than_one_of_five(model, ours, theirs, root):
    add_rows(ours, 5)
    if model._meta.model_name == "tenant":
        for number in range(3):
            add_rows(tenant(f"tnt_{number}"))
    root.get(address_of(model))
    with CaptureQueriesContext(connection) as few:
        root.get(address_of(model))

    add_rows(ours, 45)
    if model._meta.model_name == "tenant":
        for number in range(3, 48):
            tenant(f"tnt_{number}")
    with CaptureQueriesContext(connection) as many:
        page = root.get(address_of(model)).content.decode()

    assert page.count('class="action-checkbox"') == 50 or page.count("<tr><th") >= 50
    assert len(many) == len(few)


def add_members(owner, count):
    for row in add_rows(owner, count)["membership"]:
        assert row.tenant == owner


def add_attempts(delivery, count):
    now, known = clock.now(), delivery.history.count()
    for number in range(known + 1, known + count + 1):
        delivery.history.create(
            number=number, started_at=now, finished_at=now, http_status=500, latency_ms=1
        )


@pytest.mark.parametrize("of", ["tenant", "delivery"])
def test_a_page_with_fifty_rows_below_asks_no_more_than_one_with_five(of, ours, root):
    row = ours if of == "tenant" else add_rows(ours)["delivery"][0]
    add = add_members if of == "tenant" else add_attempts
    root.get(address_of(type(row), row.pk, "change"))
    query_counts = []
    for count in (5, 45):
        add(row, count)
        with CaptureQueriesContext(connection) as queries:
            page = root.get(address_of(type(row), row.pk, "change"))
        assert page.status_code == 200
        query_counts.append(len(queries))

    assert query_counts[0] == query_counts[1]


@pytest.mark.parametrize("model", LISTED, ids=NAMES)
def test_no_page_shows_a_cell_or_a_secret(model, ours, root):
    row = rows_of(ours, add_rows(ours), model)[0]

    pages = [root.get(address_of(model)), root.get(address_of(model, row.pk, "change"))]

    assert [page.status_code for page in pages] == [200, 200]
    for page in pages:
        assert CELL not in page.content.decode()
        assert SECRET not in page.content.decode()


@pytest.mark.parametrize("model", LISTED, ids=NAMES)
def test_what_is_not_shown_cannot_be_guessed_by_asking_for_it(model, ours, root):
    add_rows(ours)
    shown = set(model_admin_of(model).fields or ())

    by_the_way = {"tenant__licenses__key_sha256__startswith": "a"}
    assert root.get(address_of(model), by_the_way).status_code == 400
    for field in model._meta.concrete_fields:
        if field.name in shown | {"state"} or field.primary_key:
            continue
        for address in (f"{field.name}__startswith", f"{field.name}__contains"):
            assert root.get(address_of(model), {address: "a"}).status_code == 400, address
    is_looked_up = model is KnownEntity  # found by a whole value, as its help text explains
    for text in (SECRET,) if is_looked_up else (CELL, SECRET):
        results = root.get(address_of(model), {"q": text}).content.decode()
        assert "action-checkbox" not in results.replace("action-checkbox-column", "")


def model_admin_of(model):
    return admin.site._registry[model]


@pytest.mark.parametrize("model", LISTED, ids=NAMES)
def test_only_what_people_own_is_edited(model, ours, root):
    row = rows_of(ours, add_rows(ours), model)[0]
    name = model._meta.model_name

    added = root.post(address_of(model, "add"), {}).status_code
    changed = root.post(address_of(model, row.pk, "change"), {}).status_code
    deleted = root.post(address_of(model, row.pk, "delete"), {"post": "yes"}).status_code

    assert (added == 403) is (name not in {"membership", "issuedcontract", "feed"})
    assert (changed == 403) is (name not in {"membership", "tenant"})
    assert (deleted == 403) is (name != "membership")


@pytest.mark.parametrize("page", ["user", "group"])
@pytest.mark.parametrize("group", GROUPS)
def test_people_and_groups_are_a_superusers_business(page, group, ours, sign_in):
    browser = sign_in(ours, group=group)
    every = browser.get(f"/admin/auth/{page}/"), browser.get(f"/admin/auth/{page}/add/")

    assert [answer.status_code for answer in every] == [403, 403]
    answer = browser.get("/admin/autocomplete/", {
        "app_label": "licensing", "model_name": "membership", "field_name": "user", "term": "",
    })  # fmt: skip
    assert answer.status_code == 403


def test_the_form_of_a_group_shows_the_permissions_it_has_and_saves_those_chosen(root):
    group = Group.objects.get(name="editor")
    page = root.get(f"/admin/auth/group/{group.pk}/change/").content.decode()
    offered = re.findall(r'name="permissions" value="(\d+)"( checked)?', page)
    chosen = {int(key) for key, checked in offered if checked}
    assert chosen == set(group.permissions.values_list("pk", flat=True))
    assert len(offered) == Permission.objects.count()

    more = Permission.objects.get(codename="delete_importrecord").pk
    sent = {"name": group.name, "permissions": [*chosen, more]}
    root.post(f"/admin/auth/group/{group.pk}/change/", sent)

    assert set(group.permissions.values_list("pk", flat=True)) == chosen | {more}


def test_permissions_are_listed_by_what_they_are_about(root):
    page = root.get("/admin/auth/group/add/").content.decode()

    _, part = page.split("<legend>Imports: import record</legend>")
    labels = re.findall(r"<label>.*?> ([^<]+)</label>", part.split("</fieldset>", 1)[0])
    rows_and_files = "See and change the rows and files of import records"
    assert labels == ["Add", "Change", "Delete", rows_and_files, "View"]


def test_a_user_is_put_into_groups_and_given_a_permission(root):
    user = get_user_model().objects.create_user("ada")
    viewer = Group.objects.get(name="viewer")
    permission = Permission.objects.get(codename="delete_importrecord")
    about = {"username": "ada", "is_active": "on", "is_staff": "on"}
    sent = {**about, "groups": [viewer.pk], "user_permissions": [permission.pk]}

    root.post(f"/admin/auth/user/{user.pk}/change/", sent)

    assert [*user.groups.all()] == [viewer]
    assert [*user.user_permissions.all()] == [permission]


def test_a_filter_by_tenant_offers_the_members_tenants_alone(ours, theirs, sign_in):
    third = tenant("tnt_third")
    for owner in (ours, theirs, third):
        add_rows(owner)

    page = sign_in(ours, third).get("/admin/deliveries/delivery/?tenant=tnt_third").content.decode()

    assert re.findall(r"\?tenant=(\w+)", page).count("tnt_ours") == 1
    assert "tnt_theirs" not in page
    assert "rec of tnt_third" in page
    assert "rec of tnt_ours" not in page
    answer = sign_in(ours, group="editor").get("/admin/deliveries/delivery/?tenant=tnt_theirs")
    assert "rec of tnt_theirs" not in answer.content.decode()


def test_the_first_page_lists_everything_in_order(ours, root):
    page = root.get("/admin/").content.decode()

    order = [
        "Catalogs", "Import records", "Questions", "Changesets", "Deliveries", "Registrations",
        "Issued contracts", "Licenses", "Memberships", "Page sessions", "Tenants", "Events",
    ]  # fmt: skip
    assert [name for name in order if f">{name}</a>" not in page] == []


@pytest.mark.parametrize("address", ["/admin/", "/admin/deliveries/delivery/", "/admin/login/"])
def test_pages_carry_neither_inline_styles_nor_inline_scripts(address, ours, root, client):
    add_rows(ours)
    page = (client if "login" in address else root).get(address)
    text = page.content.decode()

    assert "admin/engine.css" in text
    assert re.findall(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\bsrc=)[^>]*>", text) == []
    assert "script-src 'self'; style-src 'self'" in page.headers["Content-Security-Policy"]
