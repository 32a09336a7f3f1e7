"""Some rows of a source, processed as if the whole source had been."""

from collections.abc import Iterable, Sequence

import numpy as np

from tabular.model import recipe as nouns
from tabular.protocol.plan import TransformPlan
from tabular.transforming.executing import RESERVED, require_usable
from tabular.transforming.reshaping.filling import is_open
from tabular.transforming.source import Source
from tabular.transforming.step_rows import StepRows, joined, start
from tabular.transforming.steps import worker

Steps = Sequence[nouns.Step]
Place = tuple[int, int]  # position in the source, ordinal


def rows_at(source: Source, plan: TransformPlan, places: Sequence[Place]) -> StepRows:
    """
    Process the rows at some places.

    places: m distinct places of rows that the recipe keeps. Returns m rows in the same order.
    """
    steps = plan.steps
    wanted = sorted({position for position, _ in places})
    step_rows = joined(
        [_work_batch(source, plan, steps, rows) for rows in _by_batch(source, wanted)]
    )
    pairs = zip(step_rows.sources.to_pylist(), step_rows.ordinals.to_pylist(), strict=True)
    at = {place: i for i, place in enumerate(pairs)}
    return step_rows.take(np.array([at[place] for place in places], np.int64))


def rows_through(source: Source, plan: TransformPlan, position: int) -> list[StepRows]:
    """Return one source row as it is, and after each step of the recipe."""
    steps = plan.steps
    return [_work_batch(source, plan, steps[:n], [position]) for n in range(len(steps) + 1)]


def dropped_by(source: Source, plan: TransformPlan, positions: Sequence[int]) -> dict[int, int]:
    """Return the step, by number, that dropped each of some rows of the source."""
    by_row: dict[int, int] = {}
    steps = plan.steps
    for rows in _by_batch(source, sorted(positions)) if positions else ():
        left = set(rows)
        for number in range(len(steps)):
            step_rows = _work_batch(source, plan, steps[: number + 1], rows)
            gone = left - set(step_rows.sources.to_pylist())
            by_row |= dict.fromkeys(gone, number)
            left -= gone
    return by_row


def _by_batch(source: Source, rows: Iterable[int]) -> list[list[int]]:
    batches: dict[int, list[int]] = {}
    for row in rows:
        batches.setdefault(source.batch_of(row)[0], []).append(row)
    return list(batches.values()) or [[]]


def _work_batch(source: Source, plan: TransformPlan, steps: Steps, rows: list[int]) -> StepRows:
    """Process rows of one batch, and as many rows above them as filling down needs."""
    number, first = source.batch_of(rows[0] if rows else 0)
    if not any(isinstance(step, nouns.FillDown) for step in steps):
        (batch,) = source.batches(number, number + 1)
        picked = start(batch, first, RESERVED).take(np.array(rows, np.int64) - first)
        return _fill(picked, plan, steps, rows)[0]
    return _from_above(source, number, plan, steps, rows)


def _from_above(
    source: Source, number: int, plan: TransformPlan, steps: Steps, rows: list[int]
) -> StepRows:
    """Start ever farther above, until what is filled down no longer depends on the start."""
    back = 1
    while True:
        begin = max(0, number - back)
        above = [
            start(batch, source.start_of(begin + i), RESERVED)
            for i, batch in enumerate(source.batches(begin, number + 1))
        ]
        step_rows, open_ = _fill(joined(above), plan, steps, rows)
        if begin == 0 or not open_:
            return _only(step_rows, rows)
        back *= 2


def _fill(
    step_rows: StepRows, plan: TransformPlan, steps: Steps, rows: list[int]
) -> tuple[StepRows, bool]:
    """Run the steps. Also return whether a wanted cell found nothing above it to be filled with."""
    require_usable(steps, step_rows.columns)
    wanted, open_ = np.array(rows, np.int64), False
    for number, step in enumerate(steps):
        after = worker(step, plan.keep, plan.context.today, plan.lists)(step_rows)
        if isinstance(step, nouns.FillDown):
            # What other rows lack may decide where the groups of a later step begin.
            sources = after.sources.to_numpy() if _groups_later(step, steps[number:]) else wanted
            open_ |= is_open(step, step_rows, after, sources)
        step_rows = after
    return step_rows, open_


def _groups_later(step: nouns.FillDown, later: Steps) -> bool:
    """Return whether what a step fills within groups makes the groups of another one."""
    groups = {name for other in later if isinstance(other, nouns.FillDown) for name in other.within}
    return bool(step.within) and not groups.isdisjoint(step.columns)


def _only(step_rows: StepRows, rows: Sequence[int]) -> StepRows:
    chosen = np.isin(step_rows.sources.to_numpy(), np.array(rows, np.int64))
    return step_rows.take(np.flatnonzero(chosen).astype(np.int64))
