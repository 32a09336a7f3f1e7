"""The texts that people edit, and find and replace in them, over all rows or a view's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from staging.columns import StagedTable
from staging.edits.editing import text_columns
from staging.edits.rewriting import BulkChanges
from staging.edits.texts import Texts, whole_texts

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows
    from tabular.types.how import How


NUMERIC = frozenset({"float", "percentage", "currency_eur", "currency_usd"})
NOTED = NUMERIC | {
    "int", "date", "date_dmy", "date_mdy", "date_iso", "datetime",
    "time_hms", "time_hms_24", "time_hm", "time_hm_24",
}  # fmt: skip
PLAIN = re.compile(r"-?\d+(?:\.\d+)?")


def editable_texts(
    table: StagedTable, rows: Rows, shown: Sequence[dict[str, Any]]
) -> list[dict[str, str | None]]:
    """
    Give the texts of numbers, dates and times of some rows by field; others read as they are shown.

    rows: n numbers; shown: their values by field. A text is the file's own or somebody's edit. A
    cell of a sheet that held a number is written as the field reads texts, since an edit is one.
    """
    import numpy as np

    order = np.argsort(rows, kind="stable")
    noted = [column for column in table.columns if column.column_type in NOTED]
    by_field = text_columns(table, rows[order], [column.field for column in noted])
    found: list[dict[str, str | None]] = [{} for _ in shown]
    for column in noted:
        how = table.files.origin.settled.hows.get(column.field)
        for place, text in zip(order.tolist(), by_field[column.field].to_pylist(), strict=True):
            if text and how is not None and column.column_type in NUMERIC:
                text = _as_read(text, shown[place][column.field], column.column_type, how)
            found[place][column.field] = text
    return found


def _as_read(text: str, value: Any, column_type: str, how: How) -> str:
    """Write a number that was one in the sheet in the field's notation."""
    was_number = PLAIN.fullmatch(text) and isinstance(value, int | float)
    if not was_number or Decimal(text) != Decimal(str(value)):
        return text
    if column_type == "percentage" and how.bare_percent == "percent":
        text = f"{(Decimal(text) * 100).normalize():f} %"
    return text.replace(".", ",") if how.number_format == "eu" else text


SAMPLES = 20


@dataclass(frozen=True, slots=True)
class Search:
    """What to find. whole: the text must be all of the cell; an empty one finds empty cells."""

    find: str
    replace: str
    fields: tuple[str, ...]
    whole: bool = False
    match_case: bool = False

    @property
    def told(self) -> dict[str, Any]:
        """Say what was asked for, as a revision keeps it."""
        about = {"find": self.find, "replace": self.replace, "fields": list(self.fields)}
        return {**about, "whole": self.whole, "matchCase": self.match_case}


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
    from staging.edits.editing import texts_of

    found = texts_of(table, set(rows), {path})
    return [found[row][path] for row in rows]
