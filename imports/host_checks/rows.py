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

    rows: Rows = table.numbers().to_numpy()
    hashes = np.zeros(table.row_count, np.uint64)
    hashes[rows] = hashes_at(table, rows)
    return hashes


def hashes_at(table: StagedTable, rows: Rows) -> NDArray[np.uint64]:
    """Return a hash of the content of each of n rows, ascending, none of them excluded."""
    import numpy as np

    from tabular.types.hashing import hash_rows

    hashed = [hash_rows(batch.columns) for batch in in_review(table, rows).batches()]
    hashes: NDArray[np.uint64] = np.concatenate([np.zeros(0, np.uint64), *hashed])
    return np.maximum(hashes, np.uint64(1))


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


def rounds_of(check: HostCheck) -> NDArray[np.uint8]:
    """Return, for each row of a batch, how many times in a row hosts had changed it."""
    import numpy as np

    if check.rounds is None:
        return np.zeros(len(rows_checked(check)), np.uint8)
    return np.frombuffer(check.rounds, np.uint8)


def rounds_now(contents: NDArray[np.uint64], checks: Iterable[HostCheck]) -> NDArray[np.uint8]:
    """Return, for each row, how many times in a row hosts changed it; 0 where a person did."""
    import numpy as np

    rounds = np.zeros(len(contents), np.uint8)
    for check in checks:
        if check.set_places is None or check.set_contents is None:
            continue
        places = np.frombuffer(check.set_places, np.int64)
        made = np.frombuffer(check.set_contents, np.uint64)
        rows, before = rows_checked(check)[places], rounds_of(check)[places]
        there = np.flatnonzero(rows < len(contents))
        there = there[contents[rows[there]] == made[there]]
        rounds[rows[there]] = np.maximum(rounds[rows[there]], before[there] + np.uint8(1))
    return rounds


def unchecked_rows(contents: NDArray[np.uint64], checks: Iterable[HostCheck]) -> Rows:
    """Return the rows that no batch contains in their current form."""
    import numpy as np

    open_ = contents != 0
    for check in checks:
        rows = rows_checked(check)[still_so(check, contents)]
        open_[rows] = False
    return np.flatnonzero(open_).astype(np.int64)
