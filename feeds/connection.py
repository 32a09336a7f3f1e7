"""
Connect to the place of a feed, and keep what went wrong there.

Its secret is opened here, and nowhere else. A problem is kept as a code and parameters, and worded
when it is read.
"""

import json
from typing import TYPE_CHECKING, Any

from django.conf import settings

from common.errors import ServiceError
from feeds.models import Feed
from feeds.sources.protocol import (
    AfterTaking,
    Entry,
    Finding,
    Limits,
    Source,
    SourceError,
    source_of,
)

if TYPE_CHECKING:
    from feeds.sources.guard import Guard

Problem = dict[str, Any]


def connected(feed: Feed, *, seen: Entry | None = None) -> Source:
    """
    Return the source of a feed, which connects on first use.

    seen: the file that was taken last, which need not be sent again.
    """
    how = feed.after_taking or {}
    return source_of(
        feed.kind,  # type: ignore[arg-type]  # a choice of the column
        feed.settings,
        secret_of(feed),
        guard=_guard(),
        pinned=feed.host_key,
        limits=Limits(file_bytes=settings.MAX_FILE_BYTES),
        ignored_suffix=how.get("to", "") if how.get("action") == "rename" else "",
        seen=seen,
        position=feed.position,
    )


def check(kind: str, place: dict[str, Any], secret: dict[str, Any]) -> None:
    """Raise SourceError for a setting that no source of the kind accepts; nothing is called."""
    with source_of(kind, place, secret, guard=_guard()):  # type: ignore[arg-type]  # one of Kind
        return


def _guard() -> "Guard":
    from feeds.sources.guard import engine_guard  # loads the clients of deliveries

    return engine_guard()


def secret_of(feed: Feed) -> dict[str, Any]:
    """Return the secret of a feed."""
    secret: dict[str, Any] = json.loads(feed.secret) if feed.secret else {}
    return secret


def after_taking(feed: Feed) -> AfterTaking:
    """Return what happens to a file that was taken."""
    return AfterTaking(**feed.after_taking)


def problem_of(error: Exception) -> Problem:
    """Return what is kept of an error; of one of our own only that it happened."""
    match error:
        case SourceError():
            return kept(error.finding)
        case ServiceError():
            return {"code": error.code, "detail": error.sentence}
    return {"code": "internal_error"}


def kept(finding: Finding) -> Problem:
    """Return a finding of a source as it is kept."""
    return {"code": finding.code, "params": dict(finding.params)}
