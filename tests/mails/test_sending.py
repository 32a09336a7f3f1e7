"""Mails reach a real mail server once, wait while it is away, and say no more than they may."""

import socket
import threading
from datetime import timedelta

import pytest
from django.db import connections

from common import clock
from licensing.models import Membership
from mails import lines, sending, unsubscribing
from mails.models import Mail, Preference
from tests.mails.conftest import NOON, ORIGIN
from tests.mails.smtp import text_of

pytestmark = pytest.mark.django_db


def test_a_mail_says_what_happened_and_where_to_look(server, make_person, happen, send):
    make_person("ada", "failed")
    happen()
    send()

    ((recipients, message),) = server.received
    mail = Mail.objects.get()
    assert recipients == ["ada@acme.example"]
    assert message["Subject"] == "Acme: something failed"
    assert message["From"] == "Import Engine <engine@acme.example>"
    assert message["Message-ID"] == f"<{mail.public_id}@acme.example>"
    assert message["Auto-Submitted"] == "auto-generated"
    for kind in ("plain", "html"):
        text = text_of(message, kind)
        assert "An import into orders failed (pdf_broken)." in text
        assert f"{ORIGIN}/admin/imports/importrecord/?q=rec_1" in text
    assert (mail.state, mail.settled_at) == ("sent", NOON + timedelta(minutes=1))


def test_a_mail_names_the_address_that_stops_it(server, make_person, happen, send):
    make_person("ada", "failed")
    happen()
    send()

    (message,) = server.messages
    address = unsubscribing.address_of(Mail.objects.get())
    assert address.startswith(f"{ORIGIN}/mail/stop/")
    assert message["List-Unsubscribe"].strip() == f"<{address}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert address in text_of(message)


def test_a_reader_has_their_own_language(server, make_person, happen, send):
    make_person("ada", "failed", language="de")
    make_person("bob", "failed", language="ja")
    happen()
    send()

    assert {message["Subject"] for message in server.messages} == {
        "Acme: Etwas ist fehlgeschlagen",
        "Acme：エラーが発生しました",
    }


def test_a_mail_is_sent_again_once_the_server_is_back(settings, server, make_person, happen, send):
    make_person("ada", "failed")
    happen()
    port = settings.EMAIL_PORT
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        settings.EMAIL_PORT = closed.getsockname()[1]
        send(minutes=1)
    mail = Mail.objects.get()
    assert (mail.state, mail.tries, mail.problem) == ("queued", 1, "ConnectionRefusedError")

    settings.EMAIL_PORT = port
    send(minutes=1, seconds=59)
    assert server.received == []
    send(minutes=2)
    mail.refresh_from_db()
    assert (len(server.received), mail.state) == (1, "sent")


def test_while_the_server_is_away_it_is_called_once_for_all(
    settings, make_person, happen, send, monkeypatch
):
    for name in ("ada", "bob", "cem"):
        make_person(name, "failed")
    happen()
    calls = []
    monkeypatch.setattr(
        "django.core.mail.backends.locmem.EmailBackend.send_messages",
        lambda *_: calls.append(1) or (_ for _ in ()).throw(TimeoutError()),
    )
    send()

    assert len(calls) == 1
    assert set(Mail.objects.values_list("state", "tries", "problem")) == {
        ("queued", 1, "TimeoutError")
    }


@pytest.mark.parametrize(
    ("answer", "state", "problem"),
    [
        ("554 no", "failed", "smtp_554"),
        ("451 later", "queued", "smtp_451"),
    ],
)
def test_what_the_server_answers_decides(answer, state, problem, server, make_person, happen, send):
    make_person("ada", "failed")
    happen()
    server.answers = [answer]
    send()

    mail = Mail.objects.get()
    assert (mail.state, mail.problem) == (state, problem)


def test_an_address_that_is_refused_does_not_keep_others_from_their_mail(
    server, make_person, happen, send
):
    make_person("ada", "failed")
    make_person("bob", "failed")
    server.refused = {"ada@acme.example": "550 unknown"}
    happen()
    send()

    assert [recipients for recipients, _ in server.received] == [["bob@acme.example"]]
    states = dict(Mail.objects.values_list("user__username", "state"))
    assert states == {"ada": "failed", "bob": "sent"}


def test_a_mail_that_is_never_taken_is_given_up(make_person, happen, send, server):
    make_person("ada", "failed")
    happen()
    server.answers = ["451 later"] * 20
    for day in range(10):
        send(days=day, minutes=1)

    mail = Mail.objects.get()
    assert (mail.state, mail.tries, mail.problem) == ("failed", 6, "smtp_451")


def revoke_membership(person):
    Membership.objects.filter(user=person).delete()


def turn_off(person):
    person.is_active = False
    person.save()


def take_rights(person):
    person.user_permissions.clear()


def unsubscribe(person):
    Preference.objects.update(kinds=[])


def remove_address(person):
    person.email = ""
    person.save()


@pytest.mark.parametrize(
    "change", [revoke_membership, turn_off, take_rights, unsubscribe, remove_address]
)
def test_who_may_or_wants_no_more_gets_no_mail(change, server, make_person, happen, send):
    person = make_person("ada", "failed")
    happen()
    change(person)
    send()

    assert server.received == []
    assert Mail.objects.get().state == "cancelled"


def test_an_address_that_no_mail_can_have_fails_and_stops_nothing(
    server, make_person, happen, send
):
    person = make_person("ada", "failed")
    make_person("bob", "failed")
    type(person).objects.filter(pk=person.pk).update(email="a\nb@acme.example")
    happen()
    send()

    assert dict(Mail.objects.values_list("user__username", "state")) == {
        "ada": "failed",
        "bob": "sent",
    }


def test_a_worker_that_died_while_sending_is_replaced(server, make_person, happen, send, travel):
    make_person("ada", "failed")
    happen()
    travel(minutes=1)
    lines.gather(at=clock.now())
    Mail.objects.update(claimed_until=NOON + timedelta(minutes=2), claim_no=1)

    send(minutes=1, seconds=30)
    assert server.received == []
    send(minutes=3)
    assert Mail.objects.get().state == "sent"


@pytest.mark.django_db(transaction=True)
def test_two_workers_send_a_mail_once(server, make_person, happen, travel, monkeypatch):
    for number in range(30):
        make_person(f"person{number}", "failed")
    happen()
    travel(minutes=1)

    class Free:  # each thread stands for a process of its own
        def acquire(self, blocking):
            return True

        def release(self):
            pass

    monkeypatch.setattr(sending, "_sending", Free())

    def work():
        sending.send_due()
        connections.close_all()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    recipients = [recipient for recipients, _ in server.received for recipient in recipients]
    assert len(recipients) == len(set(recipients)) == 30
    assert set(Mail.objects.values_list("state", flat=True)) == {"sent"}


def test_work_is_due_only_when_there_is_some(settings, make_person, happen):
    make_person("ada", "failed")
    assert not sending.is_work_due(at=NOON)

    happen()
    assert not sending.is_work_due(at=NOON + timedelta(seconds=10))
    assert sending.is_work_due(at=NOON + timedelta(seconds=31))

    lines.gather(at=NOON + timedelta(seconds=31))
    assert sending.is_work_due(at=NOON + timedelta(seconds=32))
    settings.MAIL = {}
    assert not sending.is_work_due(at=NOON + timedelta(seconds=32))
