"""Addresses of this engine, below the path that ``IMPORT_PATH_PREFIX`` names."""

from django.conf import settings


def below(path: str) -> str:
    """Return the address of a path of the engine, as a client that is before the proxy sees it."""
    return f"{settings.PATH_PREFIX}{path}"
