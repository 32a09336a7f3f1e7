"""Signing in with a provider, and every way in which it may not."""

import html
import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth import get_user_model
from django.db import IntegrityError
from django.test import Client

from common import clock
from common.models import Event
from importengine.people import outbound
from importengine.people.fixed import PASSWORD, PROVIDER
from importengine.people.provider import OF_AN_ADDRESS
from licensing.models import Membership
from tests.importengine.people.provider import SmallProvider, running

pytestmark = pytest.mark.django_db
BACK = "/admin/provider/back/"


def begin(browser: Client, to: str = "/admin/") -> tuple[str, dict[str, list[str]]]:
    """Press the button; return the address that the page leads to, and what it asks for."""
    answer = browser.post("/admin/provider/", {"next": to})
    match = re.search(r'url=([^"]+)"', answer.content.decode())
    assert match, answer.content
    address = html.unescape(match[1])
    return address, parse_qs(urlsplit(address).query)


def sign_in(browser: Client, to: str = "/admin/"):
    _, query = begin(browser, to)
    return browser.get(BACK, {"code": "c", "state": query["state"][0]})


def kinds() -> list[str]:
    return list(Event.objects.order_by("public_id").values_list("kind", flat=True))


def test_a_person_signs_in_and_has_the_rights_of_their_groups(provider, tenant, client):
    answer = sign_in(client, "/admin/catalogs")

    assert (answer.status_code, answer["Location"]) == (302, "/admin/catalogs")
    person = get_user_model().objects.get(username="ada")
    assert (person.is_staff, person.is_superuser, person.has_usable_password()) == (
        True,
        False,
        False,
    )
    assert [group.name for group in person.groups.all()] == ["editor"]
    membership = Membership.objects.get(user=person)
    assert (membership.tenant, membership.role) == (tenant, "editor")
    assert client.get("/admin/").status_code == 200
    assert kinds() == ["person.rights-changed", "person.signed-in"]
    assert Event.objects.last().about == {"by": ["provider"]}


def test_the_provider_is_asked_with_a_state_and_a_proof(provider, tenant, client):
    address, query = begin(client)
    client.get(BACK, {"code": "c", "state": query["state"][0]})

    assert address.startswith(f"{provider.url}/authorize?")
    assert query["redirect_uri"] == [f"http://testserver{BACK}"]
    assert query["code_challenge_method"] == ["S256"]
    assert len(provider.token_forms[0]["code_verifier"][0]) >= 43


def test_a_state_serves_once_and_only_the_browser_that_began(provider, tenant, client):
    _, query = begin(client)
    query = {"code": "c", "state": query["state"][0]}

    stranger = Client().get(BACK, query)
    first, replayed = client.get(BACK, query), client.get(BACK, query)

    assert (stranger.status_code, first.status_code, replayed.status_code) == (403, 302, 403)
    assert "did not confirm" in replayed.content.decode()


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("changes", {"aud": "another-client"}),
        ("changes", {"iss": "https://elsewhere.example"}),
        ("changes", {"exp": 1}),
        ("userinfo", {"sub": "bob-2"}),
        ("discovery", {"issuer": "https://elsewhere.example"}),
        ("raw", {"/token": b'{"access_token": "a", "token_type": "Bearer"}'}),
        ("raw", {"/token": b'["a"]'}),
        ("raw", {"/token": b"\xff\x00"}),
        ("raw", {"/userinfo": b'"ada"'}),
        ("raw", {"/keys": b'{"keys": [{}]}'}),
        ("raw", {"/keys": b"{}"}),
    ],
)
def test_an_answer_that_proves_nothing_signs_no_person_in(provider, tenant, client, part, wrong):
    _, query = begin(client) if part != "discovery" else ("", {"state": ["s"]})
    getattr(provider, part).update(wrong)
    if part == "discovery":
        answer = client.post("/admin/provider/")
    else:
        answer = client.get(BACK, {"code": "c", "state": query["state"][0]})

    assert answer.status_code == 403
    assert "You are not signed in" in answer.content.decode()
    assert not get_user_model().objects.exists()
    assert kinds() == ["person.refused"]


def test_a_token_signed_by_another_key_is_refused(provider, tenant, client):
    _, query = begin(client)
    provider.raw["/token"] = (
        b'{"access_token": "a", "token_type": "Bearer", "id_token": "%s"}'
        % forged(provider).encode()
    )
    answer = client.get(BACK, {"code": "c", "state": query["state"][0]})

    assert answer.status_code == 403


