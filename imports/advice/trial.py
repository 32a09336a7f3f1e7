"""Try what a model proposes on the first rows of a file, before anybody is asked about it."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from common import storage
from imports import inputs
from imports.inputs import StoredText
from imports.models import ImportRecord
from imports.progress import Reporter
from pipeline.advice.columns import Trial
from pipeline.draft import MappingDraft
from pipeline.run import run
from sandbox import JobFailed
from tabular.model.problem import TabularProblem
from tabular.model.table import silent
from tabular.protocol.results import TransformResult

SAMPLE_ROWS = 1_000
logger = logging.getLogger(__name__)


def tried(
    record: ImportRecord, text: StoredText, mapping: Mapping[str, str], reporter: Reporter
) -> dict[str, Trial]:
    """
    Return what the first rows become if columns feed fields, by field; empty if that fails.

    mapping: column to field path.
    """
    from tabular.protocol.tables import write_first_rows  # loads pyarrow

    if not mapping:
        return {}
    with storage.working_folder("advice") as folder:
        sample = folder / "sample.arrow"
        write_first_rows(text.path, sample, most=SAMPLE_ROWS)
        source = replace(inputs.text_source(record, text), text=sample, resolve=None)
        bench = replace(inputs.bench_in(folder, reporter), progress=silent)
        decisions = inputs.decisions_of(record, MappingDraft(dict(mapping)))
        try:
            outcome = run(source, decisions, bench)
        except (JobFailed, TabularProblem) as error:
            logger.warning("%s: a trial failed: %s", record.public_id, type(error).__name__)
            return {}
        result, out = outcome.result, outcome.out
        return {path: _trial(result, out, path) for path in mapping.values()}


def _trial(result: TransformResult, out: Path, path: str) -> Trial:
    """Return how many rows got a value in a field, and how many an error."""
    import pyarrow.compute as pc

    from tabular.protocol.tables import column, whole

    issues = whole(out / result.issues_file)
    is_wrong = pc.and_(
        pc.equal(issues["field"].cast("string"), path),
        pc.and_(
            pc.equal(issues["severity"].cast("string"), "error"),
            pc.is_valid(issues["value"]),  # an empty cell was empty before
        ),
    )
    wrong = issues["row"].filter(is_wrong).unique().cast("int64")
    values = column(out / result.file_of[path]).combine_chunks()
    filled = pc.indices_nonzero(pc.is_valid(values)).cast("int64")
    right = len(filled) - (pc.sum(pc.is_in(filled, wrong)).as_py() or 0)
    return Trial(rows=result.rows, fixed=right, broken=len(wrong))
