"""One compiled rule: a field, a code, and which rows break it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import orjson
import pyarrow as pa

from tabular.model.catalog import Catalog, Validation
from tabular.model.defect import contained
from tabular.model.issue import Severity
from tabular.types.hashing import as_texts
from tabular.types.rows import Finding, TypedRows, not_checked
from tabular.values.arrays import where

Breaks = Callable[[TypedRows], pa.Array]  # n rows to n bool; null counts as kept


@dataclass(frozen=True, slots=True)
class RowRule:
    """A rule that one row alone keeps or breaks."""

    field: str  # field path
    code: str
    severity: Severity
    breaks: Breaks
    params: str | None = None  # JSON object
    reads: frozenset[str] = frozenset()  # field paths whose change can change the outcome


def check_rows(rows: TypedRows, rules: Iterable[RowRule]) -> list[Finding]:
    """
    Run rules over a batch.

    A rule on which our own code fails checks nothing: each cell of its field gets one issue,
    however many rules fail, and the rows get a defect.
    """
    findings: list[Finding] = []
    failed: dict[str, None] = {}
    for rule in rules:
        before = len(rows.defects)
        with contained(rule.field, rule.code, rows.defects):
            finding = _finding(rows, rule)
            findings += [] if finding is None else [finding]
        if len(rows.defects) > before:
            failed[rule.field] = None
    return findings + [not_checked(path, rows.texts[path], first=rows.first) for path in failed]


def _finding(rows: TypedRows, rule: RowRule) -> Finding | None:
    at = where(rule.breaks(rows))
    if not len(at):
        return None
    positions = pa.array(at)
    texts = rows.texts[rule.field].take(positions)
    return Finding(rule.field, rule.code, rule.severity, at + rows.first, texts, rule.params)


def params_json(validation: Validation | None, **params: Any) -> str | None:
    """Return what a message needs, with the catalog's own message if it has one."""
    if validation and validation.error_message:
        params["message"] = validation.error_message
    return orjson.dumps(params).decode() if params else None


def severity_of(validation: Validation) -> Severity:
    """Return the severity; absent means error."""
    return validation.severity or "error"


def path_of(name: str, *, beside: str, catalog: Catalog) -> str | None:
    """
    Return the field that a rule names.

    name: a field key of the same entry, or a whole path. beside: path of the field with the rule.
    """
    fields = catalog.fields_by_path
    prefix = beside[: len(beside) - len(fields[beside].key)]
    if prefix + name in fields:
        return prefix + name
    return name if name in fields else None


def canonical_texts(values: pa.Array) -> pa.Array:
    """Return values as texts, for rules about characters. Returns n strings."""
    return as_texts(values)
