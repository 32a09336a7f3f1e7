"""A dry run: the result of transforming an import, without storing anything."""

import logging
import time
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common import storage
from common.errors import Conflict, Unavailable, Unprocessable
from imports.jobs.transforming import TriedOut, try_out
from imports.models import ImportRecord
from imports.services.checking import check_mapping
from imports.services.reviewing import rows_of
from ledger.services import NewQuestion
from sandbox import JobCancelled, JobFailed
from staging import issues, pages
from staging.columns import SEVERITY_ERROR, SEVERITY_VALID, StagedTable
from staging.manifest import Manifest
from staging.selectors import table_of_files
from tabular.model.problem import TabularProblem
from tabular.protocol import forms

MOST_ROWS = 10_000  # rows that a dry run looks at; workers transform larger files
MOST_SECONDS = 20.0

State = ImportRecord.State
logger = logging.getLogger(__name__)


class NotReadYet(Conflict):
    """The file is not read yet. Wait for the state `mapping` or `review`."""

    code = "not_read_yet"


class NothingMapped(Conflict):
    """The mapping is not confirmed yet. Answer the questions, or send a mapping."""

    code = "nothing_mapped"


class JobsBusy(Unavailable):
    """The engine is too busy for a dry run. Retry later."""

    code = "jobs_busy"


class DryRunBroken(Unavailable):
    """The dry run failed. Nothing was changed; retry later."""

    code = "dry_run_broken"


@dataclass(frozen=True, slots=True)
class Preview:
    """The rows made of the first ``looked_at`` of ``source_rows`` rows of the file."""

    counts: dict[str, Any]
    issues: list[issues.IssueGroup]
    rows: list[dict[str, Any]]
    total: int  # how many rows there are to page through
    looked_at: int
    source_rows: int
    asked: list[NewQuestion]  # the questions that would be asked


def dry_run(
    *,
    record: ImportRecord,
    mapping: dict[str, str] | None,
    recipe: dict[str, Any] | None,
    only_errors: bool,
    offset: int,
    limit: int,
) -> Preview:
    """
    Return sample rows and the issues of an import as it is, or under another mapping.

    Without a mapping in the call, use the rows in review, or else the proposal. The first 10,000
    rows are looked at unless the rows are in review. Raise InvalidRequest for a mapping that does
    not fit, NotReadYet, NothingMapped, JobsBusy or DryRunBroken.
    """
    page = _Page(only_errors, offset, limit)
    if mapping is None and record.revision:
        table = rows_of(record)
        return page.of(table, record.counts, looked_at=record.total or 0, record=record, asked=[])
    if record.reading is None or not record.source:
        raise NotReadYet
    scratch = copy(record)
    proposed = record.proposed
    scratch.mapping = mapping if mapping is not None else record.mapping or dict(proposed.mapping)
    scratch.recipe = recipe if mapping is not None else record.recipe or proposed.recipe
    if not scratch.mapping:
        raise NothingMapped
    check_mapping(record, scratch.mapping, scratch.recipe)
    return _tried(scratch, page)


@dataclass(frozen=True, slots=True)
class _Page:
    only_errors: bool
    offset: int
    limit: int

    def of(
        self,
        table: StagedTable,
        counts: dict[str, Any],
        *,
        looked_at: int,
        record: ImportRecord,
        asked: list[NewQuestion],
    ) -> Preview:
        numbers = table.numbers(at_least=SEVERITY_ERROR if self.only_errors else SEVERITY_VALID)
        shown = numbers.slice(self.offset, self.limit).to_numpy()
        return Preview(
            counts=counts,
            issues=issues.summarised(table),
            rows=pages.shown(table, pages.fitting_rows(table, shown)),
            total=len(numbers),
            looked_at=looked_at,
            source_rows=(record.file_read and record.file_read.rows) or looked_at,
            asked=asked,
        )


def _tried(scratch: ImportRecord, page: _Page) -> Preview:
    made = ""
    try:
        with storage.working_folder("preview") as folder:
            looked_at = _first_rows(scratch, folder / "sample.arrow")
            tried = _transformed(scratch, folder / "sample.arrow", folder)
            made = storage.adopt("previews", folder / "out")
        result = tried.result
        table = table_of_files(Manifest.of(result, made, tried.origin, pins={}))
        counts = {
            "sourceRows": result.source_rows,
            "skipped": result.skipped,
            **forms.as_json(result.counts),
        }
        return page.of(table, counts, looked_at=looked_at, record=scratch, asked=tried.asked)
    finally:
        if made:
            storage.delete(made)


def _transformed(scratch: ImportRecord, source: Path, folder: Path) -> TriedOut:
    end = time.monotonic() + MOST_SECONDS
    try:
        return try_out(scratch, source, folder, lambda: time.monotonic() > end)
    except JobCancelled as error:
        raise JobsBusy(retryAfter=10) from error
    except JobFailed as error:
        logger.warning("%s: a dry run broke: %s", scratch.public_id, error)
        raise DryRunBroken(retryAfter=10) from error
    except TabularProblem as problem:
        told = problem.as_dict()
        raise Unprocessable(str(told["detail"]), code=str(told["code"])) from problem


def _first_rows(record: ImportRecord, path: Path) -> int:
    """Write the first rows of an import's text to ``path``; return how many rows there are."""
    import pyarrow as pa

    from tabular.protocol.tables import opened

    written = 0
    with (
        opened(storage.local_path(record.source) / "source.arrow") as source,
        pa.ipc.new_file(str(path), source.schema) as sample,
    ):
        for number in range(source.num_record_batches):
            batch = source.get_batch(number).slice(0, MOST_ROWS - written)
            sample.write_batch(batch)
            written += batch.num_rows
            if written == MOST_ROWS:
                break
    return written
