"""
Advance an import, job by job, until a person must act.

This package is above all that know a job, so it names that of each state; nothing registers itself.
Only one worker holds the claim at a time. A job writes only to new file names and changes the state
last, so a job that died half way simply runs again.
"""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import Error as DatabaseError
from django.db.models import Count, Min, QuerySet

from changesets.exported import refused_rows
from changesets.features import answering
from changesets.lookups import state as lookups
from changesets.lookups.state import LookupFailed
from changesets.lookups.worker import work_off
from changesets.reversal import write_reverts
from changesets.services import write_deliveries
from common import clock
from common.errors import IllegalMove, StaleState
from common.logs import context
from common.work.claims import LEASE, ClaimLost, claim, due, renewed
from common.work.life import tell
from contracts.services.checks import carry_out_check
from imports import transitions
from imports.jobs.read import read
from imports.jobs.transform import transform
from imports.models import ImportRecord
from imports.progress import Reporter
from previews.draft_test import carry_out_test
from previews.impact import look_at_rows
from previews.inference import suggest_catalog
from sandbox import (
    JobBroken,
    JobCancelled,
    JobFailed,
    JobKilled,
    more_slots,
    reader_broke,
    reader_killed,
)
from tabular.model.defect import defect_of
from tabular.model.problem import TabularProblem
from workflow.fairness import LIGHT_BYTES, JobSlots, Queue, Whose, in_fair_order
from workflow.handover import HANDOVER, hand_over

logger = logging.getLogger(__name__)

