"""
The gateway of the web process: limits of connections, time and bytes.

Django's views run in threads. Before a request takes a thread, it waits here and uses only memory:
small bodies are collected, slow ones are cut off, and bodies of unknown callers are not read. ASGI
3.0; the views behind it are WSGI.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address
from urllib.parse import quote_from_bytes

from common.errors import OutOfMemory, ServiceError, TooLarge
from importengine.processes.shares import Shares, TooManyAtOnce, Who
from importengine.web.answers import GONE, Message, Receive, Rest, Scope, Send, Sender, note_leaving
from importengine.web.bodies import API, PAGE_BYTES, Head, Pace
from references.value_lists.columns import MOST_BYTES as LIST_BYTES
from tabular.model.i_json import MAX_BYTES as CATALOG_BYTES

App = Callable[[Scope, Receive, Send], Awaitable[None]]

REFUSAL = "importengine.refusal"  # in the scope: answer with this, run no view
LINE = 1_000  # requests that one caller may have waiting
ANSWER_S, UPLOAD_S = 60.0, 300.0  # that one waits at most
LARGE, LARGE_AT_ONCE = 64 * 1024, 2  # bytes of a body; while one is judged, other threads wait
NAMES = {
    "page": "too_large.form",
    "catalog": "too_large.sent_catalog",
    "list": "too_large.value_list",
    "mcp": "too_large.mcp",
}


class TooSlow(ServiceError):
    """The body arrives too slowly. Send it again, or in chunks that can be resumed."""

    code = "too_slow"
    status = 408
    title = "title.request_timeout"


class LengthRequired(ServiceError):
    """Content-Length is required for uploads."""

    code = "length_required"
    status = 411
    title = "title.length_required"


@dataclass(frozen=True, slots=True)
class Allowances:
    """The operator's limits."""

    threads: int
    per_address: int  # concurrent requests of callers without a key
    json_bytes: int
    floor: int  # bytes a second
    agent_bytes: int = 12 * 1024**2  # of an agent's message, which may include a file
    held_bytes: int = 256 * 1024**2  # of all bodies together that are not files
    proxies: tuple[IPv4Network | IPv6Network, ...] = ()


class Gateway:
    """Passes requests to ``app``, one thread each, once they are complete or from known callers."""

    def __init__(
        self,
        app: App,
        allowed: Allowances,
        *,
        by_key: Callable[[str], Who | None],
        by_session: Callable[[str], Who | None],
        is_staff: Callable[[str], bool],
        has_memory: Callable[[], bool] = lambda: True,
    ) -> None:
        """
        by_key: returns the license of an Authorization header, from memory; None without one.

        by_session: names the license and the session of one that holds a page's token. is_staff:
        judges a Cookie header. Both may ask the database. has_memory: whether this process has
        memory left for another call.
        """
        self._app = app
        self._allowed = allowed
        self._by_key = by_key
        self._by_session = by_session
        self._is_staff = is_staff
        self._checks = ThreadPoolExecutor(2, thread_name_prefix="who")
        self._has_memory = has_memory
        self._running = 0  # calls that views answer
        self._open: Counter[str] = Counter()  # of strangers, by address
        self._bodies = Shares(allowed.held_bytes, line=LINE, patience_s=ANSWER_S)
        self._answers = Shares(allowed.threads, line=LINE, patience_s=ANSWER_S)
        self._large = Shares(LARGE_AT_ONCE, line=LINE, patience_s=ANSWER_S)
        self._uploads = Shares(max(1, allowed.threads // 2), line=LINE, patience_s=UPLOAD_S)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request of a connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope = _plain(scope)
        headers = _by_name(scope["headers"])
        head = Head(scope["method"], scope["path"], headers, scope.get("http_version", "1.1"))
        address = address_of(scope, self._allowed.proxies)
        scope["client"] = (address, 0)  # the address for views and logs
        try:
            who = await self._known(head)
            with self._counted(address, is_stranger=who is None):
                await self._serve(scope, head, who, address, receive, send)
        except ServiceError as refusal:
            scope[REFUSAL] = refusal
            await self._app(scope, _once(b""), send)

    async def _serve(
        self,
        scope: Scope,
        head: Head,
        known: Who | None,
        address: str,
        receive: Receive,
        send: Send,
    ) -> None:
        who = known or (address,)
        if not head.has_body or (head.needs_caller and known is None):
            # The view refuses an unknown caller, so nothing more needs to be read.
            await self._answer(scope, who, b"", receive, send)
        elif head.kind == "file":
            await self._stream(scope, head, who, receive, send)
        else:
            async with self._bodies.taken(who, head.length or self._most(head)):
                try:
                    body = await self._whole(head, receive)
                except MemoryError as error:
                    raise OutOfMemory from error
                # A message of an agent may hold a file, which a child reads for a while.
                is_large = len(body) > LARGE and head.kind != "mcp"
                async with self._large.taken(who) if is_large else nullcontext():
                    await self._answer(_with_length(scope, body), who, body, receive, send)

    async def _known(self, head: Head) -> Who | None:
        """Return the license and session of a caller, or the address of staff."""
        if not head.path.startswith(API):
            return None
        loop = asyncio.get_running_loop()
        if authorization := head.headers.get("authorization"):
            return self._by_key(authorization) or await loop.run_in_executor(
                self._checks, self._by_session, authorization
            )
        if "x-import-tenant" not in head.headers:
            return None
        cookie = head.headers.get("cookie", "")
        is_staff = await loop.run_in_executor(self._checks, self._is_staff, cookie)
        return ("staff", cookie) if is_staff else None

    async def _answer(
        self, scope: Scope, who: Who, body: bytes, receive: Receive, send: Send
    ) -> None:
        watch = asyncio.create_task(note_leaving(scope, receive))
        try:
            async with self._answers.taken(who):
                if not scope.get(GONE):
                    with self._memory(scope["path"]):
                        await self._app(scope, _once(body), Sender(scope, send).send)
        finally:
            watch.cancel()

    @contextmanager
    def _memory(self, path: str) -> Iterator[None]:
        """Refuse a call that others leave no memory for; one that runs alone may try."""
        if self._running and path.startswith(API) and not self._has_memory():
            raise OutOfMemory
        self._running += 1
        try:
            yield
        finally:
            self._running -= 1

    def _most(self, head: Head) -> int:
        """Return how many bytes a body may have that is not a file."""
        most = {
            "page": PAGE_BYTES,
            "catalog": CATALOG_BYTES,
            "list": LIST_BYTES,
            "mcp": self._allowed.agent_bytes,
        }
        return most.get(head.kind, self._allowed.json_bytes)

    async def _whole(self, head: Head, receive: Receive) -> bytes:
        """Collect a small body without using a thread."""
        most = self._most(head)
        rest = Rest(receive, waits=head.waits)
        if (head.length or 0) > most:
            await rest.read_on()
            raise too_large(head.kind, most)
        pace = Pace(self._allowed.floor, time.monotonic())
        pieces: list[bytes] = []
        while True:
            message = await _next(rest.receive, pace)
            pieces.append(message.get("body", b""))
            if pace.received > most:
                await rest.read_on()
                raise too_large(head.kind, most)
            if not message.get("more_body", False):
                return b"".join(pieces)

    async def _stream(
        self, scope: Scope, head: Head, who: Who, receive: Receive, send: Send
    ) -> None:
        """Pass a file's bytes on as they arrive, to one of the threads reserved for files."""
        if head.length is None:
            raise LengthRequired
        rest = Rest(receive, waits=head.waits)
        sender = Sender(scope, send, rest)
        async with self._uploads.taken(who):
            pace = Pace(self._allowed.floor, time.monotonic(), announced=head.length)
            await self._app(scope, _paced(rest.receive, pace, sender), sender.send)

    @contextmanager
    def _counted(self, address: str, *, is_stranger: bool) -> Iterator[None]:
        """Count an open request of an address without a key."""
        if not is_stranger:
            yield
            return
        if self._open[address] >= self._allowed.per_address:
            raise TooManyAtOnce(members={"retryAfter": 1})
        self._open[address] += 1
        try:
            yield
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]


def _paced(receive: Receive, pace: Pace, sender: Sender) -> Receive:
    """Return a body reader that ends with an explanation if the client is too slow."""

    async def paced() -> Message:
        try:
            return await _next(receive, pace)
        except TooSlow as refusal:
            sender.instead = refusal
            return {"type": "http.disconnect"}

    return paced


def address_of(scope: Scope, proxies: tuple[IPv4Network | IPv6Network, ...]) -> str:
    """Return the client's address: the last one that is not one of our trusted proxies."""
    client = (scope.get("client") or ("", 0))[0]
    reported = _by_name(scope["headers"]).get("x-forwarded-for", "")
    path = [*(part.strip() for part in reported.split(",") if part.strip()), client]
    while len(path) > 1 and _is_in(path[-1], proxies):
        path.pop()
    return str(path[-1])


def too_large(kind: str, most: int) -> TooLarge:
    """Return the error with the maximum size of a body, and where to send larger data."""
    if key := NAMES.get(kind):
        return TooLarge(key, most=most)
    return TooLarge("too_large.json", most=most)


def _is_in(address: str, networks: tuple[IPv4Network | IPv6Network, ...]) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in networks)


async def _next(receive: Receive, pace: Pace) -> Message:
    try:
        message = await asyncio.wait_for(receive(), pace.patience(time.monotonic()))
    except TimeoutError as error:
        raise TooSlow from error
    pace.received += len(message.get("body", b""))
    return message


def _by_name(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    return {name.decode("latin-1").lower(): text.decode("latin-1") for name, text in headers}


def _plain(scope: Scope) -> Scope:
    """Return a scope for WSGI, which takes ``X_Token`` for ``X-Token`` and no byte above 127."""
    headers = [pair for pair in scope["headers"] if b"_" not in pair[0]]
    query = quote_from_bytes(scope["query_string"], safe="".join(map(chr, range(33, 127))))
    return {**scope, "headers": headers, "query_string": query.encode()}


def _with_length(scope: Scope, body: bytes) -> Scope:
    """Return a scope with the length of a collected body: WSGI reads no further."""
    others = [pair for pair in scope["headers"] if pair[0].lower() != b"content-length"]
    return {**scope, "headers": [*others, (b"content-length", str(len(body)).encode())]}


def _once(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive
