"""Settings that are missing or invalid, reported by name before anything starts."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

NEEDED = {
    "SECRET_KEY": "IMPORT_SECRET_KEY",
    "ENCRYPTION_KEYS": "IMPORT_ENCRYPTION_KEYS",
    "LICENSE_PUBLIC_KEY": "IMPORT_LICENSE_PUBLIC_KEY",
}


def missing() -> list[str]:
    """Return the required variables that are not set."""
    return [variable for name, variable in NEEDED.items() if not _is_set(name)]


def _is_set(name: str) -> bool:
    try:
        return bool(getattr(settings, name))
    except ImproperlyConfigured:  # Django's error for an empty SECRET_KEY
        return False


def refuse_invalid() -> None:
    """Exit with the first setting whose value is invalid, if there is one."""
    try:
        _ = settings.INSTALLED_APPS  # the first that is asked for reads all
    except ImproperlyConfigured as error:
        raise SystemExit(f"Not started: {error} docs/settings.md describes each.") from None


def refuse_incomplete(**_: Any) -> None:
    """Exit with the names of missing settings, unless all are set."""
    refuse_invalid()
    if names := missing():
        raise SystemExit(
            f"Not started: {' and '.join(names)} {'is' if len(names) == 1 else 'are'} not set. "
            "`manage.py keys` makes what is needed; docs/settings.md describes each."
        )


def refuse_unknown_queues(options: dict[str, Any], **_: Any) -> None:
    """Exit if a worker serves a queue that the engine does not use."""
    from importengine.processes.heartbeats import WORK

    if unknown := sorted(set(options.get("queues") or ()) - {*WORK}):
        raise SystemExit(
            f"Not started: no queue is called {' or '.join(unknown)}. Start workers with "
            f"{' and '.join(f'-Q {name}' for name in WORK)}."
        )
