"""What a link keeps of the settings of its sessions. Pure."""

from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from licensing.sessions import Wanted

SETS = ("invalid_rows", "rights")
OF_A_SESSION = ("origin", "expires_at", "corrects")  # set when a browser opens the page


def as_json(wanted: Wanted) -> dict[str, Any]:
    """Return settings as a link stores them."""
    kept = {name: value for name, value in asdict(wanted).items() if name not in OF_A_SESSION}
    return kept | {name: sorted(kept[name]) for name in SETS}


def wanted_by(terms: dict[str, Any]) -> Wanted:
    """
    Return the settings that a link stores.

    >>> wanted = Wanted(scope="acme", rights=frozenset({"context"}))
    >>> wanted_by(as_json(wanted)) == wanted
    True
    """
    return Wanted(**(terms | {name: frozenset(terms[name]) for name in SETS}))


def for_page(
    terms: dict[str, Any], *, origin: str, expires_at: datetime, corrects: str = ""
) -> Wanted:
    """
    Return the settings of one session: only for pages of this origin, and for a short time.

    Who has a link is not known, so the session reaches nothing that others in its scope import.
    corrects: the one import that it reaches instead of its own.
    """
    wanted = replace(wanted_by(terms), own_only=True, corrects=corrects)
    return replace(wanted, origin=origin, expires_at=expires_at)
