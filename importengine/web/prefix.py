"""
``IMPORT_PATH_PREFIX``: the engine below a path of a host that has other pages.

A proxy may pass a path on as it came, or without the prefix. Probes ask without it.
"""

from collections.abc import Awaitable, Callable

from importengine.web.answers import Receive, Scope, Send

App = Callable[[Scope, Receive, Send], Awaitable[None]]


def without_prefix(app: App, prefix: str) -> App:
    """Return an application that takes paths with the prefix, around one that knows none."""
    if not prefix:
        return app

    async def prefixed(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "path": shortened(scope["path"], prefix), "root_path": ""}
        await app(scope, receive, send)

    return prefixed


def shortened(path: str, prefix: str) -> str:
    """
    Return a path without the prefix.

    >>> shortened("/imports/api/docs", "/imports"), shortened("/imports", "/imports")
    ('/api/docs', '/')
    >>> shortened("/importsapi", "/imports"), shortened("/readyz", "/imports")
    ('/importsapi', '/readyz')
    """
    if path == prefix or path.startswith(f"{prefix}/"):
        return path[len(prefix) :] or "/"
    return path
