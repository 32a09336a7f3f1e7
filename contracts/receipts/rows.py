"""Rows in a file of JSON lines, compared with those that a receipt commits to."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Literal

import orjson

from contracts.receipts.document import Rows
from signatures import merkle
from signatures.canonical_rows import canonical_row
from tabular.model.sentences import counted

MOST_LINE_BYTES = 64 * 1024**2
SHOWN_BLOCKS = 5


class NotRows(ValueError):
    """A line of the file is not a row. The message has the number of the line."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Rows of the file or the receipt, from 1, that are not the other's."""

    kind: Literal["changed", "missing", "additional"]
    first: int
    last: int
    sentence: str


def hashes_of(path: Path) -> Iterator[bytes]:
    """Yield the leaf hash of each row of a file. Raise NotRows."""
    with path.open("rb") as file:
        for number, line in enumerate(_lines(file), start=1):
            if line.strip():
                yield merkle.leaf(_canonical(line, number))


def hash_of(text: bytes) -> bytes:
    """Return the leaf hash of one row. Raise NotRows."""
    return merkle.leaf(_canonical(text, 1))


def _lines(file: BinaryIO) -> Iterator[bytes]:
    number = 0
    while line := file.readline(MOST_LINE_BYTES + 1):
        number += 1
        if len(line) > MOST_LINE_BYTES:
            raise NotRows(f"Line {number} is longer than {MOST_LINE_BYTES:,} bytes.")
        yield line


def _canonical(line: bytes, number: int) -> bytes:
    try:
        row = orjson.loads(line)
        if isinstance(row, dict):
            return canonical_row(row)
    except ValueError as error:
        raise NotRows(f"Line {number} is not a row: {error}.") from error
    raise NotRows(f"Line {number} is not a row: there is no JSON object.")


def compare(path: Path, rows: Rows) -> tuple[Difference, ...]:
    """Return how the rows of a file differ from the delivered ones; empty if they are the same."""
    looked = _look(path, rows)
    surplus = looked.count - rows.count
    if not surplus:
        return tuple(map(_changed, looked.ranges(rows)))
    if not looked.differing:  # the file goes on behind the last block
        return (_additional(rows.count + 1, looked.count),)
    first, last = looked.ranges(rows)[0]
    if surplus == 1:
        window = list(islice(hashes_of(path), first - 1, last + 1))
        place = merkle.superfluous(window, bytes.fromhex(rows.blocks[looked.differing[0]]))
        if place is not None:
            return (_additional(first + place, first + place),)
    return (_surplus(surplus, first, last),)


@dataclass(frozen=True, slots=True)
class _Looked:
    count: int
    differing: tuple[int, ...]  # the first blocks that are not those of the receipt

    def ranges(self, rows: Rows) -> list[tuple[int, int]]:
        size = rows.block_size
        return [(at * size + 1, min((at + 1) * size, rows.count)) for at in self.differing]


def _look(path: Path, rows: Rows) -> _Looked:
    count, differing = 0, list[int]()

    def counting() -> Iterator[bytes]:
        nonlocal count
        for hashed in hashes_of(path):
            count += 1
            yield hashed

    there = 0
    for there, block in enumerate(merkle.blocks(counting(), rows.block_size), start=1):
        if there <= len(rows.blocks) and block.hex() != rows.blocks[there - 1]:
            differing.append(there - 1)
    differing += range(there, len(rows.blocks))
    return _Looked(count, tuple(differing[:SHOWN_BLOCKS]))


def _changed(place: tuple[int, int]) -> Difference:
    first, last = place
    return Difference("changed", first, last, f"{_rows(first, last)} changed, or in another order.")


def _additional(first: int, last: int) -> Difference:
    which = f"Row {first:,} is" if first == last else f"Rows {first:,} to {last:,} are"
    return Difference(
        "additional", first, last, f"{which} additional: the receipt has no such row."
    )


def _surplus(surplus: int, first: int, last: int) -> Difference:
    where = (
        f"the first of them among rows {first:,} to {last:,}"
        if abs(surplus) > 1
        else (f"among rows {first:,} to {last:,}")
    )
    if surplus > 0:
        return Difference(
            "additional", first, last, f"{counted(surplus, 'row')} too many, {where}."
        )
    return Difference("missing", first, last, f"{counted(-surplus, 'row')} missing, {where}.")


def _rows(first: int, last: int) -> str:
    return f"Row {first:,} was" if first == last else f"Rows {first:,} to {last:,} were"
