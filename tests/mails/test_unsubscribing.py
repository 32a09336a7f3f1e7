"""Anyone stops their mails by the address in them: with one click, and without signing in."""

import pytest
from django.test import Client

from licensing.models import Tenant
from mails import lines, unsubscribing
from mails.models import Mail, Preference, Unsubscribed
from tabular.model.sentences import LANGUAGES
from tests.mails.conftest import NOON, ORIGIN
from tests.mails.test_lines import note_for_sender

pytestmark = pytest.mark.django_db


@pytest.fixture
def path_for():
    """Return a function that returns where a person's mail of a kind is stopped."""

    def path_for(person, kind="failed"):
        return unsubscribing.address_of(Mail(user=person, kind=kind)).removeprefix(ORIGIN)

    return path_for


def test_a_mail_program_stops_a_kind_with_one_post(make_person, path_for):
    ada = make_person("ada", "waiting", "failed", "digest")
    bob = make_person("bob", "failed")
    strict = Client(enforce_csrf_checks=True)  # a mail program has no cookie

    answer = strict.post(path_for(ada), {"List-Unsubscribe": "One-Click"})

    assert answer.status_code == 200
    assert "Set-Cookie" not in answer
    assert Preference.objects.get(user=ada).kinds == ["waiting", "digest"]
    assert Preference.objects.get(user=bob).kinds == ["failed"]
    assert strict.post(path_for(ada)).status_code == 200  # a second time changes nothing


def test_stopping_the_digest_ends_its_schedule(make_person, path_for, client):
    ada = make_person("ada", "failed", "digest")

    client.post(path_for(ada, "digest"))

    choice = Preference.objects.get(user=ada)
    assert (choice.kinds, choice.digest_due_at) == (["failed"], None)


def test_looking_at_the_page_stops_nothing(make_person, path_for, client):
    ada = make_person("ada", "failed")

    page = client.get(path_for(ada))

    assert "<button" in page.content.decode()
    assert page["Referrer-Policy"] == "no-referrer"
    assert Preference.objects.get(user=ada).kinds == ["failed"]


def test_the_page_is_below_the_path_of_the_engine(make_person, path_for, client, settings):
    path = path_for(make_person("ada", "failed"))
    settings.PATH_PREFIX = "/imports"

    assert f'action="/imports{path}"' in client.get(path).content.decode()


def test_an_address_that_the_engine_did_not_sign_stops_nothing(make_person, path_for, client):
    ada = make_person("ada", "failed")
    path = path_for(ada)

    for forged in (path[:-1] + ("a" if path[-1] != "a" else "b"), "/mail/stop/x", path + "x"):
        assert client.post(forged).status_code == 404
        assert client.get(forged).status_code == 404
    assert Preference.objects.get(user=ada).kinds == ["failed"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_the_language_of_its_reader(language, make_person, path_for, client):
    path = path_for(make_person("ada", "failed"))

    page = client.get(path, headers={"Accept-Language": language})
    stopped = client.post(path, headers={"Accept-Language": language})

    assert page["Content-Language"] == stopped["Content-Language"] == language
    assert ("Stop these mails?" in page.content.decode()) == (language == "en")
    assert ("The mails are stopped" in stopped.content.decode()) == (language == "en")


def test_a_sender_stops_all_mails_about_a_tenant_and_no_other(tenant, client):
    other = Tenant.objects.create(public_id="tnt_other", created_at=NOON)
    note_for_sender(tenant)
    mail = Mail(tenant=tenant, address="lea@supplier.example", kind="failed")

    client.post(unsubscribing.address_of(mail).removeprefix(ORIGIN))

    assert Unsubscribed.objects.get().tenant == tenant
    assert "lea" not in str(Unsubscribed.objects.values().get())
    assert note_for_sender(tenant, subject="rec_2") == 0
    assert note_for_sender(other) == 1


def test_a_mail_that_waits_is_not_sent_to_a_sender_who_unsubscribes(tenant, client, server, send):
    note_for_sender(tenant)
    lines.gather(at=NOON.replace(hour=13))
    client.post(unsubscribing.address_of(Mail.objects.get()).removeprefix(ORIGIN))
    send(hours=2)

    assert server.received == []
    assert Mail.objects.get().state == "cancelled"
