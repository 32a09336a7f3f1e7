"""The steps that one import took, from its moves. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from common.actors import is_engine
from imports.models import ImportRecord
from imports.transitions import CATALOG_CHOSEN

State = ImportRecord.State
UPLOADED, TABLE, COLUMNS, REVIEW, APPLIED = STEPS = (
    "uploaded", "table", "columns", "review", "applied",
)  # fmt: skip
READ = frozenset({State.MAPPING, State.TRANSFORMING})


@dataclass(frozen=True, slots=True)
class Taken:
    """One move of an import."""

    version: int
    before: str
    after: str
    at: datetime
    reason: str
    actor: Mapping[str, Any]

    @property
    def step(self) -> str:
        """The step that is done with this move; empty for none."""
        if self.before == State.READING and self.after in READ:
            return COLUMNS if self.after == State.TRANSFORMING else TABLE
        if self.after == State.TRANSFORMING:
            return COLUMNS
        if self.after == State.REVIEW:
            return REVIEW
        return APPLIED if (self.before, self.after) == (State.APPLYING, State.APPLIED) else ""


@dataclass(frozen=True, slots=True)
class Done:
    """A step that an import did for the first time. seconds: since the step before it."""

    step: str
    version: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Stop:
    """The end of an import that was not applied. step: the last that it did."""

    step: str
    version: int
    by_engine: bool  # retention deleted it; otherwise a person, or a host, gave it up


@dataclass(frozen=True, slots=True)
class Journey:
    """What one import did, in its order."""

    done: tuple[Done, ...]
    stop: Stop | None = None


def journey(moves: Iterable[Taken], *, created_at: datetime) -> Journey:
    """
    Return the steps of an import. moves: all of them, by version.

    The moves of a sample count from the choice of its catalog. An import whose columns are mapped
    without a person does two steps at once.
    """
    ordered = list(moves)
    first = max((move.version for move in ordered if move.reason == CATALOG_CHOSEN), default=1)
    ordered = [move for move in ordered if move.version >= first]
    if not ordered:
        return Journey(())
    since = created_at if first == 1 else ordered[0].at
    done = [Done(UPLOADED, first, 0.0)]
    for move in ordered:
        if move.after == State.CANCELLED and done[-1].step != APPLIED:
            return Journey(tuple(done), Stop(done[-1].step, move.version, is_engine(move.actor)))
        for step in _until(move.step, done[-1].step):
            seconds = max(0.0, (move.at - since).total_seconds())
            done.append(Done(step, move.version, seconds))
            since = move.at
    return Journey(tuple(done))


def _until(step: str, last: str) -> tuple[str, ...]:
    """
    Return the steps after the last one, up to a step.

    >>> _until("columns", "uploaded"), _until("table", "columns"), _until("", "uploaded")
    (('table', 'columns'), (), ())
    """
    return STEPS[STEPS.index(last) + 1 : STEPS.index(step) + 1] if step else ()
