"""A second factor: added, asked for, guessed, removed."""

import re
import time

import pytest
from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core.cache import cache, caches
from django.core.management import call_command
from django.test import Client
from redis.exceptions import RedisError

from common import clock
from common.models import Event
from common.secrets import key_id_of, unseal
from importengine.people import adapters
from importengine.processes.encryption import what_is_unreadable
from licensing.people import sign_ins
from licensing.people.sign_ins import OF_A_PERSON
from licensing.throttle import CallCounter

pytestmark = pytest.mark.django_db
FACTOR = "/admin/second-factor/"


def code_of(secret: str) -> str:
    """Return what an authenticator app shows now."""
    return code_at(secret, 0)


def code_at(secret: str, steps: int) -> str:
    """Return what an app shows whose clock is off by this many half minutes."""
    counter = int(time.time()) // app_settings.TOTP_PERIOD + steps
    return format_hotp_value(hotp_value(secret, counter))


@pytest.fixture
def on_commit(django_capture_on_commit_callbacks):
    return django_capture_on_commit_callbacks


@pytest.fixture(autouse=True)
def root(django_user_model):
    cache.clear()
    return django_user_model.objects.create_superuser("root", password="right")


def sign_in(browser: Client):
    return browser.post(
        "/admin/login/", {"username": "root", "password": "right", "next": "/admin/"}
    )


def add_app(browser: Client, on_commit) -> tuple[str, list[str]]:
    """Add an authenticator app; return its secret and the recovery codes."""
    page = browser.get(f"{FACTOR}app/").content.decode()
    secret = re.search(r'id="totp-key">(\w+)<', page)[1]
    with on_commit(execute=True):
        answer = browser.post(f"{FACTOR}app/", {"code": code_of(secret)}, follow=True)
    return secret, re.findall(r"<li><code>(\d+)</code>", answer.content.decode())


def kinds() -> list[str]:
    return list(Event.objects.order_by("public_id").values_list("kind", flat=True))


def test_a_code_is_asked_for_once_an_app_is_added(client, on_commit):
    sign_in(client)
    secret, _ = add_app(client, on_commit)
    cache.clear()  # a code serves once
    browser = Client()

    question = sign_in(browser)
    before = browser.get("/admin/").status_code
    answer = browser.post(f"{FACTOR}code/", {"code": code_of(secret)})

    assert (question.status_code, question["Location"]) == (302, f"{FACTOR}code/")
    assert before == 302
    assert (answer.status_code, answer["Location"]) == (302, "/admin/")
    assert browser.get("/admin/").status_code == 200
    assert kinds() == ["person.signed-in", "factor.added", "person.signed-in"]
    assert Event.objects.order_by("public_id").last().about == {"by": ["password", "mfa"]}


def test_a_recovery_code_serves_once(client, on_commit):
    sign_in(client)
    _, codes = add_app(client, on_commit)
    assert len(codes) == 10

    answers = []
    for _ in range(2):
        browser = Client()
        sign_in(browser)
        answers.append(browser.post(f"{FACTOR}code/", {"code": codes[0]}).status_code)

    assert answers == [302, 200]


def test_guessing_codes_is_slow_and_noted(client, on_commit):
    sign_in(client)
    secret, _ = add_app(client, on_commit)
    cache.clear()
    browser = Client()
    sign_in(browser)
    for _ in range(OF_A_PERSON):
        browser.post(f"{FACTOR}code/", {"code": "000000"})

    page = browser.post(f"{FACTOR}code/", {"code": code_of(secret)}).content.decode()

    assert "Too many tries" in page
    refused = Event.objects.filter(kind="person.refused")
    assert [event.about for event in refused] == [{"reason": "code"}] * OF_A_PERSON


@pytest.mark.parametrize(("steps", "status"), [(1, 302), (5, 200), (-5, 200)])
def test_a_clock_may_be_half_a_minute_off(client, on_commit, steps, status):
    sign_in(client)
    secret, _ = add_app(client, on_commit)
    cache.clear()
    browser = Client()
    sign_in(browser)

    answer = browser.post(f"{FACTOR}code/", {"code": code_at(secret, steps)})

    assert answer.status_code == status


@pytest.mark.parametrize("code", ["right", "wrong"])
def test_while_the_cache_is_out_no_code_is_checked(client, on_commit, monkeypatch, code):
    sign_in(client)
    secret, _ = add_app(client, on_commit)
    cache.clear()
    browser = Client()
    sign_in(browser)
    monkeypatch.setattr(sign_ins, "counter", CallCounter())
    for name in ("add", "incr"):
        monkeypatch.setattr(type(caches["default"]), name, out)

    sent = {"code": code_of(secret) if code == "right" else "000000"}
    answer = browser.post(f"{FACTOR}code/", sent)

    assert answer.status_code == 200
    assert "Try again in a minute" in answer.content.decode()
    assert "_auth_user_id" not in browser.session


