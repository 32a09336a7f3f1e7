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

READABLE = "unique"  # the error of a key that can be read: another row has it as well


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
    unread = _unread(errors)
    unnamed = np.zeros(table.row_count, dtype=bool)
    for entity in entities:
        paths = {key: path for key, path in paths_of(target, entity).items() if path in fed}
        key = paths.pop(keys.get(entity, ""), None)
        says = np.zeros(table.row_count, dtype=bool)
        for path in paths.values():
            says |= _is_filled(table.values(path))
        if key is not None:
            says &= ~_is_filled(plain_texts(table.values(key)))
            says[rows_in_error(unread, key)] = True
        unnamed |= says
    return np.flatnonzero(unnamed & ~table.is_excluded)


def has_excluded_key(table: StagedTable, entities: Collection[str]) -> bool:
    """Return whether an excluded row has a key with an error: it may name any entity."""
    from staging.issues import errors_of, rows_in_error
    from tabular.resolving.pointers import key_fields, paths_of

    target, unread = table.files.plan.target, _unread(errors_of(table))
    for entity, key in key_fields(target).items():
        path = paths_of(target, entity).get(key) if entity in entities else None
        if path and table.is_excluded[rows_in_error(unread, path)].any():
            return True
    return False


def _unread(errors: pa.Table) -> pa.Table:
    import pyarrow.compute as pc

    return errors.filter(pc.not_equal(pc.cast(errors["code"], "string"), READABLE))


def unsure_links(table: StagedTable, entities: Collection[str]) -> Rows:
    """
    Return the rows with errors, ascending, in which a cell refers to some entities.

    Such a row may be left out, or its cell may be misspelt: which entity it needs is unknown.
    """
    import numpy as np

    from staging.issues import errors_of, rows_in_error
    from tabular.resolving.pointers import pointers_of

    errors, fed = errors_of(table), table.files.by_field
    in_error, refers = np.zeros((2, table.row_count), dtype=bool)
    in_error[errors["row"].to_numpy()] = True
    for pointer in pointers_of(table.files.plan.target, fed):
        if pointer.entity in entities:
            refers |= _is_filled(table.values(pointer.path))
            refers[rows_in_error(errors, pointer.path)] = True
    return np.flatnonzero(refers & in_error & ~table.is_excluded)


def _is_filled(values: pa.Array | pa.ChunkedArray) -> NDArray[np.bool_]:
    import numpy as np

    return np.asarray(values.is_valid())
