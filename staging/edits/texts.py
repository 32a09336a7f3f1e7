"""The source texts of values, a whole field at a time, with edits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from staging import arrays
from staging.columns import StagedTable

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows
    from tabular.protocol.plan import TransformPlan
    from tabular.transforming.inferred import Inferred
    from tabular.transforming.step_rows import StepRows


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts of some rows of one field. rows: m, ascending; texts: m strings."""

    rows: Rows
    texts: pa.Array

    def __len__(self) -> int:
        return len(self.rows)

    def over(self, older: Texts) -> Texts:
        """Merge with older texts; where both have a row, this one takes precedence."""
        import numpy as np
        import pyarrow as pa

        kept = ~np.isin(older.rows, self.rows)
        rows = np.concatenate([older.rows[kept], self.rows])
        texts = pa.concat_arrays([older.texts.filter(pa.array(kept)), self.texts])
        order = np.argsort(rows, kind="stable")
        return Texts(rows[order], texts.take(pa.array(order)))

    def sorted(self) -> Texts:
        """Return the same texts by ascending row."""
        import numpy as np
        import pyarrow as pa

        order = np.argsort(self.rows, kind="stable")
        return Texts(self.rows[order], self.texts.take(pa.array(order)))

    def put_into(self, texts: pa.Array, rows: Rows) -> pa.Array:
        """Return the texts of some ascending rows, with these texts in their places."""
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        begin, end = np.searchsorted(self.rows, (rows[0], rows[-1] + 1)) if len(rows) else (0, 0)
        if begin == end:
            return texts.cast(pa.string())
        _, at, mine = np.intersect1d(
            rows, self.rows[begin:end], assume_unique=True, return_indices=True
        )
        mask = np.zeros(len(rows), dtype=bool)
        mask[at] = True
        by = self.texts.take(pa.array(mine + begin))
        return pc.replace_with_mask(texts.cast(pa.string()), pa.array(mask), by)

    def among(self, rows: Rows) -> dict[int, str | None]:
        """Return the texts of those ascending rows that have one, by position among them."""
        import numpy as np

        places = np.searchsorted(rows, self.rows)
        inside = places < len(rows)
        inside[inside] &= rows[places[inside]] == self.rows[inside]
        at = np.flatnonzero(inside)
        return dict(zip(places[at].tolist(), self.texts.take(at).to_pylist(), strict=True))


def joined(parts: Sequence[Texts]) -> Texts:
    """Merge texts of ascending rows into one. Takes at least one."""
    import numpy as np
    import pyarrow as pa

    texts = pa.concat_arrays([part.texts for part in parts])
    return Texts(np.concatenate([part.rows for part in parts]), texts)


def texts_at(by_row: Mapping[int, str | None]) -> Texts:
    """Return Texts from a mapping of rows."""
    import numpy as np
    import pyarrow as pa

    rows = sorted(by_row)
    return Texts(np.array(rows, np.int64), pa.array([by_row[r] for r in rows], pa.string()))


def edited_texts(table: StagedTable, path: str) -> Texts:
    """Return all edited texts of a field."""
    patches = table.overlay.patches
    overlaid = texts_at({r: p.texts[path] for r, p in patches.items() if path in p.texts})
    filed = table.files.texts(path)
    if filed is None:
        return overlaid
    joined = filed[1].combine_chunks()
    return overlaid.over(Texts(filed[0], joined))


def edited_fields(table: StagedTable) -> set[str]:
    """Return the fields that have an edited text."""
    patches = table.overlay.patches.values()
    return {*table.files.manifest.text_files, *(p for x in patches for p in x.texts)}


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Consecutive rows of a table, with the texts of some fields. rows: m, ascending."""

    rows: Rows
    end: int  # the row after them, whether or not it is selected
    cells: int  # examined
    columns: Callable[[], Iterator[tuple[str, pa.Array]]]  # each field and its m texts


def batches_of_texts(
    table: StagedTable, paths: Sequence[str], rows: Rows | None = None
) -> Iterator[TextBatch]:
    """
    Yield the texts of some fields, with edits, so that at most one batch is in memory.

    rows: the selected rows, None for all.
    """
    import numpy as np

    from tabular.transforming.executing import execute
    from tabular.transforming.texts import typed_texts

    files = table.files
    edits = {path: edited_texts(table, path) for path in paths}
    wanted = None if rows is None else arrays.ascending(rows)
    first = 0
    for step_rows in execute(files.source, files.plan):
        end = first + len(step_rows)
        if wanted is None:
            some, numbers = step_rows, np.arange(first, end, dtype=np.int64)
        else:
            numbers = wanted[slice(*np.searchsorted(wanted, (first, end)))]
            some = step_rows.take(numbers - first)

        def columns(some: StepRows = some, numbers: Rows = numbers) -> Iterator[Any]:
            for path in paths if len(numbers) else ():
                parse_options = files.inferred.parse_options[path]
                texts = typed_texts(some, path, files.plan, parse_options, files.inferred.documents)
                yield path, edits[path].put_into(texts, numbers)

        cells = max(len(step_rows), len(numbers) * len(paths))
        yield TextBatch(numbers, end, cells, columns)
        first = end


def whole_texts(
    table: StagedTable,
    path: str,
    plan: TransformPlan | None = None,
    inferred: Inferred | None = None,
) -> pa.ChunkedArray:
    """
    Return a field's text in every row, null where it is empty.

    plan, inferred: None for the table's own.
    """
    import pyarrow as pa

    from tabular.transforming.executing import execute
    from tabular.transforming.texts import typed_texts

    plan, inferred = plan or table.files.plan, inferred or table.files.inferred
    chunks = [
        typed_texts(step_rows, path, plan, inferred.parse_options[path], inferred.documents)
        for step_rows in execute(table.files.source, plan)
    ]
    edits = edited_texts(table, path)
    return arrays.replaced(pa.chunked_array(chunks, pa.string()), edits.rows, edits.texts)
