"""Limits of a request body, derived from its headers; and its minimum speed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

API = "/api/import/v1/"
MCP = f"{API}mcp"
CATALOG_PAGES = "/admin/catalogs"  # their forms contain a whole catalog
RECEIVER = "/demo/receiver"
DOCUMENTS = (f"{API}catalogs", f"{API}contracts")  # requests to them contain a whole catalog
LISTS = f"{API}value-lists/"
OPEN_TO_ALL = frozenset({"openapi.json", "contracts/keys", "contracts/schema"})
PAGE_BYTES = 64 * 1024
GRACE_S = 10.0  # until a new connection must send
SILENCE_S = 30.0  # without receiving a byte
SLOWEST_S = 600.0  # any file may take this long, and a large one longer
FILE_FACTOR = 16  # times the floor, on average

Kind = Literal["page", "json", "catalog", "list", "mcp", "file"]


@dataclass(frozen=True, slots=True)
class Head:
    """The headers of a request, as far as they concern its body."""

    method: str
    path: str
    headers: Mapping[str, str]  # by lower-case name
    http_version: str = "1.1"

    @property
    def has_body(self) -> bool:
        """Return whether a body follows; HTTP/2 frames it, so no header is required."""
        if self.length is not None:
            return self.length > 0
        frames = self.http_version.startswith("2") and self.method in {"POST", "PUT", "PATCH"}
        return frames or "transfer-encoding" in self.headers

    @property
    def waits(self) -> bool:
        """Return whether the client sends the body only once it is asked to (100-continue)."""
        return self.headers.get("expect", "").lower() == "100-continue"

    @property
    def length(self) -> int | None:
        """The announced bytes; None without a header."""
        text = self.headers.get("content-length", "")
        return int(text) if text.isascii() and text.isdigit() else None

    @property
    def kind(self) -> Kind:
        """Return the kind of body."""
        if self.path == RECEIVER:
            return "file"
        if self.path == MCP:
            return "mcp"
        if not self.path.startswith(API):
            return "catalog" if self.path.startswith(CATALOG_PAGES) else "page"
        is_form = self.headers.get("content-type", "").startswith("multipart/")
        is_chunk = self.method == "PUT" and self.path.endswith("/file")
        if is_form or is_chunk:
            return "file"
        if self.path.startswith(LISTS):
            return "list"
        return "catalog" if self.path.startswith(DOCUMENTS) else "json"

    @property
    def needs_caller(self) -> bool:
        """Return whether only an accepted caller may send a body here."""
        return self.path.startswith(API) and self.path.removeprefix(API) not in OPEN_TO_ALL


@dataclass
class Pace:
    """The slowest allowed arrival of a body. Times are seconds of one clock."""

    floor: int  # bytes a second, after the grace period
    started_at: float
    received: int = 0
    announced: int | None = None  # of a file, whose size determines its total time

    def patience(self, now: float) -> float:
        """
        Return how long to wait for the next bytes; 0 if the body is too slow already.

        >>> pace = Pace(floor=1000, started_at=0.0, received=5000)
        >>> pace.patience(1.0), pace.patience(15.0)
        (14.0, 0.0)
        """
        allowed_until = self.started_at + GRACE_S + self.received / self.floor
        if self.announced is not None:
            at_most = SLOWEST_S + self.announced / (self.floor * FILE_FACTOR)
            allowed_until = min(allowed_until, self.started_at + at_most)
        return max(0.0, min(SILENCE_S, allowed_until - now))
