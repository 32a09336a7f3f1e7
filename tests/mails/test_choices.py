"""People choose their mails in the admin; the daily summary comes at seven on their clock."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from imports.models import ImportRecord
from imports.parts import Failure
from mails import choices
from mails.models import Mail, Preference
from tests.mails.conftest import NOON
from tests.mails.smtp import text_of
from workflow import digests, tasks

pytestmark = pytest.mark.django_db
BERLIN = "Europe/Berlin"


@pytest.mark.parametrize(
    ("after", "zone", "due"),
    [
        ("2026-11-20T12:00", "UTC", "2026-11-21T07:00"),
        ("2026-11-20T06:59", "UTC", "2026-11-20T07:00"),
        ("2026-11-20T07:00", "UTC", "2026-11-21T07:00"),
        ("2026-03-28T12:00", BERLIN, "2026-03-29T05:00"),  # summer time begins
        ("2026-10-24T12:00", BERLIN, "2026-10-25T06:00"),  # summer time ends
        ("2026-12-31T23:30", "Pacific/Auckland", "2027-01-01T18:00"),
    ],
)
def test_the_summary_comes_at_seven_on_the_clock_of_the_person(after, zone, due):
    moments = [datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (after, due)]

    assert choices.next_digest(moments[0], zone) == moments[1]


def add_import(tenant, name, state, **columns):
    failure = Failure({"code": "too_many_rows"}, "reading") if state == "failed" else None
    columns = {"created_at": NOON, "failure": failure, **columns}
    ImportRecord.objects.create(public_id=name, tenant=tenant, state=state, **columns)


def test_a_summary_counts_what_came_and_what_waits(tenant, make_person, travel, server):
    make_person("ada", "digest")
    long_ago = NOON.replace(month=10)
    add_import(tenant, "rec_1", "review")
    add_import(tenant, "rec_2", "staged", created_at=long_ago)
    add_import(tenant, "rec_3", "failed")
    add_import(tenant, "rec_4", "failed", created_at=long_ago)
    add_import(tenant, "rec_5", "applied", created_at=long_ago, applied_at=NOON)
    add_import(tenant, "rec_6", "mapping", purpose="sample")

    travel(hours=18, minutes=59)
    tasks.send_mails()
    assert server.received == []

    for _ in range(2):  # by another worker, or after a restart
        travel(hours=19)
        tasks.send_mails()

    (message,) = server.messages
    assert message["Subject"] == "Acme: daily summary"
    counts = {"received": 2, "applied": 1, "failed": 1, "waiting": 2}
    assert Mail.objects.get().counts == counts
    assert "Waiting now: 2" in text_of(message)


def test_there_is_no_summary_of_nothing(tenant, make_person, travel):
    make_person("ada", "digest")
    travel(hours=19)
    digests.queue_due()

    assert not Mail.objects.exists()


def test_days_on_which_the_engine_was_off_are_one_summary(tenant, make_person, travel, server):
    make_person("ada", "digest")
    travel(days=9)
    add_import(tenant, "rec_1", "review", created_at=NOON)
    for _ in range(9):
        tasks.send_mails()

    assert len(server.received) == 1


def test_the_sweep_wakes_a_worker_when_a_mail_is_due(make_person, happen, travel, monkeypatch):
    make_person("ada", "failed")
    woken = []
    monkeypatch.setattr(tasks, "wake", lambda task, *args: woken.append(task))
    happen()
    travel(seconds=10)
    tasks.sweep()
    assert woken == []

    travel(seconds=31)
    tasks.sweep()
    assert woken == [tasks.SEND_MAILS]


@pytest.fixture
def sign_in(make_person):
    """Return a function that signs a person in, who chose some mails."""

    def sign_in(name="ada", *kinds, **about):
        browser = Client()
        browser.force_login(make_person(name, *kinds, **about))
        return browser

    return sign_in


def test_a_person_chooses_in_the_admin(sign_in):
    browser = sign_in("ada")
    chosen = {"kinds": ["failed", "digest"], "language": "fr", "time_zone": BERLIN}

    answer = browser.post("/admin/mail/", chosen, follow=True)

    assert "Your choice was saved." in answer.content.decode()
    choice = Preference.objects.get()
    assert (choice.kinds, choice.language, choice.time_zone) == (["failed", "digest"], "fr", BERLIN)
    assert choice.digest_due_at is not None


@pytest.mark.parametrize(
    "wrong",
    [{"kinds": ["everything"]}, {"language": "tlh"}, {"time_zone": "Mars/Base"}],
)
def test_what_is_not_offered_is_refused(wrong, sign_in):
    browser = sign_in("ada", "failed")
    chosen = {"kinds": ["done"], "language": "en", "time_zone": "UTC", **wrong}

    assert browser.post("/admin/mail/", chosen).status_code == 400
    assert Preference.objects.get().kinds == ["failed"]


def test_the_page_names_the_tenants_and_shows_the_choice(sign_in):
    page = sign_in("ada", "failed").get("/admin/mail/").content.decode()

    assert "Mails to ada@acme.example are about Acme." in page
    assert 'value="failed" id="id_kinds_1" checked' in page


def test_the_page_says_why_no_mail_comes(sign_in, settings, django_user_model):
    settings.MAIL, settings.PUBLIC_ORIGIN = {}, ""
    browser = sign_in("ada", owner=None)
    django_user_model.objects.update(email="")

    page = browser.get("/admin/mail/").content.decode()

    assert "has not set IMPORT_MAIL_URL and IMPORT_PUBLIC_ORIGIN" in page
    assert "You have no mail address" in page
    assert "You are a member of none" in page


def test_only_people_of_the_admin_choose(client):
    assert client.get("/admin/mail/")["Location"].startswith("/admin/login/")
