"""
Which cells of a file change what is known: a three-way merge under the policy of each field.

Three values count: the one in the file, the host's (what is known now), and the one that was
delivered last. A field that only the host changed since then keeps the host's value. A field that
both changed is a conflict, which a person decides.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
from numpy.typing import NDArray

from tabular.model.catalog import Field
from tabular.resolving.entities import Entities
from tabular.resolving.graph import (
    CHANGED,
    DIFFERENCES,
    HELD,
    NEW,
    UNCHANGED,
    UNCLEAR,
    Compared,
    JsonTexts,
)
from tabular.resolving.known_values import (
    ASK,
    CONFLICT,
    HOST,
    KEEPING,
    KEPT,
    SETTLED,
    UNDECIDED,
    FieldPolicy,
)
from tabular.resolving.spellings import are_same, empty
from tabular.values.arrays import Rows

Unread = Callable[[str, Rows], NDArray[np.bool_]]  # field path and m rows to m marks


def all_read(path: str, rows: Rows) -> NDArray[np.bool_]:
    """Return that no cell of some rows has an error: such rows are not compared."""
    return np.zeros(len(rows), dtype=bool)


@dataclass(frozen=True, slots=True)
class _Cells:
    """
    The cells of one field in m rows of known entities: three JSON texts each, null for none.

    is_told: whether the known entity has the field at all. A host that leaves it out of its
    snapshot says nothing of it; one that sends null says that it is empty. is_unread: whether the
    cell has an error, and so says nothing either.
    """

    field: Field
    known: pa.Array
    file: pa.Array
    delivered: pa.Array
    was_delivered: NDArray[np.bool_]
    is_told: NDArray[np.bool_]
    is_unread: NDArray[np.bool_]

    def same(self, left: pa.Array, right: pa.Array) -> NDArray[np.bool_]:
        return are_same(left, right, self.field)


def compare(
    entities: Entities,
    json_texts: JsonTexts,
    *,
    fed: Mapping[str, Field],
    policies: Mapping[str, FieldPolicy],
    unread: Unread = all_read,
) -> Compared:
    """
    Return for each row whether its entity is new, changed or unchanged.

    fed: the fields that the file feeds, by path. policies: by path. unread: which cells of some
    rows have an error. A cell that waits for a decision counts as a change, and is held as well.
    """
    numbers = entities.of_rows
    statuses = np.zeros(len(numbers), np.int8)
    statuses[numbers >= entities.known_count] = NEW
    statuses[_unclear(entities, fed, json_texts)] = UNCLEAR
    rows = np.flatnonzero((numbers >= 0) & (numbers < entities.known_count))
    statuses[rows] = UNCHANGED
    changed, held = [DIFFERENCES.empty_table()], [HELD.empty_table()]
    for path, field in fed.items():
        texts = json_texts(path).take(pa.array(rows))
        cells = _cells(entities, field, numbers[rows], texts, unread(path, rows))
        why = _outcomes(cells, policies.get(path, KEEPING))
        at = np.flatnonzero(np.isin(why, ("", *UNDECIDED)))
        statuses[rows[at]] = CHANGED
        changed.append(_listed(rows, at, path, cells))
        held.append(_held(rows, path, cells, why))
    return Compared(statuses, pa.concat_tables(changed), pa.concat_tables(held))


def _cells(
    entities: Entities,
    field: Field,
    numbers: Rows,
    texts: pa.Array,
    is_unread: NDArray[np.bool_],
) -> _Cells:
    was, is_told = (
        np.array([field.key in values for values in known], dtype=bool)
        for known in (entities.delivered, entities.values)
    )
    at, none = pa.array(numbers), np.zeros(len(numbers), dtype=bool)
    return _Cells(
        field,
        known=_json_of(entities.values, field.key).take(at),
        file=_canonical(texts),
        delivered=_json_of(entities.delivered, field.key).take(at),
        was_delivered=was[numbers] if len(was) else none,
        is_told=is_told[numbers] if len(is_told) else none,
        is_unread=is_unread,
    )


def _outcomes(cells: _Cells, policy: FieldPolicy) -> NDArray[Any]:
    """
    Return what becomes of m cells: ``""`` for a change, None for none, or why it is held.

    A cell whose field has no policy of its own changes nothing without a word where it is empty.
    The policy decides first, then who changed the value last; only what a person chose for
    conflicts goes before the policy that was chosen with it.
    """
    why = np.full(len(cells.known), None, dtype=object)
    differs = ~cells.same(cells.known, cells.file)
    says_nothing = empty(cells.file) & (cells.is_unread | (not policy.empty_clears))
    why[differs & says_nothing & (policy.is_own | policy.empty_clears)] = KEPT
    differs &= ~says_nothing
    of_host = differs & cells.was_delivered & cells.is_told
    of_host &= ~cells.same(cells.known, cells.delivered)
    of_both = of_host & ~cells.same(cells.file, cells.delivered)
    kept = differs & _is_kept(cells, policy)
    if policy.side is not None and not policy.keeps_all:
        kept &= ~of_both
    why[kept] = KEPT
    rest = differs & ~kept
    why[rest] = ASK if policy.on_known == "ask" else ""
    why[of_host & rest] = HOST
    why[of_both & rest] = {None: CONFLICT, "host": HOST, "file": ""}[policy.side]
    return why


def _is_kept(cells: _Cells, policy: FieldPolicy) -> NDArray[np.bool_]:
    """Return where the known value stays, whatever the file says."""
    if policy.on_known == "fillEmpty":
        return ~empty(cells.known)
    return np.full(len(cells.known), policy.on_known == "keep")


def _listed(rows: Rows, at: Rows, path: str, cells: _Cells) -> pa.Table:
    place, word = pa.array(at), pa.repeat(pa.scalar(path), len(at))
    columns = [pa.array(rows[at]), word, cells.known.take(place), cells.file.take(place)]
    return pa.table(columns, schema=DIFFERENCES)


def _held(rows: Rows, path: str, cells: _Cells, why: NDArray[Any]) -> pa.Table:
    at = np.flatnonzero(np.isin(why, (*SETTLED, *UNDECIDED)))
    place = pa.array(at)
    columns = [
        pa.array(rows[at]),
        pa.repeat(pa.scalar(path), len(at)),
        pa.array(why[at].tolist(), pa.string()),
        cells.known.take(place),
        cells.file.take(place),
        cells.delivered.take(place),
    ]
    return pa.table(columns, schema=HELD)


def _unclear(entities: Entities, fed: Mapping[str, Field], json_texts: JsonTexts) -> Any:
    """Return the rows with a key that several known entities have."""
    path = next((path for path, field in fed.items() if field.key == entities.key), None)
    if path is None or not len(entities.of_rows):
        return np.zeros(0, np.int64)
    keyed = json_texts(path).is_valid().to_numpy(zero_copy_only=False)
    return np.flatnonzero(keyed & (entities.of_rows < 0))


def _json_of(values: list[dict[str, Any]], field: str) -> pa.Array:
    known = [item.get(field) for item in values]
    texts = [None if value is None else orjson.dumps(value).decode() for value in known]
    return pa.array(texts, pa.string())


def _canonical(texts: pa.Array) -> pa.Array:
    """Return JSON texts in a form in which equal values are equal texts."""
    words = texts.cast(pa.string()).dictionary_encode()
    same = [orjson.dumps(orjson.loads(text)).decode() for text in words.dictionary.to_pylist()]
    return pa.DictionaryArray.from_arrays(words.indices, pa.array(same, pa.string())).cast(
        pa.string()
    )
