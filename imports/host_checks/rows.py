"""What a host was asked about: rows by number and content, so that an edited row is sent again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from imports.host_checks.model import HostCheck
from staging.columns import StagedTable
from staging.exports.delivered_rows import Delivered

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from staging.arrays import Rows


def in_review(table: StagedTable, rows: Rows) -> Delivered:
    """Return some rows as review shows them: unreadable values are null."""
    return Delivered(table, includes_invalid=False, chosen=rows)


def contents_of(table: StagedTable) -> NDArray[np.uint64]:
    """Return a hash of the content of each row, and 0 for excluded rows."""
    import numpy as np

    from tabular.types.hashing import hash_rows

    rows: Rows = table.numbers().to_numpy()
    hashes = np.zeros(table.row_count, np.uint64)
    done = 0
    for batch in in_review(table, rows).batches():
        hashed = hash_rows(batch.columns)
        hashes[rows[done : done + len(hashed)]] = np.maximum(hashed, np.uint64(1))
        done += len(hashed)
    return hashes


def rows_checked(check: HostCheck) -> Rows:
    """Return the rows of a batch, in the order in which they were sent."""
    import numpy as np

    return np.frombuffer(check.rows, np.int64)


def still_so(check: HostCheck, contents: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return, for each row of a batch, whether it is unchanged since it was sent."""
    import numpy as np

    rows, seen = rows_checked(check), np.frombuffer(check.contents, np.uint64)
    same = np.zeros(len(rows), dtype=bool)
    there = rows < len(contents)
    same[there] = contents[rows[there]] == seen[there]
    return same


def unchecked_rows(contents: NDArray[np.uint64], checks: Iterable[HostCheck]) -> Rows:
    """Return the rows that no batch contains in their current form."""
    import numpy as np

    open_ = contents != 0
    for check in checks:
        rows = rows_checked(check)[still_so(check, contents)]
        open_[rows] = False
    return np.flatnonzero(open_).astype(np.int64)
