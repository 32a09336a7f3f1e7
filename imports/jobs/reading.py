"""reading -> mapping, or transforming: read the file and propose a mapping."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from common import clock, storage
from common.errors import StaleState
from imports import transitions
from imports.answers.recall import RecalledAnswer, learned_headers, profile_for, recalled_answers
from imports.answers.record import open_questions_of, record_questions
from imports.exports.rows import Choose
from imports.mapping.contract import ContractConstraints
from imports.mapping.precedence import (
    after_answers,
    apply_profile,
    still_asked,
    with_defaults,
)
from imports.mapping.proposal import Decider, Proposal
from imports.mapping.required_fields import ask_required, is_complete
from imports.models import ImportRecord
from imports.progress import Reporter
from imports.questions import (
    FILE_KINDS,
    READING_KINDS,
    TRANSFORM_KINDS,
    asked_of,
    chosen_by,
    undecided,
)
from imports.questions.required_field import NAME as REQUIRED
from imports.rows.returned import (
    FollowUp,
    as_ranges,
    follow_up,
    origin_of_export,
    retried_rows_of,
    write_lines,
)
from imports.services.uploading import join
from imports.transitions import Proposed, ReadFile, Returned
from ledger.services import NewQuestion
from sandbox import run_job
from tabular.model.places import ReadingChoices
from tabular.model.problem import Limits
from tabular.protocol import forms
from tabular.protocol.requests import ReadRequest
from tabular.protocol.results import ReadResult

State = ImportRecord.State
MOST_READINGS = 3  # a remembered table, then its remembered header row, change what is read
Json = dict[str, Any]


@dataclass(slots=True)
class _Read:
    """The result of reading one file, which may take several passes."""

    choices: ReadingChoices
    result: ReadResult | None = None
    source: str = ""
    retried: int | None = None  # row count, if only some rows of the file are used
    asked: dict[str, NewQuestion] = field(default_factory=dict)
    known: dict[str, RecalledAnswer] = field(default_factory=dict)

    @property
    def read(self) -> ReadResult:
        """The result of the last pass."""
        if self.result is None:
            raise LookupError("nothing was read yet")
        return self.result

    @property
    def rows(self) -> int | None:
        """Return the number of rows to continue with."""
        return self.read.rows if self.retried is None else self.retried


def read(record: ImportRecord, reporter: Reporter, *, refused_rows: Choose) -> None:
    """
    Read the file in a child, store its text, and change the state with the proposal.

    refused_rows: returns which rows of an applied import its receivers refused.
    """
    join(record)
    found, constraints = _Read(choices=record.chosen), ContractConstraints.of(record)
    for number in range(MOST_READINGS):
        with storage.working_folder("read") as folder:
            found.result = read_file(record, found.choices, folder, reporter)
            further = _choices_known(record, found)
            if constraints is not None:
                further = constraints.choices(further, found.read)
            if further == found.choices or number == MOST_READINGS - 1:
                if constraints is not None:
                    constraints.refuse_breaches(found.read)
                found.source = storage.adopt("read", folder / "out")
                break
            found.choices = further
    former = record.source
    _move_on(record, found, refused_rows)
    if former and not record.revision:  # otherwise edits are matched again by its rows
        storage.delete(former)


def read_file(
    record: ImportRecord, choices: ReadingChoices, folder: Path, reporter: Reporter
) -> ReadResult:
    """Read the file according to the choices into ``folder``; return the result of the job."""
    request = ReadRequest(
        input=str(storage.local_path(record.file)),
        choices=choices,
        limits=Limits(**settings.LIMITS),
    )
    if record.catalog_version is not None:  # a sample is read without a catalog
        request = replace(request, catalog=record.target, learned=learned_headers(record))
    return run_job(folder, request, progress=reporter.progress, cancelled=reporter.cancelled)


def reading_kept(result: ReadResult) -> Json:
    """Return the result of reading as the import stores it, without the proposal."""
    kept = forms.as_json(result)
    kept.pop("proposal")
    return kept


def _choices_known(record: ImportRecord, found: _Read) -> ReadingChoices:
    """Record the questions of this pass; return the choices with known answers about the file."""
    result = found.read
    about = undecided(result.questions, choices=found.choices, chosen=result.chosen)
    questions = [*about, *(result.proposal.questions if result.proposal else ())]
    asked = asked_of(questions, read=result, catalog_key=record.catalog_key)
    known = recalled_answers(record, asked)
    about_file = {key: item for key, item in found.asked.items() if item.kind in FILE_KINDS}
    found.asked = about_file | {item.fingerprint: item for item in asked}
    found.known |= known
    choices = found.choices
    for item in asked:
        if item.kind in FILE_KINDS and item.fingerprint in known:
            choices = chosen_by(item.kind, known[item.fingerprint].value, choices, result)
    return choices


def _move_on(record: ImportRecord, found: _Read, refused_rows: Choose) -> None:
    at = clock.now()
    if record.catalog_version is None:
        _rest(record, found, at)
        return
    if _comes_back(record, found, refused_rows, at):
        return
    proposal, used = _proposed(record, found)
    if record.mapping is not None and _still_fits(record, found.read):
        _go_on(record, found, at)
        return
    read = _read_file(found)
    with transaction.atomic():
        record_questions(
            record,
            list(found.asked.values()),
            kinds=READING_KINDS - {REQUIRED} | TRANSFORM_KINDS,
            known=found.known,
            at=at,
        )
        record.reading, record.proposal = read.columns()["reading"], proposal.as_json()
        draft = with_defaults(proposal, record.proposed, open_questions_of(record))
        draft = ask_required(record, draft, at=at)
        proposed = Proposed(record.proposal, used)
        if record.auto_map and is_complete(record, draft):
            transitions.transform(record, read, proposed, draft, at=at)
        else:
            transitions.wait_for_mapping(record, read, proposed, at=at)


def _comes_back(record: ImportRecord, found: _Read, refused_rows: Choose, at: datetime) -> bool:
    """Process a file of rows exported from another import; return whether it is one."""
    if record.corrects_id is not None:
        return False
    of = origin_of_export(record, found.source)
    if of is None:
        return False
    if of.state == State.REVIEW:
        transitions.wait_unmapped(record, _read_file(found), corrects=of, at=at)
        return True
    refused = partial(refused_rows, of)
    chosen = follow_up(of, found.source, found.read.columns, refused)
    _follow_up(record, found, chosen, at)
    return True


def _follow_up(record: ImportRecord, found: _Read, chosen: FollowUp, at: datetime) -> None:
    """Continue with the failed rows alone; rows that another file brought meanwhile are dropped."""
    former, found.source = found.source, write_lines(found.source, chosen.lines)
    found.retried = len(chosen.lines)
    returned = Returned(
        of=chosen.of,
        rows=as_ranges(chosen.rows),
        proposal=_proposal_of(found),
        mapping=chosen.mapping,
        recipe=chosen.recipe,
    )
    with transaction.atomic():
        ImportRecord.objects.select_for_update(of=("self",)).get(pk=chosen.of.pk)
        if retried_rows_of(chosen.of, but=record) & set(chosen.rows):
            raise StaleState("Another import is already retrying some of these rows.")
        transitions.transform_returned(record, _read_file(found), returned, at=at)
    storage.delete(former)


def _read_file(found: _Read) -> ReadFile:
    return ReadFile(reading_kept(found.read), found.choices, found.source, found.rows)


def _rest(record: ImportRecord, found: _Read, at: datetime) -> None:
    """Wait for a catalog to be chosen, with the questions about the file recorded."""
    with transaction.atomic():
        record_questions(
            record, list(found.asked.values()), kinds=READING_KINDS, known=found.known, at=at
        )
        transitions.wait_unmapped(record, _read_file(found), at=at)


def _still_fits(record: ImportRecord, result: ReadResult) -> bool:
    """Return whether the confirmed mapping names the columns that were read now."""
    former = record.file_read
    return former is not None and former.columns == result.columns


def _proposal_of(found: _Read) -> Proposal:
    """Return the matcher's proposal."""
    matched = found.read.proposal
    return Proposal() if matched is None else Proposal.of(matched)


