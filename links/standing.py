"""What a link is to the browser that asks for it. Pure."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from links.models import Link


class Standing(StrEnum):
    """What the page of a link shows."""

    START = "start"  # this browser may open it
    GO_ON = "go_on"  # this browser opened it
    DONE = "done"  # this browser sent all that could be sent
    FULL = "full"  # other browsers started all imports
    USED = "used"  # another browser opened it
    EXPIRED = "expired"
    REVOKED = "revoked"
    LOCKED = "locked"  # too many wrong codes
    CLOSED = "closed"  # the import that it corrects takes no corrections any more


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known when a browser asks. left: how many imports may still be started."""

    is_known: bool = False  # this browser opened the link
    has_sent: bool = False  # an import that it started counts
    is_busy: bool = False  # an import that this browser started is not finished
    left: int = 1
    license_is_valid: bool = True
    is_awaited: bool = True  # the import that it corrects, if any, may still be corrected


def standing(link: Link, seen: Seen, *, at: datetime) -> Standing:
    """Return what a link is to a browser."""
    if not seen.is_awaited:
        return Standing.CLOSED
    if link.state == Link.State.REVOKED or not seen.license_is_valid:
        return Standing.REVOKED
    if is_expired(link, at=at):
        return Standing.EXPIRED
    if seen.is_known:
        if seen.left or seen.is_busy:
            return Standing.GO_ON
        return Standing.DONE if seen.has_sent else Standing.FULL
    if link.state == Link.State.USED:
        return Standing.USED if link.kind == Link.Kind.SINGLE else Standing.FULL
    if not seen.left:
        return Standing.FULL
    return Standing.LOCKED if link.locked_at is not None else Standing.START


def is_expired(link: Link, *, at: datetime) -> bool:
    """Return whether the time of a link is over, also if no task noted it so far."""
    return link.state == Link.State.EXPIRED or link.expires_at <= at


def state_of(link: Link, *, at: datetime) -> str:
    """Return the state that callers see."""
    is_over = link.state in {Link.State.EXPIRED, Link.State.REVOKED}
    return link.state if is_over or link.expires_at > at else Link.State.EXPIRED
