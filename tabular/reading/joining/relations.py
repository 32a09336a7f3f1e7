"""
Which tables of a file belong together: the same columns, or a key that both have.

A key of a parent tells its rows apart, nearly. How well it fits is the share of distinct keys of
either table that the other one has, by the first rows of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

from tabular.model.places import fault, folded_name
from tabular.model.problem import TabularProblem, UnusableRequest
from tabular.model.table import Reading, Related, Table
from tabular.reading.batches import first_text
from tabular.reading.joining.keys import trimmed
from tabular.reading.joining.rows import KeptRows

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

MOST_TABLES = 8  # that are compared with each other
MOST_ROWS = 50_000  # of a table that are looked at
MOST_COLUMNS = 30
MOST_BYTES = 64 << 20
MOST_KEYS = 3  # that are offered for two tables
MOST_RELATED = 60
LEAST_RATE = 0.5  # of the child's keys
LEAST_DISTINCT = 0.95  # of the parent's keys: a few rows may be there twice
LONGEST_KEY = 64  # characters, on average
DECIMAL = r"^-?\d+[.,]\d+$"
MOST_DECIMALS = 0.1  # of the texts of a key
SAME_NAME = 0.2  # what the same name counts, as a share of matching keys
LEAST_SHARED = 2  # columns of tables that may be stacked


@dataclass(frozen=True)
class KeyColumn:
    """The distinct texts of a column, as sorted codes that all tables share."""

    table: int
    name: str
    codes: NDArray[np.int64]
    is_distinct: bool  # nearly each row has a text of its own


def related(reading: Reading) -> tuple[Related, ...]:
    """Return the pairs of tables that may be stacked or joined, the most likely first."""
    numbers = [
        number
        for number, table in enumerate(reading.tables)
        if not table.stacked and not table.is_hidden and table.row_count != 0
    ][:MOST_TABLES]
    appended = list(_appended(reading.tables, numbers))
    alike = {(item.first, item.other) for item in appended if not _differ(item)}
    pairs = [
        (child, parent)
        for child, parent in permutations(numbers, 2)
        if not alike & {(child, parent), (parent, child)}
        and reading.tables[child].page is None
        and reading.tables[parent].page is None
    ]
    columns = _first_columns(reading, {number for pair in pairs for number in pair})
    joins = list(_joins(columns, pairs))
    return (*appended, *joins)[:MOST_RELATED]


def best_key(
    child: Table, child_rows: KeptRows, parent: Table, parent_rows: KeptRows
) -> tuple[tuple[str, str]]:
    """Return the pair of columns that matches best. Raise UnusableRequest: no_join_key."""
    columns = _coded(
        [
            (number, name, rows.column(at))
            for number, table, rows in ((0, child, child_rows), (1, parent, parent_rows))
            for at, name in enumerate(table.columns[:MOST_COLUMNS])
        ]
    )
    for item in _joins(columns, [(0, 1)]):
        (pair,) = item.on
        return (pair,)
    raise UnusableRequest("no_join_key", "No columns of these tables match. Name the columns.")


def _differ(item: Related) -> bool:
    return bool(item.only_first or item.only_other)


def _appended(tables: Sequence[Table], numbers: Sequence[int]) -> Iterator[Related]:
    """Yield the pairs of tables with the same columns, and with some that differ."""
    for first, other in combinations(numbers, 2):
        own, more = tables[first].columns, tables[other].columns
        shared = {*map(folded_name, own)} & {*map(folded_name, more)}
        if len(shared) < LEAST_SHARED or 2 * len(shared) < min(len(own), len(more)):
            continue
        differing = [
            tuple(name for name in names if folded_name(name) not in shared)
            for names in (own, more)
        ]
        item = Related("append", first, other, differing[0], differing[1])
        if _differ(item) or not fault([tables[first], tables[other]]):
            yield item


def _first_columns(reading: Reading, numbers: set[int]) -> list[KeyColumn]:
    """Return the columns of some tables by their first rows."""
    return _coded(
        [
            (number, name, texts)
            for number in sorted(numbers)
            for name, texts in _first_texts(reading, number)
        ]
    )


def _first_texts(reading: Reading, number: int) -> list[tuple[str, pa.ChunkedArray[Any]]]:
    """Return the first columns in the first rows; none of a table that cannot be read."""
    import pyarrow as pa

    names = reading.tables[number].columns[:MOST_COLUMNS]
    held: list[pa.RecordBatch] = []
    rows = size = 0
    try:
        for batch in reading.bodies[number].batches():
            start = first_text(batch)
            texts = batch.select(list(range(start, start + len(names))))
            held.append(texts.slice(0, MOST_ROWS - rows))
            rows, size = rows + held[-1].num_rows, size + held[-1].nbytes
            if rows >= MOST_ROWS or size >= MOST_BYTES:
                break
    except TabularProblem:  # only the table that is imported has to be sound
        return []
    columns = pa.Table.from_batches(held).columns if held else []
    return list(zip(names, columns, strict=False))


def _coded(columns: Sequence[tuple[int, str, Any]]) -> list[KeyColumn]:
    """Return the columns that may be keys, with their distinct texts as codes."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kept: list[tuple[int, str, bool]] = []
    distinct: list[Any] = []
    for number, name, texts in columns:
        plain = trimmed(texts.cast(pa.large_string()))
        filled = len(plain) - plain.null_count
        values = pc.drop_null(pc.unique(plain))
        if len(values) < 2 or not _may_be_key(values):
            continue
        kept.append((number, name, len(values) >= LEAST_DISTINCT * filled))
        distinct.append(values)
    if not distinct:
        return []
    encoded = pc.dictionary_encode(pa.chunked_array(distinct).combine_chunks())
    codes, coded, start = encoded.indices.to_numpy().astype("int64"), [], 0
    for (number, name, is_distinct), values in zip(kept, distinct, strict=True):
        coded.append(KeyColumn(number, name, codes[start : start + len(values)], is_distinct))
        start += len(values)
    return coded


