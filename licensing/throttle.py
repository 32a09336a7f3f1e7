"""
How many calls a caller may make in a minute. Spec: Limits.

A license may make ``IMPORT_RATE_PER_MINUTE``. A page session, and an address with a key shared by
many pages, may make a fifth of them: no visitor uses up the limit of all.
"""

import logging
import math
from contextlib import suppress
from datetime import datetime
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from common import clock
from licensing.caller import Caller

logger = logging.getLogger(__name__)
WINDOW_S = 60
PAUSE_S = 10.0  # how long a failed cache is not used: its timeouts would delay every call


def cache_errors() -> tuple[type[Exception], ...]:
    """Return the errors of a cache that does not answer; call it in an ``except`` clause."""
    from redis.exceptions import RedisError  # slow to import, and no engine without Redis needs it

    return (RedisError, OSError)


class CallCounter:
    """Counts calls in the shared cache; while it is unavailable, nothing is counted or refused."""

    def __init__(self) -> None:
        self._out_until = 0.0  # monotonic seconds

    def count(self, name: str, *, lasting_s: int = 2 * WINDOW_S) -> int:
        """Count one more call under this name; return 0 while the cache is unavailable."""
        now = monotonic()
        if now < self._out_until:
            return 0
        if self._out_until:  # this call tests the cache; the others pass uncounted
            self._out_until = now + PAUSE_S
        try:
            calls = self._count(f"calls:{name}", lasting_s)
        except cache_errors() as error:
            self._out_until = now + PAUSE_S
            logger.warning("cache unavailable (%s); calls are not counted", type(error).__name__)
            return 0
        self._out_until = 0.0
        return calls

    def take_back(self, name: str) -> None:
        """Count one call less under this name."""
        with suppress(ValueError):
            try:
                cache.decr(f"calls:{name}")
            except cache_errors():
                return

    def _count(self, key: str, lasting_s: int) -> int:
        try:
            return cache.incr(key)
        except ValueError:  # the first call of its window
            return 1 if cache.add(key, 1, timeout=lasting_s) else self._count(key, lasting_s)


counter = CallCounter()


def seconds_to_wait(caller: Caller, *, at: datetime) -> int:
    """Count a call; return 0 if it may pass, else the whole seconds until the next minute."""
    minute, passed_s = divmod(at.timestamp(), WINDOW_S)
    for who, most in _counted_as(caller):
        if counter.count(f"{caller.tenant.pk}:{who}:{minute:.0f}") > most:
            return math.ceil(WINDOW_S - passed_s)
    return 0


def _counted_as(caller: Caller) -> list[tuple[str, int]]:
    """Return the names that a call is counted under, and the limit of each per minute."""
    if caller.session is not None:
        return [(caller.session.session_id, settings.PAGE_RATE_PER_MINUTE)]
    who = caller.license_id or caller.actor.id
    of_the_license = (who, settings.RATE_PER_MINUTE)
    if not caller.is_page:
        return [of_the_license]
    # The address first: what it sends beyond its limit does not count for the others.
    return [(f"{who}:{caller.address}", settings.PAGE_RATE_PER_MINUTE), of_the_license]


def seconds_left(at: datetime, window_s: int) -> float:
    """Return the seconds until the next window begins."""
    return window_s - at.timestamp() % window_s


class LicenseRateThrottle(BaseThrottle):
    """Answers 429 with ``Retry-After`` once a license has used up its minute."""

    _wait_s = 0

    def allow_request(self, request: Request, view: Any) -> bool:
        """Return whether the call may pass; a call that needs no key is not counted."""
        caller: object = request.user
        if isinstance(caller, Caller):
            self._wait_s = seconds_to_wait(caller, at=clock.now())
        return self._wait_s == 0

    def wait(self) -> float:
        """Return the seconds until a retry may pass."""
        return self._wait_s
