"""A dry run: the result of transforming an import, without storing anything."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.conf import settings

from common import storage
from common.errors import Conflict, Unavailable, Unprocessable
from common.wording.messages import english_message
from imports import inputs
from imports.mapping.value_lists import pinned_recipe
from imports.models import ImportRecord
from imports.services.mapping_check import check_mapping
from imports.services.review import rows_of
from pipeline.draft import MappingDraft, saved_draft
from pipeline.run import Outcome, TextSource, run
from sandbox import JobCancelled, JobFailed
from sandbox.bench import Bench
from staging import issues, pages
from staging.columns import SEVERITY_ERROR, SEVERITY_VALID, StagedTable
from staging.manifest import Manifest
from staging.selectors import table_of_files
from tabular.model.issue import NewQuestion
from tabular.model.problem import Limits, TabularProblem
from tabular.protocol import forms
from tabular.protocol.results import TransformResult

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
    questions: list[NewQuestion]  # the questions that would be asked


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
        looked_at = record.progress.total or 0
        return page.of(table, record.counts, looked_at=looked_at, record=record, questions=[])
    if record.file_read is None or not record.source:
        raise NotReadYet
    proposed = record.proposed
    mapped = mapping if mapping is not None else record.mapping or dict(proposed.mapping)
    cooked = recipe if mapping is not None else record.recipe or proposed.recipe
    if not mapped:
        raise NothingMapped
    check_mapping(record, mapped, cooked)
    return _tried(record, saved_draft(mapped, pinned_recipe(record.tenant, cooked)), page)


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
        questions: list[NewQuestion],
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
            questions=questions,
        )


def _tried(record: ImportRecord, draft: MappingDraft, page: _Page) -> Preview:
    from tabular.protocol.tables import write_first_rows  # loads pyarrow

    made, text = "", inputs.text_of(record)
    try:
        with storage.working_folder("preview") as folder:
            looked_at = write_first_rows(text.path, folder / "sample.arrow", most=MOST_ROWS)
            source = inputs.text_source(record, text)
            source = replace(source, text=folder / "sample.arrow", resolve=None)
            outcome = _transformed(record, source, draft, folder)
            made = storage.adopt("previews", outcome.out)
        result, plan = outcome.result, source.plan(outcome.decisions)
        table = table_of_files(Manifest.of(result, made, plan, inputs.source_named(record, text)))
        counts = {
            "sourceRows": result.source_rows,
            "skipped": result.skipped,
            **forms.as_json(result.counts),
        }
        return page.of(table, counts, looked_at=looked_at, record=record, questions=outcome.open)
    finally:
        if made:
            storage.delete(made)


def _transformed(
    record: ImportRecord, source: TextSource, draft: MappingDraft, folder: Path
) -> Outcome[TransformResult]:
    with bench_of(record, folder) as bench:
        return run(source, inputs.decisions_of(record, draft), bench, inputs.memory_of(record))


@contextmanager
def bench_of(record: ImportRecord, folder: Path) -> Iterator[Bench]:
    """
    Yield where the jobs of a call run, for at most twenty seconds.

    What stops a job inside becomes JobsBusy, DryRunBroken or Unprocessable.
    """
    end = time.monotonic() + MOST_SECONDS
    limits = Limits(**settings.LIMITS)
    try:
        yield Bench(folder, limits, cancelled=lambda: time.monotonic() > end)
    except JobCancelled as error:
        raise JobsBusy(members={"retryAfter": 10}) from error
    except JobFailed as error:
        logger.warning("%s: a dry run failed: %s", record.public_id, error)
        raise DryRunBroken(members={"retryAfter": 10}) from error
    except TabularProblem as problem:
        members = problem.as_dict()
        raise Unprocessable(
            english_message(members["detail"]), code=str(members["code"])
        ) from problem
