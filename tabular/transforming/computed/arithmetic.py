"""The four operations and rounding, on exact decimals: no binary fraction takes part."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tabular.model import recipe as nouns
from tabular.model.table import Kind
from tabular.transforming.computed.operands import EXACT, PLAIN, Operand, numbers_of
from tabular.transforming.step_rows import StepRows, flaw
from tabular.types.parsed import per_distinct
from tabular.values.arrays import replaced, where

WIDE = pa.decimal256(EXACT.precision, EXACT.scale)
ROUNDING: dict[nouns.Rounding, str] = {
    "half_up": "half_towards_infinity",  # away from zero, as people round
    "down": "towards_zero",
}
OPERATIONS: dict[str, Callable[[Any, Any], pa.Array]] = {
    "plus": pc.add,
    "minus": pc.subtract,
    "times": pc.multiply,
    "divided_by": pc.divide,
}


def calculate(step_rows: StepRows, *, step: nouns.Calculate, today: date) -> StepRows:
    """Make the column of results."""
    left, right = (_operand(step_rows, side, step.format) for side in (step.left, step.right))
    flaws = pc.coalesce(left.flaws, right.flaws)
    if step.op == "divided_by":
        flaws = pc.coalesce(flaws, _by_zero(left.values, right.values))
    units = None
    if left.units is not None or right.units is not None:
        units, differ = _joined_units(_units(left), _units(right), step.op)
        flaws = pc.coalesce(flaws, _mixed(step_rows, step, differ))
    fine = pc.is_null(flaws)
    both = [pc.cast(pc.if_else(fine, side.values, None), WIDE) for side in (left, right)]
    results = OPERATIONS[step.op](*both)
    # A quotient has 38 decimals, cut off: enough to round it as if it had them all.
    results = results if step.decimals is None else _rounded(results, step.decimals, step.rounding)
    made = {step.into: number_texts(results)}
    kinds = {step.into: _plain(len(step_rows)) if units is None else units}
    return step_rows.put(made, kinds, {step.into: flaws})


def round_(step_rows: StepRows, *, step: nouns.Round, today: date) -> StepRows:
    """Round the numbers of some columns."""
    texts, kinds, flaws = {}, {}, {}
    for name in step.columns:
        read = numbers_of(step_rows, name, step.format)
        texts[name] = number_texts(_rounded(read.values, step.decimals, step.rounding))
        was_percent = pc.equal(step_rows.kinds_of(name), pa.scalar(Kind.PERCENT, pa.int8()))
        kinds[name] = pc.if_else(was_percent, pa.scalar(Kind.PERCENT, pa.int8()), _units(read))
        flaws[name] = read.flaws
    return step_rows.put(texts, kinds, flaws)


def number_texts(values: pa.Array) -> pa.Array:
    """Write decimals as the text of a number cell: no exponent, no zeros at the end."""
    texts = pc.cast(values, pa.string())
    rows = where(pc.match_substring(texts, "E"))
    if len(rows):
        written = per_distinct(texts.take(pa.array(rows)), _written, pa.string())
        texts = replaced(texts, rows, written)
    fraction = pc.match_substring(texts, ".")
    cut = pc.utf8_rtrim(pc.utf8_rtrim(texts, "0"), ".")
    return pc.if_else(fraction, cut, texts)


def _written(text: str) -> str:
    return format(Decimal(text), "f")


def _rounded(values: pa.Array, decimals: int, rounding: nouns.Rounding) -> pa.Array:
    # In 76 digits there is room for the one that rounding may add.
    wide = values if pa.types.is_decimal256(values.type) else pc.cast(values, WIDE)
    return pc.round(wide, ndigits=decimals, round_mode=ROUNDING[rounding])


def _operand(step_rows: StepRows, side: nouns.NumberCell, fmt: nouns.NumberFormat) -> Operand:
    if isinstance(side, nouns.ColumnCell):
        return numbers_of(step_rows, side.column, fmt)
    size = len(step_rows)
    value = pa.scalar(side.number, pa.string()).cast(EXACT)
    return Operand(pa.repeat(value, size), pa.nulls(size, pa.string()))


def _by_zero(left: pa.Array, right: pa.Array) -> pa.Array:
    """Return the flaws of rows that divide by zero; nothing divided by zero is nothing."""
    is_zero = pc.equal(right, pa.scalar(Decimal(0), EXACT))
    divided = pc.and_(is_zero, pc.is_valid(left))
    shown = pc.if_else(divided, number_texts(left), None) if pc.any(divided).as_py() else None
    if shown is None:
        return pa.nulls(len(right), pa.string())
    return flaw("division_by_zero", shown)


def _mixed(step_rows: StepRows, step: nouns.Calculate, differ: pa.Array) -> pa.Array:
    """Return the flaws of rows that mix two currencies; a fixed number has none."""
    if not isinstance(step.right, nouns.ColumnCell):
        return pa.nulls(len(step_rows), pa.string())
    return flaw("other_currency", pc.if_else(differ, step_rows.columns[step.right.column], None))


def _units(operand: Operand) -> pa.Array:
    return _plain(len(operand.values)) if operand.units is None else operand.units


def _plain(size: int) -> pa.Array:
    return pa.repeat(pa.scalar(PLAIN, pa.int8()), size)


def _joined_units(left: pa.Array, right: pa.Array, op: str) -> tuple[pa.Array, pa.Array]:
    """
    Return the kinds of results, n int8, and which rows mix two currencies, n bool.

    An amount and a plain number make an amount. An amount divided by an amount is a plain number,
    and so is a number divided by an amount. Two unknown currencies may differ.
    """
    is_left, is_right = (
        pc.not_equal(units, pa.scalar(PLAIN, pa.int8())) for units in (left, right)
    )
    unknown = pc.equal(left, pa.scalar(Kind.MONEY, pa.int8()))
    differ = pc.and_(pc.and_(is_left, is_right), pc.or_(pc.not_equal(left, right), unknown))
    if op == "divided_by":
        return pc.if_else(is_right, pa.scalar(PLAIN, pa.int8()), left), differ
    return pc.if_else(is_left, left, right), differ
