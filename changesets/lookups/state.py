"""
Whether an import was compared with what its host has, and what a call is answered until then.

A worker asks the host, never a call: a host that is slow would hold the threads that answer other
callers. So a call that needs the answers is refused with `looking_up`, and repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from changesets.comparison.known_rows import keyed_names
from changesets.features import answering
from changesets.lookups import transitions
from changesets.lookups.keys import all_rows, answers_of, edited_rows, missing_keys
from changesets.lookups.model import Lookup
from common import clock
from common.errors import Conflict, IllegalMove, StaleState
from common.rows import the_only
from common.wording.messages import Message
from imports.models import ImportRecord
from imports.selectors import NoRowsYet
from references.selectors import changed_since
from staging import selectors as staging

if TYPE_CHECKING:
    from deliveries.models import Registration
    from staging.columns import StagedTable

KEPT = timedelta(hours=1)  # answers: an import that waits longer asks again
RETRY_AFTER = "retryAfter"  # the member
RETRY_AFTER_S = 1
AGAIN_AFTER_S = 10  # after a failure, so that callers who repeat do not press a receiver
SHOWN = "shown"  # member of a stored problem: a call was refused with it
State, ImportState = Lookup.State, ImportRecord.State
# A failed import goes on where it failed once a person retries it.
COMPARED = frozenset({ImportState.REVIEW, ImportState.APPLYING, ImportState.FAILED})
# Their rows are old, and their host is not asked.
UNCOMPARED = frozenset(
    {
        ImportState.RECEIVED,
        ImportState.READING,
        ImportState.MAPPING,
        ImportState.TRANSFORMING,
        ImportState.CANCELLED,
    }
)


class LookingUp(Conflict):
    """The engine asks a receiver for known records. Repeat the call in a moment."""

    code = "looking_up"


class LookupFailed(Conflict):
    """A receiver did not answer for known records. Correct it, then retry."""

    code = "lookup_failed"

    def for_page(self) -> LookupFailed:
        """Return the same for a page: without what the receiver answered."""
        return self._with({name for name in self.members if name == RETRY_AFTER})

    def for_import(self) -> LookupFailed:
        """Return the same as the problem of an import, which does not say when to retry."""
        return self._with(self.members.keys() - {RETRY_AFTER})

    def _with(self, kept: AbstractSet[str]) -> LookupFailed:
        members = {name: value for name, value in self.members.items() if name in kept}
        return LookupFailed(self.message, members=members)


def problem_for_page(problem: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the problem of an import for a page: without what a receiver answered."""
    if problem is None or problem["code"] != LookupFailed.code:
        return problem
    return {name: problem[name] for name in ("code", "detail")}


def begin(record: ImportRecord, *, at: datetime, again: bool = True) -> None:
    """Have the host asked about the keys of the rows, if it answers lookups and was not asked."""
    due = _due(record, at)
    if due is None or record.state in UNCOMPARED:
        return
    lookup, webhook_id = due.lookup, due.registration.public_id
    if lookup is None:
        transitions.begin(record, webhook_id=webhook_id, at=at)
    elif lookup.state != State.LOOKING and (again or not _has_just_failed(lookup, record, at)):
        forgets = not _is_kept(lookup, record, due.names, webhook_id, at)
        try:
            transitions.begin_again(lookup, webhook_id=webhook_id, forgets=forgets, at=at)
        except (StaleState, IllegalMove):
            return  # another call began it at this moment


def require(record: ImportRecord, *, at: datetime | None = None) -> None:
    """
    Return if the rows can be compared with what the host has; else have it asked.

    Raise LookingUp until it answered, and LookupFailed for some seconds after it did not; later
    still once, if no call was refused with it. Raise NoRowsYet where the rows are being made again,
    or are given up, and the host was not asked about them.
    """
    at = at or clock.now()
    due = _due(record, at)
    if due is None:
        return
    if record.state in UNCOMPARED:
        raise NoRowsYet
    lookup = due.lookup
    refusal = _refusal(lookup, record) if lookup is not None else None
    if lookup is not None and refusal is not None:
        if _has_just_failed(lookup, record, at):
            _note_shown(lookup)
            raise refusal
        begin(record, at=at, again=False)
        if not (lookup.problem or {}).get(SHOWN):
            refusal.members[RETRY_AFTER] = RETRY_AFTER_S
            raise refusal
    begin(record, at=at, again=False)
    raise LookingUp(members={RETRY_AFTER: RETRY_AFTER_S})