def forged(provider: SmallProvider) -> str:
    other = SmallProvider()
    other.url, other.claims = provider.url, provider.claims
    return other.token()


def test_a_person_who_presses_cancel_is_told_so(provider, client):
    _, query = begin(client)
    answer = client.get(BACK, {"error": "access_denied", "state": query["state"][0]})

    assert answer.status_code == 403
    assert "Back to the sign-in page" in answer.content.decode()


def test_a_silent_provider_ends_in_a_page_and_passwords_still_work(
    provider, client, monkeypatch, django_user_model
):
    django_user_model.objects.create_superuser("root", password="right")
    monkeypatch.setattr(outbound, "DEADLINE_S", 0.2)
    provider.silent.set()

    answer = client.post("/admin/provider/")
    by_password = client.post("/admin/login/", {"username": "root", "password": "right"})

    assert answer.status_code == 503
    assert "does not answer" in answer.content.decode()
    assert by_password.status_code == 302


def test_a_provider_that_answers_too_slowly_ends_in_a_page(provider, client, monkeypatch):
    monkeypatch.setattr(outbound, "DEADLINE_S", 0.3)
    provider.drips.set()

    assert client.post("/admin/provider/").status_code == 503


def test_a_provider_that_is_down_ends_in_a_page(provider, client, settings):
    settings.OIDC_URL = "http://127.0.0.1:9"  # the port that discards

    assert client.post("/admin/provider/").status_code == 503


def test_the_guard_keeps_the_engine_from_addresses_that_are_not_allowed(provider, client, settings):
    settings.OIDC_ALLOW_NETWORKS = ()

    assert client.post("/admin/provider/").status_code == 503


def test_an_answer_that_is_too_long_is_not_read(provider, client):
    provider.raw["/.well-known/openid-configuration"] = b"[" + b" " * outbound.MOST_BYTES + b"]"

    assert client.post("/admin/provider/").status_code == 503


def test_without_a_group_of_the_map_no_person_signs_in(provider, tenant, client):
    provider.claims["groups"] = ["everyone"]

    answer = sign_in(client)

    assert answer.status_code == 403
    assert "None of your groups" in answer.content.decode()
    assert not get_user_model().objects.exists()


def test_a_dropped_group_ends_rights_at_the_next_sign_in_in_every_session(provider, tenant):
    first, second = Client(), Client()
    sign_in(first)
    provider.claims["groups"] = []

    answer = sign_in(second)

    person = get_user_model().objects.get()
    assert answer.status_code == 403
    assert (person.is_staff, person.groups.count(), person.memberships.count()) == (False, 0, 0)
    assert first.get("/admin/").status_code == 302
    removed = Event.objects.filter(kind="person.rights-changed").order_by("public_id").last()
    assert removed.about == {"added": [], "removed": ["editor of tnt_a", "group editor", "staff"]}


def test_rights_given_by_hand_last_until_the_next_sign_in(provider, tenant, client):
    sign_in(client)
    get_user_model().objects.update(is_superuser=True)

    sign_in(Client())

    assert not get_user_model().objects.get().is_superuser


def test_a_session_ends_after_its_minutes_however_busy_it_is(
    provider, tenant, client, settings, monkeypatch
):
    began = clock.now()
    sign_in(client)
    session = client.session
    session["busy"] = True
    session.save()

    left = session.get_expiry_date() - began

    assert timedelta(minutes=59) < left <= timedelta(minutes=60, seconds=30)
    with monkeypatch.context() as later:
        later.setattr("django.utils.timezone.now", lambda: began + timedelta(minutes=61))
        answer = client.get("/admin/")
        assert answer.status_code == 302
        assert answer["Location"].startswith("/admin/login/")


def test_a_session_of_the_provider_ends_once_there_is_none(provider, tenant, client, settings):
    sign_in(client)
    settings.AUTHENTICATION_BACKENDS = [PASSWORD]

    assert client.get("/admin/").status_code == 302


def test_passwords_may_be_off(provider, client, settings, django_user_model):
    django_user_model.objects.create_superuser("root", password="right")
    open_session = Client()
    open_session.post("/admin/login/", {"username": "root", "password": "right"})
    settings.PASSWORDS, settings.AUTHENTICATION_BACKENDS = False, [PROVIDER]

    page = client.get("/admin/login/").content.decode()
    answer = client.post("/admin/login/", {"username": "root", "password": "right"})

    assert 'name="password"' not in page
    assert "Continue with your provider" in page
    assert answer.status_code == 200
    assert open_session.get("/admin/").status_code == 302  # it began with a password


