"""
How a worker fetches what a host has for the keys of an import.

No transaction and no lock is held while a host is waited for, only the claim on the lookup. Each
page that arrives is stored in a transaction of its own, fenced by that claim: what the host has for
its keys, and that they were answered. So a worker that is killed continues with what is missing,
and no import is compared before all of it is there.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import Error as DatabaseError
from django.db import transaction
from django.db.models import F

from changesets.features import answering
from changesets.lookups import state, transitions
from changesets.lookups.keys import (
    REF,
    Answers,
    all_rows,
    answers_of,
    digests_of,
    missing_keys,
    pages_of,
)
from changesets.lookups.model import LookedUpKeys, Lookup
from common import clock
from common.errors import IllegalMove, StaleState
from common.secrets import SecretUnreadable
from common.wording.messages import Message, stored
from common.work.claims import ClaimLost, claim, due, held, renewed
from deliveries.services.health import note_failing, note_healthy
from deliveries.services.lookups import MOST_KEYS, TOO_LATE, Answered, Inquiry, Page, asking
from deliveries.tasks import shared_client
from imports.models import ImportRecord
from references import key_index
from references import services as references
from references.snapshots import Unacceptable, read_snapshot
from staging import selectors as staging
from tabular.model.defect import defect_of

if TYPE_CHECKING:
    from deliveries.models import Registration
    from references.models import KnownSet
    from tabular.resolving.resolution import Wanted

logger = logging.getLogger(__name__)

AT_ONCE = 2  # lookups of a process; one of each tenant, so that a slow host delays only its own
LIMIT_S = 300.0  # for all pages; what was answered by then is kept
MOST_TRIES = 3
LOOK_EVERY_S = 0.1  # while another worker holds the lookup
_places = threading.BoundedSemaphore(AT_ONCE)
# An error raised by our own code for some data; its message may quote them.
ALWAYS_SO = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
State = Lookup.State


class Refused(Exception):
    """
    The host did not answer as it must.

    key: of the message. forgets: whether its earlier answers are in doubt, too. is_of_host: whether
    it counts for the health of the receiver. members: what the problem says besides, for the host's
    developer.
    """

    def __init__(
        self, key: str, *, forgets: bool = False, is_of_host: bool = True, **members: Any
    ) -> None:
        super().__init__(key)
        self.key, self.forgets, self.members = key, forgets, members
        self.is_of_host = is_of_host


def look_up_due() -> None:
    """Carry out the lookups that are due, a few at a time in a process."""
    if not _places.acquire(blocking=False):
        return  # the threads that look up find this one too
    try:
        while claimed := _claimed():
            _settle(claimed)
    finally:
        _places.release()


def due_lookups(limit: int) -> list[str]:
    """Return lookups that are due and unclaimed, oldest first."""
    mine = Lookup.objects.filter(due(clock.now())).order_by("due_at")
    return list(mine.values_list("public_id", flat=True)[:limit])


def ensure(record: ImportRecord) -> None:
    """
    Fetch in this process what is missing, or wait for the worker that does.

    Raise LookupFailed if the host does not answer.
    """
    state.begin(record, at=clock.now())
    work_off(record, is_over=record.is_claim_lost)
    record.require_claim()
    state.require(record)


def work_off(record: ImportRecord, *, is_over: Callable[[], bool] = lambda: False) -> None:
    """
    Carry out the lookup of an import if it is due; another worker may do so instead.

    is_over: whether the caller needs it no longer, such as a job whose import is cancelled.
    """
    looking = Lookup.objects.filter(record=record, state=State.LOOKING)
    while not is_over() and (lookup := looking.first()):
        mine = Lookup.objects.filter(pk=lookup.pk)
        if claimed := claim(mine, at=clock.now(), limit=1, tries=F("tries") + 1):
            _settle(claimed[0])
        else:
            time.sleep(LOOK_EVERY_S)


def _claimed() -> Lookup | None:
    at = clock.now()
    busy = Lookup.objects.filter(held(at), state=State.LOOKING).values("record__tenant")
    free = Lookup.objects.exclude(record__tenant__in=busy)
    claimed = claim(free, at=at, limit=1, tries=F("tries") + 1)
    return claimed[0] if claimed else None


def _settle(lookup: Lookup) -> None:
    record = ImportRecord.objects.select_related("tenant", "catalog_version__catalog").get(
        pk=lookup.record_id
    )
    try:
        if lookup.tries > MOST_TRIES:  # each of them killed the process
            raise Refused("lookup_failed.engine")
        with renewed([lookup]):
            revision, base = _fetch(lookup, record)
        transitions.finish(lookup, revision=revision, base=base, at=clock.now())
    except (ClaimLost, StaleState, IllegalMove, Lookup.DoesNotExist):
        logger.info("%s: no longer needed, or another worker has it", lookup.public_id)
    except Refused as refused:
        _fail(lookup, record, refused)
    except (*ALWAYS_SO, DatabaseError) as error:
        # Log it without its message, which may quote keys; so may that of a database.
        logger.error("%s: failed: %s", lookup.public_id, defect_of(error, field="", step="lookup"))
        _fail(lookup, record, Refused("lookup_failed.engine"))
    except Exception:
        logger.exception("%s: attempt %d failed", lookup.public_id, lookup.tries)
        _fail(lookup, record, Refused("lookup_failed.engine"))


def _fail(lookup: Lookup, record: ImportRecord, refused: Refused) -> None:
    registration = answering(record)
    receiver = (registration.label if registration else "") or lookup.webhook_id
    message = Message(refused.key, receiver=receiver)
    problem = {
        "code": state.LookupFailed.code,
        "detail": stored(message),
        "key": refused.key,
        "receiver": receiver,
        "members": refused.members,
    }
    logger.warning("%s: %s, %s", lookup.public_id, refused.key, refused.members)
    try:
        transitions.fail(
            lookup,
            revision=record.revision,
            problem=problem,
            forgets=refused.forgets,
            at=clock.now(),
        )
    except (ClaimLost, StaleState, IllegalMove):
        logger.info("%s: the claim was lost before the failure was written", lookup.public_id)


def _fetch(lookup: Lookup, record: ImportRecord) -> tuple[int, int]:
    """
    Ask for every key that is missing, and store the answers.

    Return the revision that is answered with its base; zeros if the host was not asked about all of
    it, so that the next call begins again.
    """
    registration = answering(record)
    table = staging.at_revision(record.public_id, record.revision)
    if table is None or record.state not in state.COMPARED:  # purged, or no longer compared
        return 0, 0
    if registration is None or registration.public_id != lookup.webhook_id:
        return 0, 0
    answers = answers_of(lookup)
    wanted = missing_keys(table, all_rows(table), answers)
    if not _Fetching(lookup, record, registration, answers, wanted).run():
        return 0, 0
    return table.revision.number, table.revision.base or table.revision.number


class _Fetching:
    """One run over the keys that are missing."""

    def __init__(
        self,
        lookup: Lookup,
        record: ImportRecord,
        registration: Registration,
        answers: Answers,
        wanted: Mapping[str, Wanted],
    ) -> None:
        self._lookup, self._record, self._registration = lookup, record, registration
        self._answers, self._wanted = answers, wanted
        self._sets = {name: self._set_of(name) for name in wanted}
        self._outdated: list[Page] = []  # are asked for once more, after the others
        self._is_last = False
        # By entity and ref: what was delivered last of entities that were removed by this run.
        self._removed: dict[str, dict[str, Any]] = {name: {} for name in wanted}

    def _set_of(self, entity: str) -> KnownSet:
        """Return the set of the scope, which is there even if the host knows none of the keys."""
        known_set = references.set_of(
            tenant=self._record.tenant, scope=self._record.scope, entity=entity
        )
        key_index.require(known_set, [self._wanted[entity].key], blocks=False)
        return known_set

    def run(self) -> bool:
        """
        Ask and store, page by page. Raise Refused at the first answer that is not one.

        Return whether all was asked: not if the import is cancelled or the registration deleted.
        """
        if not any(len(item.exact[item.key]) for item in self._wanted.values()):
            return True
        try:
            inquiry = Inquiry.to(
                self._registration,
                scope=self._record.scope,
                catalog_key=self._record.catalog_key,
                limit_s=LIMIT_S,
                client=shared_client(),
            )
        except SecretUnreadable as error:
            raise Refused("lookup_failed.engine", errorClass="secret_unreadable") from error
        try:
            is_whole = self._ask(inquiry, self._pages())
            if is_whole and (outdated := tuple(self._outdated)):  # by a delivery meanwhile
                self._is_last = True
                is_whole = self._ask(inquiry, iter(outdated))
        except Refused as refused:
            if refused.is_of_host:
                note_failing(self._registration.pk, failures=1, at=clock.now())
            raise
        note_healthy([self._registration.pk])
        return is_whole

    def _ask(self, inquiry: Inquiry, pages: Iterator[Page]) -> bool:
        with asking(inquiry, pages) as answered:
            for item in answered:
                if not self._is_needed():
                    return False
                self._take(item)
        return True

    def _is_needed(self) -> bool:
        records = ImportRecord.objects.filter(pk=self._record.pk, state__in=state.COMPARED)
        hook = answering(self._record)
        return hook is not None and hook.pk == self._registration.pk and records.exists()

    def _pages(self) -> Iterator[Page]:
        for name, wanted in self._wanted.items():
            yield from (Page(name, keys) for keys in pages_of(wanted, MOST_KEYS))

    def _take(self, item: Answered) -> None:
        answer, page = item.answer, item.page
        if answer.error_class == TOO_LATE:
            raise Refused("lookup_failed.late")
        if answer.http_status is None:
            raise Refused("lookup_failed.unreachable", errorClass=answer.error_class)
        if answer.http_status != 200:
            raise Refused("lookup_failed.status", httpStatus=answer.http_status)
        key = self._wanted[page.entity].key
        try:
            snapshot = read_snapshot(answer.content, key=key, requested=page.keys)
        except Unacceptable as error:
            raise Refused("lookup_failed.answer", entity=page.entity, why=str(error)) from error
        refs = digests_of(REF, [entity.ref for entity in snapshot.items]).tolist()
        seen = self._answers.refs.setdefault(page.entity, set())
        if not seen.isdisjoint(refs):
            why = "a ref was in the answer about another key"
            raise Refused("lookup_failed.answer", forgets=True, entity=page.entity, why=why)
        since = self._lookup.since
        try:
            self._store(item, snapshot.items, refs, as_of=snapshot.as_of or item.at)
        except references.SnapshotOutdated as error:
            self._lookup.since = since  # as it is stored: what was written was rolled back
            if not self._is_last:
                self._outdated.append(page)
                return
            is_of_host = snapshot.as_of is not None
            raise Refused(
                "lookup_failed.outdated", is_of_host=is_of_host, entity=page.entity
            ) from error
        seen.update(refs)

    def _store(self, item: Answered, items: Any, refs: list[int], *, as_of: datetime) -> None:
        import numpy as np

        page, lookup, at = item.page, self._lookup, clock.now()
        key = self._wanted[page.entity].key
        with transaction.atomic():
            # A page that was stored is progress: only what kills a worker at once counts.
            lookup.update_as_claimed(since=lookup.since or item.at, tries=1)
            references.replace_under_keys(
                self._sets[page.entity],
                items,
                key=key,
                requested=set(page.keys),
                as_of=as_of,
                at=at,
                removed=self._removed[page.entity],
            )
            LookedUpKeys.objects.create(
                lookup=lookup,
                entity=page.entity,
                keys=digests_of(key, list(page.keys)).tobytes(),
                refs=np.array(refs, np.int64).tobytes(),
            )
