"""
Addresses of this engine, below the path that ``IMPORT_PATH_PREFIX`` names.

Answers to a call name a path, or the host that was called. What the engine sends by itself knows no
call: ``IMPORT_PUBLIC_ORIGIN`` names the host there.
"""

from django.conf import settings


def below(path: str) -> str:
    """Return the address of a path of the engine, as a client that is before the proxy sees it."""
    return f"{settings.PATH_PREFIX}{path}"


def public(path: str) -> str:
    """Return the whole address of a path of the engine; the path alone if no origin is set."""
    return f"{settings.PUBLIC_ORIGIN}{below(path)}"
