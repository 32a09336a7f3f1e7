"""transforming -> review: convert and validate every row."""

from collections.abc import Sequence
from dataclasses import astuple
from datetime import datetime
from typing import Any

from django.db import transaction

from common import clock, storage
from common.actors import ENGINE
from common.errors import Conflict
from common.models import Move
from imports import inputs, transitions
from imports.advice.options import with_proposed_options
from imports.advice.recipes import ask_for_steps
from imports.answers.questions import record_questions
from imports.answers.snapshots import is_kept
from imports.host_checks import requests
from imports.jobs.results import RowsMade
from imports.models import ImportRecord
from imports.progress import Reporter
from pipeline.kinds import VALUE_KINDS
from pipeline.run import Outcome, TextSource, run
from staging import services as staging
from staging.defects import log_defects
from staging.selectors import at_revision
from staging.selectors import table_of as staged_at
from tabular.model.issue import NewQuestion
from tabular.protocol.results import TransformResult

State = ImportRecord.State
WAITING = (State.MAPPING, State.REVIEW)


def transform(record: ImportRecord, reporter: Reporter) -> None:
    """Transform the text in a child and stage the result as a new revision."""
    text, draft = inputs.text_of(record), inputs.draft_of(record)
    source = inputs.text_source(record, text)
    decisions = inputs.decisions_of(record, draft)
    with storage.working_folder("transform") as folder:
        bench, memory = inputs.bench_in(folder, reporter), inputs.memory_of(record)
        outcome = run(source, decisions, bench, memory)
        log_defects(record.public_id, outcome.result.defects)
        asks_model = inputs.is_advised(record)
        if asks_model and outcome.result.counts.error:
            ask_for_steps(record, text, draft, reporter, at=clock.now())
        questions = list(outcome.questions.values())
        if asks_model:
            questions = with_proposed_options(record, questions, outcome.known, at=clock.now())
        _move_on(record, source, outcome, questions, clock.now())


def _move_on(
    record: ImportRecord,
    source: TextSource,
    outcome: Outcome[TransformResult],
    questions: Sequence[NewQuestion],
    at: datetime,
) -> None:
    """Stage the rows that were made, and have people review them, and hosts that check rows."""
    record.require_claim()  # a model was asked meanwhile; rows of a deleted import are not staged
    result = outcome.result
    former = at_revision(record.public_id, record.revision)
    revision = staging.stage(
        subject=record.public_id,
        made=outcome.out,
        result=result,
        plan=source.plan(outcome.decisions),
        source=inputs.source_named(record, inputs.text_of(record)),
        references=inputs.references_of(record),
        at=at,
    )
    if former is not None:
        revision = staging.rebase(former=former, revision=revision, at=at)
    table = staged_at(revision)  # rows that cannot be opened never enter review
    checkers = inputs.checkers_of(record)
    checks = requests.batches_for(record, table, checkers) if checkers else []
    left_out = sum(astuple(source.read.table.skipped)) if source.read else 0  # by the layout
    counts = {
        "sourceRows": result.source_rows + left_out,
        "skipped": result.skipped + left_out,
        **revision.counts,
    }
    rows_made = RowsMade(
        revision=revision.number,
        # An older transform exists: carry over to these rows what hosts reported before.
        checked_revision=record.checked_revision or (revision.number if checks else 0),
        counts=counts,
        rows=result.rows,
    )
    try:
        with transaction.atomic():
            if former is not None and is_kept(record, former.revision.transform):
                staging.follow(revision=revision, former=former.revision, actor=_last_actor(record))
            # An answer that is known since the last pass did not reach the rows.
            record_questions(record, questions, kinds=VALUE_KINDS, known=outcome.used, at=at)
            transitions.review(record, rows_made, at=at)
            if checks:
                requests.enqueue(record, checks, at=at)
    except Conflict:  # refused: nothing is asked
        requests.forget(checks)
        raise


def _last_actor(record: ImportRecord) -> dict[str, Any]:
    """Return who moved the import here from a state that waits for a person."""
    moves = Move.objects.filter(subject=record.public_id, from_state__in=WAITING)
    return moves.order_by("-version").values_list("actor", flat=True).first() or ENGINE.as_dict()
