"""The password from setup: it works on a development engine, and must be changed elsewhere."""

import re
from io import StringIO
from ipaddress import ip_network

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client

from importengine.checks import check_deployment
from licensing.people.passwords import still_of_setup
from licensing.tokens import keyfiles

pytestmark = pytest.mark.django_db
OURS = {"X-Import-Tenant": "tnt_demo"}
CHANGE = "/admin/password_change/"


@pytest.fixture
def printed(settings, data_folder) -> str:
    """Return the output of ``make run``."""
    pair = keyfiles.write_key_pair(data_folder / "keys")
    settings.LICENSE_PUBLIC_KEY = pair.public_key.read_text("utf-8")
    settings.DEMO, settings.WEBHOOK_ALLOW_NETWORKS = True, (ip_network("127.0.0.0/8"),)
    return set_up()


def set_up() -> str:
    output = StringIO()
    call_command("setup", stdout=output)
    return output.getvalue()


def password_in(printed: str) -> str:
    match = re.search(r"/admin/ +login admin / (.+)", printed)
    assert match, printed
    return match[1]


def sign_in(password: str) -> tuple[Client, str]:
    """Sign in as a person does; return the browser and the page it lands on."""
    browser = Client()
    sent = {"username": "admin", "password": password, "next": "/admin/"}
    answer = browser.post("/admin/login/", sent, follow=True)
    return browser, answer.request["PATH_INFO"]


def test_what_is_printed_signs_in(printed):
    browser, landed = sign_in(password_in(printed))

    assert landed == "/admin/"
    assert browser.get("/admin/catalogs").status_code == 200
    assert browser.get("/admin/licensing/license/").status_code == 200


def test_an_engine_that_is_not_in_development_asks_for_another_first(printed, settings):
    settings.DEMO = False

    browser, landed = sign_in(password_in(printed))

    assert landed == CHANGE
    assert "Choose your own password first" in browser.get(CHANGE).content.decode()
    for page in ("/admin/", "/admin/catalogs", "/admin/licensing/license/add/"):
        assert browser.get(page).headers["Location"] == CHANGE
    refused = browser.get("/api/import/v1/catalogs", headers=OURS)
    assert (refused.status_code, refused.json()["code"]) == (403, "password_of_setup")


def change(browser: Client, old: str, new: str):
    sent = {"old_password": old, "new_password1": new, "new_password2": new}
    return browser.post(CHANGE, sent)


def test_a_password_of_their_own_opens_everything(printed, settings):
    settings.DEMO = False
    browser, _ = sign_in(password_in(printed))

    changed = change(browser, password_in(printed), "a quiet harbour at dusk")

    assert changed.status_code == 302
    assert browser.get("/admin/").status_code == 200
    assert browser.get("/api/import/v1/catalogs", headers=OURS).status_code == 200
    assert not still_of_setup().exists()


@pytest.mark.parametrize("new", ["the same", "short", "12345678901234", "1qaz2wsx3edc"])
def test_the_same_and_guessable_passwords_are_refused(printed, settings, new):
    settings.DEMO = False
    browser, _ = sign_in(password_in(printed))
    wanted = password_in(printed) if new == "the same" else new

    answer = change(browser, password_in(printed), wanted)

    assert answer.status_code == 200
    assert browser.get("/admin/").headers["Location"] == CHANGE


def test_hashing_it_again_does_not_make_it_a_password_of_their_own(printed, settings):
    settings.DEMO = False
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.ScryptPasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]

    _, landed = sign_in(password_in(printed))

    assert get_user_model().objects.get().password.startswith("scrypt")
    assert landed == CHANGE


def test_a_deployment_names_who_never_changed_it(printed):
    named = [m for m in check_deployment(None) if m.id == "importengine.E006"]

    assert "admin" in named[0].msg

    user = get_user_model().objects.get()
    user.set_password("a quiet harbour at dusk")
    user.save()
    assert [m for m in check_deployment(None) if m.id == "importengine.E006"] == []


def test_a_second_start_keeps_a_chosen_password_and_prints_no_other(printed):
    user = get_user_model().objects.get()
    user.set_password("a quiet harbour at dusk")
    user.save()

    again = set_up()

    assert password_in(again) == "(the password you chose)"
    assert sign_in("a quiet harbour at dusk")[1] == "/admin/"
