"""The rows of an applied import, for callers that fetch them: pages, or a stream of lines."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from changesets.bodies import delivered, nested_lines
from changesets.models import Changeset
from common.errors import Conflict
from common.response_size import PAGE_BYTES, size_of
from deliveries import payload
from imports.models import ImportRecord
from staging.exports.delivered_rows import Delivered


class NotApplied(Conflict):
    """The import is not applied; it has no results yet."""

    code = "not_applied"


@dataclass(frozen=True, slots=True)
class ResultPage:
    """Some delivered rows; ``next`` is the offset of the next page, None on the last."""

    changeset: Changeset
    rows: list[dict[str, Any]]
    row_issues: list[dict[str, Any]]
    custom_options: list[dict[str, Any]]
    next: int | None
    unmapped: dict[str, Any] | None = None  # columns and rows, of an import that keeps them


def changeset_of(record: ImportRecord) -> Changeset:
    """Return the changeset with the results of an import. Raise NotApplied if there is none."""
    state = Changeset.State
    given = (state.APPLIED, state.REVERTING, state.REVERTED)  # reverted rows remain visible
    applied = record.changesets.filter(state__in=given)
    changeset = applied.select_related("record").first()
    if changeset is None or record.purged_at is not None:
        raise NotApplied
    return changeset


def page(*, changeset: Changeset, offset: int, limit: int, nested: bool = False) -> ResultPage:
    """
    Return a page of the rows as delivered; it ends before it exceeds the size of an answer.

    A single row that is larger is returned as a page of its own. nested: return whole parents, if
    the catalog has such entries; ``offset`` and ``limit`` count rows all the same.
    """
    rows = delivered(changeset)
    parents = rows.parents if nested else None
    if parents is not None:
        offset = parents.start_at(offset)
    end = min(offset + limit, len(rows))
    end = rows.fitting(offset, end, PAGE_BYTES) if offset < end else end
    while True:
        end, least = (end, offset + 1) if parents is None else parents.whole(offset, end)
        result = _page(changeset, rows, offset, end, is_nested=parents is not None)
        parts = (result.rows, result.row_issues, result.custom_options, result.unmapped)
        if end <= least or sum(map(size_of, parts)) <= PAGE_BYTES:
            return result
        end = offset + (end - offset) // 2


def _page(
    changeset: Changeset, rows: Delivered, offset: int, end: int, *, is_nested: bool
) -> ResultPage:
    if is_nested:
        lines = b"".join(_parents(rows, offset, end))
    else:
        lines = b"".join(_lines(rows, rows.batches(offset, end)))
    return ResultPage(
        changeset=changeset,
        rows=[orjson.loads(line) for line in lines.splitlines()],
        row_issues=rows.row_issues(offset, end),
        custom_options=rows.custom_options(offset, end),
        next=end if end < len(rows) else None,
        unmapped=_unmapped(rows, offset, end) if changeset.record.keep_unmapped else None,
    )


def _unmapped(rows: Delivered, start: int, end: int) -> dict[str, Any]:
    cells = [
        list(row)
        for batch in rows.unmapped_batches(start, end)
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)
    ]
    return {"columns": list(rows.unmapped.names), "rows": cells}


def stream(*, changeset: Changeset, nested: bool = False) -> Iterator[bytes]:
    """
    Return an iterator of all rows as JSON lines (NDJSON), some thousand rows at a time.

    nested: of parents instead, if the catalog has such entries.
    """
    rows = delivered(changeset)
    if nested and rows.parents is not None:
        return _parents(rows, 0, len(rows))
    return _lines(rows, rows.batches())


def _parents(rows: Delivered, offset: int, end: int) -> Iterator[bytes]:
    for joined in nested_lines(rows, offset, end):
        yield joined.replace(b",\n{", b"\n{").lstrip(b"\n") + b"\n"


def _lines(rows: Delivered, batches: Iterator[Any]) -> Iterator[bytes]:
    for batch in batches:
        joined = payload.rows_as_lines(batch, rows.types, rows.formats)
        # A row begins with ", {"; text inside a row cannot contain that, because JSON escapes line
        # ends.
        yield joined.replace(b",\n{", b"\n{").lstrip(b"\n") + b"\n"
