"""Staff sessions act for the tenants they are members of. Spec: Authentication."""

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from rest_framework.test import APIClient

from common import clock
from licensing.models import Membership, Tenant

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.licensing.urls")]
OURS = {"X-Import-Tenant": "tnt_owner"}


@pytest.fixture
def tenants():
    names = ("tnt_owner", "tnt_stranger")
    return [Tenant.objects.create(public_id=name, created_at=clock.now()) for name in names]


@pytest.fixture
def session_of(tenants):
    """Return a function that logs in a staff member of tnt_owner."""

    def session(*, role: str = "editor", staff: bool = True, csrf: bool = False) -> APIClient:
        user = get_user_model().objects.create_user("ada", is_staff=staff)
        user.groups.add(Group.objects.get(name="editor"))
        Membership.objects.create(user=user, tenant=tenants[0], role=role)
        client = APIClient(enforce_csrf_checks=csrf)
        client.force_login(user)
        return client

    return session


def test_a_member_acts_for_the_tenant(session_of):
    answer = session_of().get("/api/thing", headers=OURS)

    assert answer.json()["tenant"] == "tnt_owner"
    assert answer.json()["actor"]["kind"] == "person"
    assert answer.json()["actor"]["label"] == "ada"


@pytest.mark.parametrize("tenant_id", ["tnt_stranger", "tnt_nobody", ""])
def test_a_tenant_of_others_and_no_tenant_look_the_same(session_of, tenant_id):
    answer = session_of().get("/api/thing", headers={"X-Import-Tenant": tenant_id})

    assert (answer.status_code, answer.json()["code"]) == (403, "not_a_member")


def test_a_superuser_needs_a_membership_too(tenants):
    client = APIClient()
    client.force_login(get_user_model().objects.create_superuser("root"))

    assert client.get("/api/thing", headers=OURS).status_code == 403


def test_a_session_without_a_tenant_is_not_a_key(session_of, engine_with_key):
    answer = session_of().get("/api/thing")

    assert (answer.status_code, answer.json()["code"]) == (401, "license_missing")


def test_a_tenant_without_a_login_gets_401(tenants):
    answer = APIClient().get("/api/thing", headers=OURS)

    assert (answer.status_code, answer.json()["code"]) == (401, "session_missing")


def test_a_member_who_is_not_staff_gets_401(session_of):
    assert session_of(staff=False).get("/api/thing", headers=OURS).status_code == 401


def test_a_deactivated_member_gets_401(session_of):
    client = session_of()
    get_user_model().objects.update(is_active=False)

    assert client.get("/api/thing", headers=OURS).status_code == 401


def test_a_removed_member_is_out_at_once(session_of):
    client = session_of()
    Membership.objects.all().delete()

    assert client.get("/api/thing", headers=OURS).status_code == 403


def test_a_change_needs_the_token_of_the_page(session_of):
    client = session_of(csrf=True)

    answer = client.post("/api/thing", headers=OURS)

    assert (answer.status_code, answer.json()["code"]) == (403, "csrf_failed")


def test_a_change_with_the_token_of_the_page_passes(session_of):
    client = session_of(csrf=True)
    client.get("/admin/")
    token = client.cookies["csrftoken"].value

    answer = client.post("/api/thing", headers=OURS | {"X-CSRFToken": token})

    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", "/api/thing", 200),
        ("post", "/api/thing", 403),
        ("post", "/api/query", 200),  # a query with a body
        ("get", "/api/editor-only", 403),
    ],
)
def test_a_viewer_only_looks(session_of, method, path, status):
    answer = getattr(session_of(role="viewer"), method)(path, headers=OURS)

    assert answer.status_code == status


def test_an_editor_edits_catalogs_and_is_not_an_agent(session_of):
    client = session_of(role="editor")

    assert client.get("/api/editor-only", headers=OURS).status_code == 200
    assert client.post("/api/import/v1/mcp", headers=OURS).status_code == 401


@pytest.mark.parametrize(
    ("groups", "status"),
    [((), 403), (("editor",), 200), (("publisher",), 200), (("viewer",), 403), (("operator",), 403),
     (("operator", "editor"), 200)],
)  # fmt: skip
def test_the_staff_edit_catalogs_if_a_group_of_theirs_does(session_of, groups, status):
    client = session_of(role="editor")
    get_user_model().objects.get().groups.set(Group.objects.filter(name__in=groups))

    assert client.get("/api/editor-only", headers=OURS).status_code == status


def test_a_key_beats_the_session_and_its_tenant_header(session_of, mint_key):
    key = mint_key("tnt_stranger")

    answer = session_of().get("/api/thing", headers=OURS | {"Authorization": f"Bearer {key}"})

    assert answer.json()["tenant"] == "tnt_stranger"


def test_a_refused_key_does_not_fall_back_to_the_session(session_of, engine_with_key):
    answer = session_of().get("/api/thing", headers=OURS | {"Authorization": "Bearer x.y.z"})

    assert answer.status_code == 401


def test_a_session_is_not_a_license(session_of, engine_with_key):
    answer = session_of().get("/api/import/v1/license/verify", headers=OURS)

    assert answer.status_code == 401
