"""Carry an import on, job by job, until somebody must act.

One worker at a time holds the claim. A job writes only to new file names and moves the state
last, so a job that died half way simply runs again.
"""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Min, QuerySet

from common import clock
from common.claims import LEASE, ClaimLost, claim, due, renewed
from common.errors import IllegalMove, StaleState
from imports.fairness import Queue, Turns, Whose, in_turn
from imports.jobs import JOBS, JOBS_OF_PURPOSE
from imports.models import ImportRecord
from imports.progress import Reporter
from imports.recording import end_questions
from sandbox import JobCancelled, JobFailed, more_places
from tabular.model.problem import TabularProblem

logger = logging.getLogger(__name__)

State = ImportRecord.State
WAITS = (timedelta(seconds=1), timedelta(seconds=10), timedelta(seconds=60))
LOOK_EVERY_S = 0.2  # while a worker beside us holds the import
WAKE_UPS = 16  # in one sweep; whoever wakes goes on while anything is due

TURNS = Turns(settings.JOBS_AT_ONCE)  # of this process


def advance(record_id: str) -> None:
    """Run the due jobs of one import; does nothing when it is held or not due."""
    mine = ImportRecord.objects.filter(public_id=record_id, state__in=tuple(JOBS))
    _carry_on(claim(mine, at=clock.now(), limit=1, lease=LEASE))


def finish(record: ImportRecord) -> ImportRecord:
    """Carry an import on until somebody must act; a worker beside us may do it instead."""
    while True:
        advance(record.public_id)
        record = ImportRecord.objects.select_related("catalog_version__catalog", "tenant").get(
            pk=record.pk
        )
        if not record.is_working:
            return record
        time.sleep(LOOK_EVERY_S)


def advance_fairly(wanted: str) -> None:
    """
    Run due jobs, whosever turn it is, until nothing is due that may begin here.

    wanted: the import that a message named; it comes first among those of its tenant and scope.
    """
    while not TURNS.is_full:
        claimed, is_reserved = _begin_fairly(wanted)
        if not claimed:
            return
        try:
            with more_places(int(is_reserved)):
                _carry_on(claimed)
        finally:
            TURNS.leave(claimed[0].tenant_id)


def _carry_on(claimed: list[ImportRecord]) -> None:
    for record in claimed:
        reporter = Reporter(record)
        with renewed(claimed, on_lost=reporter.stop):
            _run(record, reporter)


def _run(record: ImportRecord, reporter: Reporter) -> None:
    while record.state in JOBS and record.due_at is not None:
        state = record.state
        try:
            job = JOBS_OF_PURPOSE.get((record.purpose, state)) or JOBS[state]
            job(record, reporter)
        except (ClaimLost, StaleState, IllegalMove, JobCancelled):
            logger.info("%s: somebody else took over while %s", record.public_id, state)
            return
        except TabularProblem as problem:
            _settle(partial(_fail, record, problem.as_dict()))
            return
        except Exception as error:
            if not isinstance(error, JobFailed):
                logger.exception("%s: failed while %s", record.public_id, state)
            _settle(partial(_try_again, record, error))
            return


def _settle(write: Callable[[], object]) -> None:
    try:
        write()
    except (ClaimLost, StaleState, IllegalMove):
        logger.info("the claim was lost before the failure was written")


def _fail(record: ImportRecord, problem: dict[str, object]) -> None:
    at = clock.now()
    with transaction.atomic():
        record.move_to(
            State.FAILED,
            at=at,
            reason=str(problem["code"]),
            problem=problem,
            failed_in=record.state,
            due_at=None,
            claimed_until=None,
        )
        end_questions(record, at=at, reason="the import failed")


def _try_again(record: ImportRecord, error: Exception) -> None:
    """Wait and retry what may have been the machine's fault; give up after the last wait."""
    logger.error("%s: try %d: %s", record.public_id, record.tries + 1, error)
    if record.tries < len(WAITS):
        record.update_as_claimed(
            tries=record.tries + 1,
            due_at=clock.now() + WAITS[record.tries],
            claimed_until=None,
        )
        return
    sentence = "The engine failed on this file. The failure is logged; retry, or tell the operator."
    _fail(record, {"code": "internal_error", "detail": sentence})


def due_imports(limit: int = WAKE_UPS) -> list[str]:
    """List imports whose work is due and free, oldest first: each wake-up finds more by itself."""
    return list(_waiting().order_by("due_at").values_list("public_id", flat=True)[:limit])


def _waiting() -> "QuerySet[ImportRecord]":
    return ImportRecord.objects.filter(due(clock.now()), state__in=tuple(JOBS))


def _begin_fairly(wanted: str) -> tuple[list[ImportRecord], bool]:
    """Claim the import whose turn it is; say whether the turn is a reserved one."""
    with TURNS.lock:
        for queue in TURNS.allowed(in_turn(_queues(), _running())):
            mine = _waiting().filter(tenant_id=queue.tenant, scope=queue.scope)
            asked = mine.filter(public_id=wanted)
            for some in (asked, mine):
                if claimed := claim(some, at=clock.now(), limit=1, lease=LEASE):
                    return claimed, TURNS.enter(queue.tenant)
    return [], False


def _queues() -> list[Queue]:
    first = _waiting().values("tenant_id", "scope").annotate(since=Min("due_at")).order_by()
    return [Queue(row["tenant_id"], row["scope"], row["since"]) for row in first]


def _running() -> dict[Whose, int]:
    held = ImportRecord.objects.filter(claimed_until__gt=clock.now(), state__in=tuple(JOBS))
    counts = held.values("tenant_id", "scope").annotate(count=Count("pk")).order_by()
    return {(row["tenant_id"], row["scope"]): row["count"] for row in counts}
