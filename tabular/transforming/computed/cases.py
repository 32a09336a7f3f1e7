"""``when``: the first condition that holds in a row decides its cell."""

from datetime import date

import pyarrow as pa
import pyarrow.compute as pc

from tabular.model import recipe as nouns
from tabular.model.table import Kind
from tabular.transforming.computed.conditions import Tested
from tabular.transforming.step_rows import StepRows

NOTHING = nouns.FixedText(value="")


def when(step_rows: StepRows, *, step: nouns.When, today: date) -> StepRows:
    """Make the column; where a cell that decides cannot be read, it is empty and has a flaw."""
    tested = Tested(step_rows, fmt=step.format, order=step.order, today=today)
    holds = [tested.holds(case.condition) for case in step.cases]
    undecided = _undecided(holds, len(step_rows))
    taken = [*(case.then for case in step.cases), step.otherwise or NOTHING]
    choose = _Choice(step_rows, pc.make_struct(*(pc.fill_null(mask, False) for mask in holds)))
    texts = choose.of([_text(step_rows, cell) for cell in taken])
    flaws = choose.of([_flaws(step_rows, cell) for cell in taken]) if step_rows.flaws else None
    if undecided is not None:
        texts = pc.if_else(undecided, None, texts)
        earlier = pa.nulls(len(step_rows), pa.string()) if flaws is None else flaws
        flaws = pc.if_else(undecided, tested.flaws, earlier)
    kinds = None
    if not step_rows.kinds.keys().isdisjoint(nouns.columns_in(*taken)):
        kinds = {step.into: choose.of([_kinds(step_rows, cell) for cell in taken])}
    return step_rows.put({step.into: texts}, kinds, None if flaws is None else {step.into: flaws})


class _Choice:
    """Which of several cells each row takes."""

    def __init__(self, step_rows: StepRows, masks: pa.StructArray) -> None:
        self._size = len(step_rows)
        self._masks = masks

    def of(self, cells: list[pa.Array | pa.Scalar]) -> pa.Array:
        """Return the cell of the first mask that is true, or the last one. Returns n cells."""
        return pc.case_when(self._masks, *cells)


def _undecided(holds: list[pa.Array], size: int) -> pa.Array | None:
    """Return where a condition that cannot be decided comes before the first that holds."""
    if not any(mask.null_count for mask in holds):
        return None
    open_ = pa.repeat(pa.scalar(True), size)
    undecided = pa.repeat(pa.scalar(False), size)
    for mask in holds:
        undecided = pc.or_(undecided, pc.and_(open_, pc.is_null(mask)))
        open_ = pc.and_not(open_, pc.fill_null(mask, False))
    return undecided


def _text(step_rows: StepRows, cell: nouns.Cell) -> pa.Array | pa.Scalar:
    if isinstance(cell, nouns.ColumnCell):
        return step_rows.columns[cell.column]
    return pa.scalar(cell.value or None, pa.string())


def _flaws(step_rows: StepRows, cell: nouns.Cell) -> pa.Array | pa.Scalar:
    if isinstance(cell, nouns.ColumnCell):
        return step_rows.flaws_of(cell.column)
    return pa.scalar(None, pa.string())


def _kinds(step_rows: StepRows, cell: nouns.Cell) -> pa.Array | pa.Scalar:
    if isinstance(cell, nouns.ColumnCell):
        return step_rows.kinds_of(cell.column)
    return pa.scalar(Kind.TEXT, pa.int8())
