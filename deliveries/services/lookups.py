"""Ask a receiver for records by key: signed like a delivery, answered at once, not repeated."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from common import clock
from deliveries.http import signing
from deliveries.http.client import DEADLINE_S, Answer, Client
from deliveries.http.connections import Exchange
from deliveries.http.request import Request
from deliveries.models import Registration
from deliveries.services.attempt import secrets_of, stamp

EVENT = "references.lookup"
MOST_KEYS = 1_000  # per page
ANSWER_BYTES = 4_000_000
CONNECTIONS = 4  # at once, for one import; so many answers are held in memory
TOO_LATE = "too_late"  # the error class of what was not asked in time


@dataclass(frozen=True, slots=True)
class Page:
    """Some keys of one entity, asked about at once."""

    entity: str
    keys: Sequence[str]


@dataclass(frozen=True, slots=True)
class Answered:
    """A page and its answer. at: before it was asked for, so the values are as new or newer."""

    page: Page
    answer: Answer
    at: datetime


@dataclass(frozen=True, slots=True)
class Inquiry:
    """
    Who is asked, and about whose records.

    until: when the last answer must have arrived, in seconds of ``time.monotonic``.
    """

    registration: Registration
    scope: str
    catalog_key: str
    until: float
    client: Client
    secrets: Sequence[str] = field(repr=False)

    @classmethod
    def to(
        cls,
        registration: Registration,
        *,
        scope: str,
        catalog_key: str,
        limit_s: float,
        client: Client,
    ) -> Inquiry:
        """Return an inquiry that may take ``limit_s``. Raise SecretUnreadable if it has no key."""
        secrets = secrets_of(registration, at=clock.now())
        until = time.monotonic() + limit_s
        return cls(registration, scope, catalog_key, until, client, secrets)

    def body(self, page: Page) -> bytes:
        """Return the body of a page."""
        tenant = self.registration.tenant
        members = {
            "event": EVENT,
            "tenantId": tenant.host_id,
            **({"test": True} if tenant.is_test else {}),
            "scope": self.scope,
            "catalogKey": self.catalog_key,
            "entity": page.entity,
            "keys": list(page.keys),
        }
        return json.dumps(members, ensure_ascii=False, separators=(",", ":")).encode()

    def request(self, page: Page, *, at: datetime) -> Request:
        """Return the signed request of a page."""
        body, t = self.body(page), int(at.timestamp())
        headers = {
            "content-type": "application/json",
            "content-length": str(len(body)),
            "user-agent": "import-engine",
            "x-import-event": EVENT,
            **stamp(t=t, signature=signing.signature_header(self.secrets, t=t, body=[body])),
        }
        return Request(self.registration.url, headers, body)


@contextmanager
def asking(inquiry: Inquiry, pages: Iterator[Page]) -> Iterator[Iterator[Answered]]:
    """
    Ask for pages over a few connections; yield the answers in the order in which they arrive.

    At most ``CONNECTIONS`` pages are asked for or held at a time. Leaving the block ends the
    running requests and asks for nothing more. The threads do not use the database.
    """
    window = _Window(inquiry, pages)
    try:
        yield window.answers()
    finally:
        window.close()


class _Window:
    """The requests that are running, each with the exchange that ends it."""

    def __init__(self, inquiry: Inquiry, pages: Iterator[Page]) -> None:
        self._inquiry, self._pages = inquiry, pages
        self._pool = ThreadPoolExecutor(CONNECTIONS, "lookup")
        self._running: set[Future[Answered]] = set()
        self._exchanges: set[Exchange] = set()
        self._lock = threading.Lock()
        self._is_closed = False

    def answers(self) -> Iterator[Answered]:
        """Yield answers, and ask for the next page after each is taken."""
        for _ in range(CONNECTIONS):
            self._ask_next()
        while self._running:
            done, self._running = wait(self._running, return_when=FIRST_COMPLETED)
            while done:
                yield done.pop().result()
                self._ask_next()

    def close(self) -> None:
        """End what runs."""
        with self._lock:
            self._is_closed = True
            for exchange in self._exchanges:
                exchange.abort("stopped")
        self._pool.shutdown(cancel_futures=True)

    def _ask_next(self) -> None:
        if (page := next(self._pages, None)) is not None:
            self._running.add(self._pool.submit(self._ask, page))

    def _ask(self, page: Page) -> Answered:
        at = clock.now()
        left = self._inquiry.until - time.monotonic()
        if left <= 0:
            return Answered(page, Answer(None, TOO_LATE, 0), at)
        client = self._inquiry.client
        exchange = client.inquiry(timeout_s=min(DEADLINE_S, left), answer_bytes=ANSWER_BYTES)
        with self._lock:
            if self._is_closed:
                return Answered(page, Answer(None, "stopped", 0), at)
            self._exchanges.add(exchange)
        try:
            answer = client.send(self._inquiry.request(page, at=at), exchange=exchange)
        finally:
            with self._lock:
                self._exchanges.discard(exchange)
        return Answered(page, answer, at)
