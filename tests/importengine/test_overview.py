"""The first page of the admin: what is there, for the people of a tenant and for operators."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analytics import days
from analytics.models import Day
from common import clock
from common.models import Move
from deliveries.models import Registration
from imports.models import ImportRecord
from imports.parts import Failure
from licensing.models import License, Membership
from tests.importengine.admin_rows import ADA, tenant

pytestmark = pytest.mark.django_db


@pytest.fixture
def ours():
    return tenant("tnt_ours")


@pytest.fixture
def theirs():
    return tenant("tnt_theirs")


@pytest.fixture
def member(ours) -> Client:
    """Return the browser of a viewer of our tenant."""
    return signed_in("ada", groups=["viewer"], of=[ours])


@pytest.fixture
def root() -> Client:
    browser = Client()
    browser.force_login(get_user_model().objects.create_superuser("root"))
    return browser


def signed_in(name: str, *, groups=(), of=()) -> Client:
    user = get_user_model().objects.create_user(name, is_staff=True)
    user.groups.set(Group.objects.filter(name__in=groups))
    for owner in of:
        Membership.objects.create(user=user, tenant=owner, role="viewer")
    browser = Client()
    browser.force_login(user)
    return browser


def add_all(owner, *, applied: int = 7) -> None:
    """Add something of each kind that the overview shows."""
    at = clock.now()
    for state in ("mapping", "review", "failed"):
        record = ImportRecord.objects.create(
            public_id=f"rec_{state}_{owner.pk}",
            tenant=owner,
            state=state,
            created_at=at,
            failure=Failure({"code": "too_many_rows"}, "reading") if state == "failed" else None,
        )
    Move.objects.create(
        subject=record.public_id, from_state="reading", to_state="failed", version=1,
        reason=f"code_of_{owner.public_id}", actor=ADA.as_dict(), at=at,
    )  # fmt: skip
    Registration.objects.create(
        public_id=f"whk_{owner.pk}", tenant=owner, url="https://h.example/", secret="s",
        label=f"receiver of {owner.public_id}", consecutive_failures=2,
        failing_since=at - timedelta(hours=3), created_at=at,
    )  # fmt: skip
    License.objects.create(
        public_id=f"lic_{owner.pk}", tenant=owner, label=f"key of {owner.public_id}",
        issued_at=at, expires_at=at + timedelta(days=5, hours=1),
    )  # fmt: skip
    counts = {
        "applied": applied, "failed": 1, "rows": 1_200, "uploaded": applied + 1,
        "without_question": applied - 1, f"problem:code_of_{owner.public_id}": 1,
        f"to_review:{days.step(120)}": applied, f"to_apply:{days.step(600)}": applied,
    }  # fmt: skip
    days.add({(name, at.date()): days.Counts(counts) for name in (owner.public_id, "")})


def shown(browser: Client) -> str:
    answer = browser.get("/admin/")
    assert answer.status_code == 200
    return answer.content.decode()


def tiles(page: str) -> dict[str, str]:
    return dict(re.findall(r'class="name">([^<]+)</span> <strong>([^<]+)<', page))


def figures(page: str) -> dict[str, tuple[str, str]]:
    rows = re.findall(r'<th scope="row">([^<]+)</th><td>([^<]+)</td><td>([^<]+)</td></tr>', page)
    return {name: (today, month) for name, today, month in rows}


def test_it_shows_what_is_there_and_what_happened(root, ours):
    add_all(ours)
    page = shown(root)

    assert tiles(page)["In review"] == tiles(page)["In mapping"] == tiles(page)["Failed"] == "1"
    assert tiles(page)["Failing receivers"] == "1"
    assert figures(page)["Applied"] == ("7", "7")
    assert figures(page)["Rows delivered"] == ("1,200", "1,200")
    assert figures(page)["Success"] == ("88%", "88%")
    assert figures(page)["Applied without a question"] == ("86%", "86%")
    assert figures(page)["Upload to review, median"] == ("2 min", "2 min")
    assert figures(page)["Upload to apply, median"] == ("10 min", "10 min")
    assert "expires in 5 days" in page
    assert "failing for 3 h" in page


def test_members_see_what_is_of_their_tenant_and_nothing_else(member, ours, theirs):
    add_all(ours)
    add_all(theirs, applied=90)
    page = shown(member)

    assert "tnt_ours" in page
    assert "tnt_theirs" not in page
    assert figures(page)["Applied"] == ("7", "7")
    assert tiles(page)["Failed"] == tiles(page)["Failing receivers"] == "1"
    assert "Free on the disk" not in page
    assert "Needs an operator" not in page


def test_a_superuser_sees_all_tenants_and_what_needs_an_operator(root, ours, theirs):
    add_all(ours)
    add_all(theirs, applied=90)
    page = shown(root)

    assert figures(page)["Applied"] == ("97", "97")
    assert tiles(page)["Failed"] == "2"
    assert "Free on the disk" in page
    assert "No program for imports has been seen for half a minute." in page


def test_people_without_a_group_or_a_tenant_see_no_numbers(ours):
    add_all(ours)

    assert 'class="overview"' not in shown(signed_in("no group", of=[ours]))
    assert figures(shown(signed_in("no tenant", groups=["viewer"])))["Applied"] == ("0", "0")


def test_each_link_of_the_overview_leads_to_a_list(member, root, ours):
    add_all(ours)

    for browser in (member, root):
        page = shown(browser).split('<h2 class="part">Administration')[0]
        addresses = set(re.findall(r'href="(/admin/[^"]+/[^"]*)"', page))
        assert len(addresses) > 5
        for address in addresses:
            assert browser.get(address.replace("&amp;", "&")).status_code == 200, address


def test_the_link_of_a_problem_lists_the_imports_that_had_it(member, ours, theirs):
    add_all(ours)
    add_all(theirs)
    address = "/admin/imports/importrecord/"

    mine = member.get(address, {"problem": "code_of_tnt_ours"}).content.decode()
    others = member.get(address, {"problem": "code_of_tnt_theirs"}).content.decode()

    assert f"rec_failed_{ours.pk}" in mine
    assert f"rec_review_{ours.pk}" not in mine
    assert "rec_" not in others.split('id="changelist"')[1]


def test_each_chart_has_a_table_with_its_numbers(root, ours):
    add_all(ours)
    page = shown(root)

    assert page.count("<svg viewBox") == page.count("as a table</summary>") == 3
    assert page.count("<title>7 ") == 0
    assert f"{clock.now():%-d %B}: 7 applied</title>" in page
    assert " style=" not in page


def test_the_overview_takes_as_many_queries_with_a_thousand_imports(root, ours):
    add_all(ours)
    shown(root)
    with CaptureQueriesContext(
        connection,
    ) as few:
        shown(root)
    at = clock.now()
    ImportRecord.objects.bulk_create(
        ImportRecord(public_id=f"rec_{n}", tenant=ours, state="applied", created_at=at)
        for n in range(1_000)
    )
    with CaptureQueriesContext(connection) as many:
        shown(root)

    assert len(many) == len(few)


def test_the_overview_counts_states_and_receivers_once(root, ours):
    add_all(ours)
    with CaptureQueriesContext(connection) as queries:
        shown(root)
    queries = [query["sql"] for query in queries]

    assert sum("imports_importrecord" in sql and "GROUP BY" in sql for sql in queries) == 1
    assert sum("deliveries_registration" in sql and "COUNT(" in sql for sql in queries) == 1


def test_storage_is_measured_for_each_tenant(root, member, ours, theirs):
    at = clock.now()
    for owner, size in ((ours, 3_000_000), (theirs, 5_000_000)):
        ImportRecord.objects.create(
            public_id=f"rec_{owner.pk}", tenant=owner, state="applied", created_at=at, size=size
        )
        Day.objects.create(tenant=owner.public_id, day=at.date(), counts={"applied": 2})
    days.measure_storage(at)
    days.measure_storage(at)

    assert "2.9\xa0MB" in shown(member)
    assert "7.6\xa0MB" in shown(root)
    assert figures(shown(member))["Applied"] == ("2", "2")