def ask_anyway(record: ImportRecord, refusal: LookingUp | LookupFailed) -> None:
    """
    Have the host asked although a transaction ended with this refusal.

    What ``require`` wrote there is rolled back with it.
    """
    begin(record, at=clock.now(), again=False)
    if not isinstance(refusal, LookupFailed):
        return
    if lookup := Lookup.objects.filter(record=record, state=State.FAILED).first():
        _note_shown(lookup)


def is_looking(record: ImportRecord) -> bool:
    """Return whether a worker asks, or is about to ask, the host about the keys of an import."""
    return Lookup.objects.filter(record=record, state=State.LOOKING).exists()


def _refusal(lookup: Lookup, record: ImportRecord) -> LookupFailed | None:
    """Return why the host did not answer for the rows as they are, if it did not."""
    if lookup.state != State.FAILED or lookup.revision != record.revision:
        return None
    problem = lookup.problem or {}
    how = {"webhookId": lookup.webhook_id, RETRY_AFTER: AGAIN_AFTER_S}
    message = Message(problem["key"], receiver=problem["receiver"])
    return LookupFailed(message, members={**problem["members"], **how})


def _note_shown(lookup: Lookup) -> None:
    """Remember that a call was refused with this failure."""
    if lookup.problem and not lookup.problem.get(SHOWN):
        lookup.as_read().update(problem={**lookup.problem, SHOWN: True})


def forget(record: ImportRecord) -> None:
    """Delete what was fetched for an import; what is known of the host's records stays."""
    Lookup.objects.filter(record=record).delete()


@dataclass(frozen=True, slots=True)
class _Due:
    """Who is to be asked, about which entities, and the lookup so far."""

    registration: Registration
    names: Sequence[str]
    lookup: Lookup | None


def _due(record: ImportRecord, at: datetime) -> _Due | None:
    """Return who is to be asked; None if all keys are answered, or no host is ever asked."""
    if record.state not in COMPARED | UNCOMPARED:
        return None
    registration = answering(record)
    if registration is None:
        return None
    table = staging.at_revision(record.public_id, record.revision)
    if table is None or not (names := keyed_names(table.files.plan)):
        return None
    lookup = the_only(Lookup.objects.filter(record=record))
    due = _Due(registration, names, lookup)
    if lookup is None:
        return due
    if record.state in UNCOMPARED:
        is_done = lookup.state == State.DONE and lookup.revision == table.revision.number
        return None if is_done else due
    is_kept = _is_kept(lookup, record, names, registration.public_id, at)
    return None if is_kept and _is_answered(lookup, record, table) else due


def _is_answered(lookup: Lookup, record: ImportRecord, table: StagedTable) -> bool:
    """
    Return whether the host answered for every key.

    Rows that were edited neither now nor when it was asked have the keys of then.
    """
    if lookup.state != State.DONE:
        return False
    if lookup.revision == table.revision.number:
        return True
    if not lookup.revision or lookup.base != (table.revision.base or table.revision.number):
        return False
    former = staging.at_revision(record.public_id, lookup.revision)
    rows = all_rows(table) if former is None else edited_rows(table, former)
    missing = missing_keys(table, rows, answers_of(lookup, with_refs=False))
    if any(len(wanted.exact[wanted.key]) for wanted in missing.values()):
        return False
    # So that the next call need not look.
    lookup.as_read().filter(revision=lookup.revision).update(revision=table.revision.number)
    return True


def _is_kept(
    lookup: Lookup, record: ImportRecord, names: Sequence[str], webhook_id: str, at: datetime
) -> bool:
    """
    Return whether former answers count: recent ones of the registration that answers now.

    What was delivered or forgotten since is known otherwise than the host answered.
    """
    if lookup.webhook_id != webhook_id:
        return False
    since = lookup.since
    if since is None:
        return True
    return at - since < KEPT and not changed_since(
        since, tenant=record.tenant_id, scope=record.scope, names=names
    )


def _has_just_failed(lookup: Lookup, record: ImportRecord, at: datetime) -> bool:
    if lookup.state != State.FAILED or lookup.failed_at is None:
        return False
    is_same = lookup.revision == record.revision
    return is_same and at - lookup.failed_at < timedelta(seconds=AGAIN_AFTER_S)
