"""How a worker makes a bulk change: all of it as one revision, or nothing."""

import logging
import threading
import time
from datetime import timedelta

from django.db.models import F

from common import clock
from common.actors import Actor
from common.errors import IllegalMove, ServiceError, StaleState
from common.work.claims import ClaimLost, claim, due, renewed
from imports.bulk_changes import transitions
from imports.bulk_changes.model import BulkChange
from imports.bulk_changes.request import prepared_by, wish_of
from imports.services.review import Changed, carry_out
from staging.changes import Effort, Prepared
from staging.columns import StagedTable
from tabular.model.defect import defect_of

logger = logging.getLogger(__name__)
_making = threading.Lock()

MOST_TRIES = 3
TRY_AGAIN = timedelta(seconds=10)
PROGRESS_EVERY_S = 0.5
# An error raised by our own code for some data would be raised again by each retry.
ALWAYS_SO = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
State = BulkChange.State


def make_due_changes() -> None:
    """Make the bulk changes that are due, one after the other, in one thread of a process."""
    if not _making.acquire(blocking=False):
        return  # the thread that makes changes finds this one too
    try:
        while claimed := claim(
            BulkChange.objects.all(), at=clock.now(), limit=1, tries=F("tries") + 1
        ):
            _make(claimed[0])
    finally:
        _making.release()


def due_changes(limit: int) -> list[str]:
    """Return bulk changes that are due and unclaimed, oldest first."""
    waiting = BulkChange.objects.filter(due(clock.now())).order_by("due_at")
    return list(waiting.values_list("public_id", flat=True)[:limit])


def _make(change: BulkChange) -> None:
    if change.tries > MOST_TRIES:  # each of them killed the process
        return _over(change, _broken())
    try:
        with renewed([change]):
            _carry_out(change)
    except (ClaimLost, IllegalMove):
        logger.info("%s: no longer needed", change.public_id)
    except ServiceError as refused:
        problem = refused.to_store()
        _over(change, problem)
    except ALWAYS_SO as error:
        # Log it without its message, which may quote cells.
        logger.error("%s: failed: %s", change.public_id, defect_of(error, field="", step="change"))
        _over(change, _broken())
    except Exception:
        logger.exception("%s: attempt %d failed", change.public_id, change.tries)
        _try_again(change)
    return None


def _carry_out(change: BulkChange) -> None:
    wish, actor, at = wish_of(change), Actor(**change.actor), clock.now()
    effort = Effort(note=_Progress(change).note)

    def prepared(table: StagedTable) -> Prepared:
        return prepared_by(wish, change.record, table, effort, actor=actor, at=at)

    def end(changed: Changed) -> None:
        """Finish the change in the transaction that commits its revision."""
        made = {"revision": changed.revision, "cells": changed.cells}
        transitions.finish(change=change, **made, actor=actor, at=at)

    try:
        carry_out(
            record=change.record, prepare=prepared, actor=actor, at=at, end=end, is_workers=True
        )
    except StaleState as error:
        if change.is_claim_lost():
            raise ClaimLost from error
        raise


def _over(change: BulkChange, problem: dict[str, object]) -> None:
    try:
        transitions.fail(change=change, problem=problem, at=clock.now())
    except (StaleState, IllegalMove):
        logger.info("%s: the claim was lost before the failure was written", change.public_id)


def _try_again(change: BulkChange) -> None:
    if change.tries >= MOST_TRIES:
        return _over(change, _broken())
    try:
        change.update_as_claimed(due_at=clock.now() + TRY_AGAIN, claimed_until=None)
    except ClaimLost:
        logger.info("%s: the claim was lost before the failure was written", change.public_id)
    return None


def _broken() -> dict[str, object]:
    sentence = "The engine could not make this change and logged the error. Contact the operator."
    return {"code": "internal_error", "detail": sentence}


class _Progress:
    """Writes the progress of a change twice a second, under the claim."""

    def __init__(self, change: BulkChange) -> None:
        self._change = change
        self._next = 0.0

    def note(self, stage: str, done: int, total: int) -> None:
        """Record how many rows of a stage are done. Raise ClaimLost if it is no longer wanted."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + PROGRESS_EVERY_S
            self._change.update_as_claimed(stage=stage, done=done, total=total)
