"""Carry an import on, step by step, until somebody must act.

One worker at a time holds the claim. A step writes only to new file names and moves the state
last, so a step that died half way simply runs again.
"""

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from common import clock
from common.claims import LEASE, ClaimLost, claim, due, renewed
from common.errors import IllegalMove, StaleState
from imports.models import ImportRecord
from imports.progress import Reporter
from imports.steps import STEPS
from sandbox import StepCancelled, StepFailed
from tabular.model.problem import TabularProblem

logger = logging.getLogger(__name__)

State = ImportRecord.State
WAITS = (timedelta(seconds=1), timedelta(seconds=10), timedelta(seconds=60))
FAIR_SHARE = 20  # wake-ups for one tenant in one sweep


def advance(record_id: str) -> None:
    """Run the due steps of one import; does nothing when it is held or not due."""
    mine = ImportRecord.objects.filter(public_id=record_id, state__in=tuple(STEPS))
    claimed = claim(mine, at=clock.now(), limit=1, lease=LEASE)
    for record in claimed:
        reporter = Reporter(record)
        with renewed(claimed, on_lost=reporter.stop):
            _run(record, reporter)


def _run(record: ImportRecord, reporter: Reporter) -> None:
    while record.state in STEPS and record.due_at is not None:
        state = record.state
        try:
            STEPS[state](record, reporter)
        except (ClaimLost, StaleState, IllegalMove, StepCancelled):
            logger.info("%s: somebody else took over while %s", record.public_id, state)
            return
        except TabularProblem as problem:
            _settle(partial(_fail, record, problem.as_dict()))
            return
        except Exception as error:
            if not isinstance(error, StepFailed):
                logger.exception("%s: failed while %s", record.public_id, state)
            _settle(partial(_try_again, record, error))
            return


def _settle(write: Callable[[], object]) -> None:
    try:
        write()
    except (ClaimLost, StaleState, IllegalMove):
        logger.info("the claim was lost before the failure was written")


def _fail(record: ImportRecord, problem: dict[str, object]) -> None:
    record.move_to(
        State.FAILED,
        at=clock.now(),
        reason=str(problem["code"]),
        problem=problem,
        failed_in=record.state,
        due_at=None,
        claimed_until=None,
    )


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


def due_imports(limit: int = 200) -> list[str]:
    """List imports whose work is due and free, oldest first, no tenant more than its share."""
    waiting = ImportRecord.objects.filter(due(clock.now()), state__in=tuple(STEPS))
    rows = waiting.order_by("due_at").values_list("tenant_id", "public_id")
    taken: dict[int, int] = {}
    chosen: list[str] = []
    for tenant_id, public_id in rows[: limit * 10]:
        if taken.get(tenant_id, 0) < FAIR_SHARE and len(chosen) < limit:
            taken[tenant_id] = taken.get(tenant_id, 0) + 1
            chosen.append(public_id)
    return chosen
