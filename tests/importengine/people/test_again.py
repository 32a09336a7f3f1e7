"""Signing in again with a provider, and how long what it said counts."""

import html
import re
import time
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth import get_user_model
from django.test import Client

from tests.importengine.people.test_provider import BACK, begin, sign_in
from tests.importengine.people.test_second_factor import FACTOR, code_of

pytestmark = pytest.mark.django_db
APP = f"{FACTOR}app/"


def begin_again(browser: Client) -> dict[str, list[str]]:
    """Press the button of the page that asks for it; return what the provider is asked."""
    page = browser.get(APP, follow=True).content.decode()
    sent = dict(re.findall(r'type="hidden" name="(next|again)" value="([^"]*)"', page))
    answer = browser.post("/admin/provider/", sent).content.decode()
    return parse_qs(urlsplit(html.unescape(re.search(r'url=([^"]+)"', answer)[1])).query)


def test_a_sign_in_that_may_have_asked_no_person_does_not_open_the_factors(
    provider, tenant, client
):
    _, query = begin(client)
    client.get(BACK, {"code": "c", "state": query["state"][0]})

    answer = client.get(APP)

    assert answer.status_code == 302
    assert answer["Location"].startswith("/admin/again/")
    assert "prompt" not in query


def test_signing_in_again_makes_the_provider_ask(provider, tenant, client):
    sign_in(client)
    query = begin_again(client)
    provider.changes["auth_time"] = int(time.time())

    answer = client.get(BACK, {"code": "c", "state": query["state"][0]})

    assert (query["prompt"], query["max_age"]) == (["login"], ["0"])
    assert (answer.status_code, answer["Location"]) == (302, APP)
    assert client.get(APP).status_code == 200


@pytest.mark.parametrize("auth_time", [None, -301, 3600, True, "now", float("inf"), 10**400])
def test_a_provider_that_did_not_ask_is_refused(provider, tenant, client, auth_time):
    sign_in(client)
    query = begin_again(client)
    is_offset = type(auth_time) is int and auth_time < 10**6
    provider.changes["auth_time"] = int(time.time()) + auth_time if is_offset else auth_time

    answer = client.get(BACK, {"code": "c", "state": query["state"][0]})

    assert answer.status_code == 403
    assert "did not ask who you are" in answer.content.decode()
    assert client.get(APP).status_code == 302


def test_a_session_lasts_from_the_answer_of_the_provider_not_from_the_code(
    provider, tenant, client, settings
):
    sign_in(Client())
    secret = generate_totp_secret()
    TOTP.activate(get_user_model().objects.get(), secret)
    sign_in(client)
    session = client.session
    session["account_authentication_methods"][-1]["at"] -= 600
    session.save()

    client.post(f"{FACTOR}code/", {"code": code_of(secret)})

    assert client.get("/admin/").status_code == 200
    most = (settings.OIDC_SESSION_MINUTES - 10) * 60
    assert most - 60 < client.session.get_expiry_age() <= most