def _go_on(record: ImportRecord, found: _Read, at: datetime) -> None:
    """Transform with the existing mapping: rows were only restored, or skipped again."""
    about_file = [item for item in found.asked.values() if item.kind in FILE_KINDS]
    with transaction.atomic():
        record_questions(record, about_file, kinds=FILE_KINDS, known=found.known, at=at)
        transitions.transform_as_mapped(record, _read_file(found), at=at)


def _proposed(record: ImportRecord, found: _Read) -> tuple[Proposal, Json | None]:
    """Return the proposal and the saved mapping it follows; a saved mapping leaves no questions."""
    result = found.read
    proposal = _proposal_of(found)
    fields = record.target.live_fields
    used, constraints = None, ContractConstraints.of(record)
    if constraints is not None and (draft := constraints.draft(result.columns)) is not None:
        still = still_asked(found.asked.values(), draft, fields)
        found.asked = {item.fingerprint: item for item in still}
        proposal = proposal.with_draft(draft, by=Decider("contract", constraints.contract_id))
        return after_answers(proposal, found.asked.values(), found.known), None
    kept = profile_for(record, result.fingerprint)
    matched = apply_profile(kept, result.columns, fields)
    if matched is not None:
        still = still_asked(found.asked.values(), matched.draft, fields)
        found.asked = {item.fingerprint: item for item in still}
        profile = matched.profile
        used = {"id": profile.public_id, "version": profile.version}
        proposal = proposal.with_draft(matched.draft, by=Decider("profile", profile.public_id))
    return after_answers(proposal, found.asked.values(), found.known), used
