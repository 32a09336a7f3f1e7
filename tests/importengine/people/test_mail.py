"""Invitations and new passwords by mail."""

import re

import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import Group, Permission
from django.core import mail
from django.core.cache import cache
from django.test import Client

from common import clock
from common.models import Event
from importengine.env import Env
from importengine.people.mail import OF_AN_ADDRESS
from licensing.models import Membership, Tenant

pytestmark = pytest.mark.django_db
NEW = "a long new password"


@pytest.fixture(autouse=True)
def mail_is_set_up(settings):
    cache.clear()
    settings.MAIL = {"EMAIL_HOST": "mail.example"}
    settings.DEFAULT_FROM_EMAIL = "engine@acme.example"


@pytest.fixture
def ada(django_user_model):
    return django_user_model.objects.create_user("ada", "ada@acme.example", "old", is_staff=True)


def choose(browser: Client, text: str):
    """Open the link in a mail, and choose a password."""
    link = re.search(r"http://testserver(/admin/password/\S+)", text)[1]
    form = browser.get(link, follow=True).request["PATH_INFO"]
    sent = {"new_password1": NEW, "new_password2": NEW}
    return browser.post(form, sent, follow=True)


def test_a_forgotten_password_is_chosen_again(ada, client):
    client.post("/admin/password/", {"email": "ada@acme.example"})
    choose(client, mail.outbox[0].body)

    ada.refresh_from_db()
    assert ada.check_password(NEW)
    assert mail.outbox[0].from_email == "engine@acme.example"
    assert Event.objects.get(kind="person.password-set").subject == f"user:{ada.pk}"
    assert client.get("/admin/").status_code == 302  # a link does not sign in


def test_a_link_serves_once(ada, client):
    client.post("/admin/password/", {"email": "ada@acme.example"})
    choose(client, mail.outbox[0].body)
    link = re.search(r"http://testserver(/admin/password/\S+)", mail.outbox[0].body)[1]

    assert "This link was used" in Client().get(link, follow=True).content.decode()


def test_the_answer_does_not_tell_who_has_an_account(ada, client):
    known = client.post("/admin/password/", {"email": "ada@acme.example"})
    unknown = client.post("/admin/password/", {"email": "bob@acme.example"})

    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert len(mail.outbox) == 1


def test_an_address_cannot_ask_for_mails_without_end(ada, client):
    for _ in range(OF_AN_ADDRESS + 1):
        answer = client.post("/admin/password/", {"email": "ada@acme.example"})

    assert "Too many tries" in answer.content.decode()
    assert len(mail.outbox) == OF_AN_ADDRESS


def test_an_invited_person_chooses_a_first_password(client, django_user_model, admin_client):
    bob = django_user_model.objects.create_user("bob", "bob@acme.example", is_staff=True)
    eve = django_user_model.objects.create_user("eve", is_staff=True)

    sent = {"action": "invite", "_selected_action": [bob.pk, eve.pk]}
    page = admin_client.post("/admin/auth/user/", sent, follow=True).content.decode()
    choose(client, mail.outbox[0].body)

    bob.refresh_from_db()
    assert bob.check_password(NEW)
    assert "Invited 1 person" in page
    assert "1 person not invited" in page
    invited = Event.objects.get(kind="person.invited")
    assert (invited.subject, invited.actor_label) == (f"user:{bob.pk}", "admin")


def test_an_invitation_that_fails_is_not_noted(settings, django_user_model, admin_client):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9  # the port that discards
    bob = django_user_model.objects.create_user("bob", "bob@acme.example", is_staff=True)

    sent = {"action": "invite", "_selected_action": [bob.pk]}
    page = admin_client.post("/admin/auth/user/", sent, follow=True).content.decode()

    assert "1 person not invited" in page
    assert not Event.objects.filter(kind="person.invited").exists()


def test_the_provider_s_people_are_not_invited(ada, admin_client):
    SocialAccount.objects.create(user=ada, provider="oidc-1", uid="ada-1")

    sent = {"action": "invite", "_selected_action": [ada.pk]}
    page = admin_client.post("/admin/auth/user/", sent, follow=True).content.decode()

    assert "1 person not invited" in page
    assert "with a provider" in page
    assert mail.outbox == []


def test_without_mail_there_are_no_such_pages(settings, client, admin_client):
    settings.MAIL = {}

    assert client.get("/admin/password/").status_code == 404
    assert "Forgot the password" not in client.get("/admin/login/").content.decode()
    assert "Invite by mail" not in admin_client.get("/admin/auth/user/").content.decode()


