"""reading -> mapping, or transforming: read the file and propose a mapping."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction

from common import clock, storage
from common.errors import StaleState
from imports import inputs, transitions
from imports.advice.columns import advised
from imports.advice.recipes import ask_for_steps
from imports.answers.questions import record_questions
from imports.exports.rows import Choose
from imports.jobs.results import Proposed, ReadFile, Returned
from imports.models import ImportRecord
from imports.progress import Reporter
from imports.rows.returned import (
    FollowUp,
    as_ranges,
    follow_up,
    imports_named_in,
    origin_of_export,
    retried_rows_of,
    write_lines,
)
from imports.services.chunks import join
from pipeline.decide import Answers, decide
from pipeline.decisions import Decisions
from pipeline.kinds import FILE_KINDS, READING_KINDS, VALUE_KINDS
from pipeline.proposal import Proposal
from pipeline.recall import Memory
from pipeline.run import Bench, FileSource, Outcome, run
from tabular.model.issue import Issue, NewQuestion
from tabular.model.problem import TabularProblem
from tabular.protocol import forms
from tabular.protocol.parts import parts_of
from tabular.protocol.results import ReadResult

State = ImportRecord.State
Json = dict[str, Any]
Reading = Outcome[ReadResult]
JOIN_REFUSED = frozenset({"join_multiplies", "no_join_key"})


def read(record: ImportRecord, reporter: Reporter, *, refused_rows: Choose) -> None:
    """
    Read the file in a child, store its text, and change the state with the proposal.

    refused_rows: returns which rows of an applied import its receivers refused.
    """
    if not record.file:  # it came in chunks
        join(record)
    source = inputs.file_source(record)
    with storage.working_folder("read") as folder:
        bench, memory = inputs.bench_in(folder, reporter), inputs.memory_of(record)
        outcome = _read_as_chosen(record, source, bench, memory)
        if source.terms is not None:
            source.terms.refuse_breaches(outcome.result)
        stored = storage.adopt("read", outcome.out, parts_of=parts_of)
    former = record.source
    _move_on(record, outcome, stored, refused_rows, reporter)
    if former and not record.revision:  # otherwise edits are matched again by its rows
        storage.delete(former)


def _read_as_chosen(
    record: ImportRecord, source: FileSource, bench: Bench, memory: Memory
) -> Reading:
    """
    Read the file as people chose; without their join, and with an issue, if that is refused.

    Only reading the rows shows how many a join makes. An import must not fail by such a choice.
    """
    choices = record.chosen
    try:
        return run(source, Decisions(choices=choices), bench, memory)
    except TabularProblem as refused:
        if choices.joined_on is None or refused.code not in JOIN_REFUSED:
            raise
        issue = Issue(refused.code, "error", message=refused.sentence, params=refused.details)
    choices = replace(choices, tables=(), joined_on=None)
    outcome = run(source, Decisions(choices=choices), bench, memory)
    result = replace(outcome.result, issues=(issue, *outcome.result.issues))
    return replace(outcome, result=result)


def reading_kept(result: ReadResult) -> Json:
    """Return the result of reading as the import stores it, without the proposal."""
    kept = forms.as_json(result)
    kept.pop("proposal")
    return kept


def _move_on(
    record: ImportRecord,
    outcome: Reading,
    stored: str,
    refused_rows: Choose,
    reporter: Reporter,
) -> None:
    at, read = clock.now(), _read_file(outcome, stored)
    if record.catalog_version is None:
        with transaction.atomic():
            _record(record, outcome, READING_KINDS, at)
            transitions.wait_unmapped(record, read, at=at)
    elif _comes_back(record, outcome, stored, refused_rows, at):
        return
    elif record.mapping is not None and _still_fits(record, outcome.result):
        with transaction.atomic():  # rows were only restored, or skipped again
            _record(record, outcome, FILE_KINDS, at)
            transitions.transform_as_mapped(record, read, at=at)
    else:
        _propose(record, outcome, read, reporter, at)


def _record(record: ImportRecord, outcome: Reading, kinds: frozenset[str], at: datetime) -> None:
    """Record the questions of some kinds, for a file that is not mapped now."""
    questions = [item for item in outcome.questions.values() if item.kind in kinds]
    record_questions(record, questions, kinds=kinds, known=outcome.known, at=at)


def _propose(
    record: ImportRecord, outcome: Reading, read: ReadFile, reporter: Reporter, at: datetime
) -> None:
    """Decide about the mapping, and write what is decided at once."""
    result, proposal, model_questions = outcome.result, _proposal_of(outcome), list[NewQuestion]()
    policy, memory = inputs.policy_of(record, result), inputs.memory_of(record)
    saved = inputs.saved_for(record, result)
    if record.origin is not None and saved is not None:
        policy = replace(policy, auto_map=True)  # no person confirms it again
    asks_model = inputs.is_advised(record)
    if asks_model and saved is None:
        text = inputs.StoredText(read.source, result)
        proposal, model_questions = advised(record, proposal, text, policy, reporter, at=at)
    answers = Answers(
        questions=(*outcome.questions.values(), *model_questions),
        known=outcome.known | memory.answers(model_questions),
        left_empty=inputs.left_empty(record),
        saved=saved,
        memory=memory,
    )
    decision = decide(proposal, answers, policy)
    custom = record.decided.custom_fields if saved is None else saved.custom_fields
    decided = replace(record.decided, profile=decision.profile, custom_fields=custom)
    proposed = Proposed(decision.proposal.as_json(), decided)
    if asks_model and not decision.transforms:  # a person looks at the mapping first
        text = inputs.StoredText(read.source, result)
        ask_for_steps(record, text, decision.draft, reporter, at=at)
    with transaction.atomic():
        record_questions(
            record,
            [*decision.questions, *decision.required],
            kinds=READING_KINDS | VALUE_KINDS,
            known=decision.known,
            at=at,
        )
        if decision.transforms:
            transitions.transform(record, read, proposed, decision.draft, at=at)
        else:
            transitions.wait_for_mapping(record, read, proposed, at=at)


def _comes_back(
    record: ImportRecord, outcome: Reading, stored: str, refused_rows: Choose, at: datetime
) -> bool:
    """Process a file of rows exported from another import; return whether it is one."""
    if record.corrects_id is not None:
        return False
    named = imports_named_in(stored)
    of = origin_of_export(record, named) if named else None
    if of is None:
        return False
    if of.state == State.REVIEW:
        read = _read_file(outcome, stored)
        transitions.wait_unmapped(record, read, corrects=of, at=at)
        return True
    chosen = follow_up(of, stored, outcome.result.columns, partial(refused_rows, of))
    _follow_up(record, outcome, stored, chosen, at)
    return True


def _follow_up(
    record: ImportRecord, outcome: Reading, stored: str, chosen: FollowUp, at: datetime
) -> None:
    """Continue with the failed rows alone; rows that another file brought meanwhile are dropped."""
    lines = write_lines(stored, chosen.lines)
    read = ReadFile(
        reading_kept(outcome.result), outcome.decisions.choices, lines, len(chosen.lines)
    )
    returned = Returned(
        of=chosen.of,
        rows=as_ranges(chosen.rows),
        proposal=_proposal_of(outcome),
        decided=replace(
            record.decided,
            mapping=chosen.mapping,
            recipe=chosen.recipe,
            custom_fields=chosen.of.decided.custom_fields,
        ),
    )
    with transaction.atomic():
        ImportRecord.objects.select_for_update(of=("self",)).get(pk=chosen.of.pk)
        if retried_rows_of(chosen.of, but=record) & set(chosen.rows):
            raise StaleState("stale_state.retrying")
        transitions.transform_returned(record, read, returned, at=at)
    storage.delete(stored)


def _read_file(outcome: Reading, stored: str) -> ReadFile:
    rows = outcome.result.rows
    return ReadFile(reading_kept(outcome.result), outcome.decisions.choices, stored, rows)


def _still_fits(record: ImportRecord, result: ReadResult) -> bool:
    """Return whether the confirmed mapping names the columns that were read now."""
    former = record.file_read
    return former is not None and former.columns == result.columns


def _proposal_of(outcome: Reading) -> Proposal:
    """Return the matcher's proposal."""
    matched = outcome.result.proposal
    return Proposal() if matched is None else Proposal.of(matched)
