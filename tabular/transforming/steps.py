"""What each step of a recipe does to a batch. Spec: profile > recipe.

A step takes a batch and returns one; only ``fill_down`` keeps state between batches. It affects
only the columns it names.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.model import recipe as nouns
from tabular.model.problem import UnusableRequest
from tabular.model.sentences import Sentence
from tabular.model.table import Kind
from tabular.protocol.plan import UnusablePlan, ValueList
from tabular.transforming.computed import calculate, date_difference, round_, when
from tabular.transforming.lengths import (
    MOST_CHARACTERS,
    CellTooLong,
    after_replacing,
    changed,
    lengths,
)
from tabular.transforming.reshaping.filling import Filling
from tabular.transforming.reshaping.unpivoting import unpivot, unpivot_groups
from tabular.transforming.step_rows import StepRows, flaw
from tabular.types.parse_options import ParseOptions
from tabular.types.parsed import tidy
from tabular.values.arrays import Rows, where

Work = Callable[[StepRows], StepRows]
NO_LISTS: Mapping[str, ValueList] = MappingProxyType({})
Change = Callable[[pa.Array], pa.Array]  # n strings to n strings
CENTURY = ParseOptions().today
REFERENCE = re.compile(r"\\[0-9]")


class UnknownValueList(UnusablePlan):
    """A lookup names a value list that there is not."""


def worker(
    step: nouns.Step,
    keep: Collection[int] = (),
    today: date = CENTURY,
    lists: Mapping[str, ValueList] = NO_LISTS,
) -> Work:
    """
    Return the function of a step, with its own state.

    keep: positions in the source of rows that no step drops, because a user took them back. today:
    decides the century of a two-digit year. lists: the value lists of lookups, by digest. Raise
    UnknownValueList if one is not among them.
    """
    if isinstance(step, nouns.FillDown):
        return Filling(step)
    if isinstance(step, nouns.Lookup):
        return _Lookup(step, lists)
    if isinstance(step, nouns.DropRows | nouns.Unpivot | nouns.UnpivotGroups):
        return partial(_WORK[type(step)], step=step, keep=np.array(sorted(keep), np.int64))
    if isinstance(step, nouns.When | nouns.Calculate | nouns.Round | nouns.DateDifference):
        return partial(_WORK[type(step)], step=step, today=today)
    return partial(_WORK[type(step)], step=step)


def _on_each(change: Callable[[pa.Array, Any], pa.Array]) -> Callable[..., StepRows]:
    def work(step_rows: StepRows, *, step: Any) -> StepRows:
        return step_rows.put({name: change(step_rows.columns[name], step) for name in step.columns})

    return work


def _trim(texts: pa.Array, step: nouns.Trim) -> pa.Array:
    trimmed = tidy(texts)
    return pc.replace_substring_regex(trimmed, r"[\s\p{Z}]+", " ") if step.collapse else trimmed


def _case(texts: pa.Array, step: nouns.Case) -> pa.Array:
    kernels: dict[str, Change] = {
        "upper": pc.utf8_upper,
        "lower": pc.utf8_lower,
        "title": pc.utf8_title,
    }
    return kernels[step.to](texts)


def _replace(texts: pa.Array, step: nouns.Replace) -> pa.Array:
    counts = pc.count_substring(texts, step.find)
    return _bounded(
        texts,
        step,
        lambda some: pc.replace_substring(some, step.find, step.by),
        most=after_replacing(texts, counts, by=len(step.by)),
    )


def _regex_replace(texts: pa.Array, step: nouns.RegexReplace) -> pa.Array:
    counts = pc.count_substring_regex(texts, step.pattern)
    references = len(REFERENCE.findall(step.by))
    return _bounded(
        texts,
        step,
        lambda some: pc.replace_substring_regex(some, step.pattern, step.by),
        most=after_replacing(texts, counts, by=len(step.by), references=references),
    )


def _bounded(texts: pa.Array, step: nouns.Step, change: Change, *, most: Any) -> pa.Array:
    try:
        return changed(texts, change, most=most)
    except CellTooLong as error:
        raise _too_long(step) from error


def _too_long(step: nouns.Step) -> UnusableRequest:
    sentence = Sentence(
        "The step {step} makes a cell longer than {n1} characters.",
        step=step.do,
        n1=MOST_CHARACTERS,
    )
    return UnusableRequest("cell_too_long", sentence)


def _default(texts: pa.Array, step: nouns.Default) -> pa.Array:
    return pc.if_else(pc.is_valid(tidy(texts)), texts, step.value)


def _map_values(texts: pa.Array, step: nouns.MapValues) -> pa.Array:
    index = pc.index_in(tidy(texts), value_set=pa.array(list(step.values), pa.string()))
    return pc.coalesce(pa.array(list(step.values.values()), pa.string()).take(index), texts)


def _split(step_rows: StepRows, *, step: nouns.Split) -> StepRows:
    last = len(step.into) - 1
    parts = pc.split_pattern(step_rows.columns[step.column], step.separator, max_splits=last)
    lengths = pc.list_value_length(parts)
    made = {}
    for i, name in enumerate(step.into):
        reaches = pc.fill_null(pc.greater(lengths, i), False)
        rows = where(reaches)
        at = pc.list_element(parts.take(pa.array(rows)), i)
        made[name] = pc.replace_with_mask(pa.nulls(len(step_rows), pa.string()), reaches, tidy(at))
    return step_rows.put(made, flaws=dict.fromkeys(made, step_rows.flaws_of(step.column)))


def _join(step_rows: StepRows, *, step: nouns.Join) -> StepRows:
    parts = [tidy(step_rows.columns[name]) for name in step.columns]
    # The kernel's own null_handling="skip" loses rows in which every part is null.
    joined = parts[0]
    for part in parts[1:]:
        makes = (lengths(joined) > 0) & (lengths(part) > 0)
        if (lengths(joined) + lengths(part) + len(step.separator))[makes].max(
            initial=0
        ) > MOST_CHARACTERS:
            raise _too_long(step)
        both = pc.binary_join_element_wise(joined, part, step.separator)
        joined = pc.coalesce(both, joined, part)
    return step_rows.put({step.into: joined}, flaws={step.into: step_rows.flaws_of(*step.columns)})


def _coalesce(step_rows: StepRows, *, step: nouns.Coalesce) -> StepRows:
    there = [pc.is_valid(tidy(step_rows.columns[name])) for name in step.columns]
    filled = [
        pc.if_else(is_filled, step_rows.columns[name], None)
        for name, is_filled in zip(step.columns, there, strict=True)
    ]
    kinds = [
        pc.if_else(is_filled, step_rows.kinds_of(name), None)
        for name, is_filled in zip(step.columns, there, strict=True)
    ]
    made = {step.into: pc.coalesce(*filled)}
    has_kinds = not step_rows.kinds.keys().isdisjoint(step.columns)
    text = pa.scalar(Kind.TEXT, pa.int8())
    none_filled = pc.is_null(made[step.into])
    flaws = {step.into: pc.if_else(none_filled, step_rows.flaws_of(*step.columns), None)}
    return step_rows.put(made, {step.into: pc.coalesce(*kinds, text)} if has_kinds else None, flaws)


def _copy(step_rows: StepRows, *, step: nouns.Copy) -> StepRows:
    kinds = {step.into: step_rows.kinds[step.column]} if step.column in step_rows.kinds else None
    flaws = {step.into: step_rows.flaws_of(step.column)}
    return step_rows.put({step.into: step_rows.columns[step.column]}, kinds, flaws)


def _constant(step_rows: StepRows, *, step: nouns.Constant) -> StepRows:
    return step_rows.put({step.into: pa.repeat(pa.scalar(step.value, pa.string()), len(step_rows))})


def _drop_rows(step_rows: StepRows, *, step: nouns.DropRows, keep: Rows) -> StepRows:
    met = ~np.isin(step_rows.sources.to_numpy(), keep)
    for name in step.columns:
        chosen = np.zeros(len(step_rows), dtype=bool)
        chosen[where(_meets(step_rows.columns[name], step))] = True
        chosen[where(pc.is_valid(step_rows.flaws_of(name)))] = False  # an issue needs its row
        met &= chosen
    return step_rows if not met.any() else step_rows.take(np.flatnonzero(~met).astype(np.int64))


def _meets(texts: pa.Array, step: nouns.DropRows) -> pa.Array:
    if step.where == "empty":
        return pc.is_null(tidy(texts))
    if step.where == "equals":
        return pc.equal(tidy(texts), step.value or "")
    return pc.match_substring_regex(texts, step.value or "")


class _Lookup:
    def __init__(self, step: nouns.Lookup, lists: Mapping[str, ValueList]) -> None:
        self._step = step
        keys, values = _columns_of(step, lists)
        self._keys, self._values = pa.array(keys, pa.string()), tidy(pa.array(values, pa.string()))

    def __call__(self, step_rows: StepRows) -> StepRows:
        step, keys = self._step, tidy(step_rows.columns[self._step.column])
        index = pc.index_in(keys, value_set=self._keys)
        values = self._values.take(index)
        unknown = pc.and_(pc.is_valid(keys), pc.is_null(index))
        flaws = step_rows.flaws_of(step.column)
        if step.default is None:
            flaws = pc.coalesce(flaws, flaw("unknown_key", pc.if_else(unknown, keys, None)))
        else:
            values = pc.if_else(unknown, pa.scalar(step.default or None, pa.string()), values)
        return step_rows.put({step.into: values}, flaws={step.into: flaws})


def _columns_of(step: nouns.Lookup, lists: Mapping[str, ValueList]) -> Iterable[Iterable[str]]:
    """Return the keys and the values of a lookup."""
    if step.rows is not None:
        return zip(*step.rows, strict=True)
    pinned = lists.get(step.digest or "")
    if pinned is None:
        raise UnknownValueList(
            "unknown_value_list",
            Sentence(
                "There is no value list “{value}”. Send it, then try again.", value=step.value_list
            ),
            valueList=step.value_list,
        )
    return pinned.keys, pinned.values


def _unchanged(step_rows: StepRows, *, step: Any) -> StepRows:
    return step_rows  # a choice of reading, see ``TransformPlan.reading_choices``


_WORK: dict[type, Callable[..., StepRows]] = {
    nouns.Trim: _on_each(_trim),
    nouns.Case: _on_each(_case),
    nouns.Replace: _on_each(_replace),
    nouns.RegexReplace: _on_each(_regex_replace),
    nouns.Default: _on_each(_default),
    nouns.MapValues: _on_each(_map_values),
    nouns.Split: _split,
    nouns.Join: _join,
    nouns.Coalesce: _coalesce,
    nouns.Copy: _copy,
    nouns.Constant: _constant,
    nouns.DropRows: _drop_rows,
    nouns.Unpivot: unpivot,
    nouns.UnpivotGroups: unpivot_groups,
    nouns.ReadDate: _unchanged,
    nouns.ReadNumber: _unchanged,
    nouns.When: when,
    nouns.Calculate: calculate,
    nouns.Round: round_,
    nouns.DateDifference: date_difference,
}
