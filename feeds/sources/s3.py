"""Files below a prefix of an S3-compatible bucket, over the guarded requests of sources."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from http.client import HTTPResponse
from types import TracebackType
from typing import Any, BinaryIO, Self
from urllib.parse import quote, unquote_plus, urlencode

import requests
from lxml import etree
from lxml.etree import QName
from requests_aws4auth import AWS4Auth

from feeds.sources import naming
from feeds.sources.guard import Guard, refuse_other_size
from feeds.sources.http import Requests
from feeds.sources.protocol import KEEP, AfterTaking, Entry, Finding, Limits, SourceError
from feeds.sources.settings import Bucket, read_bucket
from feeds.sources.web import refusal

__all__ = ["BucketSource", "read_bucket"]

PAGE = 1_000  # names, the most that a store sends at once
ERROR_BYTES = 64 << 10
MEMBERS = ("EncodingType", "Contents", "NextContinuationToken")  # of a page
OF_A_FILE = ("Key", "Size", "LastModified", "ETag")
UNSIGNED = {"user-agent": "import-engine", "accept": "*/*"}
CODES = {  # of a store, and what they mean here
    "InvalidAccessKeyId": "source_refused_credentials",
    "SignatureDoesNotMatch": "source_refused_credentials",
    "InvalidToken": "source_refused_credentials",
    "ExpiredToken": "source_refused_credentials",
    "RequestTimeTooSkewed": "source_clock_differs",
    "AccessDenied": "source_access_denied",
    "AllAccessDisabled": "source_access_denied",
    "NoSuchBucket": "source_bucket_missing",
    "InvalidBucketName": "source_bucket_missing",
    "NoSuchKey": "source_file_missing",
    "PreconditionFailed": "source_file_changed",
    "AuthorizationHeaderMalformed": "source_region_wrong",
    "PermanentRedirect": "source_region_wrong",
    "TemporaryRedirect": "source_region_wrong",
    "IllegalLocationConstraintException": "source_region_wrong",
}


@dataclass(frozen=True, slots=True)
class Page:
    """Some names of a bucket, and where the next ones begin."""

    entries: tuple[Entry, ...]
    next_token: str


class BucketSource:
    """Lists the names below a prefix, without those in folders below it."""

    fingerprint = position = ""

    def __init__(
        self, chosen: Bucket, *, guard: Guard, limits: Limits, ignored_suffix: str
    ) -> None:
        self._chosen, self._limits, self._ignored_suffix = chosen, limits, ignored_suffix
        self._requests = Requests(chosen.endpoint, guard=guard, limits=limits)
        self._sign = AWS4Auth(chosen.access_key, chosen.secret_key, chosen.region, "s3")
        self._left_out = 0

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
        """Yield the files below the prefix, a page of the listing at a time."""
        self._left_out = 0
        token, number = "", 0
        while True:
            page = self._page(token)
            number += len(page.entries)
            if number > self._limits.entries:
                raise SourceError("source_too_many_files", most=self._limits.entries)
            yield from (entry for entry in page.entries if self._is_wanted(entry))
            if not page.next_token or page.next_token == token:
                return
            token = page.next_token

    def open(self, entry: Entry) -> BinaryIO:
        """Return a stream of the very version that was listed."""
        headers = {"if-match": entry.version} if entry.version else {}
        answer = self._answer("GET", entry.path, headers=headers)
        return self._requests.stream_of(answer, lambda size: refuse_other_size(entry, size))

    def done(self, entry: Entry, how: AfterTaking) -> None:
        """Delete a file, or copy it within the bucket and delete it then."""
        if how.action == "keep" or not self._is_there(entry.path):
            return
        if how.action != "delete":
            path = f"{entry.path}{how.to}"
            if how.action == "move":
                path = naming.joined(self._folder(how), entry.name)
            if not self._is_copied(entry, path):
                self._copy(entry, naming.free_name(path, is_there=self._is_there))
        self._requests.text_of(self._answer("DELETE", entry.path))

    def test(self, how: AfterTaking = KEEP) -> tuple[Finding, ...]:
        """List one name."""
        try:
            self._page("", size=1)
        except SourceError as error:
            return (error.finding,)
        return ()

    def notes(self) -> tuple[Finding, ...]:
        """Return how many names the last listing left out."""
        if not self._left_out:
            return ()
        return (Finding("source_name_unreadable", (("count", self._left_out),)),)

    def _folder(self, how: AfterTaking) -> str:
        """Return where taken files are moved; relative to the prefix, unless it begins with /."""
        if how.to.startswith("/"):
            return how.to.strip("/")
        return naming.joined(self._chosen.prefix.rpartition("/")[0], how.to.strip("/"))

    def _is_wanted(self, entry: Entry) -> bool:
        if entry.path.endswith("/"):  # how consoles mark a folder
            return False
        if not naming.is_harmless(entry.name):
            self._left_out += 1
            return False
        pattern = self._chosen.pattern
        return naming.is_wanted(entry.name, pattern=pattern, ignored_suffix=self._ignored_suffix)

    def _page(self, token: str, size: int = PAGE) -> Page:
        query = {
            "delimiter": "/",
            "encoding-type": "url",
            "list-type": "2",
            "max-keys": str(size),
            "prefix": self._chosen.prefix,
        }
        if token:
            query["continuation-token"] = token
        answer = self._answer("GET", "", query=query)
        return read_page(self._requests.text_of(answer))

    def _copy(self, entry: Entry, path: str) -> None:
        source = quote(f"/{self._chosen.bucket}/{entry.path}", safe="/~")
        headers = {"x-amz-copy-source": source}
        if entry.version:
            headers["x-amz-copy-source-if-match"] = entry.version
        answer = self._answer("PUT", path, headers=headers)
        content = self._requests.text_of(answer)
        if b"<Error>" in content or b"CopyObjectResult" not in content:  # a failure has status 200
            raise SourceError("source_refused_change")

    def _is_there(self, path: str) -> bool:
        return self._version_at(path) is not None

    def _is_copied(self, entry: Entry, path: str) -> bool:
        """Return whether a copy is there already: the deletion after it may have failed."""
        return bool(entry.version) and self._version_at(path) == entry.version

    def _version_at(self, path: str) -> str | None:
        """Return the ETag of a file, empty without one; None if no file has this name."""
        try:
            answer = self._answer("HEAD", path)
        except SourceError as error:
            if error.code == "source_file_missing":
                return None
            raise
        self._requests.text_of(answer)
        return answer.headers.get("etag", "")

    def _answer(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> HTTPResponse:
        """Send a signed request; raise SourceError for any answer but success."""
        target = self._requests.target
        base = target.path.partition("?")[0].rstrip("/")
        resource = f"{base}/{self._chosen.bucket}" + (f"/{quote(path, safe='/~')}" if path else "")
        if query:
            resource += f"?{urlencode(query, quote_via=quote, safe='~')}"
        origin = f"{target.origin.scheme}://{target.origin.authority}"
        unsigned = requests.Request(method, origin, headers=dict(headers or {})).prepare()
        unsigned.url = f"{origin}{resource}"  # as it is sent, not as the library would write it
        unsigned.headers["host"] = target.origin.authority
        signed = self._sign(unsigned)
        answer = self._requests.ask(method, resource, {**UNSIGNED, **_texts(signed.headers)})
        if answer.status in (200, 204):
            return answer
        raise self._failure(answer)

    def _failure(self, answer: HTTPResponse) -> SourceError:
        with self._requests.within(self._limits.answer_s):
            content = answer.read(ERROR_BYTES)
            answer.close()
        code, region = error_in(content)
        meaning = CODES.get(code)
        if meaning == "source_region_wrong":
            region = region or answer.headers.get("x-amz-bucket-region", "")
            return SourceError(meaning, region=region[:40])
        if meaning:
            return SourceError(meaning)
        if 300 <= answer.status < 400:
            return SourceError("source_region_wrong", region="")
        if answer.status == 412:
            return SourceError("source_file_changed")
        return refusal(answer.status)


def read_page(content: bytes) -> Page:
    """Read one page of a listing. Raise SourceError if it is none."""
    try:
        root = _parsed(content)
        space, name = QName(root).namespace, QName(root).localname
        if name != "ListBucketResult":
            raise ValueError
        at = {name: QName(space, name).text for name in (*MEMBERS, *OF_A_FILE)}
        is_quoted = root.findtext(at["EncodingType"]) == "url"
        entries = tuple(_entry(item, at, is_quoted=is_quoted) for item in root.iter(at["Contents"]))
    except (etree.XMLSyntaxError, KeyError, ValueError) as error:
        raise SourceError("source_not_understood") from error
    return Page(entries, root.findtext(at["NextContinuationToken"]) or "")


def _parsed(content: bytes) -> Any:
    return etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True))


def error_in(content: bytes) -> tuple[str, str]:
    """
    Return the code and the region that a store's error names.

    >>> error_in(b"<Error><Code>PermanentRedirect</Code><Region>eu-west-1</Region></Error>")
    ('PermanentRedirect', 'eu-west-1')
    """
    try:
        root = _parsed(content)
    except (etree.XMLSyntaxError, ValueError):
        return "", ""
    parts = {QName(part).localname: part.text or "" for part in root.iter("{*}*")}
    return parts.get("Code", ""), parts.get("Region", "")


def _entry(item: Any, at: Mapping[str, str], *, is_quoted: bool) -> Entry:
    """Read a file of a page. at: the names of members as the page writes them."""
    parts = {part.tag: part.text or "" for part in item}
    name = parts[at["Key"]]
    return Entry(
        path=unquote_plus(name) if is_quoted else name,
        size=int(parts[at["Size"]]),
        modified=datetime.fromisoformat(parts[at["LastModified"]]),
        version=parts.get(at["ETag"], ""),
    )


def _texts(headers: Mapping[str, str | bytes]) -> dict[str, str]:
    return {
        name: value.decode("latin-1") if isinstance(value, bytes) else value
        for name, value in headers.items()
    }
