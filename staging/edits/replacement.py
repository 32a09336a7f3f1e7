"""Find and replace in the texts that users edit, over all rows or the rows of a view."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from common.errors import Unprocessable
from staging.changes import MAX_CELL, BeyondEffort, Effort, refuse_larger
from staging.columns import StagedTable
from staging.edits.cell_edits import text_columns
from staging.edits.rewrite import BulkChanges
from staging.edits.texts import Texts, batches_of_texts, joined

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.arrays import Rows
    from tabular.types.parse_options import ParseOptions


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
    Return the editable texts of numbers, dates and times of some rows by field.

    Other fields are edited as shown. rows: n numbers; shown: their values by field. A text is the
    file's own or a user's edit. A spreadsheet cell that held a number is written in the notation in
    which the field reads texts, because an edit is a text.
    """
    import numpy as np

    order = np.argsort(rows, kind="stable")
    noted = [column for column in table.columns if column.column_type in NOTED]
    by_field = text_columns(table, rows[order], [column.field for column in noted])
    texts: list[dict[str, str | None]] = [{} for _ in shown]
    for column in noted:
        parse_options = table.files.inferred.parse_options.get(column.field)
        for place, text in zip(order.tolist(), by_field[column.field].to_pylist(), strict=True):
            if text and parse_options is not None and column.column_type in NUMERIC:
                text = as_read(text, shown[place][column.field], column.column_type, parse_options)
            texts[place][column.field] = text
    return texts


def as_read(text: str, value: Any, column_type: str, parse_options: ParseOptions) -> str:
    """Return a spreadsheet's number as a text in the field's notation."""
    was_number = PLAIN.fullmatch(text) and isinstance(value, int | float)
    if not was_number or Decimal(text) != Decimal(str(value)):
        return text
    if column_type == "percentage" and parse_options.bare_percent == "percent":
        text = f"{(Decimal(text) * 100).normalize():f} %"
    return text.replace(".", ",") if parse_options.number_format == "eu" else text


SAMPLES = 20


class CellTooLong(Unprocessable):
    """A cell would become longer than 32,767 characters. Use less text, or change fewer rows."""

    code = "cell_too_long"

    def __init__(self, row: int) -> None:
        super().__init__(members={"row": row})


@dataclass(frozen=True, slots=True)
class Search:
    """What to find. whole: the text must match the entire cell; an empty text finds empty cells."""

    find: str
    replace: str
    fields: tuple[str, ...]
    whole: bool = False
    match_case: bool = False

    @property
    def details(self) -> dict[str, Any]:
        """The search parameters, as a revision stores them."""
        about = {"find": self.find, "replace": self.replace, "fields": list(self.fields)}
        return {**about, "whole": self.whole, "matchCase": self.match_case}


@dataclass(frozen=True, slots=True)
class _Found:
    """The matches in one field of one batch. rows: m int64; before, after: m texts."""

    path: str
    rows: Rows
    before: pa.Array
    after: pa.Array


@dataclass(slots=True)
class Counted:
    """What a replacement would change, in the rows examined so far."""

    cells: int = 0
    by_field: dict[str, int] = field(default_factory=dict)
    looked: int = 0  # rows
    is_complete: bool = True
    samples: list[dict[str, Any]] = field(default_factory=list)


def find_and_replace(
    table: StagedTable, search: Search, rows: Rows | None, effort: Effort
) -> BulkChanges:
    """
    Return the new texts of the matching cells. rows: None for all.

    Raise BeyondEffort if there is more to examine or change than the effort allows.
    """
    import numpy as np

    replaced: dict[str, list[Texts]] = {}
    for part in _found(table, search, rows, effort):
        replaced.setdefault(part.path, []).append(Texts(part.rows, part.after))
    nothing = np.zeros(0, np.int64)
    texts = {path: joined(parts) for path, parts in replaced.items()}
    return BulkChanges(texts, exclude=nothing, include=nothing)


