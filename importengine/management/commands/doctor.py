"""``manage.py doctor``: check every part that the engine needs, each with a remedy."""

import sys
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.core import checks
from django.core.management.base import BaseCommand
from django.db import Error, connection

from analytics import selectors
from analytics.concerns import concerns
from common import clock, storage
from common.databases.encoding import what_is_wrong_with_encoding
from importengine.checks import HINT_ENCODING, missing_migrations
from importengine.people import diagnosis
from importengine.processes import encryption, heartbeats
from importengine.web import elements, health, services
from importengine.web.metrics import machine
from tabular.model.sentences import counted

Finding = tuple[str, str]  # what is wrong, what to do


class Command(BaseCommand):
    """Print a line per part: ok, or what is wrong and what to do."""

    help = "Check settings, keys, database, broker, storage, clock, elements, sandbox and programs."
    requires_system_checks = ()  # it runs them, and goes on where one fails

    def handle(self, *args: Any, **options: Any) -> None:
        """Check every part, in the order in which they need each other."""
        is_well = True
        for name, look in PARTS.items():
            try:
                findings = list(look())
            except Error as error:
                findings = [(f"The database does not answer ({type(error).__name__}).", DATABASE)]
            is_well &= not findings
            self.stdout.write(f"{name + ':':<12}{'ok' if not findings else ''}".rstrip())
            for wrong, remedy in findings:
                self.stdout.write(f"  ! {wrong}\n    {remedy}")
        if not is_well:
            sys.exit(1)


OWN_PARTS = {"importengine.E007", "importengine.E008", "importengine.E009"}  # a line each
DATABASE = "Check IMPORT_POSTGRES_URL and that the server runs, then `manage.py migrate`."


def _settings() -> Iterator[Finding]:
    for message in checks.run_checks(tags=[checks.Tags.security], include_deployment_checks=True):
        if message.is_serious() and message.id not in OWN_PARTS:
            yield message.msg, message.hint or "See docs/settings.md."


def _database() -> Iterator[Finding]:
    if wrong := what_is_wrong_with_encoding(connection):
        yield f"{wrong}.", HINT_ENCODING
    if missing := missing_migrations():
        yield f"The database lacks {counted(missing, 'migration')}.", "Run `manage.py migrate`."


def _keys() -> Iterator[Finding]:
    if wrong := encryption.what_is_unreadable():
        yield f"{wrong}.", "Add the missing key after the others: docs/rotating-keys.md."


def _broker() -> Iterator[Finding]:
    if (answer := services.broker()) != "ok":
        remedy = (
            "Check IMPORT_REDIS_URL and that Redis runs."
            if settings.REDIS_URL
            else f"Make {settings.BROKER_DIR / 'queue'} writable."
        )
        yield f"The broker is {answer}.", remedy


def _storage() -> Iterator[Finding]:
    probe = settings.DATA_DIR / ".doctor"
    try:
        probe.write_bytes(b"ok")
        probe.unlink()
    except OSError as error:
        yield f"The data folder cannot be written: {error}.", "Check the owner of IMPORT_DATA_DIR."
    if settings.S3_URL and (wrong := storage.what_is_wrong_with_bucket()):
        yield f"The bucket: {wrong}.", "Check IMPORT_S3_URL and the credentials: docs/operating.md."


def _clock() -> Iterator[Finding]:
    for off in heartbeats.clocks_off():
        yield f"On {off.host}: {off.sentence}.", "Synchronize the clock with NTP."


def _elements() -> Iterator[Finding]:
    if wrong := elements.what_is_wrong():
        yield f"The elements: {wrong}.", elements.REMEDY


def _sandbox() -> Iterator[Finding]:
    if (answer := health.sandbox()) != "ok":
        yield answer.removeprefix("ERROR: "), "docs/security.md says what a platform must allow."


def _provider() -> Iterator[Finding]:
    yield from diagnosis.provider_findings()


def _engine() -> Iterator[Finding]:
    for concern in concerns(selectors.now(clock.now()), machine()):
        yield concern.sentence, concern.remedy


PARTS: dict[str, Callable[[], Iterator[Finding]]] = {
    "settings": _settings,
    "database": _database,
    "keys": _keys,
    "broker": _broker,
    "storage": _storage,
    "clock": _clock,
    "elements": _elements,
    "sandbox": _sandbox,
    "provider": _provider,
    "engine": _engine,
}
