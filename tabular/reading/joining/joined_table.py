"""
The join of two tables: rows of a child with the columns of its parent.

The joined table is one more table of the reading, the last one. No row of either table is lost:
rows without a match stay, with the columns of the other table empty. ROW_COLUMN numbers a row by
the table each of whose rows is in one row of the join, which is the child where that is possible
(see ``tabular.model.places.part_of``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tabular.model.issue import Issue
from tabular.model.places import JOINED_TABLES, PART_ROWS, folded_name, join_fault
from tabular.model.problem import Limits, UnusableRequest
from tabular.model.sentences import Sentence, counted
from tabular.model.table import Evidence, Joined, Reading, SkippedRow, Table
from tabular.reading.batches import rows_per_batch, schema_of
from tabular.reading.joining.keys import NONE, Codes, Matching, codes_of
from tabular.reading.joining.relations import best_key
from tabular.reading.joining.rows import KeptRows
from tabular.reading.stacking import PREVIEW_ROWS, Part, StackedBody, places_of, sum_of_skipped

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Pairs = tuple[Numbers, Numbers, Numbers]

MOST_TIMES = 10  # a join has at most so many times the rows of its larger table
MOST_COPIES = 100  # rows that are made of the same row; their numbers are 64-bit integers
On = Sequence[tuple[str, str]]


def joined(reading: Reading, numbers: Sequence[int], on: On, limits: Limits) -> Reading:
    """
    Add the join of two tables, a child and its parent, as the last table, and choose it.

    on: pairs of columns; without, those that match best. Raises UnusableRequest: unknown_table,
    unjoinable_tables, unknown_column, no_join_key, join_multiplies.
    """
    parts = _parts(reading, numbers, on)
    child, parent = (KeptRows(part.table, part.body, limits) for part in parts)
    pairs_of_columns = tuple(on) or best_key(parts[0].table, child, parts[1].table, parent)
    codes = codes_of(
        [child.column(_place(parts[0], first)) for first, _ in pairs_of_columns],
        [parent.column(_place(parts[1], other)) for _, other in pairs_of_columns],
    )
    matching = Matching.of(codes)
    _refuse_multiplied(matching, codes, limits)
    body = JoinedBody.of(parts, (child, parent), matching, pairs_of_columns)
    return replace(
        reading,
        tables=(*reading.tables, body.table),
        bodies=(*reading.bodies, body),
        chosen=len(reading.tables),
    )


def _parts(reading: Reading, numbers: Sequence[int], on: On) -> tuple[Part, Part]:
    for number in numbers:
        if number >= len(reading.tables) or reading.tables[number].stacked:
            raise UnusableRequest(
                "unknown_table", Sentence("The file has no table number {n1}.", n1=str(number))
            )
    tables = [reading.tables[number] for number in numbers]
    if refused := join_fault(numbers, tables, on):
        raise UnusableRequest(*refused)
    first, other = (
        Part(number, table, reading.bodies[number], place)
        for number, table, place in zip(numbers, tables, places_of(tables), strict=True)
    )
    return first, other


def _place(part: Part, name: str) -> int:
    """Return the position of a column."""
    return part.by_name[folded_name(name)]


def _refuse_multiplied(matching: Matching, codes: Codes, limits: Limits) -> None:
    children, parents, rows = len(codes.child), len(codes.parent), matching.rows
    allowed = min(limits.rows, MOST_TIMES * max(children, parents))
    if rows > allowed or matching.copies > MOST_COPIES:
        raise UnusableRequest(
            "join_multiplies",
            Sentence(
                "Joining {ROWS} and {OTHER} would make {MADE}. Join by another column.",
                ROWS=counted(children, "row"),
                OTHER=counted(parents, "row"),
                MADE=counted(rows, "row"),
            ),
            child=children,
            parent=parents,
            rows=rows,
            allowed=allowed,
        )


@dataclass(slots=True)
class JoinedBody:
    """The rows of a join, taken from rows on disk; only the current batch is in memory."""

    parts: tuple[Part, Part]
    rows: tuple[KeptRows, KeptRows]
    pairs: Pairs
    numbers: Numbers
    keys: tuple[tuple[int, int], ...]  # positions in the child and in the parent
    table: Table

    @classmethod
    def of(
        cls, parts: tuple[Part, Part], rows: tuple[KeptRows, KeptRows], matching: Matching, on: On
    ) -> JoinedBody:
        """Return the body of the join by some columns."""
        keys = tuple((_place(parts[0], first), _place(parts[1], other)) for first, other in on)
        pairs = matching.pairs()
        numbers = _numbers(parts, rows, pairs, is_by_parent=matching.is_by_parent)
        body = cls(parts, rows, pairs, numbers, keys, _table_of(parts, matching, keys))
        first_rows = next(body.batches(PREVIEW_ROWS), None)
        if first_rows is not None:
            columns = first_rows.slice(0, PREVIEW_ROWS).select(list(body.table.columns)).columns
            preview = zip(*(column.to_pylist() for column in columns), strict=True)
            body.table = replace(body.table, preview=tuple(preview))
        return body

    def batches(self, size: int | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the body's batches (see ``Body``), of a given size if wanted."""
        columns = self.table.columns
        has_kinds = any(rows.has_kinds for rows in self.rows)
        schema = schema_of(columns, has_kinds=has_kinds)
        size = size or rows_per_batch(len(columns))
        for start in range(0, len(self.numbers), size):
            yield self._batch(slice(start, start + size), schema, has_kinds=has_kinds)

    def _batch(self, here: slice, schema: pa.Schema, *, has_kinds: bool) -> pa.RecordBatch:
        import pyarrow as pa

        child_at, parent_at = self.pairs[0][here], self.pairs[1][here]
        texts, kinds = self.rows[0].taken(child_at)
        more_texts, more_kinds = self.rows[1].taken(parent_at)
        is_child = pa.array(child_at != NONE)
        for first, other in self.keys:  # a row of the parent alone has its key in the same column
            texts[first] = _of_either(is_child, texts[first], more_texts[other])
            kinds[first] = _of_either(is_child, kinds[first], more_kinds[other])
        keys = {other for _, other in self.keys}
        texts += [column for at, column in enumerate(more_texts) if at not in keys]
        arrays: list[Any] = [pa.array(self.numbers[here])]
        if has_kinds:
            kinds += [column for at, column in enumerate(more_kinds) if at not in keys]
            arrays.append(pa.StructArray.from_arrays(kinds, fields=list(schema.field(1).type)))
        return pa.record_batch([*arrays, *texts], schema=schema)

    def outcome(self) -> tuple[Table, tuple[Issue, ...]]:
        """Return the table, the issues of both parts, and how many rows have no match."""
        _, issues = self._as_stack.outcome()
        join = self.table.join
        lonely = (join.child_only, join.parent_only) if join else (0, 0)
        return self.table, (*issues, *_unmatched(self.parts, lonely))

    def skipped_rows(self) -> Iterator[SkippedRow]:
        """Yield every row that is not in the body of either part."""
        return self._as_stack.skipped_rows()

    @property
    def _as_stack(self) -> StackedBody:
        return StackedBody(self.parts, self.table)


