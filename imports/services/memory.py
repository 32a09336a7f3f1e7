"""Remember what was applied, and forget what one import taught. docs/questions.md, Memory."""

from dataclasses import replace
from datetime import datetime

from django.db import transaction

from common.ids import new_id
from imports.answers.recall import LEARNED
from imports.mapping.value_lists import unpinned_recipe
from imports.models import ImportRecord, Profile
from ledger import selectors as ledger
from ledger import services as memory
from ledger.models import Question
from licensing.selectors import may_teach
from pipeline.draft import MappingDraft
from pipeline.kinds import COLUMN_KINDS, followed

DECIDED = ("mapping", "recipe", "custom_fields")  # of a profile: a change counts a version


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
        state=Question.State.ANSWERED, remember=True
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
