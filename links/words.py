"""The texts of the pages, in the language of their reader. Pure."""

from dataclasses import dataclass

from common.wording.messages import Message
from links.standing import Standing


@dataclass(frozen=True, slots=True)
class Notice:
    """A page that opens nothing: what happened, and what the person can do."""

    title: str
    text: str
    status: int


def notice(of: Standing, *, name: str, language: str) -> Notice:
    """Return what a person reads about a link that does not open for them."""
    title, text, status = {
        Standing.DONE: (Message("link.done"), Message("link.done.text", name=name), 200),
        Standing.FULL: (Message("link.full"), Message("link.full.text", name=name), 403),
        Standing.USED: (Message("link.used"), Message("link.used.text", name=name), 403),
        Standing.EXPIRED: (Message("link.expired"), Message("link.expired.text", name=name), 410),
        Standing.REVOKED: (Message("link.revoked"), Message("link.revoked.text", name=name), 410),
        Standing.CLOSED: (Message("link.closed"), Message("link.closed.text", name=name), 410),
        Standing.LOCKED: (Message("link.locked"), Message("link.locked.text", name=name), 403),
    }[of]
    return Notice(title.text(language), text.text(language), status)


def correcting() -> dict[str, Message]:
    """Return the texts of the page on which an import is corrected, by their place."""
    return {
        "download": Message("link.correct.download"),
        "keep": Message("link.correct.keep"),
        "file": Message("link.correct.file"),
        "check": Message("link.correct.check"),
        "send": Message("link.correct.send"),
        "working": Message("link.correct.working"),
        "sent": Message("link.correct.sent"),
        "rows": Message("link.correct.rows"),
        "same": Message("link.correct.same"),
        "stale": Message("link.correct.stale"),
        "unknown": Message("link.correct.unknown"),
        "nothing": Message("link.correct.nothing"),
        "failed": Message("link.correct.failed"),
    }


def missing(language: str) -> Notice:
    """Return what a person reads at an address that is not a link."""
    title, text = Message("link.missing"), Message("link.missing.text")
    return Notice(title.text(language), text.text(language), 404)


def busy(language: str) -> Notice:
    """Return what a person reads after too many requests."""
    title, text = Message("link.busy"), Message("link.busy.text")
    return Notice(title.text(language), text.text(language), 429)
