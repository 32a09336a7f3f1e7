"""Differences of two dates in whole days, months or years."""

from datetime import date

import pyarrow as pa
import pyarrow.compute as pc

from tabular.model import recipe as nouns
from tabular.model.table import Kind
from tabular.transforming.computed.operands import Operand, dates_of
from tabular.transforming.step_rows import StepRows

MONTHS = {"months": 1, "years": 12}


def date_difference(step_rows: StepRows, *, step: nouns.DateDifference, today: date) -> StepRows:
    """Make the column of differences; it is negative where the end is before the start."""
    start, end = (_operand(step_rows, side, step.order, today) for side in (step.start, step.end))
    if step.unit == "days":
        days = pc.subtract(pc.cast(end.values, pa.int32()), pc.cast(start.values, pa.int32()))
    else:
        months = _whole_months(start.values, end.values)
        days = pc.divide(months, MONTHS[step.unit])  # cuts towards zero
    flaws = pc.coalesce(start.flaws, end.flaws)
    texts = pc.cast(pc.if_else(pc.is_null(flaws), days, None), pa.string())
    kinds = pa.repeat(pa.scalar(Kind.NUMBER, pa.int8()), len(step_rows))
    return step_rows.put({step.into: texts}, {step.into: kinds}, {step.into: flaws})


def _operand(
    step_rows: StepRows,
    side: nouns.DateCell,
    order: nouns.DateOrder,
    today: date,
) -> Operand:
    if isinstance(side, nouns.ColumnCell):
        return dates_of(step_rows, side.column, order, today)
    size = len(step_rows)
    day = pa.repeat(pa.scalar(side.date, pa.date32()), size)
    return Operand(day, pa.nulls(size, pa.string()))


def _whole_months(start: pa.Array, end: pa.Array) -> pa.Array:
    """Count the months that are over: one is when its day of the month is reached."""
    is_back = pc.less(end, start)
    early, late = pc.if_else(is_back, end, start), pc.if_else(is_back, start, end)
    begun = pc.subtract(_month(late), _month(early))
    open_ = pc.cast(pc.less(pc.day(late), pc.day(early)), pa.int64())
    over = pc.subtract(begun, open_)
    return pc.if_else(is_back, pc.negate(over), over)


def _month(days: pa.Array) -> pa.Array:
    return pc.add(pc.multiply(pc.year(days), 12), pc.month(days))
