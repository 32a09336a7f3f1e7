"""Who hears of what: those who chose it, of their tenants, and of the same thing once a day."""

from datetime import timedelta

import pytest

from licensing.models import Tenant
from mails import lines
from mails.models import Line, Mail
from mails.readers import address_key
from tests.mails.conftest import NOON, subjects

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("event", "kind", "about"),
    [
        ("import.failed", "failed", {"code": "pdf_broken"}),
        ("feed.failed", "failed", {"code": "source_unreachable"}),
        ("delivery.exhausted", "failed", {"webhookId": "whk_1"}),
        ("import.applied", "done", {"state": "applied"}),
        ("import.waiting", "waiting", {"for": "staff", "why": ["questions"]}),
        ("import.waiting", "waiting", {"for": "approver", "why": ["approval"]}),
    ],
)
def test_a_person_hears_of_the_kind_they_chose(event, kind, about, make_person, happen):
    person = make_person("ada", kind)
    make_person("bob", *({"failed", "done", "waiting"} - {kind}))

    assert happen(event, **about) == 1
    assert Line.objects.get().user == person


@pytest.mark.parametrize("who", ["sender", "agent"])
def test_a_wait_for_a_person_who_is_there_is_mailed_to_no_staff(who, make_person, happen):
    make_person("ada", "waiting")

    assert happen("import.waiting", **{"for": who, "why": ["questions"]}) == 0


@pytest.mark.parametrize("event", ["import.received", "import.expired", "link.opened"])
def test_other_notices_are_not_mailed(event, make_person, happen):
    make_person("ada", "waiting", "failed", "done", "digest")

    assert happen(event) == 0


def test_members_of_other_tenants_hear_nothing(make_person, happen):
    other = Tenant.objects.create(public_id="tnt_other", created_at=NOON)
    make_person("eve", "failed", owner=other)
    make_person("mallory", "failed", owner=None)

    assert happen() == 0


def test_what_a_test_key_made_is_not_mailed(tenant, make_person, happen):
    make_person("ada", "failed")
    side = Tenant.objects.create(public_id="tnt_acme.test", test_of=tenant, created_at=NOON)

    assert happen(owner=side) == 0


@pytest.mark.parametrize(("mail", "origin"), [({}, "https://x.example"), ({"EMAIL_HOST": "h"}, "")])
def test_nothing_is_noted_until_mail_is_configured(mail, origin, settings, make_person, happen):
    make_person("ada", "failed")
    settings.MAIL, settings.PUBLIC_ORIGIN = mail, origin

    assert happen() == 0


def test_the_same_of_the_same_object_is_noted_once_a_day(make_person, happen):
    make_person("ada", "failed")

    first = happen(at=NOON)
    again = happen(at=NOON + timedelta(hours=23))
    next_day = happen(at=NOON + timedelta(hours=25))

    assert (first, again, next_day) == (1, 0, 1)


def test_another_reason_and_another_object_are_noted(make_person, happen):
    make_person("ada", "failed")
    happen(subject="rec_1", code="pdf_broken")

    assert happen(subject="rec_1", code="too_large") == 1
    assert happen(subject="rec_2", code="too_large") == 1


def test_only_codes_are_kept(make_person, happen):
    make_person("ada", "failed")
    happen(code="pdf_broken", filename="salaries.pdf", state="failed")

    line = Line.objects.get()
    assert line.why == ["pdf_broken"]
    assert "salaries" not in str(line.__dict__)


def test_the_lines_of_half_a_minute_become_one_mail(make_person, happen):
    make_person("ada", "failed")
    for number in range(100):
        happen(subject=f"rec_{number}", at=NOON + timedelta(seconds=number / 4))

    lines.gather(at=NOON + timedelta(seconds=29))
    assert not Mail.objects.exists()

    lines.gather(at=NOON + timedelta(seconds=30))
    assert Mail.objects.get().lines.count() == 100


def test_a_feed_that_fails_every_minute_of_a_day_is_one_mail(make_person, happen):
    make_person("ada", "failed")
    for minute in range(0, 24 * 60, 10):
        at = NOON + timedelta(minutes=minute)
        happen("feed.failed", "fed_1", at=at, code="source_unreachable")
        lines.gather(at=at)

    assert Mail.objects.count() == 1


def test_a_kind_is_mailed_once_an_hour_and_three_times_a_day(make_person, happen):
    make_person("ada", "failed")
    mailed = []
    for hour in range(50):
        at = NOON + timedelta(hours=hour)
        happen(subject=f"rec_{hour}", at=at - timedelta(minutes=1))
        lines.gather(at=at)
        Mail.objects.filter(state="queued").update(state="sent", due_at=None)
        if Mail.objects.count() > len(mailed):
            mailed.append(hour)

    assert mailed == [0, 1, 2, 24, 25, 26, 48, 49]
    assert Line.objects.filter(mail=None).count() == 0


def test_a_kind_does_not_hold_up_another_kind_tenant_or_person(make_person, happen):
    other = Tenant.objects.create(public_id="tnt_other", created_at=NOON)
    make_person("ada", "failed", "done")
    make_person("bob", "failed")
    make_person("cem", "failed", owner=other)
    happen()
    lines.gather(at=NOON + timedelta(minutes=1))

    happen("import.applied", "rec_2", state="applied")
    happen(owner=other)
    lines.gather(at=NOON + timedelta(minutes=2))

    mails = Mail.objects.order_by("pk").values_list("user__username", "kind", "tenant__public_id")
    assert set(mails) == {
        ("ada", "failed", "tnt_acme"),
        ("bob", "failed", "tnt_acme"),
        ("ada", "done", "tnt_acme"),
        ("cem", "failed", "tnt_other"),
    }


def test_a_mail_that_another_worker_made_meanwhile_is_not_made_twice(
    make_person, happen, monkeypatch
):
    make_person("ada", "failed")
    happen(subject="rec_1")
    stale = lines.ripe(NOON + timedelta(minutes=1))
    list(stale)
    lines.gather(at=NOON + timedelta(minutes=1))
    happen(subject="rec_2")
    monkeypatch.setattr(lines, "ripe", lambda at: Line.objects.all())  # as it was read before

    lines.gather(at=NOON + timedelta(minutes=2))

    assert Mail.objects.count() == 1
    assert Line.objects.get(mail=None).subject == "rec_2"


def note_for_sender(tenant, **about) -> int:
    given = {"address": "Lea@Supplier.example", "language": "de", "subject": "rec_1", "at": NOON}
    about = {**given, "event": "import.failed", "about": {"code": "pdf_broken"}, **about}
    return lines.note_for_sender(tenant=tenant, **about)


def test_a_sender_hears_once_and_in_their_language(tenant):
    assert note_for_sender(tenant) == 1
    assert note_for_sender(tenant) == 0

    line = Line.objects.get()
    assert (line.address, line.language, line.user) == ("Lea@Supplier.example", "de", None)


def test_a_sender_who_unsubscribed_hears_nothing(tenant):
    key = address_key(" lea@supplier.example")
    tenant.unsubscribed.create(address_sha256=key, at=NOON)

    assert note_for_sender(tenant) == 0
    assert subjects() == []


def test_old_mails_and_lines_are_deleted(make_person, happen):
    make_person("ada", "failed")
    happen(subject="rec_1")
    lines.gather(at=NOON + timedelta(minutes=1))
    Mail.objects.update(state="sent", due_at=None, settled_at=NOON)
    happen(subject="rec_2", at=NOON + timedelta(days=2))

    lines.purge(before=NOON + timedelta(days=1))

    assert not Mail.objects.exists()
    assert subjects() == ["rec_2"]
