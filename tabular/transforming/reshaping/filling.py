"""Fill empty cells with the nearest filled one above, in the whole table or within groups."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.model import recipe as nouns
from tabular.model.table import Kind
from tabular.transforming.step_rows import StepRows
from tabular.types.parsed import tidy
from tabular.values.arrays import Rows

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Starts:
    """
    Where groups begin in a batch.

    begins: n bool, rows whose group differs from the one above, as far as it is known. is_certain:
    n bool, those of them that follow a known group.
    """

    begins: Mask
    is_certain: Mask


class Filling:
    """
    The state of a ``fill_down`` between batches.

    A group is a run of rows with the same cells in the columns of ``within``. An empty cell there
    counts as the one above, because a key is often written in the first line of its group only.
    """

    def __init__(self, step: nouns.FillDown) -> None:
        self._last: dict[str, tuple[str | None, int]] = dict.fromkeys(
            step.columns, (None, Kind.TEXT)
        )
        self._keys: dict[str, str | None] = dict.fromkeys(step.within)

    def __call__(self, step_rows: StepRows) -> StepRows:
        """Return the next batch with its empty cells filled."""
        if not len(step_rows):
            return step_rows
        begins = self.starts(step_rows).begins if self._keys else None
        filled = {name: self._fill(name, step_rows, begins) for name in self._last}
        kinds = {name: kind for name, (_, kind) in filled.items() if kind is not None}
        return step_rows.put({name: texts for name, (texts, _) in filled.items()}, kinds)

    def starts(self, step_rows: StepRows) -> Starts:
        """Return where groups begin in the next batch."""
        begins = np.zeros(len(step_rows), dtype=bool)
        is_certain = begins.copy()
        for name, last in self._keys.items():
            keys = tidy(step_rows.columns[name])
            known = pc.fill_null_forward(keys)
            known = pc.fill_null(known, last) if last is not None else known
            above = pa.concat_arrays([pa.array([last], pa.string()), known[:-1]])
            is_other = pc.and_(pc.is_valid(keys), pc.fill_null(pc.not_equal(keys, above), True))
            changes = is_other.to_numpy(zero_copy_only=False)
            begins |= changes
            is_certain |= changes & above.is_valid().to_numpy(zero_copy_only=False)
            self._keys[name] = known[-1].as_py()
        return Starts(begins, is_certain)

    def _fill(
        self, name: str, step_rows: StepRows, begins: Mask | None
    ) -> tuple[pa.Array, pa.Array | None]:
        """Fill the texts, and their kinds in the same places if there are any."""
        texts, (last, last_kind) = step_rows.columns[name], self._last[name]
        there = pc.is_valid(tidy(texts))
        filled = _filled(pc.if_else(there, texts, None), last, begins)
        kinds = None
        if name in step_rows.kinds or last_kind:
            kinds = pc.if_else(there, step_rows.kinds_of(name), None)
            kinds = _filled(kinds, last_kind if last else None, begins)
            kinds = pc.fill_null(kinds, pa.scalar(Kind.TEXT, pa.int8()))
        self._last[name] = filled[-1].as_py(), kinds[-1].as_py() if kinds is not None else 0
        return filled, kinds


def _filled(cells: pa.Array, last: str | int | None, begins: Mask | None) -> pa.Array:
    """Fill nulls from above. last: the cell before the first. begins: n bool, where groups do."""
    before = pa.scalar(last, cells.type)
    if begins is None:
        filled = pc.fill_null_forward(cells)
        return pc.fill_null(filled, before) if last is not None else filled
    places = np.arange(len(cells))
    nearest = np.maximum.accumulate(np.where(pc.is_valid(cells).to_numpy(False), places, -1))
    start = np.maximum.accumulate(np.where(begins, places, -1))
    from_above = pa.array(nearest, mask=(nearest < start) | (nearest < 0))
    goes_on = pa.array((nearest < 0) & (start < 0))
    return pc.if_else(goes_on, before, cells.take(from_above))


def is_open(step: nouns.FillDown, before: StepRows, after: StepRows, sources: Rows) -> bool:
    """
    Return whether rows above the first may fill a cell of some rows that is empty after the step.

    sources: positions of the rows in the source.
    """
    empty = np.isin(after.sources.to_numpy(), sources)
    holes = [after.columns[name].is_null().to_numpy(False) for name in step.columns]
    empty &= np.logical_or.reduce(holes)
    if not empty.any() or not step.within:
        return bool(empty.any())
    starts = Filling(step).starts(before)
    # A row above the first may show that a group that seems to begin goes on.
    latest = np.maximum.accumulate(np.where(starts.begins, np.arange(len(before)), -1))
    begun = (latest >= 0) & starts.is_certain[latest]
    return bool((empty & ~begun).any())
