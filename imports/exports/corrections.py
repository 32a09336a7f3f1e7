"""Upload corrections of an exported file: only corrected cells are merged, after confirmation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from common import storage
from common.actors import Actor
from common.errors import Conflict, Unprocessable
from imports.exports.keys import key_of
from imports.models import ImportRecord
from imports.services.choices import delete
from imports.services.review import Changed, NotInReview, edit_rows, rows_of
from imports.services.upload import ImportOptions, create_import
from staging.changes import Cell, Changes
from staging.columns import StagedTable
from staging.exports.exported_rows import exported
from tabular.model.places import ReadingChoices
from tabular.writing.cells import restored, written
from tabular.writing.export import KEY, RowKey, read_key
from tabular.writing.headers import headers

if TYPE_CHECKING:
    import pyarrow as pa

State = ImportRecord.State
SHOWN = 500


@dataclass(frozen=True, slots=True)
class _Cell:
    """A returned cell. typed: its text as a person would type it into the field."""

    seen: str
    typed: str


class NotReadYet(Conflict):
    """The corrected file is not read yet; wait for its state `mapping`."""

    code = "not_read_yet"
    key = "not_read_yet.correction"


class NoCorrections(Conflict):
    """The corrected file changes no row."""

    code = "no_corrections"


class NotAnExport(Unprocessable):
    """The file has no column `Row key`. Correct the exported file itself, and send that."""

    code = "not_an_export"


class CorrectionOfAnotherImport(Conflict):
    """The file was exported from another import. Send it there, or export this one's rows."""

    code = "correction_of_another_import"


@dataclass(frozen=True, slots=True)
class Difference:
    """One corrected cell."""

    row: int
    field: str
    before: str | None
    after: str | None


@dataclass(slots=True)
class Comparison:
    """What a corrected file would change. Only rows with errors, unchanged since export, count."""

    revision: int
    differences: list[Difference] = field(default_factory=list)
    unchanged: int = 0  # lines equal to the export
    stale: list[int] = field(default_factory=list)  # rows that changed since, or have no errors
    unknown: int = 0  # lines without a key of this import, or with a repeated one

    @property
    def rows(self) -> int:
        """Return how many rows would change."""
        return len({difference.row for difference in self.differences})

    @property
    def cells(self) -> int:
        """Return how many cells would change."""
        return len(self.differences)

    @property
    def stale_count(self) -> int:
        """Return how many rows are kept because they changed since, or have no errors."""
        return len(self.stale)

    @property
    def shown(self) -> list[Difference]:
        """The first of the differences."""
        return self.differences[:SHOWN]


def create_correction(
    *,
    record: ImportRecord,
    filename: str,
    stored: storage.StoredFile,
    actor: Actor,
    at: datetime,
    license_id: str,
) -> ImportRecord:
    """Read a corrected file. Raise NotInReview if the rows can no longer be changed."""
    if record.state != State.REVIEW:
        raise NotInReview("not_in_review.state", state=record.state)
    return create_import(
        tenant=record.tenant,
        catalog_version=record.catalog_version,
        filename=filename,
        stored=stored,
        actor=actor,
        at=at,
        license_id=license_id,
        options=ImportOptions(
            purpose=ImportRecord.Purpose.CORRECTION,
            corrects=record,
            overlay=record.overlay,
            choices=ReadingChoices(header_rows=(0,)),
        ),
    )


def compare(*, record: ImportRecord, correction: ImportRecord) -> Comparison:
    """
    Compare a corrected file with the current rows.

    Raise CorrectionOfAnotherImport if every key belongs to other imports.
    """
    if correction.state != State.MAPPING:
        raise NotReadYet("not_read_yet.correction_state", state=correction.state)
    table = rows_of(record)
    names = headers(record.target, [column.field for column in table.columns])
    comparison = Comparison(revision=table.revision.number)
    seen: set[int] = set()
    of: set[str] = set()  # the imports of the lines
    for lines in _lines(correction, names, table):
        known: dict[int, tuple[RowKey, dict[str, _Cell]]] = {}
        of.update(key.record_id for key, _ in lines if key is not None)
        for key, cells in lines:
            row = None if key is None or key.record_id != record.public_id else key.row
            if key is None or row is None or row in seen or row >= table.row_count:
                comparison.unknown += 1
                continue
            seen.add(row)
            known[row] = key, cells
        _compare(record, table, names, known, comparison)
    if of and record.public_id not in of:
        raise CorrectionOfAnotherImport(members={"importIds": sorted(of)[:100]})
    return comparison


