"""The texts that values are read from, a whole field at a time, edits included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from staging import arrays
from staging.columns import StagedTable

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows
    from staging.lineage.origin import Origin


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts of some rows of one field. rows: m, ascending; texts: m strings."""

    rows: Rows
    texts: pa.Array

    def __len__(self) -> int:
        return len(self.rows)

    def over(self, older: Texts) -> Texts:
        """Join with older texts; where both have a row, this one counts."""
        import numpy as np
        import pyarrow as pa

        kept = ~np.isin(older.rows, self.rows)
        rows = np.concatenate([older.rows[kept], self.rows])
        texts = pa.concat_arrays([older.texts.filter(pa.array(kept)), self.texts])
        order = np.argsort(rows, kind="stable")
        return Texts(rows[order], texts.take(pa.array(order)))

    def sorted(self) -> Texts:
        """Give the same texts by ascending row."""
        import numpy as np
        import pyarrow as pa

        order = np.argsort(self.rows, kind="stable")
        return Texts(self.rows[order], self.texts.take(pa.array(order)))

    def among(self, rows: Rows) -> dict[int, str | None]:
        """Give the texts of those of some ascending rows that have one, by place among them."""
        import numpy as np

        places = np.searchsorted(rows, self.rows)
        inside = places < len(rows)
        inside[inside] &= rows[places[inside]] == self.rows[inside]
        at = np.flatnonzero(inside)
        return dict(zip(places[at].tolist(), self.texts.take(at).to_pylist(), strict=True))


def texts_at(by_row: Mapping[int, str | None]) -> Texts:
    """Make texts from a mapping of rows."""
    import numpy as np
    import pyarrow as pa

    rows = sorted(by_row)
    return Texts(np.array(rows, np.int64), pa.array([by_row[r] for r in rows], pa.string()))


def edited_texts(table: StagedTable, path: str) -> Texts:
    """Give every edited text of a field."""
    patches = table.overlay.patches
    overlaid = texts_at({r: p.texts[path] for r, p in patches.items() if path in p.texts})
    filed = table.files.texts(path)
    if filed is None:
        return overlaid
    joined = filed[1].combine_chunks()
    return overlaid.over(Texts(filed[0], joined))


def edited_fields(table: StagedTable) -> set[str]:
    """Name the fields that have an edited text."""
    patches = table.overlay.patches.values()
    return {*table.files.manifest.text_files, *(p for x in patches for p in x.texts)}


def whole_texts(table: StagedTable, path: str, origin: Origin | None = None) -> pa.ChunkedArray:
    """
    Give the text of a field in every row, null where it is empty.

    origin: None for that of the table.
    """
    import pyarrow as pa

    from tabular.transforming.cooking import work
    from tabular.transforming.texts import typed_texts

    origin = origin or table.files.origin
    settled = origin.settled
    chunks = [
        typed_texts(worked, path, origin.plan, settled.hows[path], settled.documents)
        for worked in work(origin.source, origin.plan)
    ]
    edits = edited_texts(table, path)
    return arrays.replaced(pa.chunked_array(chunks, pa.string()), edits.rows, edits.texts)
