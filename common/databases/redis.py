"""One pool of connections to Redis in a process."""

from functools import cache
from typing import Any


class SharedPool:
    """
    What Django's cache makes its pool from.

    Each call has a cache of its own, because it runs in a context of its own. With a pool of its
    own, too, it would connect each time.
    """

    @staticmethod
    @cache
    def from_url(url: str, **options: Any) -> Any:
        """Return the pool for an address and options."""
        from redis import ConnectionPool

        return ConnectionPool.from_url(url, **options)
