"""Find and replace in the texts of fields; over all rows, or over those of a view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from staging.columns import StagedTable
from staging.rewriting import BulkChanges
from staging.texts import Texts, whole_texts

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows

SAMPLES = 20


@dataclass(frozen=True, slots=True)
class Search:
    """What to find. whole: the text must be all of the cell; an empty one finds empty cells."""

    find: str
    replace: str
    fields: tuple[str, ...]
    whole: bool = False
    match_case: bool = False


def find_and_replace(table: StagedTable, search: Search, rows: Rows | None) -> BulkChanges:
    """Give the new texts of the cells that hold what is searched. rows: None for all."""
    import numpy as np

    texts = {}
    for path in search.fields:
        found = _in_field(whole_texts(table, path), search)
        if rows is not None:
            kept = np.isin(found.rows, rows)
            found = Texts(found.rows[kept], found.texts.filter(kept))
        if len(found):
            texts[path] = found
    nothing = np.zeros(0, np.int64)
    return BulkChanges(texts, exclude=nothing, include=nothing)


def _in_field(column: pa.ChunkedArray, search: Search) -> Texts:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    rows, new, first = [], [pa.array([], pa.string())], 0
    for chunk in column.chunks:
        at = np.flatnonzero(_hits(chunk, search))
        before = chunk.take(pa.array(at))
        after = _replaced(before, search)
        differs = pc.fill_null(pc.not_equal(after, before), True)
        differs = pc.or_(differs, pc.xor(pc.is_null(after), pc.is_null(before)))
        rows.append(at[differs.to_numpy(zero_copy_only=False)] + first)
        new.append(after.filter(differs))
        first += len(chunk)
    joined = np.concatenate(rows) if rows else np.zeros(0, np.int64)
    return Texts(joined.astype(np.int64), pa.concat_arrays(new))


def _hits(chunk: pa.Array, search: Search) -> Any:
    import pyarrow.compute as pc

    if not search.find:
        return pc.is_null(chunk).to_numpy(zero_copy_only=False)
    if search.whole:
        pattern = f"^{_quoted(search.find)}$"
        hits = pc.match_substring_regex(chunk, pattern, ignore_case=not search.match_case)
    else:
        hits = pc.match_substring(chunk, search.find, ignore_case=not search.match_case)
    return pc.fill_null(hits, False).to_numpy(zero_copy_only=False)


def _replaced(texts: pa.Array, search: Search) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    from tabular.types.parsed import tidy

    if search.whole or not search.find:
        return tidy(pa.array([search.replace] * len(texts), pa.string()))
    case = "" if search.match_case else "(?i)"
    by = search.replace.replace("\\", "\\\\")
    return tidy(pc.replace_substring_regex(texts, case + _quoted(search.find), by))


def _quoted(text: str) -> str:
    """Write a text so that RE2 takes every character of it for itself."""
    return "\\Q" + text.replace("\\E", "\\E\\\\E\\Q") + "\\E"


def samples(table: StagedTable, changes: BulkChanges) -> list[dict[str, Any]]:
    """Show the first cells that would change: what is there and what would be."""
    found: list[dict[str, Any]] = []
    for path, texts in changes.texts.items():
        rows = texts.rows[: SAMPLES - len(found)]
        before = texts_in(table, path, rows.tolist())
        after = texts.texts.slice(0, len(rows)).to_pylist()
        for row, old, new in zip(rows.tolist(), before, after, strict=True):
            found.append({"row": row, "field": path, "before": old, "after": new})
    return found


def texts_in(table: StagedTable, path: str, rows: Sequence[int]) -> list[str | None]:
    """Give the texts of a field in a few rows."""
    from staging.editing import texts_of

    found = texts_of(table, set(rows), {path})
    return [found[row][path] for row in rows]
