"""
Split a stored body into parts with fewer rows. Pure: files in, bytes out.

A body has one row per line (see ``payload``), so its rows are never parsed.
"""

import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from deliveries.payload import dumps, nested_members

ROWS = b',"rows":['
UNMAPPED_END = b"]},"  # ends the unmapped cells; without them the rows end with "],"
TAIL_BYTES = 1 << 16
NOTHING: Mapping[str, Collection[str]] = MappingProxyType({})
# In a text, these quotation marks would be escaped.
OF_PARENT = re.compile(rb'(\A,?\n\{"\$rows":\[)([0-9,]+)')
OF_CHILD = re.compile(rb'(\{"\$row":)([0-9]+)')
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


@dataclass(frozen=True, slots=True)
class Cut:
    """One part of a stored body: its lines, and the rows that these hold."""

    lines: int
    rows: int


class LargeParent(ValueError):
    """One parent has more rows than a part may have."""

    def __init__(self, number: int, rows: int) -> None:
        super().__init__(number, rows)
        self.number, self.rows = number, rows


def whole_parents(sizes: Iterable[int], max_rows: int) -> list[Cut]:
    """
    Return parts of at most ``max_rows`` rows that hold whole parents. Raise LargeParent.

    >>> [(cut.lines, cut.rows) for cut in whole_parents([2, 1, 2], 3)]
    [(2, 3), (1, 2)]
    """
    cuts, lines, rows = [], 0, 0
    for number, size in enumerate(sizes):
        if size > max_rows:
            raise LargeParent(number, size)
        if rows + size > max_rows:
            cuts.append(Cut(lines, rows))
            lines = rows = 0
        lines, rows = lines + 1, rows + size
    return [*cuts, Cut(lines, rows)]


def cuts_of(path: Path, *, max_rows: int, head: bytes = b"") -> list[Cut]:
    """Return the parts of a stored body. Raise LargeParent."""
    with opened(path, head) as stored:
        if stored.parent_count is None:
            sizes = rows_of_parts(stored.before["rowCount"], max_rows)
            return [Cut(rows, rows) for rows in sizes]
        return whole_parents(map(_rows_in, islice(stored.rows, stored.parent_count)), max_rows)


def _rows_in(line: bytes) -> int:
    """Return how many rows a parent was made of: its line begins with their numbers."""
    return line[: line.index(b"]")].count(b",") + 1


def parts(
    path: Path, *, delivery_ids: Sequence[str], cuts: Sequence[Cut], head: bytes = b""
) -> Iterator[Iterator[bytes]]:
    """
    Yield the bodies of the parts, one per delivery id, to be consumed in order.

    cuts: those of ``cuts_of``.

    Each has its own ``deliveryId``, its ``rowCount`` and ``batch: {index, count, of}``, counted
    from 1. Members that name rows (``BY_ROW``) keep those of the part, numbered from the part's
    first row; ``entities`` keeps what these refer to. ``head``: the bytes of the body before the
    file.
    """
    with opened(path, head) as stored:
        before, first = stored.before, 0
        for index, (delivery_id, cut) in enumerate(zip(delivery_ids, cuts, strict=True)):
            batch = {"index": index + 1, "count": len(delivery_ids), "of": before["deliveryId"]}
            mine = {**of_rows(stored.after, first=first, count=cut.rows), "batch": batch}
            changed = {"deliveryId": delivery_id, "rowCount": cut.rows}
            if stored.parent_count is not None:
                changed |= nested_members(cut.lines)
            yield _part({**before, **changed}, mine, stored, first=first)
            first += cut.rows


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

    @property
    def parent_count(self) -> int | None:
        """The number of its lines if these are parents; None if they are rows."""
        return parent_count(self.before)


def parent_count(before: Mapping[str, Any]) -> int | None:
    """Return the number of parents in a body; None if it is flat."""
    count: int | None = before.get("parentCount")
    return count


def _line_count(before: Mapping[str, Any]) -> int:
    count = parent_count(before)
    return int(before["rowCount"]) if count is None else count


@contextmanager
def opened(path: Path, head: bytes) -> Iterator[Stored]:
    """Open a body and yield it. head: its bytes before the file."""
    last = _last_line(path)
    with path.open("rb") as rows, path.open("rb") as unmapped:
        before = json.loads((head + rows.readline()).rstrip(b"\n").removesuffix(ROWS) + b"}")
        if not last.startswith(UNMAPPED_END):
            yield Stored(before, json.loads(b"{" + last.removeprefix(b"],")), rows, None)
            return
        for _ in islice(unmapped, 1 + _line_count(before)):
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


def _part(
    before: dict[str, Any], after: dict[str, Any], stored: Stored, *, first: int = 0
) -> Iterator[bytes]:
    yield dumps(before)[:-1] + ROWS
    lines = _lines(stored.rows, _line_count(before))
    is_moved = first > 0 and stored.parent_count is not None
    yield from (_renumbered(line, first) for line in lines) if is_moved else lines
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


def _renumbered(line: bytes, first: int) -> bytes:
    """Return the line of a parent with its rows counted from ``first``."""
    opening = OF_PARENT.match(line)
    if opening is None:
        raise ValueError("the line of a parent begins with its rows")
    numbers = b",".join(str(int(n) - first).encode() for n in opening[2].split(b","))
    rest = OF_CHILD.sub(
        lambda child: child[1] + str(int(child[2]) - first).encode(), line[opening.end() :]
    )
    return opening[1] + numbers + rest


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