def _compare(
    record: ImportRecord,
    table: StagedTable,
    names: dict[str, str],
    known: dict[int, tuple[RowKey, dict[str, _Cell]]],
    comparison: Comparison,
) -> None:
    import numpy as np

    for rows in exported(table, np.array(sorted(known), np.int64)):
        for place, row in enumerate(rows.numbers.tolist()):
            (key, cells), texts = known[row], rows.row_texts(place)
            changed = [
                Difference(row, path, texts[path], restored(cell.typed.strip()) or None)
                for path, cell in cells.items()
                if not _same(written(texts[path]), cell.seen)
                and not _same(written(texts[path]), cell.typed)
            ]
            is_now = key_of(record, row, [texts[path] for path in names])
            if not changed:
                comparison.unchanged += 1
            elif str(key) != is_now or not rows.failed[place]:
                comparison.stale.append(row)
            else:
                comparison.differences += changed


def merge(*, record: ImportRecord, correction: ImportRecord, actor: Actor, at: datetime) -> Changed:
    """Merge the corrections as one change that can be undone, and delete the file."""
    rule = compare(record=record, correction=correction)
    if not rule.differences:
        raise NoCorrections
    texts: dict[Cell, str | None] = {
        (difference.row, difference.field): difference.after for difference in rule.differences
    }
    changed = edit_rows(
        record=record, seen=rule.revision, changes=Changes(texts), actor=actor, at=at
    )
    delete(record=correction, actor=actor, at=at)
    return changed


def _lines(
    correction: ImportRecord, names: dict[str, str], table: StagedTable
) -> Iterator[list[tuple[RowKey | None, dict[str, _Cell]]]]:
    """Yield the key and cells of each line. Raise NotAnExport if there are no keys."""
    from tabular.protocol.tables import opened

    paths = {name.strip().casefold(): path for path, name in names.items()}
    source = storage.local_path(correction.source) / "source.arrow"
    with opened(source) as reader:
        by_name = {restored(name).strip().casefold(): name for name in reader.schema.names}
        if KEY.casefold() not in by_name:
            raise NotAnExport
        columns = {path: by_name[name] for name, path in paths.items() if name in by_name}
        for number in range(reader.num_record_batches):
            batch = reader.get_batch(number)
            keys = batch.column(by_name[KEY.casefold()]).to_pylist()
            cells = {path: _cells(batch, name, path, table) for path, name in columns.items()}
            yield [
                (read_key(key), {path: cell[i] for path, cell in cells.items()})
                for i, key in enumerate(keys)
            ]


def _cells(batch: pa.RecordBatch, name: str, path: str, table: StagedTable) -> list[_Cell]:
    """Return a column; a workbook's number becomes the text a person would type into the field."""
    from tabular.transforming.step_rows import start
    from tabular.types.kinds import typed_again

    texts, files = batch.column(name), table.files
    kinds = start(batch, 0, frozenset()).kinds.get(name)
    column_type = files.plan.fields[path].column_type
    typed = typed_again(texts, kinds, column_type, files.inferred.parse_options[path])
    pairs = zip(texts.to_pylist(), typed.to_pylist(), strict=True)
    return [_Cell(seen or "", again or "") for seen, again in pairs]


def _same(exported_text: str, cell: str) -> bool:
    """Return whether a cell is unchanged; spreadsheets rewrite line ends and outer spaces."""
    return _plain(exported_text) == _plain(cell)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()
