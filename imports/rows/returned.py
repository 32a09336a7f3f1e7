"""
Recognise an exported error file that is uploaded again, by its row keys.

During review it is merged after confirmation. After apply it is a follow-up import of the rows that
had failed, each once. docs/review.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from common import storage
from imports.exports.keys import key_of
from imports.exports.rows import Chosen
from imports.models import ImportRecord
from staging.columns import SEVERITY_ERROR, StagedTable
from staging.exports.exported_rows import exported
from staging.selectors import at_revision
from tabular.model.problem import UnusableRequest
from tabular.model.sentences import Sentence
from tabular.protocol.parts import parts_of
from tabular.writing.cells import restored
from tabular.writing.export import KEY, RowKey, read_key
from tabular.writing.headers import headers

if TYPE_CHECKING:
    import pyarrow as pa

State = ImportRecord.State
Json = dict[str, Any]
OVER = (State.CANCELLED, State.FAILED, State.REVERTED)  # rows of such an import may be retried
DATES = frozenset({"date", "datetime", "date_dmy", "date_mdy", "date_iso"})


@dataclass(frozen=True, slots=True)
class FollowUp:
    """The failed rows of an applied import that a file brings, and how they are mapped."""

    of: ImportRecord
    rows: tuple[int, ...]  # row numbers of the applied import, ascending
    mapping: dict[str, str]
    recipe: Json | None
    lines: tuple[int, ...]  # positions in the source


def imports_named_in(source: str) -> set[str]:
    """Return the imports that the row keys of a file name; none for a file without such keys."""
    return {key.record_id for key in _keys(source) if key is not None}


def origin_of_export(record: ImportRecord, named: Collection[str]) -> ImportRecord | None:
    """
    Return the import whose exported rows a file contains; None if none of those named is it.

    Raise UnusableRequest for rows of several imports, and for an import that accepts no
    corrections.
    """
    if record.from_page:  # visitors of a page may have any file
        return None
    mine = ImportRecord.objects.filter(
        tenant=record.tenant,
        scope=record.scope,
        purpose=ImportRecord.Purpose.IMPORT,
        public_id__in=sorted(named)[:1_000],
    ).select_related("catalog_version__catalog", "tenant")
    candidates = list(mine)
    if not candidates:
        return None
    if len(candidates) > 1:
        raise UnusableRequest(
            "exports_of_several",
            "The file holds exported rows of several imports. Send each export on its own.",
            imports=sorted(item.public_id for item in candidates)[:100],
        )
    (of,) = candidates
    if of.state not in {State.REVIEW, State.APPLIED}:
        raise UnusableRequest(
            "export_not_awaited",
            Sentence(
                "{id} ({state}) no longer accepts corrections. Start it again, or remove the "
                "`Row key` column.",
                id=of.public_id,
                state=of.state,
            ),
            importId=of.public_id,
            importState=of.state,
        )
    return of


def follow_up(
    of: ImportRecord,
    source: str,
    columns: Iterable[str],
    refused: Callable[[StagedTable], Chosen],
) -> FollowUp:
    """
    Return the lines whose rows failed when the import was applied and were not retried since.

    A line without a key, with a changed key, or with a repeated key does not count. Raise
    UnusableRequest if no line is left.
    """
    table = at_revision(of.public_id, of.revision)
    if table is None:
        raise UnusableRequest("no_failed_rows", NONE_FAILED)
    failed = _failed(of, table, refused(table))
    lines: dict[int, int] = {}
    for line, key in enumerate(_keys(source)):
        if key is not None and key.record_id == of.public_id and key.row in failed:
            lines.setdefault(key.row, line)
    names = headers(of.target, [column.field for column in table.columns])
    unchanged = _with_their_keys(of, table, names, lines, source)
    retried = retried_rows_of(of)
    rows = tuple(sorted(unchanged - retried))
    if not rows:
        again = bool(unchanged)
        raise UnusableRequest(
            "rows_brought_before" if again else "no_failed_rows",
            RETRIED if again else NONE_FAILED,
            importId=of.public_id,
        )
    mapping = _mapping(names, columns)
    recipe = _recipe(table, mapping)
    return FollowUp(of, rows, mapping, recipe, tuple(sorted(lines[row] for row in rows)))


NONE_FAILED = "No row of the file failed when its import was applied."
RETRIED = "An earlier follow-up import already has every failed row of this file."


def retried_rows_of(of: ImportRecord, *, but: ImportRecord | None = None) -> set[int]:
    """Return the rows of an import that its follow-up imports retried, unless those failed."""
    others = of.corrections.exclude(retried_rows=None).exclude(state__in=OVER)
    if but is not None:
        others = others.exclude(pk=but.pk)
    ranges = [
        item
        for retried_rows in others.values_list("retried_rows", flat=True)
        for item in retried_rows or ()
    ]
    return {row for first, last in ranges for row in range(first, last + 1)}


def as_ranges(rows: Iterable[int]) -> list[list[int]]:
    """
    Return ascending numbers as ranges, first and last.

    >>> as_ranges([1, 2, 3, 7])
    [[1, 3], [7, 7]]
    """
    ranges: list[list[int]] = []
    for row in rows:
        if ranges and ranges[-1][1] == row - 1:
            ranges[-1][1] = row
        else:
            ranges.append([row, row])
    return ranges


def write_lines(source: str, lines: tuple[int, ...]) -> str:
    """Write some lines of a source to a new one; return its folder."""
    import pyarrow as pa

    from tabular.protocol.tables import whole, write

    former = storage.local_path(source)
    with storage.working_folder("follow-up") as folder:
        made = folder / "out"
        made.mkdir()
        kept = whole(former / "source.arrow").take(pa.array(lines, pa.int64()))
        write(made / "source.arrow", kept)
        for path in former.iterdir():
            if path.name != "source.arrow" and not path.name.startswith("."):
                (made / path.name).write_bytes(path.read_bytes())
        return storage.adopt("read", made, parts_of=parts_of)


def _keys(source: str) -> list[RowKey | None]:
    column = _key_column(source)
    return [] if column is None else [read_key(text) for text in column.to_pylist()]


def _key_column(source: str) -> pa.ChunkedArray | None:
    from tabular.protocol.tables import whole

    table = whole(storage.local_path(source) / "source.arrow")
    named = [n for n in table.column_names if restored(n).strip().casefold() == KEY.casefold()]
    return table.column(named[0]) if named else None


def _failed(of: ImportRecord, table: StagedTable, refused: Chosen) -> set[int]:
    """Return the rows that no receiver has: excluded with errors, or refused by one."""
    rows: set[int] = set(refused.rows.tolist())
    if not of.counts.get("failed"):
        return rows
    return rows | set(table.numbers(at_least=SEVERITY_ERROR).to_pylist())


def _with_their_keys(
    of: ImportRecord,
    table: StagedTable,
    names: dict[str, str],
    lines: dict[int, int],
    source: str,
) -> set[int]:
    """Return the rows whose key is the one they were exported with."""
    import numpy as np

    keys, kept = _keys(source), set()
    for block in exported(table, np.array(sorted(lines), np.int64)):
        for place, row in enumerate(block.numbers.tolist()):
            texts = block.row_texts(place)
            if str(keys[lines[row]]) == key_of(of, row, [texts[path] for path in names]):
                kept.add(row)
    return kept


def _mapping(names: dict[str, str], columns: Iterable[str]) -> dict[str, str]:
    by_name = {restored(column).strip().casefold(): column for column in columns}
    mapping = {by_name.get(name.strip().casefold()): path for path, name in names.items()}
    return {column: path for column, path in mapping.items() if column is not None}


def _recipe(table: StagedTable, mapping: dict[str, str]) -> Json | None:
    """Return a recipe that reads dates and numbers as the first import did."""
    files = table.files
    steps: list[Json] = []
    for column, path in mapping.items():
        parse_options, field = files.inferred.parse_options[path], files.plan.fields[path]
        if field.column_type in DATES:
            steps.append(
                {"do": "read_date", "columns": [column], "order": parse_options.date_order}
            )
        elif field.column_type in {"int", "float", "percentage"}:
            steps.append(
                {"do": "read_number", "columns": [column], "format": parse_options.number_format}
            )
    return {"version": 1, "steps": steps} if steps else None
