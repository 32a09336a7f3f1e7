"""Which versions of value lists the lookups of a recipe use: the newest when it is confirmed."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from common.errors import InvalidRequest
from common.wording.messages import Message
from imports.models import ImportRecord, ImportSnapshot
from licensing.models import Tenant
from pipeline.draft import MappingDraft
from references.value_lists import selectors
from references.value_lists.model import ListVersion

Step = dict[str, Any]
KEY, DIGEST = "valueList", "digest"  # members of a lookup


def pinned_recipe(tenant: Tenant, recipe: dict[str, Any] | None) -> dict[str, Any] | None:
    """
    Return a valid recipe whose lookups name versions.

    Raise InvalidRequest for a list that there is not; a deleted one is used as it was before.
    """
    if recipe is None or not any(names_list(step) for step in recipe.get("steps", ())):
        return recipe
    steps = pinned(tenant, recipe["steps"])
    unknown = [n for n, step in enumerate(steps) if names_list(step) and DIGEST not in step]
    if unknown:
        errors = [
            {
                "pointer": f"/recipe/steps/{n}/{KEY}",
                "code": "unknown_value_list",
                "detail": Message("unknown_value_list.named", key=steps[n][KEY]),
            }
            for n in unknown
        ]
        raise InvalidRequest("invalid_recipe", errors=errors)
    return {**recipe, "steps": steps}


def pinned_draft(tenant: Tenant, draft: MappingDraft) -> MappingDraft:
    """Return a draft whose lookups name versions, as far as there are such lists."""
    if not any(map(names_list, draft.steps)):
        return draft
    return replace(draft, steps=tuple(pinned(tenant, draft.steps)))


def pinned(tenant: Tenant, steps: Iterable[Step]) -> list[Step]:
    """Return steps whose lookups name the newest versions; a deleted list keeps the one it had."""
    steps = list(steps)
    named = [step for step in steps if names_list(step)]
    newest = selectors.digests_of(tenant, {step[KEY] for step in named})
    kept = selectors.known_digests(tenant, {step[DIGEST] for step in named if DIGEST in step})
    return [_pinned(step, newest, kept) if names_list(step) else step for step in steps]


def _pinned(step: Step, newest: Mapping[str, str], kept: frozenset[str]) -> Step:
    digest = newest.get(step[KEY]) or (step[DIGEST] if step.get(DIGEST) in kept else None)
    return {**unpinned(step), **({DIGEST: digest} if digest else {})}


def unpinned(step: Step) -> Step:
    """Return a step that uses the newest version again."""
    return {name: member for name, member in step.items() if name != DIGEST}


def unpinned_recipe(recipe: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return a recipe for later files, which use the newest versions."""
    if recipe is None or not any(map(names_list, recipe.get("steps", ()))):
        return recipe
    return {**recipe, "steps": [unpinned(step) for step in recipe["steps"]]}


def names_list(step: object) -> bool:
    """Return whether a step, as sent, is a lookup in a value list."""
    return isinstance(step, dict) and step.get("do") == "lookup" and KEY in step


def is_used(version: ListVersion) -> bool:
    """Return whether an import, or rows that it may go back to, were made with a version."""
    theirs = Q(tenant=version.tenant_id) | Q(tenant__test_of=version.tenant_id)
    mine = ImportRecord.objects.filter(theirs)
    snapshots = ImportSnapshot.objects.filter(record__in=mine)
    text = Cast("decided", TextField())
    return any(
        rows.annotate(text=text).filter(text__contains=version.digest).exists()
        for rows in (mine, snapshots)
    )
