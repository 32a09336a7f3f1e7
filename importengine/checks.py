"""What ``manage.py check --deploy`` and ``manage.py migrate`` check first. docs/operating.md."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import DatabaseError, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from common.databases.encoding import what_is_wrong_with_encoding
from importengine.processes import encryption, heartbeats, required

Found = TypeVar("Found")
SHORTEST_KEY = 32  # characters
DJANGOS = {"admin", "auth", "contenttypes", "sessions"}
THEIR_APPS = DJANGOS | {"account", "socialaccount", "mfa"}  # of django-allauth
HINT_KEY = "`manage.py keys` makes one."
HINT_ENCODING = "Make one with `createdb --template template0 --encoding UTF8`, and name it."


@register(Tags.security, deploy=True)
def check_deployment(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return what must not be configured on an engine that others can reach."""
    return [*_errors(), *_warnings()]


@register(Tags.database)
def check_encoding(*, databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Return an error for a database that cannot keep every text of a file."""
    wrongs = [what_is_wrong_with_encoding(connections[alias]) for alias in databases or ()]
    return [
        Error(f"{wrong}.", hint=HINT_ENCODING, id="importengine.E015") for wrong in wrongs if wrong
    ]


@register(Tags.database)
def check_history(*, databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """
    Return an error for a database whose tables a version with other migrations made.

    Django ignores migrations that it does not know: ``migrate`` would keep such tables.
    """
    return [error for alias in databases or () for error in _unknown_migrations(alias)]


def _unknown_migrations(alias: str) -> Iterator[CheckMessage]:
    loader = MigrationLoader(connections[alias])
    ours = {app for app, _ in loader.disk_migrations} - THEIR_APPS
    unknown = sorted(
        f"{app}.{name}"
        for app, name in set(loader.applied_migrations) - set(loader.disk_migrations)
        if app in ours
    )
    if unknown:
        message = f"Another version of the engine made this database: it has {unknown[0]}"
        more = f" and {len(unknown) - 1} more unknown migrations" if unknown[1:] else ""
        hint = "Go back to that version, or start with an empty database. docs/operating.md#upgrade"
        yield Error(f"{message}{more}.", hint=hint, id="importengine.E010")


def missing_migrations() -> int:
    """Return how many migrations the database lacks. DatabaseError: it does not answer."""
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _open_networks() -> Iterator[CheckMessage]:
    for setting, wanted, id_ in (
        ("WEBHOOK_ALLOW_NETWORKS", "networks of your own hosts; public addresses need", "E005"),
        ("MODEL_ALLOW_NETWORKS", "network of your model; a public address needs", "E011"),
        ("OIDC_ALLOW_NETWORKS", "network of your provider; a public address needs", "E012"),
    ):
        for network in getattr(settings, setting):
            if network.prefixlen == 0:
                message = f"IMPORT_{setting} allows everything ({network})."
                yield Error(message, hint=f"Name the {wanted} no entry.", id=f"importengine.{id_}")


def _errors() -> Iterator[CheckMessage]:
    from importengine.people import diagnosis  # only where checks run: these load much
    from importengine.web import elements

    if settings.DEMO:
        hint = "Unset it: the demo shows its deliveries to everybody."
        yield Error("IMPORT_DEMO is on.", hint=hint, id="importengine.E001")
    absent = {*required.missing()}
    for variable in sorted(absent - {"IMPORT_LICENSE_PUBLIC_KEY"}):  # a check of licensing names it
        yield Error(f"{variable} is not set.", hint=HINT_KEY, id="importengine.E003")
    if "IMPORT_SECRET_KEY" not in absent and len(settings.SECRET_KEY) < SHORTEST_KEY:
        message = f"IMPORT_SECRET_KEY has fewer than {SHORTEST_KEY} characters."
        yield Error(message, hint=HINT_KEY, id="importengine.E002")
    for number, key in enumerate(settings.ENCRYPTION_KEYS, start=1):
        if len(key) < SHORTEST_KEY:
            message = (
                f"Key {number} of IMPORT_ENCRYPTION_KEYS has fewer than {SHORTEST_KEY} characters."
            )
            hint = f"{HINT_KEY} Put it first, then run `manage.py rotate-encryption`."
            yield Error(message, hint=hint, id="importengine.E004")
    yield from _open_networks()
    if settings.MAIL and (open_names := [n for n in settings.ALLOWED_HOSTS if n[:1] in "*."]):
        message = f"IMPORT_ALLOWED_HOSTS takes any name ({open_names[0]}), and mails link to it."
        hint = "Name each host: a link for a password must not lead to a host of others."
        yield Error(message, hint=hint, id="importengine.E014")
    if unknown := _seen(diagnosis.unknown_groups):
        message = f"IMPORT_OIDC_GROUPS gives groups that are not there: {', '.join(unknown)}."
        hint = "Use viewer, editor, publisher, operator, or a group of yours in the admin."
        yield Error(message, hint=hint, id="importengine.E013")
    if wrong := elements.what_is_wrong():
        message = f"The elements of {elements.PREFIX}: {wrong}."
        yield Error(message, hint=elements.REMEDY, id="importengine.E007")
    for wrong in _seen(lambda: [encryption.what_is_unreadable()]):
        if wrong:
            hint = "Add the missing key after the others; docs/operating.md says how they rotate."
            yield Error(f"{wrong}.", hint=hint, id="importengine.E009")
    for off in _seen(heartbeats.clocks_off):
        message = f"A clock is off, on {off.host}: {off.sentence}."
        hint = "Set it by NTP: leases, due times and the ends of keys are compared."
        yield Error(message, hint=hint, id="importengine.E008")
    for name in _with_password_of_setup():
        message = f"The password of {name} was made by `manage.py setup`, which wrote it to a file."
        hint = f"`manage.py changepassword {name}`, or sign in: the admin asks for another first."
        yield Error(message, hint=hint, id="importengine.E006")


def _with_password_of_setup() -> list[str]:
    from licensing.people.passwords import still_of_setup

    try:
        return [noted.user.get_username() for noted in still_of_setup()]
    except DatabaseError:  # missing or not migrated: the programs report it
        return []


def _warnings() -> Iterator[CheckMessage]:
    if not settings.BEHIND_TLS:
        hint = "Put a proxy with TLS before the engine and set it to 1."
        yield Warning("IMPORT_BEHIND_TLS is off.", hint=hint, id="importengine.W001")
    if connection.vendor == "sqlite":
        hint = "Set IMPORT_POSTGRES_URL, unless one machine and one worker are enough."
        yield Warning("The database is SQLite.", hint=hint, id="importengine.W002")
    if beats := _seen(heartbeats.beats_at_once):
        message = f"{len(beats)} beats ran within half a minute, on {', '.join(beats)}."
        yield Warning(message, hint="Stop all but one.", id="importengine.W003")


def _seen(look: Callable[[], list[Found]]) -> list[Found]:
    try:
        return look()
    except DatabaseError:  # as above
        return []
