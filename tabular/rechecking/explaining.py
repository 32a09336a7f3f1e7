"""Where each value of a row comes from, by running the row again. See docs/recipes.md."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import orjson
import pyarrow as pa

from tabular.model import recipe as nouns
from tabular.model.defect import NOT_CHECKED, Defect, contained
from tabular.model.table import BOXES_COLUMN, CONFIDENCE_COLUMN, PAGE_COLUMN, ROW_COLUMN
from tabular.protocol.plan import TransformPlan
from tabular.rechecking.reach import reach_of
from tabular.transforming.inferred import Inferred
from tabular.transforming.reading_rows import read_rows
from tabular.transforming.some_rows import Place, rows_at, rows_through
from tabular.transforming.source import Source
from tabular.transforming.step_rows import StepRows
from tabular.types.parsed import tidy
from tabular.types.rows import TypedRows
from tabular.types.value_texts import json_texts
from tabular.validating import check_rows


@dataclass(frozen=True, slots=True)
class StepStory:
    """One step that affected a value, and the texts of its columns after it."""

    step: int  # number in the recipe, from 0
    do: str
    texts: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class CellStory:
    """
    The provenance of one value.

    texts: the source columns it comes from, as the file has them. steps: in the order they ran.
    read: the text that was read as ``column_type``, and its source: ``column``, ``document``,
    ``default``, ``edit`` or ``nothing``. value: JSON. is_checked: false if the value could not be
    read or shown because of our own defect; it is None then.
    """

    field: str
    column_type: str
    texts: Mapping[str, str | None]
    steps: tuple[StepStory, ...]
    read: str | None
    stems_from: str
    value: Any
    is_checked: bool = True


@dataclass(frozen=True, slots=True)
class RowStory:
    """
    A row's position in the file (physical row and page, from 0 and 1) and its cells.

    boxes: in a PDF left, top, right and bottom of the source row's cells, in the file's order.
    confidences: of a picture's cells, in the same order, 0 to 100. defects: our own failures.
    """

    source_row: int
    page: int | None
    cells: tuple[CellStory, ...]
    boxes: tuple[tuple[float, ...], ...] = ()
    defects: tuple[Defect, ...] = ()
    confidences: tuple[int | None, ...] = ()


def explain(
    source: Source,
    place: Place,
    *,
    plan: TransformPlan,
    inferred: Inferred,
    edits: Mapping[str, str | None] | None = None,
) -> RowStory:
    """
    Explain one output row.

    place: its position in the source and its ordinal. edits: the texts a user gave its fields.
    """
    stages = rows_through(source, plan, place[0])
    states = _states(plan, stages, place)
    typed = read_rows(
        rows_at(source, plan, [place]),
        plan=plan,
        inferred=inferred,
        edits={path: {0: text} for path, text in (edits or {}).items()},
    )
    shown = _shown(typed, plan)
    cells = (
        CellStory(
            field=path,
            column_type=field.column_type,
            read=typed.texts[path][0].as_py(),
            stems_from=_stems_from(path, states, plan, inferred, edits or {}),
            value=shown.get(path),
            is_checked=path in shown,
            **_traced(path, states, plan, place[1]),
        )
        for path, field in plan.fields.items()
    )
    row, page, boxes, confidences = _location(source, place[0])
    return RowStory(row, page, tuple(cells), boxes, tuple(typed.defects), confidences)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a cell comes to: its value as JSON, and the codes of its issues."""

    value: Any
    issues: tuple[str, ...] = ()


def outcomes(
    source: Source,
    place: Place,
    *,
    plan: TransformPlan,
    inferred: Inferred,
    edits: Mapping[str, str | None] | None = None,
) -> dict[str, Outcome]:
    """
    Return what each cell of one row comes to under a plan, to compare it with another plan.

    Only issues that the row has by itself are part of it: no repeated values.
    """
    typed = read_rows(
        rows_at(source, plan, [place]),
        plan=plan,
        inferred=inferred,
        edits={path: {0: text} for path, text in (edits or {}).items()},
    )
    shown = _shown(typed, plan)
    findings = [*typed.findings, *check_rows(typed, reach_of(plan, plan.fields).rules)]
    return {
        path: Outcome(
            shown.get(path), tuple(sorted(item.code for item in findings if item.field == path))
        )
        for path in plan.fields
    }