def test_the_provider_s_people_do_not_sign_in_with_a_password(provider, tenant, client, settings):
    sign_in(Client())
    person = get_user_model().objects.get()
    person.set_password("right")
    person.save()
    asking = {"username": "ada", "password": "right"}

    page = client.post("/admin/login/", asking).content.decode()

    assert "Continue with your provider." in page
    assert "_auth_user_id" not in client.session
    settings.OIDC_URL = ""
    assert client.post("/admin/login/", asking).status_code == 302  # there is no other way left


def test_a_person_who_was_turned_off_stays_off(provider, tenant, client):
    sign_in(Client())
    get_user_model().objects.update(is_active=False)

    answer = sign_in(client)

    assert answer.status_code == 403
    assert "turned off" in answer.content.decode()


def test_a_name_or_address_that_is_taken_makes_another_person(
    provider, tenant, client, django_user_model
):
    root = django_user_model.objects.create_superuser("ada", "ada@acme.example", "right")
    provider.claims.update(email="ada@acme.example", email_verified=True)

    sign_in(client)

    root.refresh_from_db()
    assert root.is_superuser
    assert root.check_password("right")
    other = get_user_model().objects.exclude(pk=root.pk).get()
    assert not other.is_superuser
    assert other.username != "ada"


def test_no_claim_of_a_person_is_stored(provider, tenant, client):
    from allauth.socialaccount.models import SocialAccount, SocialToken

    sign_in(client)
    sign_in(Client())

    account = SocialAccount.objects.get()
    assert (account.uid, account.extra_data) == ("ada-1", {})
    assert not SocialToken.objects.exists()


def test_a_return_to_another_site_is_not_followed(provider, tenant, client):
    answer = sign_in(client, "https://elsewhere.example/")

    assert answer["Location"] == "/admin/"


def test_without_settings_there_is_no_provider(client):
    assert client.post("/admin/provider/").status_code == 404
    assert client.get(BACK).status_code == 404
    assert "provider" not in client.get("/admin/login/").content.decode()


@pytest.mark.parametrize("process", ["connect", "redirect"])
def test_a_browser_does_not_choose_what_a_sign_in_does(
    provider, tenant, client, django_user_model, process
):
    root = django_user_model.objects.create_superuser("root", password="right")
    client.force_login(root, PASSWORD)
    asking = {"process": process, "next": "/admin/catalogs", "scope": "all"}
    answer = client.post("/admin/provider/?auth_params=prompt%3Dnone", asking)
    address = html.unescape(re.search(r'url=([^"]+)"', answer.content.decode())[1])
    query = parse_qs(urlsplit(address).query)

    client.get(BACK, {"code": "c", "state": query["state"][0]})

    assert "all" not in query["scope"][0].split()
    assert "prompt" not in query
    assert not SocialAccount.objects.filter(user=root).exists()
    assert django_user_model.objects.get(pk=root.pk).is_superuser


def test_the_same_id_of_another_issuer_is_another_person(provider, tenant, client, settings):
    sign_in(client)
    with running() as other:
        other.claims = {**provider.claims, "preferred_username": "mallory"}
        settings.OIDC_URL = other.url
        sign_in(Client())

    users = list(SocialAccount.objects.order_by("pk").values_list("user__username", flat=True))
    assert users == ["ada", "mallory"]


def test_a_first_sign_in_that_another_overtook_leaves_no_half_a_person(
    provider, tenant, client, monkeypatch
):
    def overtaken(*_, **__):
        raise IntegrityError

    monkeypatch.setattr(SocialAccount, "save", overtaken)

    answer = sign_in(client)

    assert answer.status_code == 409
    assert "Try again." in answer.content.decode()
    assert not get_user_model().objects.exists()


def test_a_return_that_this_browser_never_began_is_refused_and_not_noted(provider, client):
    answer = client.get(BACK, {"code": "c", "state": "guessed"})

    assert answer.status_code == 403
    assert kinds() == []
    tries = [client.get(BACK).status_code for _ in range(OF_AN_ADDRESS)]
    assert (tries[-2], tries[-1]) == (403, 429)


@pytest.mark.parametrize(
    "changes",
    [{"exp": None}, {"aud": ["import-engine", "other"], "azp": "other"}, {"sub": "a" * 220}],
)
def test_a_token_without_an_end_or_for_another_client_signs_no_person_in(
    provider, tenant, client, changes
):
    provider.changes = changes
    provider.userinfo = {"sub": changes["sub"]} if "sub" in changes else {}

    answer = sign_in(client)

    assert answer.status_code == 403
    assert "person.signed-in" not in kinds()
