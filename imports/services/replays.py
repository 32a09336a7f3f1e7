"""Make the rows of an import again, and verify that they are the same. docs/operating.md."""

import json
import shutil
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from django.db import transaction

from common import storage
from common.errors import Conflict
from deliveries.payload import digest
from imports import inputs
from imports.inputs import StoredText
from imports.models import ImportRecord
from imports.progress import Reporter
from imports.rows.left_out import positions_in
from imports.selectors import NoRowsYet
from imports.services.review import rows_of
from pipeline.decisions import Decisions
from sandbox.bench import Bench
from staging import services as staging
from staging.columns import StagedTable
from staging.exports.delivered_rows import Delivered
from staging.selectors import forget, table_of
from tabular import versions
from tabular.protocol import forms
from tabular.protocol.plan import TransformPlan

# An import keeps its catalog, its overlay and its context: no step of the work changes them.
FROZEN = frozenset({"catalog", "context"})
NOT_STORED = frozenset({"delimiter", "keep"})  # of a plan, with the rows that it made


class FileGone(Conflict):
    """The file was deleted, so its rows cannot be rebuilt."""

    code = "file_gone"
    key = "file_gone.rows"


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
    differing_parts: tuple[str, ...] = ()  # of the plan, such as ``catalog`` or ``recipe``

    @property
    def is_identical(self) -> bool:
        """Return whether the same bytes would be delivered, under the same catalog and context."""
        return self.before == self.after and FROZEN.isdisjoint(self.differing_parts)

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
    with storage.working_folder("replay") as folder:
        bench = inputs.bench_in(folder, _Unwatched(record))
        chosen = Decisions(choices=record.chosen)
        read, out = inputs.file_source(record).carry_out(chosen, bench)
        text = StoredText(storage.adopt("read", out), read)
        try:
            after, plan = _made_again(record, former, text, bench, at)
        finally:
            storage.delete(text.folder)
    return Replayed(
        record_id=record.public_id,
        before=staged_rows(former),
        after=after,
        pins_before=former.files.manifest.pins,
        differing_parts=_differing(former.files.plan, plan),
    )


def _differing(then: TransformPlan, now: TransformPlan) -> tuple[str, ...]:
    """Return the parts of a stored plan that differ from those of another."""
    before, after = forms.as_json(then), forms.as_json(now)
    kept = (name for name in before if name not in NOT_STORED)
    return tuple(name for name in kept if before[name] != after[name])


def _made_again(
    record: ImportRecord, former: StagedTable, text: StoredText, bench: Bench, at: datetime
) -> tuple[Rows, TransformPlan]:
    """Transform a text as before, stage the rows, carry the edits over, and roll both back."""
    source, subject = inputs.text_source(record, text), record.public_id
    draft = inputs.draft_of(record)
    decisions = Decisions(choices=record.chosen, draft=draft, answers=former.files.plan.answers)
    plan = source.plan(decisions)
    result, made = source.carry_out(decisions, bench)
    with transaction.atomic():
        # Inside one transaction that is rolled back: no reader ever sees the revision.
        revision = staging.stage(
            subject=subject,
            made=made,
            result=result,
            plan=plan,
            source=inputs.source_named(record, text),
            references=inputs.references_of(record),
            at=at,
        )
        folders = [revision.folder]
        try:
            revision = staging.rebase(former=former, revision=revision, at=at)
            folders.append(revision.folder)
            return staged_rows(table_of(revision)), plan
        finally:
            transaction.set_rollback(True)
            forget(subject)  # the next real revision reuses the number
            for name in {folder for folder in folders if folder}:
                storage.delete(name)


def store(*, record: ImportRecord, folder: Path) -> Path:
    """
    Write an import for replaying it elsewhere: its file, how its rows are made, and their hash.

    Edits are not included. The output contains the file unchanged. Raise NoRowsYet or FileGone.
    """
    if not record.revision:
        raise NoRowsYet
    if not record.file:
        raise FileGone
    kept = rows_of(record).files
    manifest = kept.manifest
    restored = record.chosen.restored
    text = inputs.text_of(record).path
    keep = positions_in(text, restored) if restored else []
    from tabular.protocol.tables import rows as files_rows  # loads the library of Arrow files

    files = {path: storage.local_path(file) for path, file in manifest.file_of.items()}
    types = {column.field: column.column_type for column in manifest.columns}
    formats = {c.field: c.output_format for c in manifest.columns if c.output_format}
    plan = replace(manifest.plan, keep=tuple(keep))
    stored = {
        "choices": record.parsed.choices,
        "plan": forms.as_json(plan),
        "planDigest": plan.digest,
        "lists": {key: [item.keys, item.values] for key, item in kept.plan.lists.items()},
        "pins": manifest.pins,
        "rows": manifest.rows,
        "sha256": digest(files_rows(files), types, formats=formats),
    }
    target = folder / record.public_id
    target.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(storage.local_path(record.file), target / "file")
    (target / "import.json").write_text(json.dumps(stored, ensure_ascii=False), "utf-8")
    return target


def staged_rows(table: StagedTable) -> Rows:
    """Return the number of rows of a table, and their hash as in a delivery."""
    # In the order of the file, like the rows that they are compared with.
    rows = Delivered(table, includes_invalid=True, chosen=table.numbers().to_numpy())
    return Rows(len(rows), digest(rows.batches(), rows.types, formats=rows.formats))
