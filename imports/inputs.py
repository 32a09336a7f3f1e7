"""The columns of an import as values: the one place where a run and a decision get theirs from."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.conf import settings

from common import storage
from deliveries import selectors as deliveries
from deliveries.models import Registration
from deliveries.services.registrations import CHECK
from imports.advice.client import the_model
from imports.answers.memory import ImportMemory, learned_headers, named_profile, profile_for
from imports.answers.questions import given_answers
from imports.jobs.resolve import Resolver
from imports.mapping.custom_fields import may_have
from imports.mapping.value_lists import pinned_draft
from imports.models import ImportRecord
from imports.progress import Reporter
from imports.rows.left_out import positions_in
from ledger import selectors as ledger
from ledger.models import ModelAnswer, Question
from pipeline.decide import Policy, Saved
from pipeline.decisions import Decisions
from pipeline.draft import MappingDraft, saved_draft
from pipeline.kinds.required_field import NAME as REQUIRED
from pipeline.proposal import Decider
from pipeline.run import FileSource, TextSource
from pipeline.target import Target
from pipeline.terms import Terms
from references.selectors import seen_by
from references.value_lists.selectors import columns_by_digest
from sandbox.bench import Bench
from staging.manifest import Place, References, SourceNamed, SourceText, TablePlace
from tabular.model import i_json
from tabular.model.catalog import Context
from tabular.model.mapping import by_source
from tabular.model.problem import Limits
from tabular.model.recipe import Recipe
from tabular.protocol.requests import LearnedHeaders
from tabular.protocol.results import FileRead, FoundTable

PLACE = "sheet", "page", "range", "columns", "places"  # members of a table that locate its cells


def is_advised(record: ImportRecord) -> bool:
    """Return whether a model is named, or said something about an import before."""
    answers = ModelAnswer.objects.filter(tenant=record.tenant, subject=record.public_id)
    return the_model() is not None or answers.exists()


def checkers_of(record: ImportRecord) -> list[Registration]:
    """Return the registrations that check the rows of an import."""
    if record.purpose != ImportRecord.Purpose.IMPORT or record.corrects_id is not None:
        return []
    return deliveries.registrations_for(record.tenant, CHECK, catalog_key=record.catalog_key)


def resolver_of(record: ImportRecord) -> Resolver | None:
    """Return what resolves the references of an import's rows; None if they have none."""
    if not any(field.reference for field in record.target.live_fields.values()):
        return None
    return Resolver(record.public_id, record.tenant, record.scope, from_page=record.from_page)


def bench_in(folder: Path, reporter: Reporter) -> Bench:
    """Return where the jobs of an import run."""
    limits = Limits(**settings.LIMITS)
    return Bench(folder, limits, progress=reporter.progress, cancelled=reporter.cancelled)


def terms_of(record: ImportRecord) -> Terms | None:
    """Return what a contract sets for an import; None without one."""
    if not record.contract_id or record.contract is None:
        return None
    return Terms.kept(record.contract_id, record.contract)


def file_source(record: ImportRecord) -> FileSource:
    """Return the file of an import, to be read for its catalog if it has one."""
    has_catalog = record.catalog_version is not None  # a sample is read without
    return FileSource(
        file=storage.local_path(record.file),
        catalog=record.offered if has_catalog else None,
        learned=learned_headers(record) if has_catalog else LearnedHeaders(),
        terms=terms_of(record),
    )


@dataclass(frozen=True, slots=True)
class StoredText:
    """The text of a file, stored when it was read. folder: its name in storage."""

    folder: str
    read: FileRead | None

    @property
    def path(self) -> Path:
        """The local path of the text."""
        return storage.local_path(self.folder) / "source.arrow"


def text_of(record: ImportRecord) -> StoredText:
    """Return the text of an import's file."""
    return StoredText(record.source, record.file_read)


def text_source(record: ImportRecord, text: StoredText) -> TextSource:
    """Return a text, to be transformed as rows of an import."""
    context = {**record.context, "today": record.created_at.date().isoformat()}
    restored = record.chosen.restored  # recipes no longer skip them
    return TextSource(
        text=text.path,
        catalog=record.target,
        context=Context.model_validate_json(i_json.write(context)),
        read=text.read,
        keep=tuple(positions_in(text.path, restored)) if restored else (),
        resolve=resolver_of(record),
        lists=columns_by_digest,
    )


