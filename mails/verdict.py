"""What becomes of a mail after a try, by the mail server's answer. Pure."""

import smtplib
from dataclasses import dataclass
from datetime import timedelta

WAITS = tuple(timedelta(minutes=m) for m in (1, 5, 30, 120, 360, 1_440))


@dataclass(frozen=True, slots=True)
class GivenUp:
    """No further try is made. problem: a code."""

    problem: str


@dataclass(frozen=True, slots=True)
class TryAgain:
    """The next try is made after a wait."""

    problem: str
    wait: timedelta


def judge(error: OSError, *, tries: int) -> GivenUp | TryAgain:
    """
    Return what becomes of a mail that was not sent. tries: how many were made, this one included.

    >>> judge(smtplib.SMTPDataError(554, b"spam"), tries=1)
    GivenUp(problem='smtp_554')
    >>> judge(ConnectionRefusedError(), tries=1).wait.seconds
    60
    >>> judge(TimeoutError(), tries=7)
    GivenUp(problem='TimeoutError')
    """
    code = _code(error)
    problem = f"smtp_{code}" if code else type(error).__name__[:40]
    # A rejected sign-in is the operator's to correct: the mail itself is fine.
    is_final = code >= 500 and not isinstance(error, smtplib.SMTPAuthenticationError)
    if is_final or tries > len(WAITS):
        return GivenUp(problem)
    return TryAgain(problem, WAITS[tries - 1])


def _code(error: OSError) -> int:
    """Return the server's code; 0 if it gave none. A mail has one recipient."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return next((code for code, _ in error.recipients.values()), 0)
    return error.smtp_code if isinstance(error, smtplib.SMTPResponseException) else 0
