"""What is wrong with references, row by row. Spec: validation > reference_*."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from tabular.model.catalog import Validation
from tabular.model.defect import contained
from tabular.resolving.deciding import FOUND, Outcome
from tabular.resolving.entities import Entities
from tabular.resolving.pointers import paths_of
from tabular.resolving.resolution import STEP, Resolution, Resolved
from tabular.types.hashing import shown_in_issues
from tabular.types.rows import Finding, not_checked
from tabular.values.arrays import Rows

LEFT_OUT = "reference_left_out"
CODES = frozenset(
    {
        "unknown_reference",
        LEFT_OUT,
        "ambiguous_reference",
        "reference_guessed",
        "reference_required",
        "reference_exists",
        "reference_unique",
        "entity_differs",
    }
)


def findings(resolution: Resolution, *, rows: Rows) -> list[Finding]:
    """
    Return the findings about a table's references. rows: those that are not excluded.

    If our own code fails on a field, an issue at its cells says so.
    """
    listed: list[Finding] = []
    failed = set(resolution.failed)
    for resolved in resolution.fields:
        with contained(resolved.pointer.path, STEP, resolution.defects):
            listed += _of_field(resolved, rows)
            continue
        failed.add(resolved.pointer.path)
    for entities in resolution.entities.values():
        for path in _compared(resolution, entities):
            with contained(path, STEP, resolution.defects):
                listed.append(_differing(resolution, entities, path))
                continue
            failed.add(path)
    nothing = pa.nulls(len(rows), pa.string())
    listed += [replace(not_checked(path, nothing, first=0), rows=rows) for path in sorted(failed)]
    return [finding for finding in listed if len(finding.rows)]


def _of_field(resolved: Resolved, rows: Rows) -> list[Finding]:
    rules = resolved.pointer.rules
    return [
        *_of_outcomes(resolved),
        *(finding for rule in rules for finding in _of_rule(resolved, rule, rows)),
    ]


def _of_outcomes(resolved: Resolved) -> Iterator[Finding]:
    outcomes, entity = resolved.outcomes, resolved.pointer.entity
    params = {"entity": entity}
    for code, severity, outcome in (
        ("unknown_reference", "error", Outcome.MISSING),
        ("ambiguous_reference", "error", Outcome.UNSURE),
        (LEFT_OUT, "warning", Outcome.LEFT_OUT),
    ):
        yield _finding(resolved, code, severity, outcomes == outcome, params)
    guessed = resolved.decided.scores[resolved.parts.which] > 0
    at = _first_of_rows(resolved, guessed)
    labels = [resolved.decided.labels[n] for n in resolved.parts.which[at].tolist()]
    params_texts = [orjson.dumps({"entity": entity, "other": label}).decode() for label in labels]
    yield Finding(
        resolved.pointer.path,
        "reference_guessed",
        "warning",
        resolved.parts.rows[at],
        resolved.parts.texts.take(pa.array(at)),
        pa.array(params_texts, pa.string()),
    )


def _of_rule(resolved: Resolved, rule: Validation, rows: Rows) -> Iterator[Finding]:
    params = {"entity": resolved.pointer.entity}
    if rule.error_message:
        params["message"] = rule.error_message
    outcomes, severity = resolved.outcomes, rule.severity or "error"
    if rule.validate_ == "reference_required":
        has = np.unique(resolved.parts.rows[np.isin(outcomes, FOUND)])
        without = rows[~np.isin(rows, has)]
        texts = _texts_of(resolved, without)
        params_text = orjson.dumps(params).decode()
        yield Finding(resolved.pointer.path, rule.validate_, severity, without, texts, params_text)
    elif rule.validate_ == "reference_exists":
        absent = (Outcome.CREATED, Outcome.IGNORED, Outcome.LEFT_OUT)
        yield _finding(resolved, rule.validate_, severity, np.isin(outcomes, absent), params)
    elif rule.validate_ == "reference_unique":
        yield _repeated(resolved, rule, params)


def _repeated(resolved: Resolved, rule: Validation, params: dict[str, Any]) -> Finding:
    """Return the rows that refer to the same entity as an earlier row."""
    parts = resolved.parts
    words = resolved.decided.refs.dictionary_encode().indices
    who = words.fill_null(-1).to_numpy(zero_copy_only=False)[parts.which]
    named = np.flatnonzero(who >= 0)
    order = named[np.lexsort((parts.rows[named], who[named]))]
    firsts = np.flatnonzero(np.diff(who[order], prepend=-1))
    first_row = np.repeat(parts.rows[order][firsts], np.diff(np.append(firsts, len(order))))
    later = parts.rows[order] != first_row
    at, first_row = order[later], first_row[later]
    again = np.argsort(at, kind="stable")
    at, first_row = at[again], first_row[again]
    _, once = np.unique(parts.rows[at], return_index=True)
    params_texts = [
        orjson.dumps({**params, "firstRow": row}).decode() for row in first_row[once].tolist()
    ]
    return Finding(
        resolved.pointer.path,
        rule.validate_,
        rule.severity or "error",
        parts.rows[at[once]],
        parts.texts.take(pa.array(at[once])),
        pa.array(params_texts, pa.string()),
    )


def _compared(resolution: Resolution, entities: Entities) -> list[str]:
    """Return the fields in which rows that describe an entity can differ."""
    numbers = entities.of_rows[entities.of_rows >= 0]
    if len(np.unique(numbers)) == len(numbers):
        return []
    paths = paths_of(resolution.catalog, entities.entity)
    return [paths[field] for field in entities.fed]


def _differing(resolution: Resolution, entities: Entities, path: str) -> Finding:
    """Return the rows that describe an entity differently than the first row with a value."""
    at = np.flatnonzero(entities.of_rows >= 0)
    order = at[np.argsort(entities.of_rows[at], kind="stable")]
    column = resolution.values(path)
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    texts = shown_in_issues(whole)
    rows = order[texts.is_valid().to_numpy(zero_copy_only=False)[order]]
    who = entities.of_rows[rows]
    firsts = np.flatnonzero(np.diff(who, prepend=-1))
    first = np.repeat(rows[firsts], np.diff(np.append(firsts, len(rows))))
    words = texts.dictionary_encode().indices.fill_null(-1).to_numpy(zero_copy_only=False)
    later = np.flatnonzero(words[rows] != words[first])
    later = later[np.argsort(rows[later], kind="stable")]
    params_texts = [
        orjson.dumps({"entity": entities.entity, "firstRow": row, "first": text}).decode()
        for row, text in zip(
            first[later].tolist(), texts.take(pa.array(first[later])).to_pylist(), strict=True
        )
    ]
    values = texts.take(pa.array(rows[later]))
    params = pa.array(params_texts, pa.string())
    return Finding(path, "entity_differs", "warning", rows[later], values, params)


def _finding(
    resolved: Resolved, code: str, severity: Any, mask: Any, params: dict[str, Any]
) -> Finding:
    at = _first_of_rows(resolved, mask)
    texts = resolved.parts.texts.take(pa.array(at))
    params_text = orjson.dumps(params).decode()
    return Finding(
        resolved.pointer.path, code, severity, resolved.parts.rows[at], texts, params_text
    )


def _first_of_rows(resolved: Resolved, mask: Any) -> Rows:
    """Return the positions of each selected row's first text; one finding per row is enough."""
    at = np.flatnonzero(mask)
    _, firsts = np.unique(resolved.parts.rows[at], return_index=True)
    return at[firsts].astype(np.int64)


def _texts_of(resolved: Resolved, rows: Rows) -> pa.Array:
    parts = resolved.parts
    if not len(parts.rows):
        return pa.nulls(len(rows), pa.string())
    at = np.searchsorted(parts.rows, rows).clip(max=len(parts.rows) - 1)
    there = parts.rows[at] == rows
    return parts.texts.take(pa.array(np.where(there, at, 0), mask=~there))
