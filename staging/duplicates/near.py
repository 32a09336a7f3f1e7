"""
Group rows that nearly are duplicates: names or addresses with a typing error, another order.

Rows with the same texts, apart from case, accents and punctuation, are one record. Records are
blocked and scored by ``tabular.resolving.likeness``, as texts that refer to a known entity are.
Similar pairs are joined to groups, so that a group may have two rows that are less similar.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from common.errors import Conflict
from staging import arrays
from staging.columns import StagedTable
from staging.duplicates.grouping import Duplicates, Grouping, grouped_by, numbered

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from staging.arrays import Rows

MOST_ROWS = 250_000  # rows that are compared: seconds of CPU
MOST_IN_GROUP = 1_000  # similar pairs chain; a larger group says nothing about two of its rows
_MOST_REMEMBERED = 8

_remembered: OrderedDict[tuple[str, int, Grouping], Duplicates] = OrderedDict()
_lock = threading.Lock()


class TooManyToCompare(Conflict):
    """Too many rows to compare. Look for equal rows instead."""

    code = "too_many_to_compare"


def near(table: StagedTable, grouping: Grouping, rows: Rows) -> Duplicates:
    """
    Return the groups of rows that are similar in each of some fields.

    An empty cell resembles an empty cell alone; values other than texts resemble equal ones alone.
    Raise TooManyToCompare above MOST_ROWS. The groups of a revision are remembered, because pages,
    a preview and a change need the same ones.
    """
    if len(rows) > MOST_ROWS:
        raise TooManyToCompare(members={"rows": len(rows), "allowed": MOST_ROWS})
    key = (table.revision.subject, table.revision.number or 0, grouping)
    with _lock:
        if key in _remembered:
            _remembered.move_to_end(key)
            return _remembered[key]
    groups = _near(table, grouping, rows)
    if table.revision.subject:
        with _lock:
            _remembered[key] = groups
            while len(_remembered) > _MOST_REMEMBERED:
                _remembered.popitem(last=False)
    return groups


def _near(table: StagedTable, grouping: Grouping, rows: Rows) -> Duplicates:
    import numpy as np

    paths, score = grouping.fields, 100.0 * grouping.threshold
    columns = {path: _texts(table, path, rows) for path in paths}
    numbers = np.zeros(len(rows), np.int64)
    filled = np.zeros(len(rows), dtype=bool)
    for texts, _ in columns.values():
        encoded = texts.dictionary_encode()
        numbers = numbered(numbers, encoded.indices.to_numpy().astype(np.int64) + 1)
        filled |= np.asarray(_lengths(texts) > 0)
    rows, numbers = rows[filled], numbers[filled]
    distinct, first, numbers = np.unique(numbers, return_index=True, return_inverse=True)
    records = {
        path: (texts.filter(_mask(filled)).take(_indices(first)), is_text)
        for path, (texts, is_text) in columns.items()
    }
    left, right = _pairs(list(records.values()), score)
    joined = _connected(len(distinct), left, right)
    return grouped_by(paths, rows, joined[numbers], MOST_IN_GROUP)


def _pairs(records: list[tuple[pa.Array, bool]], score: float) -> tuple[Rows, Rows]:
    """Return the pairs of records that are similar in every field, by their numbers."""
    from tabular.resolving.likeness import alike_among

    varying = [texts for texts, is_text in records if is_text]
    same = [texts for texts, is_text in records if not is_text]
    alike = alike_among(varying, min_score=score, same=same)
    return alike.sought, alike.known


def _texts(table: StagedTable, path: str, rows: Rows) -> tuple[pa.Array, bool]:
    """Return the texts of a field that are compared, empty for none, and whether they may vary."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from tabular.resolving.keys import folded

    values = arrays.take(table.values(path), rows)
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if not pa.types.is_string(values.type):
        return pc.fill_null(table.files.by_field[path].json_texts(values), ""), False
    return folded(pc.fill_null(values, "")), True


def _connected(count: int, left: Rows, right: Rows) -> Rows:
    """Return for each of some records the smallest number that pairs lead to."""
    import numpy as np

    labels = np.arange(count, dtype=np.int64)
    while len(left):
        least = np.minimum(labels[left], labels[right])
        before = labels.copy()
        np.minimum.at(labels, labels[left], least)
        np.minimum.at(labels, labels[right], least)
        labels = labels[labels]
        if np.array_equal(labels, before):
            break
    return labels


def _lengths(texts: pa.Array) -> Rows:
    import pyarrow.compute as pc

    lengths: Rows = pc.binary_length(texts).to_numpy(zero_copy_only=False)
    return lengths


def _mask(mask: NDArray[np.bool_]) -> pa.Array:
    import pyarrow as pa

    return pa.array(mask)


def _indices(rows: NDArray[Any]) -> pa.Array:
    import pyarrow as pa

    return pa.array(rows)
