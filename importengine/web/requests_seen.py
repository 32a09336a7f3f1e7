"""Count the calls of this web process: seconds by route, refusals by code."""

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from analytics.tally import REFUSALS, REQUEST_SECONDS, Tally
from importengine.metrics.counts import counts

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
REFUSED = 400


def count_requests(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Measure each call until its answer begins."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        response = get_response(request)
        counts.add(of_call(request, response, time.perf_counter() - began))
        return response

    return middleware


def of_call(request: HttpRequest, response: HttpResponseBase, seconds: float) -> Tally:
    """Return the counts of one answered call: not its path, only the route that matched."""
    match = getattr(request, "resolver_match", None)
    route = f"/{match.route}" if match else "none"
    method = request.method if request.method in METHODS else "other"
    status = f"{response.status_code // 100}xx"
    tally = Tally()
    tally.measure(REQUEST_SECONDS, seconds, route=route, method=method or "other", status=status)
    if code := _code_of(response):
        tally.count(REFUSALS, code=code)
    return tally


def _code_of(response: HttpResponseBase) -> str:
    """Return the code of a problem that a view answered; codes are a closed list."""
    body = getattr(response, "data", None)
    if response.status_code < REFUSED or not isinstance(body, dict):
        return ""
    return str(body.get("code", ""))
