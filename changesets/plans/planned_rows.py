"""The planned rows of a revision: those of its base, and over them those that were edited."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from staging.arrays import Rows

FILE = "plan.arrow"
SIDES = ("before", "after")
VALUES = ("known", "file", "delivered")


@dataclass(frozen=True)
class PlannedRows:
    """
    Every row of a revision, planned.

    whole: a line per row of the base. edited: lines of the rows that were edited since, with their
    numbers in ``row``, ascending; None without any.
    """

    whole: pa.Table
    edited: pa.Table | None = None

    @cached_property
    def statuses(self) -> NDArray[np.int8]:
        """The status of each row, as in ``graph.STATUSES``; negative if it is not delivered."""
        statuses: NDArray[np.int8] = self.whole["status"].to_numpy()
        if self.edited is not None:
            statuses = statuses.copy()
            statuses[self.edited_rows] = self.edited["status"].to_numpy()
        return statuses

    @cached_property
    def edited_rows(self) -> Rows:
        """The rows that were edited since the base, ascending."""
        import numpy as np

        if self.edited is None:
            return np.zeros(0, np.int64)
        rows: Rows = self.edited["row"].to_numpy()
        return rows

    def numbers(self, status: str | None, first: int, most: int) -> Rows:
        """Return the next rows with a status, or with any; ``most`` at most, from ``first`` on."""
        import numpy as np

        from tabular.resolving.graph import STATUSES

        meant = [code for code, word in enumerate(STATUSES) if status in {None, word}]
        return np.flatnonzero(np.isin(self.statuses[first:], meant))[:most] + first

    def shown(self, rows: Rows) -> Iterator[dict[str, Any]]:
        """Yield some rows: ``row``, ``status``, ``refs`` by entity, ``changes`` and ``held``."""
        import numpy as np

        from tabular.resolving.graph import STATUSES

        for row in rows.tolist():
            at = int(np.searchsorted(self.edited_rows, row))
            is_edited = at < len(self.edited_rows) and self.edited_rows[at] == row
            table = self.edited if is_edited and self.edited is not None else self.whole
            line = table.slice(at if is_edited else row, 1).to_pylist()[0]
            yield {
                "row": row,
                "status": STATUSES[line["status"]],
                "refs": {
                    item["entity"]: item["ref"] for item in line["refs"] if item["ref"] is not None
                },
                "changes": [_read(item, SIDES) for item in line["changes"]],
                "held": [_read(item, VALUES) for item in line["held"]],
            }

    def held_in(self, path: str, why: str, most: int) -> list[dict[str, Any]]:
        """Return the first cells of a field that are held for a reason, with their three values."""
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        cells: list[dict[str, Any]] = []
        for table, rows in self._numbered():
            held = table["held"].combine_chunks()
            items = pa.Table.from_struct_array(pc.list_flatten(held))
            here = pc.and_(pc.equal(items["field"], path), pc.equal(items["why"], why))
            at = np.flatnonzero(here.to_numpy())[:most]
            parents = pc.list_parent_indices(held).take(pa.array(at)).to_numpy()
            for row, item in zip(rows[parents].tolist(), items.take(at).to_pylist(), strict=True):
                cells.append({"row": row, **read_cell(item)})
        cells.sort(key=itemgetter("row"))
        return cells[:most]

    def _numbered(self) -> Iterator[tuple[pa.Table, Rows]]:
        """Yield the lines that count, with the numbers of their rows."""
        import numpy as np

        tables = self.tables()
        rows = np.arange(self.whole.num_rows)
        yield tables[0], np.delete(rows, self.edited_rows)
        if self.edited is not None:
            yield self.edited, self.edited_rows

    def tables(self) -> list[pa.Table]:
        """Return the lines that count: of the base those of rows not edited since, and the rest."""
        import numpy as np
        import pyarrow as pa

        if self.edited is None:
            return [self.whole]
        mask = np.ones(self.whole.num_rows, dtype=bool)
        mask[self.edited_rows] = False
        return [self.whole.filter(pa.array(mask)), self.edited]


def read_cell(held: dict[str, Any]) -> dict[str, Any]:
    """Return the three values of a held cell, read as JSON."""
    values = _read(held, VALUES)
    return {name: values[name] for name in VALUES}


def _read(item: dict[str, Any], values: Collection[str]) -> dict[str, Any]:
    """Return a cell of a plan with some of its members read as JSON."""
    return {
        name: orjson.loads(text) if name in values and text is not None else text
        for name, text in item.items()
    }


def opened(folder: Path) -> pa.Table:
    """Map the planned rows of a folder into memory."""
    from tabular.protocol.tables import whole

    return whole(folder / FILE)