def _may_be_key(values: pa.Array[Any]) -> bool:
    """Return whether distinct texts are neither long nor decimal numbers, such as amounts."""
    import pyarrow.compute as pc

    length = pc.mean(pc.utf8_length(values)).as_py() or 0
    decimals = pc.mean(pc.match_substring_regex(values, DECIMAL)).as_py() or 0
    return bool(length <= LONGEST_KEY and decimals < MOST_DECIMALS)


def _joins(columns: Sequence[KeyColumn], pairs: Sequence[tuple[int, int]]) -> list[Related]:
    """Return the best keys of each pair of tables, child and parent, by how well they match."""
    import numpy as np

    size = max((int(column.codes.max()) + 1 for column in columns), default=0)
    parents_of: dict[int, set[int]] = {}
    for child, parent in pairs:
        parents_of.setdefault(parent, set()).add(child)
    by_pair: dict[tuple[int, int], list[Related]] = {}
    for other in columns:
        if not other.is_distinct or other.table not in parents_of:
            continue
        is_there = np.zeros(size, np.bool_)
        is_there[other.codes] = True
        for column in columns:
            if column.table not in parents_of[other.table]:
                continue
            both = int(is_there[column.codes].sum())
            if both >= LEAST_RATE * len(column.codes):
                by_pair.setdefault((column.table, other.table), []).append(
                    Related(
                        "join",
                        column.table,
                        other.table,
                        on=((column.name, other.name),),
                        first_rate=round(both / len(column.codes), 4),
                        other_rate=round(both / len(other.codes), 4),
                    )
                )
    best = (sorted(items, key=_worth)[:MOST_KEYS] for items in by_pair.values())
    return sorted((item for items in best for item in items), key=_worth)


def _worth(item: Related) -> tuple[float, float]:
    """Return the order of joins: by how well the keys match, where the same name counts, too."""
    ((first, other),) = item.on
    bonus = SAME_NAME if folded_name(first) == folded_name(other) else 0
    return -(item.first_rate or 0) - bonus, -(item.other_rate or 0)