def _of_either(is_child: Any, child: Any, parent: Any) -> Any:
    import pyarrow.compute as pc

    return pc.if_else(is_child, child, parent)


def _numbers(
    parts: tuple[Part, Part], rows: tuple[KeptRows, KeptRows], pairs: Pairs, *, is_by_parent: bool
) -> Numbers:
    """Return the number of each row of the join: of its table, and of its row there."""
    import numpy as np

    child, parent, nth = pairs
    by_parent = (child == NONE) | ((parent != NONE) & is_by_parent)
    numbers = np.empty(len(child), np.int64)
    for part, kept, at, here in (
        (parts[0], rows[0], child, ~by_parent),
        (parts[1], rows[1], parent, by_parent),
    ):
        numbers[here] = part.number * PART_ROWS + kept.numbers[at[here]]
    copies = np.where(by_parent, 0, nth)
    numbers += copies * (JOINED_TABLES * PART_ROWS)
    return numbers


def _table_of(
    parts: tuple[Part, Part], matching: Matching, keys: tuple[tuple[int, int], ...]
) -> Table:
    child, parent = (part.table for part in parts)
    names = _parent_names(parts, keys)
    others = {other for _, other in keys}
    child_rate, parent_rate = matching.codes.rates
    on = tuple((child.columns[first], parent.columns[other]) for first, other in keys)
    join = Joined(
        child=parts[0].number,
        parent=parts[1].number,
        on=on,
        parent_columns=names,
        matched=matching.matched,
        child_only=len(matching.matches) - matching.matched,
        parent_only=len(matching.lonely),
        child_rate=child_rate,
        parent_rate=parent_rate,
    )
    return Table(
        columns=(*child.columns, *(name for at, name in enumerate(names) if at not in others)),
        header_rows=child.header_rows,
        row_count=matching.rows,
        encoding=child.encoding,
        delimiter=child.delimiter,
        confidence=min(child.confidence, parent.confidence),
        skipped=sum_of_skipped([child, parent]),
        evidence=(_evidence(parts, join),),
        document={**parent.document, **child.document},
        stacked=(join.child, join.parent),
        join=join,
    )


def _parent_names(parts: tuple[Part, Part], keys: tuple[tuple[int, int], ...]) -> tuple[str, ...]:
    """Return names for the parent's columns: of its keys those of the child, others are new."""
    child, parent = parts
    key_of = {other: child.table.columns[first] for first, other in keys}
    taken = {folded_name(name) for name in child.table.columns}
    names: list[str] = []
    for at, name in enumerate(parent.table.columns):
        unique, number = name, 2
        if at not in key_of and folded_name(name) in taken:
            unique = f"{name} ({parent.place})"
        while at not in key_of and folded_name(unique) in taken:
            unique, number = f"{name} ({number})", number + 1
        names.append(key_of.get(at, unique))
        taken.add(folded_name(names[-1]))
    return tuple(names)


def _evidence(parts: tuple[Part, Part], join: Joined) -> Evidence:
    child, parent = (part.place[:200] for part in parts)
    rate = f"{join.child_rate:.0%}"
    reason = Sentence(
        "rows of {place} with the columns of {other}: {rate} of the keys match",
        place=child,
        other=parent,
        rate=rate,
    )
    return Evidence("joined", reason, round(join.child_rate, 4))


def _unmatched(parts: tuple[Part, Part], lonely: tuple[int, int]) -> Iterator[Issue]:
    """Yield how many rows of either table have no match."""
    for (part, other), rows in zip((parts, parts[::-1]), lonely, strict=True):
        if rows:
            message = Sentence(
                "{ROWS} of {place} without a match in {other}.",
                ROWS=counted(rows, "row"),
                place=part.place,
                other=other.place,
            )
            about = {"place": part.place, "rows": rows}
            yield Issue("unmatched_rows", "warning", message=message, params=about)
