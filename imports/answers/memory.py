"""
The memory of imports: what is known when a job asks, and what an apply teaches.

This import's own answers come first, then remembered ones. docs/questions.md, Memory.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from common.actors import Actor
from common.ids import new_id
from common.rows import the_only
from imports.customization import PROFILE
from imports.mapping.value_lists import unpinned_recipe
from imports.models import ImportRecord, Profile
from ledger import selectors as ledger
from ledger import services as memory
from ledger.models import Question
from ledger.recalled import recall
from licensing.models import Tenant
from licensing.selectors import may_teach
from pipeline.draft import MappingDraft
from pipeline.kinds import COLUMN_KINDS, KINDS, followed
from pipeline.recall import RecalledAnswer, RecalledAnswers
from pipeline.target import Target
from tabular.model.issue import NewQuestion
from tabular.protocol.requests import LearnedHeaders
from tabular.protocol.results import FileRead
from tabular.vocabulary.headers import normalise

LEARNED = Actor(kind="system", id="engine", label="learned")
MOST_PROFILES = 200  # the newest; older ones teach nothing
DECIDED = ("mapping", "recipe", "custom_fields")  # of a profile: a change counts a version
State = Question.State


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportMemory:
    """
    What decides the questions about one import.

    1. The answer to this import's own question; a dismissed one has its default.
    2. What the tenant and scope remember, unless it no longer fits the question.
    """

    tenant: Tenant
    scope: str
    subject: str
    target: Target

    def answers(self, questions: Sequence[NewQuestion]) -> RecalledAnswers:
        """Return what decides some questions, by fingerprint."""
        known = {
            question.fingerprint: RecalledAnswer(
                question.in_force, question.learned_from or question.public_id
            )
            for question in ledger.questions_about(self.tenant, self.subject)
            if question.state in {State.ANSWERED, State.DISMISSED}
        }
        unknown = [item for item in questions if item.fingerprint not in known]
        names = (item.fingerprint for item in unknown)
        kept = ledger.remembered(self.tenant, self.scope, names)
        for item in unknown:
            recalled = kept.get(item.fingerprint)
            if recalled is None or not may_teach(tenant=self.tenant, actor=recalled.answered_by):
                continue
            fitting = KINDS[item.kind].remembered(recalled.value, item, self.target)
            if fitting.fits:
                known[item.fingerprint] = RecalledAnswer(
                    fitting.value, recalled.public_id, recall(recalled)
                )
        return {
            item.fingerprint: known[item.fingerprint]
            for item in questions
            if item.fingerprint in known
        }

    def remembers(self, fingerprints: Collection[str]) -> list[str]:
        """Return those fingerprints that the tenant and scope remember an answer to."""
        return list(ledger.remembered(self.tenant, self.scope, fingerprints))


def profile_for(record: ImportRecord, fingerprint: str) -> Profile | None:
    """Return the saved mapping of exactly this header."""
    return the_only(_profiles(record).filter(fingerprint=fingerprint))


def named_profile(record: ImportRecord, read: FileRead) -> Profile | None:
    """Return the saved mapping that an import names, if the file has all of its columns."""
    name = (record.overlay or {}).get(PROFILE)
    if not name:
        return None
    profile = the_only(Profile.objects.filter(tenant=record.tenant, public_id=name))
    if profile is None or not set(profile.columns) <= set(read.columns):
        return None
    return profile


def learned_headers(record: ImportRecord) -> LearnedHeaders:
    """
    Count what earlier headers of the catalog were mapped to.

    An unmapped column counts for the path ``""``; one that a recipe split or joined counts for
    nothing, because the header alone does not explain how. ``sources`` names the newest saved
    mapping of each.
    """
    counts: dict[str, dict[str, int]] = {}
    sources: dict[str, dict[str, str]] = {}
    for profile in _profiles(record).order_by("-saved_at")[:MOST_PROFILES]:
        cooked = _cooked(profile.recipe)
        for column in profile.columns:
            if column in cooked:
                continue
            name, path = normalise(column), profile.mapping.get(column, "")
            paths = counts.setdefault(name, {})
            paths[path] = paths.get(path, 0) + 1
            sources.setdefault(name, {}).setdefault(path, profile.public_id)
    return LearnedHeaders(counts, sources)


def _cooked(recipe: dict[str, Any] | None) -> set[str]:
    steps = (recipe or {}).get("steps", [])
    return {name for step in steps for name in (step.get("column"), *step.get("columns", ()))}


def _profiles(record: ImportRecord) -> "QuerySet[Profile]":
    mine = Profile.objects.filter(tenant=record.tenant, scope=record.scope)
    return mine.filter(catalog_key=record.catalog_key)


def learn(*, record: ImportRecord, at: datetime) -> None:
    """
    Remember the mapping and the answers of an applied import.

    Nothing is learned from what the engine chose alone, from a visitor of a page, or from an agent
    whose key may not teach.
    """
    if record.from_page:
        return
    with transaction.atomic():
        for question in _given(record):
            if question.kind not in COLUMN_KINDS or _holds(question, record):
                memory.remember(question=question, scope=record.scope)
        if may_teach(tenant=record.tenant, actor=record.decided.by):
            profile = save_profile(record=record, at=at)
            used = {"id": profile.public_id, "version": profile.version}
            record.decided = replace(record.decided, profile=used)
            ImportRecord.objects.filter(pk=record.pk).update(decided=record.decided)


def forget_taught(*, record: ImportRecord) -> None:
    """Forget what was learned from this import alone."""
    named = f'"{record.public_id}"'
    with transaction.atomic():
        memory.forget_taught(tenant=record.tenant, subject=record.public_id)
        for profile in Profile.objects.filter(tenant=record.tenant, taught_by__contains=named):
            profile.taught_by = [item for item in profile.taught_by if item != record.public_id]
            if profile.taught_by:
                profile.save(update_fields=["taught_by"])
            else:
                profile.delete()


def _given(record: ImportRecord) -> list[Question]:
    """Return the questions that a person answered here to be remembered, not from memory."""
    answered_here = ledger.questions_about(record.tenant, record.public_id).filter(
        state=State.ANSWERED, remember=True
    )
    return [
        question
        for question in answered_here
        if question.answered_by != LEARNED.as_dict()
        and may_teach(tenant=record.tenant, actor=question.answered_by)
    ]


def _holds(question: Question, record: ImportRecord) -> bool:
    """Return whether the applied mapping is the one the answer led to."""
    mapping = record.mapping or {}
    steps = tuple((record.recipe or {}).get("steps", ()))
    samples = record.proposes.samples
    made = followed(MappingDraft(mapping, steps), question, question.answer, samples=samples)
    return dict(made.mapping) == mapping


def save_profile(*, record: ImportRecord, at: datetime) -> Profile:
    """Save an applied mapping for the next file with this header; a change counts a version."""
    read = record.file_read
    if read is None:
        raise LookupError(f"{record.public_id} was not read")
    kept = {
        "columns": list(read.columns),
        "header_row": max(read.table.header_rows, default=None),
        "mapping": record.mapping,
        "recipe": unpinned_recipe(record.recipe),
        "custom_fields": record.decided.custom_fields or None,
    }
    key = {
        "tenant": record.tenant,
        "scope": record.scope,
        "catalog_key": record.catalog_key,
        "fingerprint": read.fingerprint,
    }
    with transaction.atomic():
        signed = {
            "saved_at": at,
            "saved_by": record.decided.by,
            "taught_by": [record.public_id],
        }
        fresh = {"public_id": new_id("prf_"), **kept, **signed}
        profile, is_new = Profile.objects.select_for_update().get_or_create(**key, defaults=fresh)
        if not is_new:
            changed = any(getattr(profile, name) != kept[name] for name in DECIDED)
            profile.version += 1 if changed else 0
            if not changed:
                signed["taught_by"] = memory.taught_also(profile.taught_by, record.public_id)
            for name, value in (kept | signed).items():
                setattr(profile, name, value)
            profile.save()
    return profile


def delete_profile(*, profile: Profile) -> None:
    """Forget a saved mapping; imports that used it keep their mapping."""
    profile.delete()