def test_a_provider_s_person_gets_no_password_by_mail(client, django_user_model):
    django_user_model.objects.create_user("ada", "ada@acme.example")  # none that can be used

    client.post("/admin/password/", {"email": "ada@acme.example"})

    assert mail.outbox == []


def test_groups_changed_by_hand_are_noted(ada, admin_client):
    editor = Group.objects.get(name="editor")
    page = f"/admin/auth/user/{ada.pk}/change/"
    admin_client.post(page, {"username": "ada", "is_active": "on", "groups": [editor.pk]})

    event = Event.objects.get(kind="person.rights-changed")
    assert event.about == {"added": ["group editor"], "removed": ["staff"]}
    assert event.actor_label == "admin"


def test_a_person_turned_off_and_their_own_permissions_are_noted(ada, admin_client):
    own = Permission.objects.get(codename="view_event")
    page = f"/admin/auth/user/{ada.pk}/change/"
    admin_client.post(page, {"username": "ada", "is_staff": "on", "user_permissions": [own.pk]})

    event = Event.objects.get(kind="person.rights-changed")
    assert event.about == {"added": ["permission common.view_event", "turned off"], "removed": []}


def noted() -> list[tuple[str, list[str], list[str]]]:
    """Return whose rights changed, and what they got and lost."""
    events = Event.objects.filter(kind="person.rights-changed").order_by("public_id")
    return [(e.subject, e.about["added"], e.about["removed"]) for e in events]


def test_memberships_given_by_hand_are_noted(ada, admin_client, django_user_model):
    bob = django_user_model.objects.create_user("bob", is_staff=True)
    tenant = Tenant.objects.create(public_id="tnt_a", label="Acme", created_at=clock.now())
    pages, who = "/admin/licensing/membership/", {"tenant": tenant.pk, "role": "editor"}
    admin_client.post(f"{pages}add/", {"user": ada.pk, **who})
    row = Membership.objects.get().pk
    admin_client.post(f"{pages}{row}/change/", {"user": bob.pk, **who})
    admin_client.post(f"{pages}{row}/delete/", {"post": "yes"})

    of = "editor of tnt_a"
    ada_s, bob_s = f"user:{ada.pk}", f"user:{bob.pk}"
    assert (noted()[0], noted()[3]) == ((ada_s, [of], []), (bob_s, [], [of]))
    assert sorted(noted()[1:3]) == sorted([(ada_s, [], [of]), (bob_s, [of], [])])


def test_memberships_on_the_page_of_a_tenant_are_noted(ada, admin_client):
    tenant = Tenant.objects.create(public_id="tnt_a", label="Acme", created_at=clock.now())
    page = f"/admin/licensing/tenant/{tenant.pk}/change/"
    counts = {"memberships-TOTAL_FORMS": "1", "memberships-INITIAL_FORMS": "0"}
    given = {"memberships-0-user": ada.pk, "memberships-0-role": "viewer"}
    admin_client.post(page, {"label": "Acme", **counts, **given})
    row = {"memberships-0-id": Membership.objects.get().pk, "memberships-0-DELETE": "on"}
    counts["memberships-INITIAL_FORMS"] = "1"
    admin_client.post(page, {"label": "Acme", **counts, **row, "memberships-0-tenant": tenant.pk})

    of = "viewer of tnt_a"
    assert noted() == [(f"user:{ada.pk}", [of], []), (f"user:{ada.pk}", [], [of])]


def test_memberships_deleted_from_the_list_are_noted(ada, admin_client):
    tenant = Tenant.objects.create(public_id="tnt_a", label="Acme", created_at=clock.now())
    row = Membership.objects.create(user=ada, tenant=tenant, role="viewer").pk
    sent = {"action": "delete_selected", "_selected_action": [row], "post": "yes"}
    admin_client.post("/admin/licensing/membership/", sent)

    assert noted() == [(f"user:{ada.pk}", [], ["viewer of tnt_a"])]


def test_addresses_of_mail_servers_are_taken_apart():
    starttls = Env({"X": "smtp://engine:p%40ss@mail.example"}).mail("X")
    tls = Env({"X": "smtps://mail.example"}).mail("X")
    relay = Env({"X": "smtp://127.0.0.1:25?tls=off"}).mail("X")

    assert starttls["EMAIL_HOST_PASSWORD"] == "p@ss"
    names = ("EMAIL_PORT", "EMAIL_USE_TLS", "EMAIL_USE_SSL")
    assert [tuple(each[name] for name in names) for each in (starttls, tls, relay)] == [
        (587, True, False), (465, False, True), (25, False, False),
    ]  # fmt: skip
