"""One file behind an HTTPS address, asked for only if it changed since the last time."""

import base64
from collections.abc import Iterator
from email.message import Message
from email.utils import format_datetime
from http.client import HTTPResponse
from types import TracebackType
from typing import BinaryIO, Self
from urllib.parse import unquote

from feeds.sources import naming
from feeds.sources.guard import Guard, refuse_other_size
from feeds.sources.http import Requests, moment
from feeds.sources.protocol import KEEP, AfterTaking, Entry, Finding, Limits, SourceError
from feeds.sources.settings import Web, read_web

__all__ = ["WebSource", "read_web"]

REFUSALS = {
    401: "source_refused_credentials",
    403: "source_access_denied",
    404: "source_file_missing",
    410: "source_file_missing",
    507: "source_full",
}


class WebSource:
    """
    The listing asks for the file itself, and ``open`` reads the answer that it got.

    A file that was taken before (``seen``) is not sent again by a server that knows ETags or
    times. What a server sends without either is read each time, and its digest compared.
    """

    fingerprint = position = ""

    def __init__(self, chosen: Web, *, guard: Guard, limits: Limits, seen: Entry | None) -> None:
        self._chosen = chosen
        self._seen = seen
        self._requests = Requests(chosen.url, guard=guard, limits=limits)
        self._pending: tuple[Entry, HTTPResponse] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._requests.close()

    def entries(self) -> Iterator[Entry]:
        """Yield the file, unless it is the one that was seen."""
        answer = self._ask(self._seen)
        if answer.status == 304:
            return
        entry = self._entry(answer)
        self._pending = entry, answer
        yield entry

    def open(self, entry: Entry) -> BinaryIO:
        """Return a stream of the file that was listed."""
        pending, self._pending = self._pending, None
        if pending is None or pending[0] != entry:
            answer = self._ask(None)
            if self._entry(answer) != entry:
                raise SourceError("source_file_changed")
        else:
            answer = pending[1]
        return self._requests.stream_of(answer, lambda size: refuse_other_size(entry, size))

    def done(self, entry: Entry, how: AfterTaking) -> None:
        """Do nothing: what is behind an address stays there."""
        if how.action != "keep":
            raise SourceError("source_cannot_change")

    def test(self, how: AfterTaking = KEEP) -> tuple[Finding, ...]:
        """Ask for the file, and read none of it."""
        try:
            self.done(Entry("", None, None), how)
            self._ask(None)
        except SourceError as error:
            return (error.finding,)
        return ()

    def notes(self) -> tuple[Finding, ...]:
        """Return nothing: there is no file to leave out."""
        return ()

    def _ask(self, seen: Entry | None) -> HTTPResponse:
        headers = {"accept": "*/*", "user-agent": "import-engine"} | self._credentials()
        if seen is not None and seen.version:
            headers["if-none-match"] = seen.version
        if seen is not None and seen.modified is not None:
            headers["if-modified-since"] = format_datetime(seen.modified, usegmt=True)
        answer = self._requests.ask("GET", self._requests.target.path, headers)
        if answer.status != 200 and not (answer.status == 304 and seen is not None):
            raise refusal(answer.status)
        return answer

    def _credentials(self) -> dict[str, str]:
        chosen = self._chosen
        if chosen.auth == "header":
            return {chosen.header: chosen.secret}
        if chosen.auth == "bearer":
            return {"authorization": f"Bearer {chosen.secret}"}
        if chosen.auth == "basic":
            pair = base64.b64encode(f"{chosen.user}:{chosen.secret}".encode()).decode()
            return {"authorization": f"Basic {pair}"}
        return {}

    def _entry(self, answer: HTTPResponse) -> Entry:
        return Entry(
            path=_name(answer, self._requests.target.path),
            size=answer.length,
            modified=moment(answer.headers.get("last-modified")),
            version=_printable(answer.headers.get("etag", "")),
        )


def refusal(status: int) -> SourceError:
    """Return what a status means that is not the expected one."""
    if 300 <= status < 400 and status != 304:
        return SourceError("source_redirected")
    if status in REFUSALS:
        return SourceError(REFUSALS[status])
    return SourceError("source_answered", status=status)


def _name(answer: HTTPResponse, path: str) -> str:
    """Return the file's name, as the server or else the address has it, without any folder."""
    message = Message()
    message["content-disposition"] = answer.headers.get("content-disposition", "")
    last = unquote(path.partition("?")[0].rpartition("/")[2])
    for name in (message.get_filename(), last):
        if name and naming.is_harmless(name):
            return name
    return "file"


def _printable(version: str) -> str:
    return version if version.isascii() and version.isprintable() and len(version) < 500 else ""
