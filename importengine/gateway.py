"""
The door of the web process: who may hold it open, for how long, and with how many bytes.

Django's views run in threads. Here, before a thread is taken, a request waits for nothing but
memory: small bodies arrive whole, slow ones are cut, and what an unknown caller sends is not read.
ASGI 3.0; the views behind it are WSGI.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address
from urllib.parse import quote_from_bytes

from common.errors import ServiceError, TooLarge, TooManyRequests
from importengine.answers import Message, Receive, Scope, Send, Sender, note_leaving
from importengine.bodies import PAGE_BYTES, Head, Pace
from tabular.model.i_json import MAX_BYTES as CATALOG_BYTES

App = Callable[[Scope, Receive, Send], Awaitable[None]]

REFUSAL = "importengine.refusal"  # in the scope: answer with this, run no view
UPLOADS_PER_ADDRESS = 8
NAMES = {"page": "A form", "catalog": "A catalog", "mcp": "A message of an agent"}


class TooSlow(ServiceError):
    """The body arrives too slowly. Send it again, or in chunks that can be resumed."""

    code = "too_slow"
    status = 408
    title = "Request timeout"


class LengthRequired(ServiceError):
    """Say how long the body is, in Content-Length; a file is not taken without."""

    code = "length_required"
    status = 411
    title = "Length required"


class TooManyAtOnce(TooManyRequests):
    """Too many requests of this address are open at once; wait and retry."""

    code = "too_many_at_once"


class TooManyUploads(TooManyRequests):
    """Too many files are arriving at once; wait and retry."""

    code = "too_many_uploads"


@dataclass(frozen=True, slots=True)
class Allowances:
    """What the operator allows."""

    threads: int
    per_address: int  # requests open at once
    json_bytes: int
    floor: int  # bytes a second
    agent_bytes: int = 12 * 1024**2  # of a message of an agent, a file among them
    proxies: tuple[IPv4Network | IPv6Network, ...] = ()


class Gateway:
    """Lets requests through to ``app``, one thread each, when they are complete or known."""

    def __init__(
        self,
        app: App,
        allowed: Allowances,
        *,
        is_caller: Callable[[str], bool],
        is_session: Callable[[str], bool],
        is_staff: Callable[[str], bool],
    ) -> None:
        """
        is_caller: judges an Authorization header, from memory.

        is_session: judges one as the token of a page's session. is_staff: judges a Cookie header.
        Both may ask the database.
        """
        self._app = app
        self._allowed = allowed
        self._is_caller = is_caller
        self._is_session = is_session
        self._is_staff = is_staff
        self._checks = ThreadPoolExecutor(2, thread_name_prefix="who")
        self._arriving: Counter[str] = Counter()
        self._answering: Counter[str] = Counter()
        self._uploading: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection's request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope = _plain(scope)
        headers = _by_name(scope["headers"])
        head = Head(scope["method"], scope["path"], headers, scope.get("http_version", "1.1"))
        address = address_of(scope, self._allowed.proxies)
        scope["client"] = (address, 0)  # what views and logs see
        try:
            if head.has_body and not (head.needs_caller and not await self._is_known(head)):
                if head.kind == "file":
                    await self._stream(scope, head, address, receive, send)
                    return
                body = await self._whole(head, address, receive)
                scope = _with_length(scope, body)
            else:
                body = b""  # whoever is not known is refused by the view, whatever would follow
            await self._answer(scope, address, body, receive, send)
        except ServiceError as refusal:
            scope[REFUSAL] = refusal
            await self._app(scope, _once(b""), send)

    async def _is_known(self, head: Head) -> bool:
        loop = asyncio.get_running_loop()
        if authorization := head.headers.get("authorization"):
            if self._is_caller(authorization):
                return True
            return await loop.run_in_executor(self._checks, self._is_session, authorization)
        if "x-import-tenant" not in head.headers:
            return False
        cookie = head.headers.get("cookie", "")
        return await loop.run_in_executor(self._checks, self._is_staff, cookie)

    async def _answer(
        self, scope: Scope, address: str, body: bytes, receive: Receive, send: Send
    ) -> None:
        with _counted(self._answering, address, self._allowed.per_address):
            watch = asyncio.create_task(note_leaving(scope, receive))
            try:
                await self._app(scope, _once(body), Sender(scope, send).send)
            finally:
                watch.cancel()

    async def _whole(self, head: Head, address: str, receive: Receive) -> bytes:
        """Collect a small body; nobody's thread waits for it."""
        json_bytes = self._allowed.json_bytes
        most = {"page": PAGE_BYTES, "catalog": CATALOG_BYTES, "mcp": self._allowed.agent_bytes}.get(
            head.kind, json_bytes
        )
        if (head.length or 0) > most:
            raise too_large(head.kind, most)
        pace = Pace(self._allowed.floor, time.monotonic())
        pieces: list[bytes] = []
        with _counted(self._arriving, address, self._allowed.per_address):
            while True:
                message = await _next(receive, pace)
                pieces.append(message.get("body", b""))
                if pace.received > most:
                    raise too_large(head.kind, most)
                if not message.get("more_body", False):
                    return b"".join(pieces)

    async def _stream(
        self, scope: Scope, head: Head, address: str, receive: Receive, send: Send
    ) -> None:
        """Hand a file's bytes on while they arrive, to one of the threads kept for files."""
        if head.length is None:
            raise LengthRequired
        if self._uploading.total() >= max(1, self._allowed.threads // 2):
            raise TooManyUploads(retryAfter=2)
        sender = Sender(scope, send)
        pace = Pace(self._allowed.floor, time.monotonic())

        async def paced() -> Message:
            try:
                return await _next(receive, pace)
            except TooSlow as refusal:
                sender.instead = refusal
                return {"type": "http.disconnect"}

        with _counted(self._uploading, address, UPLOADS_PER_ADDRESS):
            await self._app(scope, paced, sender.send)


def address_of(scope: Scope, proxies: tuple[IPv4Network | IPv6Network, ...]) -> str:
    """Give the client's address: the last one that no trusted proxy of ours reported about."""
    client = (scope.get("client") or ("", 0))[0]
    reported = _by_name(scope["headers"]).get("x-forwarded-for", "")
    path = [*(part.strip() for part in reported.split(",") if part.strip()), client]
    while len(path) > 1 and _is_in(path[-1], proxies):
        path.pop()
    return str(path[-1])


def too_large(kind: str, most: int) -> TooLarge:
    """Say what a body may have at most, and where larger data goes."""
    if named := NAMES.get(kind):
        return TooLarge(f"{named} has at most {most:,} bytes.")
    return TooLarge(
        f"A JSON body has at most {most:,} bytes. Send larger data as a file: a multipart form "
        "with `file`, or PUT imports/{recordId}/file."
    )


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


@contextmanager
def _counted(counter: "Counter[str]", address: str, most: int) -> Iterator[None]:
    if counter[address] >= most:
        raise TooManyAtOnce(retryAfter=1)
    counter[address] += 1
    try:
        yield
    finally:
        counter[address] -= 1
        if not counter[address]:
            del counter[address]


def _by_name(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    return {name.decode("latin-1").lower(): text.decode("latin-1") for name, text in headers}


def _plain(scope: Scope) -> Scope:
    """Copy a scope for WSGI, which takes ``X_Token`` for ``X-Token`` and no raw byte above 127."""
    headers = [pair for pair in scope["headers"] if b"_" not in pair[0]]
    query = quote_from_bytes(scope["query_string"], safe="".join(map(chr, range(33, 127))))
    return {**scope, "headers": headers, "query_string": query.encode()}


def _with_length(scope: Scope, body: bytes) -> Scope:
    """Say how long a collected body is: WSGI reads no further than that."""
    others = [pair for pair in scope["headers"] if pair[0].lower() != b"content-length"]
    return {**scope, "headers": [*others, (b"content-length", str(len(body)).encode())]}


def _once(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive
