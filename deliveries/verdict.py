"""Decide what follows an attempt. Spec: Events > Delivery and retry."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Literal

DAY_S = 86_400
WAITS_S = (5, 20, 80, 320, 1_280, 5_120, 20_480, DAY_S, DAY_S, DAY_S, DAY_S)
CHECK_WAITS_S = (2, 8)  # a person waits in review: soon, or not at all
JITTER = 0.2


@dataclass(frozen=True, slots=True)
class Final:
    """No further attempt will be made."""

    state: Literal["delivered", "rejected", "exhausted"]
    hint: str = ""


@dataclass(frozen=True, slots=True)
class RetryIn:
    """The host may take it later."""

    wait: timedelta


Verdict = Final | RetryIn

TOO_LARGE = "The host answered 413: body too large. Raise the host's limit, or resend in parts."
GONE = "The host answered 410: the endpoint is gone. Delete this registration or fix its URL."


def judge(
    *,
    http_status: int | None,
    waits_used: int,
    waits_s: Sequence[int] = WAITS_S,
    retry_after_s: float | None = None,
    dice: float = 0.5,
) -> Verdict:
    """
    Judge one attempt.

    http_status: the host's answer; None without a complete answer. 2xx is done, every 4xx is final,
    everything else is retried, including redirects. waits_used: how many waits of the schedule are
    used. dice: a number from 0 to 1 that picks the jitter, 0.5 for none.
    """
    if http_status is not None and 200 <= http_status < 300:
        return Final("delivered")
    if http_status is not None and 400 <= http_status < 500:
        return Final("rejected", {413: TOO_LARGE, 410: GONE}.get(http_status, ""))
    if waits_used >= len(waits_s):
        return Final("exhausted")
    wait_s = waits_s[waits_used] * (1 + JITTER * (2 * dice - 1))
    if retry_after_s is not None and http_status is not None and http_status >= 500:
        wait_s = min(max(wait_s, retry_after_s), 2 * wait_s)
    return RetryIn(timedelta(seconds=wait_s))


def read_retry_after(text: str | None, *, at: datetime) -> float | None:
    """
    Parse a Retry-After header (RFC 9110, 10.2.3) as seconds from ``at``; None if invalid.

    >>> read_retry_after("120", at=datetime(2026, 11, 20, tzinfo=UTC))
    120.0
    >>> read_retry_after("Fri, 20 Nov 2026 00:01:00 GMT", at=datetime(2026, 11, 20, tzinfo=UTC))
    60.0
    """
    text = (text or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - at).total_seconds())