def out(*_, **__):
    raise RedisError


def test_the_cache_may_fail_between_the_count_and_the_check(client, on_commit, monkeypatch):
    sign_in(client)
    secret, _ = add_app(client, on_commit)
    cache.clear()
    browser = Client()
    sign_in(browser)
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.TOTP._mark_code_used", out)

    answer = browser.post(f"{FACTOR}code/", {"code": code_of(secret)})

    assert "Try again in a minute" in answer.content.decode()


def test_a_code_whose_encryption_key_is_gone_is_answered_in_words(client, on_commit, settings):
    sign_in(client)
    secret, _ = add_app(client, on_commit)
    cache.clear()
    browser = Client()
    sign_in(browser)
    settings.ENCRYPTION_KEYS = ["z" * 40]

    answer = browser.post(f"{FACTOR}code/", {"code": code_of(secret)})

    assert answer.status_code == 200
    assert "Ask the operator" in answer.content.decode()


def test_secrets_are_encrypted_in_the_database(client, on_commit):
    sign_in(client)
    secret, _ = add_app(client, on_commit)

    stored = Authenticator.objects.get(type="totp").data["secret"]

    assert secret not in stored
    assert unseal(stored) == secret


def test_removing_a_factor_needs_a_fresh_sign_in_and_is_noted(client, on_commit, monkeypatch):
    sign_in(client)
    add_app(client, on_commit)
    cache.clear()
    monkeypatch.setattr(adapters, "FRESH_S", 0)

    question = client.post(f"{FACTOR}app/remove/")
    kept = Authenticator.objects.count()
    with on_commit(execute=True):
        removed = client.post(question["Location"], {"password": "right"})

    assert kept == 2
    assert question["Location"].startswith(f"{FACTOR}confirm/password/")
    assert removed["Location"] == FACTOR
    assert not Authenticator.objects.exists()
    assert kinds()[-1] == "factor.removed"
    assert sign_in(Client())["Location"] == "/admin/"


def test_pages_of_factors_are_for_staff(client, django_user_model):
    django_user_model.objects.create_user("guest", password="right")

    assert client.get(FACTOR).status_code == 302
    client.force_login(django_user_model.objects.get(username="guest"))
    assert client.get(FACTOR).status_code == 302


@pytest.mark.parametrize(
    "page",
    ["", "app/", "passkeys/", "passkeys/add/", "confirm/password/"],
)
def test_each_page_opens_and_keeps_the_policy(client, page):
    sign_in(client)

    answer = client.get(f"{FACTOR}{page}")

    assert answer.status_code == 200
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert not re.search(
        r"<script(?![^>]*(src=|application/json))|style=|onclick", answer.content.decode()
    )


def test_a_passkey_that_is_not_one_is_refused(client):
    sign_in(client)
    client.get(f"{FACTOR}passkeys/add/")

    for wrong in ("", "x", "{}", "[]", '{"id": 1}', '{"response": null}'):
        answer = client.post(f"{FACTOR}passkeys/add/", {"name": "k", "credential": wrong})
        assert answer.status_code == 200
    assert not Authenticator.objects.exists()


def test_lists_of_secrets_are_not_in_the_admin(client):
    sign_in(client)

    for path in ("mfa/authenticator/", "socialaccount/socialapp/", "account/emailaddress/"):
        assert client.get(f"/admin/{path}").status_code == 404


def test_a_wrong_password_is_noted_without_what_was_typed(client):
    client.post("/admin/login/", {"username": "root", "password": "wrong"})
    client.post("/admin/login/", {"username": "my-secret-word", "password": "wrong"})

    events = Event.objects.filter(kind="person.refused").order_by("public_id")
    assert [event.subject.split(":")[0] for event in events] == ["user", "unknown"]
    assert all(event.about == {"reason": "password"} for event in events)
    assert "secret" not in str([vars(event) for event in events])


def test_the_clock_of_a_code_is_the_machine_s():
    _, step, _ = yield_hotp_counters_from_time()

    assert abs(clock.now().timestamp() // 30 - step) <= 1


def test_factors_follow_a_rotation_of_encryption_keys(client, on_commit, settings):
    former, newer = "f" * 40, "n" * 40
    settings.ENCRYPTION_KEYS = [former]
    sign_in(client)
    secret, codes = add_app(client, on_commit)
    settings.ENCRYPTION_KEYS = [newer]
    lacking = what_is_unreadable()
    settings.ENCRYPTION_KEYS = [newer, former]

    call_command("rotate-encryption")

    settings.ENCRYPTION_KEYS = [newer]
    cache.clear()
    browser = Client()
    sign_in(browser)
    assert key_id_of(former) in lacking
    assert what_is_unreadable() == ""
    assert browser.post(f"{FACTOR}code/", {"code": code_of(secret)}).status_code == 302
    assert Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes() == codes
