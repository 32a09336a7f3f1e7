"""What each step of a recipe changes, and all of them together: how many rows, and the first."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import prod

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.model import recipe as nouns
from tabular.model.table import ROW_COLUMN
from tabular.protocol.plan import TransformPlan
from tabular.protocol.results import ChangedRow, StepChanges, StepsResult
from tabular.transforming.executing import RESERVED, require_usable
from tabular.transforming.step_rows import StepRows, start
from tabular.transforming.steps import worker

MOST_ROWS = 10  # that are shown of a step, and made of one row
MOST_COLUMNS = 20  # that are shown of a row
MOST_CHARACTERS = 200  # that are shown of a cell
ORDINAL_BITS = 32
MOST_WAYS = 2**ORDINAL_BITS  # above every ordinal
Texts = dict[str, str | None]


def step_changes(batches: Iterable[pa.RecordBatch], plan: TransformPlan) -> StepsResult:
    """
    Return what the recipe of a plan changes in a source, step by step and as a whole.

    A row counts as changed if it is left out, becomes several, or has another text in a column that
    the step reads or makes; an empty text is the same as none.
    """
    steps = plan.recipe.steps if plan.recipe else ()
    workers = [worker(step, plan.keep, plan.context.today, plan.lists) for step in steps]
    changes = [_Changes((step,)) for step in steps]
    whole, position = _Changes(steps), 0
    for batch in batches:
        numbers = batch.column(batch.schema.get_field_index(ROW_COLUMN)).to_numpy()
        first = now = start(batch, position, RESERVED)
        if position == 0:
            require_usable(steps, first.columns)
        for work, changed in zip(workers, changes, strict=True):
            after = work(now)
            changed.add(now, after, numbers, position)
            now = after
        whole.add(first, now, numbers, position)
        position += batch.num_rows
    return StepsResult(
        looked_at=position,
        steps=tuple(changed.outcome for changed in changes),
        whole=whole.outcome,
    )


@dataclass
class _Changes:
    """What some steps in a row changed in the batches so far."""

    steps: tuple[nouns.Step, ...]
    before: int = 0
    after: int = 0
    changed: int = 0
    rows: list[ChangedRow] = field(default_factory=list)

    @property
    def outcome(self) -> StepChanges:
        return StepChanges(
            rows_before=self.before,
            rows_after=self.after,
            changed_rows=self.changed,
            rows=tuple(self.rows),
        )

    def add(
        self, before: StepRows, after: StepRows, numbers: NDArray[np.int64], position: int
    ) -> None:
        """
        Compare the rows of one batch. numbers: of its rows in the file. position: of its first row.
        """
        origins = self._origins(before, after)
        columns = list(dict.fromkeys(self._named()))
        changed = np.flatnonzero(_changed(before, after, origins, columns))
        self.before += len(before)
        self.after += len(after)
        self.changed += len(changed)
        for row in changed[: MOST_ROWS - len(self.rows)].tolist():
            made = np.flatnonzero(origins == row)[:MOST_ROWS].tolist()
            self.rows.append(
                ChangedRow(
                    source_row=int(numbers[before.sources[row].as_py() - position]),
                    before=_shown(before, row, columns),
                    after=tuple(_shown(after, each, columns) for each in made),
                )
            )

    def _named(self) -> Iterator[str]:
        for step in self.steps:
            yield from step.reads
            yield from step.makes

    def _origins(self, before: StepRows, after: StepRows) -> NDArray[np.int64]:
        """Return for each row after the steps which row before them it was made of."""
        ways = prod(step.ordinals for step in self.steps)
        origins: NDArray[np.int64] = np.searchsorted(
            _keys(before), _keys(after, min(ways, MOST_WAYS))
        )
        return origins


def _keys(rows: StepRows, ways: int = 1) -> NDArray[np.int64]:
    """Return the numbers of rows, ascending; those of the ``ways`` rows of one are its own."""
    ordinals = rows.ordinals.to_numpy().astype(np.int64) // ways
    keys: NDArray[np.int64] = (rows.sources.to_numpy() << ORDINAL_BITS) | ordinals
    return keys


def _changed(
    before: StepRows, after: StepRows, origins: NDArray[np.int64], columns: Iterable[str]
) -> NDArray[np.bool_]:
    """Return which rows before are not the same after, n booleans."""
    made = np.bincount(origins, minlength=len(before))
    changed: NDArray[np.bool_] = made != 1
    alike = np.flatnonzero(~changed[origins])  # rows after that are all that is made of a row
    for name in columns:
        old = _texts(before, name).take(pa.array(origins[alike]))
        new = _texts(after, name).take(pa.array(alike))
        other = pc.not_equal(old, new).to_numpy(zero_copy_only=False)
        changed[origins[alike][other]] = True
    return changed


def _texts(rows: StepRows, name: str) -> pa.Array:
    if name not in rows.columns:
        return pa.repeat(pa.scalar("", pa.string()), len(rows))
    return pc.fill_null(rows.columns[name], "")


def _shown(rows: StepRows, row: int, columns: Iterable[str]) -> Texts:
    there = [name for name in columns if name in rows.columns][:MOST_COLUMNS]
    return {name: _cut(rows.columns[name][row].as_py()) for name in there}


def _cut(text: str | None) -> str | None:
    if text is None or len(text) <= MOST_CHARACTERS:
        return text
    return f"{text[:MOST_CHARACTERS]}…"
