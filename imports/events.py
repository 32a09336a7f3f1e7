"""Audit log entries about one import, and notices to the hosts that ask for them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, get_args

from common import events
from common.actors import Actor
from deliveries.services.notices import Notice, announce
from imports.models import ImportRecord
from ledger.selectors import open_questions

State = ImportRecord.State
OF_STATES: dict[str, Notice] = {
    State.MAPPING: "import.waiting",
    State.REVIEW: "import.waiting",
    State.STAGED: "import.waiting",
    State.FAILED: "import.failed",
    State.APPLIED: "import.applied",
}
WaitsFor = Literal["sender", "staff", "agent", "approver"]
Why = Literal[
    "mapping",
    "questions",
    "corrections",
    "rows_with_errors",
    "apply",
    "approval",
    "second_person",
    "changed_since_approval",
    "revert",
    "conflicts",
    "feed_rules",
]
WAITS_FOR: tuple[WaitsFor, ...] = get_args(WaitsFor)
WHY: tuple[Why, ...] = get_args(Why)


def note(
    record: ImportRecord,
    kind: events.Kind,
    *,
    actor: Actor,
    at: datetime,
    rule: str = "",
    **about: Any,
) -> None:
    """Record an event of an import, in the transaction in which it happens."""
    events.note(
        tenant=record.tenant.public_id,
        kind=kind,
        subject=record.public_id,
        record=record.public_id,
        actor=actor,
        at=at,
        rule=rule,
        about=about,
    )


def announce_state(
    record: ImportRecord, *, at: datetime, why: Sequence[Why] = (), **about: Any
) -> None:
    """
    Announce the state that an import entered, in the transaction of the move.

    why: what it waits for, where the state does not tell.
    """
    kind = OF_STATES.get(record.state)
    if kind == "import.waiting":
        _announce_wait(record, why, at=at)
    elif kind is not None:
        announce_import(record, kind, at=at, state=record.state, **about)


def _announce_wait(record: ImportRecord, why: Sequence[Why], *, at: datetime) -> None:
    """Announce that an import waits, unless it waited for the same when it was announced last."""
    if record.purpose != ImportRecord.Purpose.IMPORT or is_undecided(record):
        return
    actor, reasons = who_must_act(record), list(why or why_it_waits(record))
    wait = f"{actor}: {', '.join(reasons)}"
    if wait == record.announced_wait:
        return
    about = {"state": record.state, "for": actor, "why": reasons}
    hosts = announce_import(record, "import.waiting", at=at, **about)
    if hosts or record.announced_wait:
        record.write(announced_wait=wait if hosts else "")


def is_undecided(record: ImportRecord) -> bool:
    """Return whether a feed may still apply an import by itself: no person is waited for yet."""
    is_ready = record.state == State.REVIEW
    return is_ready and record.origin is not None and record.held is None


def who_must_act(record: ImportRecord) -> WaitsFor:
    """
    Return who must act next.

    The sender is a person at a page or a link, or one that the host names. ``agent`` is the person
    an agent works for. What a server sends without naming a person waits for staff.
    """
    if record.state == State.STAGED:
        return "approver"
    by = record.started_by or {}
    if by.get("kind") == "agent":
        return "agent"
    is_hosts = by.get("kind") == "person" and by.get("id") == record.license_id
    return "sender" if record.session_id or record.from_page or is_hosts else "staff"


def why_it_waits(record: ImportRecord) -> list[Why]:
    """Return what an import waits for, as its state, its questions and its counts tell."""
    if record.state == State.STAGED:
        return ["approval"]
    why: list[Why] = []
    if open_questions(record.tenant, record.public_id).exists():
        why.append("questions")
    if record.state == State.MAPPING:
        return why if why and record.auto_map else [*why, "mapping"]
    if record.counts.get("error"):
        why.append("rows_with_errors")
    if record.held:
        why.append("feed_rules")
    return why or ["apply"]


def announce_import(record: ImportRecord, kind: Notice, *, at: datetime, **about: Any) -> int:
    """
    Announce what happened to an import, in its transaction; return to how many hosts.

    Only imports have notices, samples and checks have none.
    """
    if record.purpose != ImportRecord.Purpose.IMPORT:
        return 0
    return announce(
        tenant=record.tenant,
        kind=kind,
        subject=record.public_id,
        at=at,
        record_id=record.public_id,
        catalog_key=record.catalog_key,
        about=about,
    )
