"""Rows of the source between two steps of a recipe."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.table import BESIDE, CONFIDENCE_COLUMN, KINDS_COLUMN, Kind
from tabular.values.arrays import Rows

Doubts = Mapping[str, Mapping[int, int]]
FLAW_MARK = "\n"  # between code and text; codes have none
SURE = 80  # confidence of a recognised cell, in per cent, from which it is not doubted


@dataclass(frozen=True, slots=True)
class StepRows:
    """
    Rows after some steps.

    sources: n int64, positions in the source. ordinals: n int32. columns: per name n strings.
    kinds: n int8 (``Kind``) for columns whose file gives the kinds of cells; all others are text.
    doubts: per column of a picture, how sure its doubtful cells are, by position in the source.
    flaws: n strings (``flaw``) for columns with cells that a step could not make, else null. A flaw
    stays with its cell through all later steps. readings: what steps made of these columns, for the
    next that reads them alike.
    """

    sources: pa.Array
    ordinals: pa.Array
    columns: dict[str, pa.Array]
    kinds: dict[str, pa.Array] = field(default_factory=dict)
    doubts: Doubts = field(default_factory=dict)
    flaws: dict[str, pa.Array] = field(default_factory=dict)
    readings: dict[tuple[str, str], Any] = field(default_factory=dict, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.sources)

    def put(
        self,
        columns: dict[str, pa.Array],
        kinds: dict[str, pa.Array] | None = None,
        flaws: dict[str, pa.Array] | None = None,
    ) -> "StepRows":
        """
        Return the rows with columns replaced or added.

        columns: per name n strings. kinds: n int8 for some of them; without, a cell that keeps its
        text keeps its kind, and one with a new text is text. flaws: n strings for some of them.
        """
        kept = {
            name: _kept(self.kinds[name], self.columns[name], texts)
            for name, texts in columns.items()
            if name in self.kinds
        }
        flawed = {name: flaw for name, flaw in (flaws or {}).items() if is_any_valid(flaw)}
        return replace(
            self,
            columns=self.columns | columns,
            kinds=self.kinds | kept | (kinds or {}),
            flaws=self.flaws | flawed,
        )

    def kinds_of(self, name: str) -> pa.Array:
        """Return the kinds of a column's cells, n int8."""
        if name in self.kinds:
            return self.kinds[name]
        return pa.repeat(pa.scalar(Kind.TEXT, pa.int8()), len(self))

    def flaws_of(self, *names: str) -> pa.Array:
        """Return the first flaw of some columns in each row, n strings."""
        flaws = [self.flaws[name] for name in names if name in self.flaws]
        return pc.coalesce(*flaws) if flaws else pa.nulls(len(self), pa.string())

    def take(self, rows: Rows) -> "StepRows":
        """Return some rows, in the given order."""
        at = pa.array(rows, pa.int64())
        columns = {name: column.take(at) for name, column in self.columns.items()}
        kinds = {name: kind.take(at) for name, kind in self.kinds.items()}
        flaws = {name: flaw.take(at) for name, flaw in self.flaws.items()}
        sources, ordinals = self.sources.take(at), self.ordinals.take(at)
        return StepRows(sources, ordinals, columns, kinds, self.doubts, flaws)


def is_any_valid(cells: pa.Array) -> bool:
    """Return whether an array holds more than nulls."""
    return bool(cells.null_count < len(cells))


def flaw(code: str, texts: pa.Array) -> pa.Array:
    """
    Return why a step could not make some cells: a code of an issue, and the text that it names.

    texts: n strings. Returns n strings, null where the text is.
    """
    return pc.binary_join_element_wise(code, texts, FLAW_MARK)


def split_flaws(flaws: pa.Array) -> tuple[list[str], pa.Array]:
    """Return the codes and the texts of flaws. flaws: m strings. Returns m codes and m strings."""
    parts = pc.split_pattern(flaws, FLAW_MARK, max_splits=1)
    return pc.list_element(parts, 0).to_pylist(), pc.list_element(parts, 1)


def _kept(kinds: pa.Array, before: pa.Array, after: pa.Array) -> pa.Array:
    same = pc.fill_null(pc.equal(before, after), False)
    return pc.if_else(same, kinds, pa.scalar(Kind.TEXT, pa.int8()))


def start(batch: pa.RecordBatch, position: int, leave_out: frozenset[str]) -> StepRows:
    """Return a source batch before any step. position: that of its first row in the source."""
    columns = {
        name: batch.column(i) for i, name in enumerate(batch.schema.names) if name not in leave_out
    }
    sources = pa.array(np.arange(position, position + batch.num_rows, dtype=np.int64))
    ordinals = pa.array(np.zeros(batch.num_rows, np.int32))
    return StepRows(sources, ordinals, columns, _kinds_of(batch), _doubts_of(batch, position))


def _doubts_of(batch: pa.RecordBatch, position: int) -> Doubts:
    """Return which cells of a picture may have been recognised wrongly."""
    if CONFIDENCE_COLUMN not in batch.schema.names:
        return {}
    names = [name for name in batch.schema.names if name not in BESIDE]
    doubts: dict[str, dict[int, int]] = {}
    for row, sure in enumerate(batch.column(CONFIDENCE_COLUMN).to_pylist(), position):
        for name, confidence in zip(names, sure or (), strict=False):
            if confidence is not None and confidence < SURE:
                doubts.setdefault(name, {})[row] = confidence
    return doubts


def _kinds_of(batch: pa.RecordBatch) -> dict[str, pa.Array]:
    """Return the kinds of the columns that contain more than text."""
    if KINDS_COLUMN not in batch.schema.names:
        return {}
    column = batch.column(KINDS_COLUMN)
    kinds = dict(zip((f.name for f in column.type), column.flatten(), strict=True))
    return {name: kind for name, kind in kinds.items() if pc.max(kind).as_py()}


def joined(parts: Sequence[StepRows]) -> StepRows:
    """Join batches of the same columns."""
    return StepRows(
        pa.concat_arrays([part.sources for part in parts]),
        pa.concat_arrays([part.ordinals for part in parts]),
        {
            name: pa.concat_arrays([part.columns[name] for part in parts])
            for name in parts[0].columns
        },
        {
            name: pa.concat_arrays([part.kinds_of(name) for part in parts])
            for name in parts[0].columns
            if any(name in part.kinds for part in parts)
        },
        {
            name: {row: sure for part in parts for row, sure in part.doubts.get(name, {}).items()}
            for name in dict.fromkeys(name for part in parts for name in part.doubts)
        },
        {
            name: pa.concat_arrays([part.flaws_of(name) for part in parts])
            for name in parts[0].columns
            if any(name in part.flaws for part in parts)
        },
    )
