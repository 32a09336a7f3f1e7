"""
Whether an import was compared with what its host has, and what a call is answered until then.

A worker asks the host, never a call: a host that is slow would hold the threads that answer other
callers. So a call that needs the answers is refused with `looking_up`, and repeated.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from changesets.comparison.known_rows import keyed_names
from changesets.lookups import transitions
from changesets.lookups.keys import answers_of, edited_rows, missing_keys
from changesets.lookups.model import Lookup
from common import clock
from common.errors import Conflict, IllegalMove, StaleState
from common.rows import the_only
from common.wording.messages import Message
from deliveries import selectors as deliveries
from deliveries.services.registrations import LOOKUP
from imports.models import ImportRecord
from staging import selectors as staging

if TYPE_CHECKING:
    from deliveries.models import Registration
    from staging.columns import StagedTable

KEPT = timedelta(hours=1)  # answers: an import that waits longer asks again
RETRY_AFTER_S = 1
AGAIN_AFTER_S = 10  # after a failure, so that callers who repeat do not press a receiver
State = Lookup.State
COMPARED = frozenset({ImportRecord.State.REVIEW, ImportRecord.State.APPLYING})


class LookingUp(Conflict):
    """The engine asks a receiver for known records. Repeat the call in a moment."""

    code = "looking_up"


class LookupFailed(Conflict):
    """A receiver did not answer for known records. Correct it, then retry."""

    code = "lookup_failed"

    def for_page(self) -> LookupFailed:
        """Return the same for a page: without what the receiver answered."""
        kept = ("retryAfter",)
        members = {name: self.members[name] for name in kept if name in self.members}
        return LookupFailed(self.message, members=members)


def answering(record: ImportRecord) -> Registration | None:
    """Return the registration that answers the lookups of an import, if there is one."""
    if record.purpose != ImportRecord.Purpose.IMPORT or record.from_page:
        return None  # the page of an unknown visitor sees nothing of what is known
    registrations = deliveries.registrations_for(
        record.tenant, LOOKUP, catalog_key=record.catalog_key
    )
    return registrations[0] if registrations else None


def begin(record: ImportRecord, *, at: datetime, again: bool = True) -> None:
    """Have the host asked about the keys of the rows, if it answers lookups and was not asked."""
    due = _due(record, at)
    if due is None:
        return
    registration, lookup = due
    if lookup is None:
        transitions.begin(record, webhook_id=registration.public_id, at=at)
    elif lookup.state != State.LOOKING and (again or not _has_just_failed(lookup, record, at)):
        forgets = not _is_kept(lookup, registration, at)
        try:
            transitions.begin_again(
                lookup, webhook_id=registration.public_id, forgets=forgets, at=at
            )
        except (StaleState, IllegalMove):
            return  # another call began it at this moment


def require(record: ImportRecord, *, at: datetime | None = None) -> None:
    """
    Return if the rows can be compared with what the host has; else have it asked.

    Raise LookingUp until it answered, and LookupFailed for some seconds after it did not.
    """
    at = at or clock.now()
    due = _due(record, at)
    if due is None:
        return
    _, lookup = due
    if lookup is not None and lookup.state == State.FAILED:
        refuse_failed(lookup, record, at=at)
    begin(record, at=at, again=False)
    raise LookingUp(members={"retryAfter": RETRY_AFTER_S})


def refuse_failed(lookup: Lookup, record: ImportRecord, *, at: datetime) -> None:
    """Raise LookupFailed if the host has just failed to answer for the rows as they are."""
    if _has_just_failed(lookup, record, at):
        problem = lookup.problem or {}
        how = {"webhookId": lookup.webhook_id, "retryAfter": AGAIN_AFTER_S}
        message = Message(problem["key"], receiver=problem["receiver"])
        raise LookupFailed(message, members={**problem["members"], **how})


def forget(record: ImportRecord) -> None:
    """Delete what was fetched for an import; what is known of the host's records stays."""
    Lookup.objects.filter(record=record).delete()


def _due(record: ImportRecord, at: datetime) -> tuple[Registration, Lookup | None] | None:
    """Return who is to be asked, with the lookup so far; None if all keys are answered."""
    if record.state not in COMPARED:
        return None
    registration = answering(record)
    if registration is None:
        return None
    table = staging.at_revision(record.public_id, record.revision)
    if table is None or not keyed_names(table.files.plan):
        return None
    lookup = the_only(Lookup.objects.filter(record=record))
    if lookup is not None and _is_answered(lookup, registration, table, at):
        return None
    return registration, lookup


def _is_answered(
    lookup: Lookup, registration: Registration, table: StagedTable, at: datetime
) -> bool:
    """Return whether the host answered for every key; after an edit, of the edited rows."""
    if lookup.state != State.DONE or not _is_kept(lookup, registration, at):
        return False
    if lookup.revision == table.revision.number:
        return True
    if lookup.base != _base_of(table):
        return False
    missing = missing_keys(table, edited_rows(table), answers_of(lookup))
    return not any(len(wanted.exact[wanted.key]) for wanted in missing.values())


def _is_kept(lookup: Lookup, registration: Registration, at: datetime) -> bool:
    """Return whether former answers count: recent ones of the registration that answers now."""
    is_recent = lookup.since is None or at - lookup.since < KEPT
    return is_recent and lookup.webhook_id == registration.public_id


def _has_just_failed(lookup: Lookup, record: ImportRecord, at: datetime) -> bool:
    if lookup.state != State.FAILED or lookup.failed_at is None:
        return False
    is_same = lookup.revision == record.revision
    return is_same and at - lookup.failed_at < timedelta(seconds=AGAIN_AFTER_S)


def _base_of(table: StagedTable) -> int:
    return table.revision.base or table.revision.number
