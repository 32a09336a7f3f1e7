"""
Split a stored body into parts with fewer rows. Pure: files in, bytes out.

A body has one row per line (see ``payload``), so its rows are never parsed.
"""

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from deliveries.payload import dumps

ROWS = b',"rows":['
UNMAPPED_END = b"]},"  # ends the unmapped cells; without them the rows end with "],"
TAIL_BYTES = 1 << 16
NOTHING: Mapping[str, Collection[str]] = MappingProxyType({})
BY_ROW = frozenset({"rowIssues", "links", "rowEntities", "changes"})


def count_parts(row_count: int, max_rows: int) -> int:
    """
    Return the number of parts of at most ``max_rows`` rows; an empty body is one part.

    >>> count_parts(10, 4)
    3
    """
    return max(1, -(-row_count // max_rows))


def rows_of_parts(row_count: int, max_rows: int) -> list[int]:
    """
    Return how many rows each part has; their sum is ``row_count``.

    >>> rows_of_parts(10, 4)
    [4, 4, 2]
    """
    starts = range(0, max(row_count, 1), max_rows)
    return [min(max_rows, row_count - start) for start in starts]


def parts(
    path: Path, *, delivery_ids: Sequence[str], max_rows: int, head: bytes = b""
) -> Iterator[Iterator[bytes]]:
    """
    Yield the bodies of the parts, one per delivery id, to be consumed in order.

    Each has its own ``deliveryId``, its ``rowCount`` and ``batch: {index, count, of}``, counted
    from 1. Members that name rows (``BY_ROW``) keep those of the part, numbered from the part's
    first row; ``entities`` keeps what these refer to. ``head``: the bytes of the body before the
    file.
    """
    with opened(path, head) as stored:
        before = stored.before
        left = before["rowCount"]
        for index, delivery_id in enumerate(delivery_ids):
            rows = min(max_rows, left)
            left -= rows
            batch = {"index": index + 1, "count": len(delivery_ids), "of": before["deliveryId"]}
            mine = {**of_rows(stored.after, first=index * max_rows, count=rows), "batch": batch}
            yield _part({**before, "deliveryId": delivery_id, "rowCount": rows}, mine, stored)


def with_members(
    path: Path,
    *,
    head: bytes,
    before: dict[str, Any],
    after: dict[str, Any],
    left_out: Mapping[str, Collection[str]] = NOTHING,
) -> Iterator[bytes]:
    """
    Yield the bytes of a stored body with other members around the same rows.

    left_out: refs of ``entities``, by entity, that the body is to have no more.
    """
    with opened(path, head) as stored:
        members = {**stored.after, **after}
        if left_out and "entities" in members:
            members["entities"] = {
                name: [item for item in items if item["ref"] not in left_out.get(name, ())]
                for name, items in members["entities"].items()
            }
        yield from _part({**stored.before, **before}, members, stored)


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored body: the members around its rows, and its lines, read in order."""

    before: dict[str, Any]
    after: dict[str, Any]
    rows: BinaryIO
    unmapped: BinaryIO | None  # the lines of unmapped cells, if kept
    opening: bytes = b""  # what precedes them


@contextmanager
def opened(path: Path, head: bytes) -> Iterator[Stored]:
    """Open a body and yield it. head: its bytes before the file."""
    last = _last_line(path)
    with path.open("rb") as rows, path.open("rb") as unmapped:
        before = json.loads((head + rows.readline()).rstrip(b"\n").removesuffix(ROWS) + b"}")
        if not last.startswith(UNMAPPED_END):
            yield Stored(before, json.loads(b"{" + last.removeprefix(b"],")), rows, None)
            return
        for _ in islice(unmapped, 1 + before["rowCount"]):
            pass
        opening = unmapped.readline().rstrip(b"\n")
        after = json.loads(b"{" + last.removeprefix(UNMAPPED_END))
        yield Stored(before, after, rows, unmapped, opening)


def of_rows(after: dict[str, Any], *, first: int, count: int) -> dict[str, Any]:
    """Return the members after the rows, reduced to some of the rows."""
    cut = dict(after)
    for name in BY_ROW & after.keys():
        cut[name] = [
            {**item, "row": item["row"] - first}
            for item in after[name]
            if first <= item["row"] < first + count
        ]
    if "entities" in after and {"links", "rowEntities"} & after.keys():
        wanted = {(item["entity"], ref) for item in cut.get("links", ()) for ref in item["refs"]}
        wanted |= {(item["entity"], item["ref"]) for item in cut.get("rowEntities", ())}
        cut["entities"] = _referred(after["entities"], wanted)
    return {name: value for name, value in cut.items() if value not in ([], {})}


def _referred(entities: dict[str, Any], wanted: set[tuple[str, str]]) -> dict[str, Any]:
    named = {
        name: [item for item in items if (name, item["ref"]) in wanted]
        for name, items in entities.items()
    }
    return {name: items for name, items in named.items() if items}


def _part(before: dict[str, Any], after: dict[str, Any], stored: Stored) -> Iterator[bytes]:
    yield dumps(before)[:-1] + ROWS
    yield from _lines(stored.rows, before["rowCount"])
    end = b"\n],"
    if stored.unmapped is not None:
        yield b"\n" + stored.opening
        yield from _lines(stored.unmapped, before["rowCount"])
        end = b"\n" + UNMAPPED_END
    yield end + dumps(after)[1:]


def _lines(file: BinaryIO, count: int) -> Iterator[bytes]:
    lead = b"\n"
    for line in islice(file, count):
        yield lead + line.rstrip(b"\n").removesuffix(b",")
        lead = b",\n"


def _last_line(path: Path) -> bytes:
    """Return the last line of a file, which has no line end."""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        size = TAIL_BYTES
        while True:
            start = max(0, end - size)
            file.seek(start)
            _, newline, line = file.read().rpartition(b"\n")
            if newline or start == 0:
                return line
            size *= 8
