"""Flatten nested JSON values to records of text, and make a table's body of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from tabular.model.issue import Issue
from tabular.model.problem import Limits
from tabular.model.table import BooleanText, NumberText, SkippedRow, Table
from tabular.reading import batches
from tabular.reading.limiting import check_cell, check_counts

if TYPE_CHECKING:
    import pyarrow as pa


def parse(text: str) -> Any:
    """
    Parse JSON; numbers keep their text.

    >>> parse('{"id": 12345678901234567890, "price": 1.10}')
    {'id': '12345678901234567890', 'price': '1.10'}
    """
    return json.loads(text, parse_int=NumberText, parse_float=NumberText, parse_constant=NumberText)


def flatten(record: dict[str, Any]) -> dict[str, str]:
    """
    Flatten a record: nested objects by dotted path, lists as JSON, null as empty.

    >>> flatten(parse('{"a": {"b": 1, "c": null}, "d": [1, "x"], "e": true}'))
    {'a.b': '1', 'a.c': '', 'd': '[1, "x"]', 'e': 'true'}
    """
    flat: dict[str, str] = {}
    for path, value in _leaves(record, ""):
        while path in flat:  # {"a.b": 1, "a": {"b": 2}}
            path += " (2)"
        flat[path] = text_of(value)
    return flat


def _leaves(record: dict[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in record.items():
        path = f"{prefix}{key}"
        if isinstance(value, dict) and value:
            yield from _leaves(value, f"{path}.")
        else:
            yield path, value


def text_of(value: Any) -> str:
    """Return one JSON value as the text of a cell."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return BooleanText("true" if value else "false")
    return _compact(value)


def _compact(value: Any) -> str:
    """Return lists and empty objects as JSON, numbers digit for digit."""
    if isinstance(value, NumberText):
        return str(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(_compact, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_quoted(k)}: {_compact(v)}" for k, v in value.items()) + "}"
    return _quoted(value)


def _quoted(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def beyond(most_rows: int | None) -> int | None:
    """Return how many rows show that there are too many; None: all are read."""
    return None if most_rows is None else most_rows + 1


Records: TypeAlias = Callable[[], Iterator[tuple[int, dict[str, str]]]]


@dataclass(slots=True)
class RecordBody:
    """Records in order, each with its physical row: its position in the array or its line."""

    records: Records
    keys: Sequence[str]  # one per column
    table: Table
    issues: tuple[Issue, ...]
    limits: Limits

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the body's batches (see ``Body``)."""
        schema = batches.schema_of(self.table.columns, has_kinds=True)
        size = batches.rows_per_batch(len(self.keys))
        numbers: list[int] = []
        rows: list[dict[str, str]] = []
        for row, record in self.records():
            numbers.append(row)
            rows.append(record)
            if len(rows) == size:
                yield self._batch(numbers, rows, schema)
                numbers, rows = [], []
        if rows:
            yield self._batch(numbers, rows, schema)

    def outcome(self) -> tuple[Table, tuple[Issue, ...]]:
        """Return the table, whose counts are exact from the start, and the issues found."""
        return self.table, self.issues

    def skipped_rows(self) -> Iterator[SkippedRow]:
        """Return nothing: every record is in the body."""
        return iter(())

    def _batch(
        self, numbers: list[int], rows: list[dict[str, str]], schema: pa.Schema
    ) -> pa.RecordBatch:
        columns = [[record.get(key, "") for record in rows] for key in self.keys]
        return batches.to_batch(numbers, columns, schema)


@dataclass(slots=True)
class Scan:
    """The result of one pass over all records: the keys in order, the first rows, the count."""

    limits: Limits
    preview_rows: int
    keys: dict[str, None] = field(default_factory=dict)
    preview: list[dict[str, str]] = field(default_factory=list)
    rows: int = 0
    is_whole: bool = True

    @classmethod
    def of(
        cls, records: Records, limits: Limits, preview_rows: int, most_rows: int | None = None
    ) -> Scan:
        """
        Scan the records. Raise LimitExceeded if there are too many.

        most_rows: where more records than that show that the rest was not read.
        """
        scan = cls(limits, preview_rows)
        for _, record in records():
            scan.take(record)
        scan.is_whole = most_rows is None or scan.rows <= most_rows
        scan.check()
        return scan

    def take(self, record: dict[str, str]) -> None:
        """Count one record. Raise LimitExceeded if a cell is too long, or there are too many."""
        self.rows += 1
        for key, text in record.items():
            self.keys.setdefault(key)
            if len(text) * 4 > self.limits.cell_bytes:
                check_cell(text, self.limits)
        if self.rows <= self.preview_rows:
            self.preview.append(record)
        if self.rows % 1000 == 0:
            self.check()

    def check(self) -> None:
        """Raise LimitExceeded if there are too many records or keys."""
        check_counts(self.rows, len(self.keys), self.limits)

    def described(self, table: Table) -> Table:
        """Return the table with the results of the scan."""
        preview = tuple(
            tuple(str(record.get(key) or "") or None for key in self.keys)
            for record in self.preview
        )
        return replace(table, row_count=self.rows if self.is_whole else None, preview=preview)