Job = Callable[[ImportRecord, Reporter], None]
State, Purpose = ImportRecord.State, ImportRecord.Purpose
WAITS = (timedelta(seconds=1), timedelta(seconds=10), timedelta(seconds=60))
# An error raised by our own code for some data would be raised again by each retry.
ALWAYS_SO = (JobBroken, TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
FAILED = "The engine failed on this file and logged the error. Retry, or contact the operator."
KILLED = "This step stopped twice, probably out of memory. Split the file, or contact the operator."
LOOK_EVERY_S = 0.2  # while another worker holds the import
WAKE_UPS = 16  # per sweep; a woken worker continues while work is due

JOB_SLOTS = JobSlots(settings.JOBS_AT_ONCE)  # of this process


def transform_and_look_up(record: ImportRecord, reporter: Reporter) -> None:
    """Make the rows, then have their host asked about their keys while people review them."""
    transform(record, reporter)
    try:
        if answering(record) is not None:
            lookups.begin(record, at=clock.now())
    except DatabaseError as error:  # the rows are there; the first call that compares them begins
        logger.warning("%s: no lookup was begun: %s", record.public_id, type(error).__name__)


JOBS: Mapping[str, Job] = {
    State.READING: partial(read, refused_rows=refused_rows),
    State.TRANSFORMING: transform_and_look_up,
    State.APPLYING: write_deliveries,
    State.REVERTING: write_reverts,
}
# What reading means for a file that does not become an import.
READING: Mapping[str, Job] = {
    Purpose.CHECK: carry_out_check,
    Purpose.INFER: suggest_catalog,
    Purpose.TEST: carry_out_test,
    Purpose.IMPACT: look_at_rows,
}


def job_of(record: ImportRecord) -> Job:
    """Return the job of an import's state. Raise KeyError if no worker has work to do."""
    if record.state == State.READING and record.purpose in READING:
        return READING[record.purpose]
    return JOBS[record.state]


def advance(record_id: str) -> None:
    """Run the due jobs of one import; do nothing if it is claimed or not due."""
    mine = ImportRecord.objects.filter(public_id=record_id, state__in=tuple(JOBS))
    _carry_on(claim(mine, at=clock.now(), limit=1, lease=LEASE))


def finish(record: ImportRecord) -> ImportRecord:
    """Advance an import until a person must act; another worker may do the work instead."""
    while True:
        advance(record.public_id)
        record = ImportRecord.objects.select_related("catalog_version__catalog", "tenant").get(
            pk=record.pk
        )
        if not record.is_working:
            if answering(record) is not None:
                work_off(record)
            return record
        time.sleep(LOOK_EVERY_S)


def advance_fairly(wanted: str) -> None:
    """
    Run due jobs in fair order until none can start here, or this worker is asked to stop.

    wanted: the import that a message named; it comes first among those of its tenant and scope.
    """
    while not JOB_SLOTS.is_full and not HANDOVER.has_begun:
        claimed, is_reserved = _begin_fairly(wanted)
        if not claimed:
            return
        try:
            with more_slots(int(is_reserved)):
                _carry_on(claimed)
        finally:
            JOB_SLOTS.leave(claimed[0].tenant_id)


def _carry_on(claimed: list[ImportRecord]) -> None:
    for record in claimed:
        reporter = Reporter(record)
        ids = {"import": record.public_id, "tenant": record.tenant.public_id}
        with (
            context.about(ids),
            renewed(claimed, on_lost=reporter.stop),
            HANDOVER.covers(reporter),
        ):
            _run(record, reporter)
            if HANDOVER.has_begun and record.state in JOBS:
                hand_over(record)


def _run(record: ImportRecord, reporter: Reporter) -> None:
    while record.state in JOBS and record.due_at is not None and not HANDOVER.has_begun:
        state = record.state
        try:
            job_of(record)(record, reporter)
        except (ClaimLost, StaleState, IllegalMove, JobCancelled):
            if not HANDOVER.has_begun:
                _tell_lost(record, state)
            return
        except LookupFailed as refused:
            _persist(record, partial(_fail, record, refused.for_import().to_store()))
            return
        except TabularProblem as problem:
            _persist(record, partial(_fail, record, problem.as_dict()))
            return
        except ALWAYS_SO as error:
            # Log it without its message, which may quote cells.
            what = error if isinstance(error, JobFailed) else defect_of(error, field="", step=state)
            logger.error("%s: failed while %s: %s", record.public_id, state, what)
            will_recur = isinstance(error, JobBroken)
            failed = partial(_fail, record, _broken(state, error, will_recur=will_recur))
            _persist(record, failed)
            return
        except Exception as error:
            if not isinstance(error, JobFailed):
                logger.exception("%s: failed while %s", record.public_id, state)
            _persist(record, partial(_try_again, record, error))
            return


def _persist(record: ImportRecord, write: Callable[[], object]) -> None:
    """Record how a job failed, unless the claim is lost."""
    state = record.state
    try:
        # What a transaction that was rolled back had set here was never stored.
        record.refresh_from_db(fields=("state", "version", "progress", "failure"))
        write()
    except (ClaimLost, StaleState, IllegalMove, ImportRecord.DoesNotExist):
        _tell_lost(record, state)


def _tell_lost(record: ImportRecord, state: str) -> None:
    """Log that work under a claim is discarded: the claim was taken over, or the work ended."""
    now = ImportRecord.objects.filter(pk=record.pk).values_list("state", "claim_no").first()
    after, claim_no = now or ("deleted", record.claim_no)
    cause = "claim_lost" if claim_no != record.claim_no else "moved"
    about = {**record.log_members(), "claim": record.claim_no, "cause": cause}
    kind = record._meta.verbose_name_raw
    tell(kind, record.public_id, before=state, after=after, about=about, level=logging.WARNING)


def _fail(record: ImportRecord, problem: dict[str, object]) -> None:
    transitions.fail(record, problem, at=clock.now())


def _try_again(record: ImportRecord, error: Exception) -> None:
    """
    Schedule a retry of what may have been the machine's fault; fail after the last one.

    If the same failure occurs twice, the file or the engine is at fault, and there is no third try.
    """
    tries = record.progress.tries
    logger.error("%s: attempt %d: %s", record.public_id, tries + 1, error)
    sign = error.sign if isinstance(error, JobFailed) else ""
    is_same = bool(sign) and tries > 0 and record.progress.sign == sign
    if tries < len(WAITS) and not is_same:
        record.update_as_claimed(
            progress=replace(record.progress, tries=tries + 1, sign=sign),
            due_at=clock.now() + WAITS[tries],
            claimed_until=None,
        )
        return
    _fail(record, _broken(record.state, error, will_recur=is_same))


def _broken(state: str, error: Exception, *, will_recur: bool) -> dict[str, object]:
    """
    Return the details of an engine failure, including the step it occurred in.

    will_recur: whether this file is sure to cause it again, so that another file may help.
    """
    is_killed = isinstance(error, JobKilled)
    if will_recur and state == State.READING:
        problem = reader_killed() if is_killed else reader_broke()
        return {**problem.as_dict(), "step": str(state)}
    if will_recur and is_killed:
        return {"code": "job_killed", "detail": KILLED, "step": str(state)}
    return {"code": "internal_error", "detail": FAILED, "step": str(state)}


def due_imports(limit: int = WAKE_UPS) -> list[str]:
    """Return imports that are due and unclaimed, oldest first; each wake-up finds more itself."""
    return list(_waiting().order_by("due_at").values_list("public_id", flat=True)[:limit])


def _waiting() -> "QuerySet[ImportRecord]":
    return ImportRecord.objects.filter(due(clock.now()), state__in=tuple(JOBS))


def _begin_fairly(wanted: str) -> tuple[list[ImportRecord], bool]:
    """Claim the next import in turn; return it and whether its slot is a reserved one."""
    with JOB_SLOTS.lock:
        for queue in JOB_SLOTS.allowed(in_fair_order(_queues(), _running())):
            mine = _waiting().filter(tenant_id=queue.tenant, scope=queue.scope)
            if JOB_SLOTS.takes_only_light(queue.tenant):
                mine = mine.filter(size__lt=LIGHT_BYTES)
            preferred = mine.filter(public_id=wanted)
            for some in (preferred, mine):
                if claimed := claim(some, at=clock.now(), limit=1, lease=LEASE):
                    return claimed, JOB_SLOTS.enter(queue.tenant)
    return [], False


def _queues() -> list[Queue]:
    first = _waiting().values("tenant_id", "scope").annotate(since=Min("due_at")).order_by()
    return [Queue(row["tenant_id"], row["scope"], row["since"]) for row in first]


def _running() -> dict[Whose, int]:
    held = ImportRecord.objects.filter(claimed_until__gt=clock.now(), state__in=tuple(JOBS))
    counts = held.values("tenant_id", "scope").annotate(count=Count("pk")).order_by()
    return {(row["tenant_id"], row["scope"]): row["count"] for row in counts}
