"""Known entities in the admin: counted, found by a key, and deleted once that was confirmed."""

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client

from common import clock
from common.models import Event
from licensing.models import Membership
from references import services
from references.models import KnownEntity, KnownSet
from references.services import Item
from tests.importengine.admin_rows import tenant

pytestmark = pytest.mark.django_db
SETS, ENTITIES = "/admin/references/knownset/", "/admin/references/knownentity/"


@pytest.fixture
def ours():
    return tenant("tnt_ours")


@pytest.fixture
def sign_in(ours):
    def sign_in(group) -> Client:
        user = get_user_model().objects.create_user(group, is_staff=True)
        user.groups.add(Group.objects.get(name=group))
        Membership.objects.create(user=user, tenant=ours, role="editor")
        browser = Client()
        browser.force_login(user)
        return browser

    return sign_in


@pytest.fixture
def know():
    def know(owner, scope="", **numbers):
        items = [
            Item(ref, {"number": number, "name": f"N {ref}"}) for ref, number in numbers.items()
        ]
        services.upsert(tenant=owner, scope=scope, entity="customer", items=items, at=clock.now())

    return know


def act(browser, address, row, **more) -> str:
    sent = {"action": "forget", "_selected_action": [row.pk], **more}
    return browser.post(address, sent, follow=True).content.decode()


def test_the_page_counts_the_entities_of_each_scope(ours, know, sign_in):
    know(ours, a="C-1", b="C-2")
    know(ours, "acme", c="C-3")

    page = sign_in("viewer").get(SETS).content.decode()

    assert page.count("every scope") == 1
    assert '<td class="field-entities">2</td>' in page
    assert "acme" in page


@pytest.mark.parametrize(
    ("term", "refs"),
    [
        ("C-1", ["a"]),
        ("C-", []),
        ("a", ["a"]),
        ("42", ["n"]),
        ("4", []),
        ("number", []),
        ("N b", ["b"]),
    ],
)
def test_an_entity_is_found_by_a_ref_or_a_whole_value(ours, know, sign_in, term, refs):
    know(ours, a="C-1", b="C-2", n=42)
    know(tenant("tnt_theirs"), x="C-1")

    page = sign_in("viewer").get(ENTITIES, {"q": term}).content.decode()

    shown = [ref for ref in ("a", "b", "n", "x") if f">{ref}</a>" in page]
    assert shown == refs


def test_a_set_is_deleted_after_a_confirmation_and_the_audit_list_says_so(ours, know, sign_in):
    know(ours, a="C-1", b="C-2")
    know(ours, "acme", c="C-3")
    whole, browser = KnownSet.objects.get(scope=""), sign_in("editor")

    notice = act(browser, SETS, whole)
    assert "Nothing was deleted" in notice
    assert KnownEntity.objects.count() == 3
    act(browser, SETS, whole, confirmed="on")

    assert list(KnownEntity.objects.values_list("ref", flat=True)) == ["c"]
    line = Event.objects.get(kind="references.deleted")
    assert (line.tenant, line.subject, line.actor_label) == ("tnt_ours", "customer", "editor")
    assert line.about == {"scope": "", "entities": 2}


def test_one_entity_is_deleted_after_a_confirmation(ours, know, sign_in):
    know(ours, a="C-1", b="C-2")

    act(sign_in("publisher"), ENTITIES, KnownEntity.objects.get(ref="a"), confirmed="on")

    assert list(KnownEntity.objects.values_list("ref", flat=True)) == ["b"]
    assert Event.objects.get(kind="references.deleted").about == {"scope": "", "entities": 1}


@pytest.mark.parametrize("group", ["viewer", "operator"])
def test_who_only_looks_deletes_nothing(ours, know, sign_in, group):
    know(ours, a="C-1")

    act(sign_in(group), SETS, KnownSet.objects.get(), confirmed="on")

    assert KnownEntity.objects.count() == 1


def test_another_tenants_entities_are_not_reached(ours, know, sign_in):
    know(tenant("tnt_theirs"), a="C-1")

    act(sign_in("editor"), SETS, KnownSet.objects.get(), confirmed="on")

    assert KnownEntity.objects.count() == 1
