"""
Make rows of columns: one measure spread over them, or numbered groups of them.

A row made keeps the position of its source; its ordinal says which column or group it was.
"""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.model import recipe as nouns
from tabular.transforming.step_rows import StepRows
from tabular.types.parsed import tidy
from tabular.values.arrays import Rows, where


def unpivot(step_rows: StepRows, *, step: nouns.Unpivot, keep: Rows) -> StepRows:
    """Make a row of each filled cell of some columns. keep: positions of rows that all stay."""
    count, size = len(step.columns), len(step_rows)
    rows = np.repeat(np.arange(size, dtype=np.int64), count)
    which = np.tile(np.arange(count, dtype=np.int32), size)
    longer = _repeated(step_rows, step, rows, which)
    stacked = pa.chunked_array([step_rows.columns[name] for name in step.columns], pa.string())
    at = pa.array(which.astype(np.int64) * size + rows)
    made = {
        step.name_into: pa.array(step.columns, pa.string()).take(pa.array(which)),
        step.value_into: stacked.combine_chunks().take(at),
    }
    stacked_kinds = pa.concat_arrays([step_rows.kinds_of(name) for name in step.columns])
    kinds = {step.value_into: stacked_kinds.take(at)}
    flaws = pa.concat_arrays([step_rows.flaws_of(name) for name in step.columns]).take(at)
    whole = longer.put(made, kinds, flaws={step.value_into: flaws})
    if step.keep_empty:
        return whole
    stays = np.isin(whole.sources.to_numpy(), keep)
    stays[where(pc.is_valid(tidy(whole.columns[step.value_into])))] = True
    stays[where(pc.is_valid(flaws))] = True
    return whole.take(np.flatnonzero(stays).astype(np.int64))


def unpivot_groups(step_rows: StepRows, *, step: nouns.UnpivotGroups, keep: Rows) -> StepRows:
    """
    Make a row of each group of numbered columns that has a filled cell.

    keep: positions of rows of which every group stays. Of a row without a filled group the first
    stays: the row has more columns, and would be lost.
    """
    count, size = step.ordinals, len(step_rows)
    stays = np.zeros((size, count), dtype=bool)
    for names in step.groups.values():
        for number, name in enumerate(names):
            if name is not None:
                stays[where(pc.is_valid(tidy(step_rows.columns[name]))), number] = True
                stays[where(pc.is_valid(step_rows.flaws_of(name))), number] = True
    stays[np.isin(step_rows.sources.to_numpy(), keep)] = True
    stays[~stays.any(axis=1), 0] = True
    rows, which = (places.astype(np.int64) for places in np.nonzero(stays))
    longer = _repeated(step_rows, step, rows, which.astype(np.int32))
    at = pa.array(which * size + rows)
    made, kinds, flaws = {}, {}, {}
    nothing = pa.nulls(size, pa.string())
    for into, names in step.groups.items():
        cells = [nothing if name is None else step_rows.columns[name] for name in names]
        made[into] = pa.chunked_array(cells, pa.string()).combine_chunks().take(at)
        there = [name or "" for name in names]
        if not step_rows.kinds.keys().isdisjoint(there):
            kinds[into] = pa.concat_arrays([step_rows.kinds_of(name) for name in there]).take(at)
        flaws[into] = pa.concat_arrays([step_rows.flaws_of(name) for name in there]).take(at)
    return longer.put(made, kinds, flaws)


def _repeated(
    step_rows: StepRows,
    step: nouns.Unpivot | nouns.UnpivotGroups,
    rows: Rows,
    which: NDArray[np.int32],
) -> StepRows:
    """Return the rows without the columns that the step removes. rows, which: m numbers each."""
    gone = set(step.removes)
    kept = {name: texts for name, texts in step_rows.columns.items() if name not in gone}
    kinds = {name: kind for name, kind in step_rows.kinds.items() if name in kept}
    flaws = {name: cells for name, cells in step_rows.flaws.items() if name in kept}
    longer = replace(step_rows, columns=kept, kinds=kinds, flaws=flaws).take(rows)
    ordinals = longer.ordinals.to_numpy() * np.int32(step.ordinals) + which
    return replace(longer, ordinals=pa.array(ordinals, pa.int32()))
