"""A tenant, its staff, and a mail server that takes what is sent to them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission

from common import clock
from licensing.models import Membership, Tenant
from mails import choices, lines, sending
from mails.models import Line
from tests.mails.smtp import Running

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
ORIGIN = "https://import.example.com"


@pytest.fixture(autouse=True)
def mail_is_on(settings):
    settings.MAIL = {"EMAIL_HOST": "127.0.0.1"}
    settings.DEFAULT_FROM_EMAIL = "Import Engine <engine@acme.example>"
    settings.PUBLIC_ORIGIN = ORIGIN


@pytest.fixture
def tenant(db) -> Tenant:
    return Tenant.objects.create(public_id="tnt_acme", label="Acme", created_at=NOON)


@pytest.fixture
def make_person(tenant):
    """Return a function that adds a member of a tenant who chose some mails."""

    def make(name="ada", *kinds, owner=tenant, language="en", zone="UTC"):
        person = get_user_model().objects.create_user(
            name, f"{name}@acme.example", "old", is_staff=True
        )
        person.user_permissions.add(Permission.objects.get(codename="view_importrecord"))
        if owner is not None:
            Membership.objects.create(user=person, tenant=owner, role="viewer")
        choices.choose(user=person, kinds=kinds, language=language, time_zone=zone, at=NOON)
        return person

    return make


@pytest.fixture
def happen(tenant):
    """Return a function that notes an event; return for how many people."""

    def happen(event="import.failed", subject="rec_1", at=NOON, owner=tenant, **about):
        about = about or {"code": "pdf_broken"}
        return lines.note(
            tenant=owner, event=event, subject=subject, at=at, catalog_key="orders", about=about
        )

    return happen


@pytest.fixture
def travel(monkeypatch):
    """Return a function that sets the clock to some time after noon."""

    def travel(**after):
        monkeypatch.setattr(clock, "now", lambda: NOON + timedelta(**after))

    return travel


@pytest.fixture
def server(settings):
    """Run a mail server, which the engine sends its mails to."""
    running = Running()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", running.mails.port
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    yield running.mails
    running.stop()


@pytest.fixture
def send(travel):
    """Return a function that sends what is due some time after noon."""

    def send(**after):
        travel(**(after or {"minutes": 1}))
        sending.send_due()

    return send


def subjects() -> list[str]:
    return list(Line.objects.order_by("pk").values_list("subject", flat=True))