def _shown(typed: TypedRows, plan: TransformPlan) -> dict[str, Any]:
    """Return the value of each field that could be read and can be shown."""
    failed = {finding.field for finding in typed.findings if finding.code == NOT_CHECKED}
    shown = {}
    for path in plan.fields.keys() - failed:
        with contained(path, "explain", typed.defects):
            shown[path] = _json(typed.values[path], plan.fields[path].column_type)
    return shown


State = Mapping[str, str | None]


def _states(plan: TransformPlan, stages: list[StepRows], place: Place) -> list[State]:
    """Follow the row through the stages; before an unpivot, several rows are still one."""
    steps = plan.steps
    counts = [step.ordinals for step in steps]
    states: list[State] = []
    for i, step_rows in enumerate(stages):
        ordinal = place[1] // prod(counts[i:])
        pairs = zip(step_rows.sources.to_pylist(), step_rows.ordinals.to_pylist(), strict=True)
        at = list(pairs).index((place[0], ordinal))
        states.append({name: texts[at].as_py() for name, texts in step_rows.columns.items()})
    return states


def _traced(path: str, states: list[State], plan: TransformPlan, ordinal: int) -> dict[str, Any]:
    steps = plan.steps
    column = plan.columns_by_path.get(path)
    followed = {column} if column else set()
    stories: list[StepStory] = []
    for i in reversed(range(len(steps))):
        step = steps[i]
        hands = followed & {*step.makes, *(() if step.makes else step.reads)}
        if hands:
            stories.append(StepStory(i, step.do, {name: states[i + 1].get(name) for name in hands}))
            read = {n for made in hands for n in _taken_from(step, made, states[i], ordinal)}
            followed = followed - set(step.makes) | (read if step.makes else set())
        ordinal //= step.ordinals
    origin = states[0]
    texts = {name: origin[name] for name in sorted(followed) if name in origin}
    return {"texts": texts, "steps": tuple(reversed(stories))}


def _taken_from(step: nouns.Step, made: str, before: State, ordinal: int) -> set[str]:
    """Return the columns that a made cell comes from: of several, one filled it."""
    if isinstance(step, nouns.Coalesce):
        filled = [name for name in step.columns if _is_filled(before.get(name))]
        return set(filled[:1] or step.columns)
    if isinstance(step, nouns.UnpivotGroups):
        names = step.groups[made]
        name = names[ordinal % step.ordinals]
        return set() if name is None else {name}
    return set(step.origins_of(made))


def _is_filled(text: str | None) -> bool:
    return bool(tidy(pa.array([text], pa.string()))[0].is_valid)


def _stems_from(
    path: str,
    states: list[State],
    plan: TransformPlan,
    inferred: Inferred,
    edits: Mapping[str, str | None],
) -> str:
    if path in edits:
        return "edit"
    if (states[-1].get(plan.columns_by_path.get(path, "")) or "").strip():
        return "column"
    if path in inferred.documents:
        return "document"
    return "default" if path in plan.context.defaults else "nothing"


def _json(values: pa.Array, column_type: str) -> Any:
    text = json_texts(values, column_type)[0].as_py()
    return None if text is None else orjson.loads(text)


def _location(
    source: Source, position: int
) -> tuple[int, int | None, tuple[tuple[float, ...], ...], tuple[int | None, ...]]:
    number, first = source.batch_of(position)
    (batch,) = source.batches(number, number + 1)

    def at(name: str) -> Any:
        return batch[name][position - first].as_py() if name in batch.schema.names else None

    sides = [round(side, 1) for side in at(BOXES_COLUMN) or ()]
    boxes = tuple(tuple(sides[start : start + 4]) for start in range(0, len(sides), 4))
    return at(ROW_COLUMN), at(PAGE_COLUMN), boxes, tuple(at(CONFIDENCE_COLUMN) or ())