def draft_of(record: ImportRecord) -> MappingDraft:
    """Return the mapping that an import has."""
    return saved_draft(record.mapping, record.recipe)


def decisions_of(record: ImportRecord, draft: MappingDraft) -> Decisions:
    """Return what is decided about an import's rows under some mapping."""
    answers = given_answers(record, draft.mapping)
    return Decisions(choices=record.chosen, draft=draft, answers=answers)


def source_named(record: ImportRecord, text: StoredText) -> SourceText:
    """Return where a text is, and where each part of it was in the file, if it has several."""
    file, read = SourceNamed(record.filename, record.sha256), text.read
    if read is None:
        return SourceText(text.folder, TablePlace(file=file))
    parts = {str(number): Place(**_where(read.tables[number])) for number in read.table.stacked}
    if join := read.table.join:  # it may have renamed the columns of the parent
        parent = str(join.parent)
        parts[parent] = replace(parts[parent], columns=join.parent_columns)
    return SourceText(text.folder, TablePlace(**_where(read.table), file=file, parts=parts))


def _where(table: FoundTable) -> dict[str, Any]:
    """Return the location of a table's cells, as the members of a place."""
    return {name: getattr(table, name) for name in PLACE} | {"member": table.file}


def source_mapping(record: ImportRecord) -> dict[str, str]:
    """Return the confirmed mapping as hosts get it: columns of the file to field paths."""
    recipe = Recipe.model_validate(record.recipe, strict=False) if record.recipe else None
    columns = record.file_read.columns if record.file_read else ()
    return by_source(record.mapping or {}, recipe, columns)


def references_of(record: ImportRecord) -> References | None:
    """Return the entities that the rows may refer to; None without a reference."""
    tenant = None if record.from_page else record.tenant_id
    return References("", tenant, record.scope) if resolver_of(record) is not None else None


def memory_of(record: ImportRecord) -> ImportMemory:
    """Return what is known when a job of an import asks."""
    return ImportMemory(
        tenant=record.tenant,
        scope=record.scope,
        subject=record.public_id,
        target=target_of(record),
    )


def target_of(record: ImportRecord) -> Target:
    """Return what an answer about an import is checked against; pages see no known entities."""

    def knows(entity: str, ref: str) -> bool:
        known = seen_by(record.tenant, record.scope, entity)
        return not record.from_page and known.filter(ref=ref).exists()

    return Target(
        fields=record.target.live_fields if record.catalog_version is not None else {},
        read=record.file_read,
        options=record.context.get("options") or {},
        knows=knows,
    )


def policy_of(record: ImportRecord, read: FileRead | None) -> Policy:
    """Return what holds for every mapping of an import. read: its file, read just now or before."""
    return Policy(
        catalog_key=record.catalog_key,
        fields=record.target.live_fields,
        given=frozenset(record.context.get("defaults") or {}),
        auto_map=record.auto_map,
        read=read,
    )


def saved_for(record: ImportRecord, read: FileRead) -> Saved | None:
    """Return the mapping that a contract sets for a header, or that was saved for it."""
    terms = terms_of(record)
    if terms is not None and (draft := terms.draft(read.columns)) is not None:
        return Saved(pinned_draft(record.tenant, draft), Decider("contract", terms.contract_id))
    profile = named_profile(record, read) or profile_for(record, read.fingerprint)
    if profile is None:
        return None
    custom = profile.custom_fields
    fields = record.with_custom_fields(custom).live_fields
    draft = profile.draft_for(read.columns, fields)
    if draft is None or not may_have(record.with_custom_fields(None), custom):
        return None
    used = {"id": profile.public_id, "version": profile.version}
    draft = pinned_draft(record.tenant, draft)
    return Saved(draft, Decider("profile", profile.public_id), used, custom)


def left_empty(record: ImportRecord) -> frozenset[str]:
    """Return the required fields that are confirmed to have no column."""
    closed = ledger.questions_about(record.tenant, record.public_id).filter(
        kind=REQUIRED, state__in=[Question.State.ANSWERED, Question.State.DISMISSED]
    )
    return frozenset(question.field for question in closed if question.in_force is None)
