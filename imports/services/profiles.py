"""Save how a header was mapped, and forget it."""

from datetime import datetime

from django.db import transaction

from common.ids import new_id
from imports.models import ImportRecord, Profile
from ledger.services import taught_also


def save_profile(*, record: ImportRecord, at: datetime) -> Profile:
    """Save an applied mapping for the next file with this header; a change counts a version."""
    read = record.file_read
    if read is None:
        raise LookupError(f"{record.public_id} was not read")
    kept = {
        "columns": list(read.columns),
        "header_row": max(read.table.header_rows, default=None),
        "mapping": record.mapping,
        "recipe": record.recipe,
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
            changed = any(getattr(profile, name) != kept[name] for name in ("mapping", "recipe"))
            profile.version += 1 if changed else 0
            if not changed:
                signed["taught_by"] = taught_also(profile.taught_by, record.public_id)
            for name, value in (kept | signed).items():
                setattr(profile, name, value)
            profile.save()
    return profile


def delete_profile(*, profile: Profile) -> None:
    """Forget a saved mapping; imports that used it keep their mapping."""
    profile.delete()
