"""The texts of the pages, in the language of their reader. Pure."""

from dataclasses import dataclass
from datetime import UTC, datetime

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
        Standing.LOCKED: (Message("link.locked"), Message("link.locked.text", name=name), 403),
    }[of]
    return Notice(title.text(language), text.text(language), status)


def missing(language: str) -> Notice:
    """Return what a person reads at an address that is not a link."""
    title, text = Message("link.missing"), Message("link.missing.text")
    return Notice(title.text(language), text.text(language), 404)


def busy(language: str) -> Notice:
    """Return what a person reads after too many requests."""
    title, text = Message("link.busy"), Message("link.busy.text")
    return Notice(title.text(language), text.text(language), 429)


def moment(at: datetime, language: str) -> str:
    """
    Return a moment in UTC, as a language writes it.

    >>> moment(datetime(2026, 12, 3, 18, tzinfo=UTC), "de")
    '3. Dezember 2026, 18:00 UTC'
    """
    from babel.dates import format_date, format_time

    at = at.astimezone(UTC)
    day, time = format_date(at, "long", locale=language), format_time(at, "short", locale=language)
    return f"{day}, {time} UTC"


def direction(language: str) -> str:
    """
    Return the direction that a language is written in.

    >>> direction("de"), direction("ar")
    ('ltr', 'rtl')
    """
    from babel import Locale

    return str(Locale(language).text_direction)
