"""
The calls to the provider: through the guard of webhooks, bounded in time and size.

django-allauth asks for a session of ``requests``; this one follows no redirect, reads no proxy or
``.netrc`` of the environment, and connects only to addresses that the guard allows.
"""

from http.client import HTTPException
from typing import Any

import requests
from django.conf import settings
from requests.adapters import BaseAdapter
from requests.structures import CaseInsensitiveDict
from urllib3.exceptions import LocationParseError

from deliveries.http.connections import Exchange, GuardedConnection, TlsSettings, Unreachable
from deliveries.http.guard import Refused
from deliveries.http.targets import read_target
from deliveries.http.watchdog import Watchdog

DEADLINE_S = 5.0  # of one call; a sign-in makes up to five
MOST_BYTES = 1 << 20
_watchdog = Watchdog()


class GuardedAdapter(BaseAdapter):
    """Carries out one request over a connection of its own to a vetted address."""

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        """Return the answer. Raise requests.ConnectionError if there is none in time."""
        exchange = Exchange(
            networks=settings.OIDC_ALLOW_NETWORKS,
            timeout_s=DEADLINE_S,
            ports=settings.WEBHOOK_PORTS,
        )
        stop = _watchdog.watching(seconds=DEADLINE_S, stop=lambda: exchange.abort("timeout"))
        try:
            with stop:
                return _exchanged(request, exchange)
        except (HTTPException, LocationParseError, OSError, Unreachable, Refused) as error:
            because = exchange.aborted_because or type(error).__name__
            raise requests.ConnectionError(f"no answer ({because})", request=request) from error

    def close(self) -> None:
        """Do nothing: no connection is kept."""


def _exchanged(request: requests.PreparedRequest, exchange: Exchange) -> requests.Response:
    target = read_target(str(request.url))
    tls = TlsSettings(settings.WEBHOOK_CA_FILE).context()
    connection = GuardedConnection(target.origin, tls)
    headers = {**request.headers, "host": target.origin.authority, "accept-encoding": "identity"}
    try:
        connection.begin(exchange)
        connection.request(str(request.method), target.path, request.body, headers)
        with connection.getresponse() as answer:
            content = answer.read(MOST_BYTES + 1)
            if exchange.aborted_because or len(content) > MOST_BYTES:
                raise HTTPException("the answer is too long or too late")
            response = requests.Response()
            response.status_code, response.reason = answer.status, answer.reason
            response.headers = CaseInsensitiveDict(answer.headers.items())
            response.headers.setdefault("content-type", "")
    finally:
        exchange.hold(None)
        connection.discard()
    response._content = content
    response.url, response.request = str(request.url), request
    return response


def session() -> requests.Session:
    """Return a session of ``requests`` that only reaches what the guard allows."""
    guarded = requests.Session()
    guarded.trust_env = False
    guarded.max_redirects = 0
    guarded.adapters.clear()
    for scheme in ("https://", "http://"):
        guarded.mount(scheme, GuardedAdapter())
    return guarded
