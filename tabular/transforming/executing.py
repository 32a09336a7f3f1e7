"""Run a recipe over a source. It is checked as a whole first, so that no step half-applies."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.model import recipe as nouns
from tabular.model.i_json import escaped
from tabular.model.sentences import Sentence
from tabular.model.table import BESIDE
from tabular.protocol.plan import TransformPlan, UnusablePlan
from tabular.transforming.computed import condition_findings
from tabular.transforming.step_rows import StepRows, start
from tabular.transforming.steps import worker
from tabular.types.parsed import tidy
from tabular.types.patterns import pattern_problem, rewrite_problem
from tabular.values.arrays import where

RESERVED = BESIDE


@dataclass(frozen=True, slots=True)
class RecipeFinding:
    """What makes a recipe unusable, and where."""

    pointer: str  # RFC 6901, into the recipe
    code: str
    sentence: str


def execute(batches: Iterable[pa.RecordBatch], plan: TransformPlan) -> Iterator[StepRows]:
    """Run the recipe over the source. batches: ROW_COLUMN, then one string column per column."""
    steps = plan.steps
    workers = [worker(step, plan.keep, plan.context.today, plan.lists) for step in steps]
    position = 0
    for batch in batches:
        step_rows = start(batch, position, RESERVED)
        if position == 0:
            require_usable(steps, step_rows.columns)
        for work_ in workers:
            step_rows = work_(step_rows)
        yield step_rows
        position += batch.num_rows


def require_usable(steps: Sequence[nouns.Step], columns: Iterable[str]) -> None:
    """Raise UnusablePlan, with every finding, if a recipe does not fit the columns."""
    if findings := recipe_findings(steps, columns):
        raise UnusablePlan(
            "unusable_recipe",
            findings[0].sentence,
            errors=[{"pointer": f.pointer, "code": f.code, "detail": f.sentence} for f in findings],
        )


def recipe_findings(
    steps: Sequence[nouns.Step], columns: Iterable[str]
) -> tuple[RecipeFinding, ...]:
    """Follow the columns through the steps and return what cannot work. columns: of the source."""
    there = set(columns)
    findings: list[RecipeFinding] = []
    for i, step in enumerate(steps):
        findings.extend(_step_findings(step, there, f"/steps/{i}"))
        there = there - set(step.removes) | set(step.makes)
    return tuple(findings)


def _step_findings(step: nouns.Step, there: set[str], at: str) -> Iterator[RecipeFinding]:
    for name in step.needs:
        if name not in there:
            sentence: str = Sentence(
                "The step {step} needs the column “{column}”, which does not exist.",
                step=step.do,
                column=name,
            )
            yield RecipeFinding(at, "unknown_column", sentence)
    made = list(step.makes)
    for name in sorted({n for n in made if n in there or n in RESERVED or made.count(n) > 1}):
        sentence = Sentence(
            "The step {step} creates the column “{column}”, which already exists.",
            step=step.do,
            column=name,
        )
        yield RecipeFinding(at, "column_exists", sentence)
    pattern = _pattern_of(step)
    if pattern is not None and (problem := pattern_problem(pattern)):
        yield RecipeFinding(at, "refused_pattern", problem)
    elif isinstance(step, nouns.RegexReplace) and (
        problem := rewrite_problem(step.pattern, step.by)
    ):
        yield RecipeFinding(f"{at}/by", "refused_replacement", problem)
    if isinstance(step, nouns.DropRows) and (step.where == "empty") == (step.value is not None):
        sentence = "equals and matches need a value; empty takes none."
        yield RecipeFinding(f"{at}/value", "wrong_value", sentence)
    if isinstance(step, nouns.UnpivotGroups):
        yield from _group_findings(step, f"{at}/groups")
    yield from _computed_findings(step, at)


def _group_findings(step: nouns.UnpivotGroups, at: str) -> Iterator[RecipeFinding]:
    names = list(step.reads)
    for into, numbered in step.groups.items():
        if len(numbered) != step.ordinals:
            sentence = Sentence(
                "Every new column needs as many columns of the file, or null: “{column}” has "
                "{n1}, others {n2}.",
                column=into,
                n1=str(len(numbered)),
                n2=str(step.ordinals),
            )
            yield RecipeFinding(f"{at}/{escaped(into)}", "wrong_value", sentence)
    for name in sorted({name for name in names if names.count(name) > 1}):
        sentence = Sentence("The column “{column}” appears twice in the groups.", column=name)
        yield RecipeFinding(at, "wrong_value", sentence)


def _computed_findings(step: nouns.Step, at: str) -> Iterator[RecipeFinding]:
    if isinstance(step, nouns.When):
        yield from _condition_findings(step, at)
    if isinstance(step, nouns.Lookup):
        yield from _list_findings(step, at)
    if isinstance(step, nouns.Calculate) and step.op == "divided_by" and step.decimals is None:
        sentence = "A division needs decimals: how many its result is rounded to."
        yield RecipeFinding(f"{at}/decimals", "wrong_value", sentence)


def _list_findings(step: nouns.Lookup, at: str) -> Iterator[RecipeFinding]:
    if (step.rows is None) == (step.value_list is None):
        sentence = "A lookup needs either rows or a valueList."
        yield RecipeFinding(at, "wrong_value", sentence)
    if step.rows is not None:
        yield from _pair_findings(step.rows, f"{at}/rows")


def _pair_findings(pairs: Sequence[tuple[str, str]], at: str) -> Iterator[RecipeFinding]:
    keys = pa.array([key for key, _ in pairs], pa.string())
    tidied = tidy(keys)
    first = pc.index_in(keys, value_set=keys.unique())
    for row in where(pc.fill_null(pc.not_equal(tidied, keys), True)).tolist():
        sentence = Sentence(
            "No cell matches the key “{value}”: remove the white space around it.", value=keys[row]
        )
        yield RecipeFinding(f"{at}/{row}/0", "wrong_value", sentence)
    _, firsts = np.unique(first.to_numpy(), return_index=True)
    for row in np.setdiff1d(np.arange(len(keys)), firsts).tolist():
        sentence = Sentence("The list has the key “{value}” twice.", value=keys[row])
        yield RecipeFinding(f"{at}/{row}/0", "duplicate_key", sentence)


def _condition_findings(step: nouns.When, at: str) -> Iterator[RecipeFinding]:
    for i, case in enumerate(step.cases):
        pointer = f"{at}/cases/{i}/if"
        for place, sentence in condition_findings(
            case.condition, fmt=step.format, order=step.order, at=pointer
        ):
            yield RecipeFinding(place, "unknown_condition", sentence)


def _pattern_of(step: nouns.Step) -> str | None:
    if isinstance(step, nouns.RegexReplace):
        return step.pattern
    if isinstance(step, nouns.DropRows) and step.where == "matches":
        return step.value or ""
    return None
