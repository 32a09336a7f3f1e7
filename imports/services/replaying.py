"""Make the rows of an import again, and verify that they are the same. docs/operating.md."""

import json
import shutil
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from django.db import transaction

from common import storage
from common.errors import Conflict
from deliveries.payload import digest
from imports.jobs.reading import read_file, reading_kept
from imports.jobs.transforming import origin_of, transform_rows
from imports.models import ImportRecord
from imports.progress import Reporter
from imports.rows.left_out import LeftOutRows
from imports.selectors import NoRowsYet
from imports.services.reviewing import rows_of
from staging import services as staging
from staging.columns import StagedTable
from staging.exports.delivering import Delivered
from staging.selectors import forget, table_of
from tabular import versions
from tabular.protocol import forms
from tabular.protocol.results import TransformResult


class FileGone(Conflict):
    """The file was deleted, so its rows cannot be rebuilt."""

    code = "file_gone"


@dataclass(frozen=True, slots=True)
class Rows:
    """All rows that are not excluded, values with errors as null, summarised by one hash."""

    count: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """The result of making the rows of an import again."""

    record_id: str
    before: Rows
    after: Rows
    pins_before: dict[str, str] = field(default_factory=dict)  # empty: made before they were stored

    @property
    def is_identical(self) -> bool:
        """Return whether exactly the same bytes would be delivered."""
        return self.before == self.after

    @property
    def differing_pins(self) -> dict[str, tuple[str, str]]:
        """Return each engine version that differs: then, and now."""
        now = versions.pins()
        then = self.pins_before
        return {name: (then[name], now[name]) for name in then if then[name] != now.get(name)}


class _Unwatched(Reporter):
    """A reporter without effect: a replay holds no claim."""

    def progress(self, stage: str, done: int, total: int | None) -> None:
        """Ignore a report."""

    def cancelled(self) -> bool:
        """Return False: a replay cannot be cancelled."""
        return False


def replay(*, record: ImportRecord, at: datetime) -> Replayed:
    """
    Make the rows of an import again and compare them; nothing is stored.

    The file is read as before, transformed with the same mapping, recipe and answers, and the edits
    are carried over. Raise NoRowsYet or FileGone.
    """
    if not record.revision:
        raise NoRowsYet
    if not record.file:
        raise FileGone
    former = rows_of(record)
    manifest = former.files.manifest
    again = copy(record)
    with storage.working_folder("replay") as folder:
        read, made = _new(folder, "read"), _new(folder, "made")
        again.reading = reading_kept(read_file(again, record.chosen, read, _Unwatched(record)))
        again.source = storage.adopt("read", read / "out")
        try:
            answers = manifest.request.answers
            result = transform_rows(again, answers, made, _Unwatched(record))
            origin = origin_of(again, answers)
            after = _with_edits(former, result, made / "out", origin, at)
        finally:
            storage.delete(again.source)
    return Replayed(record.public_id, rows_told(former), after, manifest.pins)


def store(*, record: ImportRecord, folder: Path) -> Path:
    """
    Write an import for replaying it elsewhere: its file, how its rows are made, and their hash.

    Edits are not included. The output contains the file unchanged. Raise NoRowsYet or FileGone.
    """
    if not record.revision:
        raise NoRowsYet
    if not record.file:
        raise FileGone
    manifest = rows_of(record).files.manifest
    taken_back = record.chosen.restored
    keep = LeftOutRows(record).positions(taken_back) if taken_back else []
    from tabular.protocol.tables import rows as files_rows  # loads the library of Arrow files

    files = {path: storage.local_path(file) for path, file in manifest.file_of.items()}
    types = {column.field: column.column_type for column in manifest.columns}
    formats = {c.field: c.output_format for c in manifest.columns if c.output_format}
    said = {
        "choices": record.choices,
        "request": forms.as_json(replace(manifest.request, keep=tuple(keep))),
        "pins": manifest.pins,
        "rows": manifest.rows,
        "sha256": digest(files_rows(files), types, formats=formats),
    }
    target = folder / record.public_id
    target.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(storage.local_path(record.file), target / "file")
    (target / "import.json").write_text(json.dumps(said, ensure_ascii=False), "utf-8")
    return target


def _with_edits(
    former: StagedTable,
    result: TransformResult,
    made: Path,
    origin: staging.MadeFrom,
    at: datetime,
) -> Rows:
    """Stage the rows, carry the edits over, and roll both back."""
    subject = former.revision.subject
    with transaction.atomic():
        # Inside one transaction that is rolled back: no reader ever sees the revision.
        revision = staging.stage(subject=subject, made=made, result=result, origin=origin, at=at)
        folders = [revision.folder]
        try:
            revision = staging.rebase(former=former, revision=revision, at=at)
            folders.append(revision.folder)
            return rows_told(table_of(revision))
        finally:
            transaction.set_rollback(True)
            forget(subject)  # the next real revision reuses the number
            for name in {folder for folder in folders if folder}:
                storage.delete(name)


def rows_told(table: StagedTable) -> Rows:
    """Return the number of rows of a table, and their hash as in a delivery."""
    rows = Delivered(table, includes_invalid=True)
    return Rows(len(rows), digest(rows.batches(), rows.types, formats=rows.formats))


def _new(folder: Path, name: str) -> Path:
    made = folder / name
    made.mkdir()
    return made
