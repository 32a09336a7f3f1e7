"""Remember how a header was mapped, and forget it."""

from datetime import datetime
from typing import Any

from django.db import transaction

from common.actors import Actor
from common.ids import new_id
from imports.models import ImportRecord, Profile


def save_profile(
    *,
    record: ImportRecord,
    mapping: dict[str, str],
    recipe: dict[str, Any] | None,
    actor: Actor,
    at: datetime,
) -> Profile:
    """Keep a settled mapping for the next file with this header; a change counts a version."""
    reading = record.reading or {}
    kept = {
        "columns": reading["columns"],
        "header_row": _header_row(reading),
        "mapping": mapping,
        "recipe": recipe,
    }
    key = {
        "tenant": record.tenant,
        "scope": record.scope,
        "catalog_key": record.catalog_key,
        "fingerprint": reading["fingerprint"],
    }
    with transaction.atomic():
        signed = {"saved_at": at, "saved_by": actor.as_dict()}
        fresh = {"public_id": new_id("prf_"), **kept, **signed}
        profile, is_new = Profile.objects.select_for_update().get_or_create(**key, defaults=fresh)
        if not is_new:
            changed = any(getattr(profile, name) != kept[name] for name in ("mapping", "recipe"))
            profile.version += 1 if changed else 0
            for name, value in (kept | signed).items():
                setattr(profile, name, value)
            profile.save()
    return profile


def _header_row(reading: dict[str, Any]) -> int | None:
    rows = reading["tables"][reading["chosen"]]["header_rows"]
    return max(rows) if rows else None


def delete_profile(*, profile: Profile) -> None:
    """Forget a profile; imports that used it keep their mapping."""
    profile.delete()