def count(table: StagedTable, search: Search, rows: Rows | None, *, most_cells: int) -> Counted:
    """Count what a replacement would change. Examines only the first rows of a large table."""
    counted = Counted(by_field=dict.fromkeys(search.fields, 0))

    def note(_stage: str, done: int, _total: int) -> None:
        counted.looked = done

    try:
        for part in _found(table, search, rows, Effort(cells=most_cells, note=note)):
            counted.cells += len(part.rows)
            counted.by_field[part.path] += len(part.rows)
            counted.samples += _shown(part)[: SAMPLES - len(counted.samples)]
    except BeyondEffort:
        counted.is_complete = False
    return counted


def _found(
    table: StagedTable, search: Search, rows: Rows | None, effort: Effort
) -> Iterator[_Found]:
    """Search the fields, batch by batch; the matches are not kept."""
    looked = written = changed = 0
    for batch in batches_of_texts(table, search.fields, rows):
        looked += batch.cells
        effort.refuse_looking(looked)
        for path, texts in batch.columns():
            part, characters = _in_column(path, batch.rows, texts, search)
            written += characters
            refuse_larger(written)
            changed += len(part.rows)
            effort.refuse_changing(changed)
            if len(part.rows):
                yield part
        effort.note("finding", batch.end, table.row_count)


def _in_column(path: str, rows: Rows, texts: pa.Array, search: Search) -> tuple[_Found, int]:
    """Return the matches in some texts, and an upper bound of their characters."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    at = np.flatnonzero(_hits(texts, search))
    before = texts.take(pa.array(at))
    most = _lengths_after(before, search)
    _refuse_longer(before, most, rows[at])
    refuse_larger(int(most.sum()))  # before anything is created
    after = _replaced(before, search)
    differs = pc.fill_null(pc.not_equal(after, before), True)
    differs = pc.or_(differs, pc.xor(pc.is_null(after), pc.is_null(before)))
    kept = differs.to_numpy(zero_copy_only=False)
    part = _Found(path, rows[at][kept], before.filter(differs), after.filter(differs))
    return part, int(most.sum())


def _shown(part: _Found) -> list[dict[str, Any]]:
    rows = part.rows[:SAMPLES].tolist()
    texts = (side[:SAMPLES].to_pylist() for side in (part.before, part.after))
    return [
        {"row": row, "field": part.path, "before": old, "after": new}
        for row, old, new in zip(rows, *texts, strict=True)
    ]


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


def _lengths_after(texts: pa.Array, search: Search) -> Any:
    """Return the length of each text after the replacement, computed beforehand. n int64."""
    import numpy as np
    import pyarrow.compute as pc

    from tabular.transforming.lengths import after_replacing

    if search.whole or not search.find:
        return np.full(len(texts), len(search.replace), np.int64)
    case = not search.match_case
    counts = pc.count_substring_regex(texts, _quoted(search.find), ignore_case=case)
    return after_replacing(texts, counts, by=len(search.replace) - len(search.find))


def _refuse_longer(texts: pa.Array, most: Any, rows: Rows) -> None:
    """Raise CellTooLong if a text would exceed its cell and was not too long before."""
    import numpy as np

    from tabular.transforming.lengths import lengths

    wrong = np.flatnonzero(most > np.maximum(lengths(texts), MAX_CELL))
    if len(wrong):
        raise CellTooLong(int(rows[wrong[0]]))


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
    """Escape a text so that RE2 matches every character literally."""
    return "\\Q" + text.replace("\\E", "\\E\\\\E\\Q") + "\\E"


def samples(table: StagedTable, changes: BulkChanges) -> list[dict[str, Any]]:
    """Return the first cells that would change, with their texts before and after."""
    shown_rows: list[dict[str, Any]] = []
    for path, texts in changes.texts.items():
        rows = texts.rows[: SAMPLES - len(shown_rows)]
        before = texts_in(table, path, rows.tolist())
        after = texts.texts.slice(0, len(rows)).to_pylist()
        for row, old, new in zip(rows.tolist(), before, after, strict=True):
            shown_rows.append({"row": row, "field": path, "before": old, "after": new})
    return shown_rows


def texts_in(table: StagedTable, path: str, rows: Sequence[int]) -> list[str | None]:
    """Return the texts of a field in a few rows."""
    from staging.edits.cell_edits import texts_of

    texts = texts_of(table, set(rows), {path})
    return [texts[row][path] for row in rows]
