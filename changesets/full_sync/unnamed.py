"""The rows of which it is unknown what they name."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from staging.arrays import Rows
    from staging.columns import StagedTable


def unnamed_rows(table: StagedTable, entities: Collection[str]) -> Rows:
    """
    Return the rows, ascending, that say something of an entity but have no key that can be read.

    Without the excluded ones: a person saw that these are not data. An entry whose key no column
    feeds has every row that says something of it.
    """
    import numpy as np

    from staging.issues import errors_of, rows_in_error
    from tabular.resolving.parts import plain_texts
    from tabular.resolving.pointers import key_fields, paths_of

    target, fed = table.files.plan.target, table.files.by_field
    keys, errors = key_fields(target), errors_of(table)
    unnamed = np.zeros(table.row_count, dtype=bool)
    for entity in entities:
        paths = {key: path for key, path in paths_of(target, entity).items() if path in fed}
        key = paths.pop(keys.get(entity, ""), None)
        says = np.zeros(table.row_count, dtype=bool)
        for path in paths.values():
            says |= _is_filled(table.values(path))
        if key is not None:
            says[rows_in_error(errors, key)] = True
            says &= ~_is_filled(plain_texts(table.values(key)))
        unnamed |= says
    return np.flatnonzero(unnamed & ~table.is_excluded)


def _is_filled(values: pa.Array | pa.ChunkedArray) -> NDArray[np.bool_]:
    import numpy as np

    return np.asarray(values.is_valid())
