"""How a language writes moments, and in which direction. Pure."""

from datetime import UTC, datetime


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
