"""
Count the calls of this web process: seconds by route, refusals by code.

The counts are kept in memory and added to the database every ten seconds by a thread, so that a
call costs no query. A process that is killed loses the counts of its last ten seconds.
"""

import logging
import threading
import time
from collections.abc import Callable

from django.db import Error, connections
from django.http import HttpRequest, HttpResponseBase

from analytics import series
from analytics.tally import REFUSALS, REQUEST_SECONDS, Tally

logger = logging.getLogger(__name__)

EVERY_S = 10.0
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
REFUSED = 400


class RequestCounts:
    """The counts of one process since they were last stored."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tally = Tally()

    def note(self, request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
        """Count one answered call. Its path is not kept, only the route that matched."""
        match = getattr(request, "resolver_match", None)
        route = f"/{match.route}" if match else "none"
        method = request.method if request.method in METHODS else "other"
        status = f"{response.status_code // 100}xx"
        code = _code_of(response)
        with self._lock:
            self._tally.measure(
                REQUEST_SECONDS, seconds, route=route, method=method or "other", status=status
            )
            if code:
                self._tally.count(REFUSALS, code=code)

    def store(self) -> None:
        """Add the counts to the database; keep them for the next time if it does not answer."""
        with self._lock:
            tally, self._tally = self._tally, Tally()
        try:
            series.add(tally)
        except Error as error:
            logger.warning("counts of calls not stored yet: %s", type(error).__name__)
            with self._lock:
                self._tally.add(tally)


counts = RequestCounts()


def count_requests(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Measure each call until its answer begins."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        response = get_response(request)
        counts.note(request, response, time.perf_counter() - began)
        return response

    return middleware


def begin() -> None:
    """Store the counts of this process from a thread, from now on."""
    threading.Thread(target=_run, name="request-counts", daemon=True).start()


def _run() -> None:
    while True:
        time.sleep(EVERY_S)
        counts.store()
        connections.close_all()


def _code_of(response: HttpResponseBase) -> str:
    """Return the code of a problem that a view answered; codes are a closed list."""
    body = getattr(response, "data", None)
    if response.status_code < REFUSED or not isinstance(body, dict):
        return ""
    return str(body.get("code", ""))
