"""What ``check --deploy`` names, and how an old encryption key goes."""

from io import StringIO
from ipaddress import ip_network

import pytest
from django.core.checks import Tags, run_checks
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError
from django.db.migrations.recorder import MigrationRecorder

from common import clock
from deliveries.models import Registration
from deliveries.services import register
from importengine.checks import check_deployment
from licensing.models import Tenant

LONG = "0123456789" * 5


@pytest.fixture
def sound(settings, db, monkeypatch):
    """Return settings that are valid for a deployment."""
    monkeypatch.setattr(
        "importengine.web.elements.what_is_wrong", lambda: None
    )  # not built for tests
    settings.DEMO = False
    settings.SECRET_KEY = LONG
    settings.ENCRYPTION_KEYS = [LONG]
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("10.0.0.0/8"),)
    settings.BEHIND_TLS = True
    return settings


def named() -> set[str]:
    return {message.id for message in check_deployment(None)} - {"importengine.W002"}


def test_a_sound_engine_passes(sound):
    assert named() == set()


def test_nothing_that_django_would_warn_of_is_left_without_a_reason(sound):
    sound.SECURE_HSTS_SECONDS, sound.DEBUG = 31_536_000, False
    sound.ALLOWED_HOSTS = ["import.example.com"]
    sound.SESSION_COOKIE_SECURE = sound.CSRF_COOKIE_SECURE = True

    warnings = run_checks(tags=[Tags.security], include_deployment_checks=True)

    of_django = [message for message in warnings if str(message.id).startswith("security.")]
    assert [message.id for message in of_django if not message.is_silenced()] == []
    assert {message.id for message in of_django} >= {"security.W005", "security.W021"}


@pytest.mark.parametrize(
    ("name", "value", "check"),
    [
        ("DEMO", True, "importengine.E001"),
        ("SECRET_KEY", "short", "importengine.E002"),
        ("ENCRYPTION_KEYS", [], "importengine.E003"),
        ("ENCRYPTION_KEYS", [LONG, "old"], "importengine.E004"),
        ("WEBHOOK_ALLOW_NETWORKS", (ip_network("0.0.0.0/0"),), "importengine.E005"),
        ("WEBHOOK_ALLOW_NETWORKS", (ip_network("::/0"),), "importengine.E005"),
        ("MODEL_ALLOW_NETWORKS", (ip_network("0.0.0.0/0"),), "importengine.E011"),
        ("BEHIND_TLS", False, "importengine.W001"),
    ],
)
def test_what_has_no_place_there_is_named(sound, name, value, check):
    setattr(sound, name, value)

    assert named() == {check}


@pytest.fixture
def registered(db, settings) -> Registration:
    settings.ENCRYPTION_KEYS = ["old"]
    owner = Tenant.objects.create(public_id="tnt_owner", created_at=clock.now())
    return register(tenant=owner, url="https://host.example/", at=clock.now()).registration


def test_an_old_key_can_go_once_everything_is_encrypted_again(registered, settings):
    secret = registered.secret
    settings.ENCRYPTION_KEYS = ["new", "old"]
    output = StringIO()

    call_command("rotate-encryption", stdout=output)

    settings.ENCRYPTION_KEYS = ["new"]
    assert Registration.objects.get().secret == secret
    assert output.getvalue() == "1 row re-encrypted.\n"


def test_a_secret_that_no_key_reads_is_named_and_kept(registered, settings):
    settings.ENCRYPTION_KEYS = ["other"]

    with pytest.raises(CommandError, match=r"deliveries\.Registration"):
        call_command("rotate-encryption", stdout=StringIO())

    settings.ENCRYPTION_KEYS = ["old"]
    assert Registration.objects.get().secret == registered.secret


def test_migrate_refuses_a_database_that_another_version_made(db):
    MigrationRecorder.Migration.objects.create(app="imports", name="0002_profiles")
    MigrationRecorder.Migration.objects.create(app="ledger", name="0002_memory_at_apply")

    with pytest.raises(SystemCheckError, match=r"E010.* has imports\.0002_profiles and 1 more"):
        call_command("migrate", skip_checks=False, verbosity=0)


def test_migrate_takes_a_database_of_this_version_and_of_another_django(db):
    MigrationRecorder.Migration.objects.create(app="auth", name="0099_of_a_later_django")

    call_command("migrate", skip_checks=False, verbosity=0)
