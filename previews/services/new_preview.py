"""Start a preview of a new file, or of one that is stored."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from catalogs.models import CatalogVersion
from common import storage
from common.actors import Actor
from common.ids import new_id
from imports import transitions
from imports.allowances import refuse_beyond
from imports.models import ImportRecord
from imports.services import create_import, stored_again
from imports.services.upload import ImportOptions
from licensing.models import Tenant
from previews.selectors import latest_impact


@dataclass(frozen=True, slots=True)
class File:
    """Stored bytes, with their name."""

    stored: storage.StoredFile
    name: str


def try_file(
    *,
    tenant: Tenant,
    file: File,
    purpose: str,
    actor: Actor,
    at: datetime,
    license_id: str = "",
    tested_against: dict[str, Any] | None = None,
) -> ImportRecord:
    """Start the preview of a stored file, which is kept for a day. tested_against: the draft."""
    return create_import(
        tenant=tenant,
        catalog_version=None,
        filename=file.name,
        stored=file.stored,
        actor=actor,
        at=at,
        license_id=license_id,
        options=ImportOptions(purpose=purpose, tested_against=tested_against),
    )


@contextmanager
def file_of(former: ImportRecord) -> Iterator[File]:
    """Yield a copy of the file of an import or a preview; FileGone. An error drops the copy."""
    stored = stored_again(former)
    try:
        yield File(stored, former.filename)
    except BaseException:
        storage.delete(stored.name)
        raise


def try_rows(
    *, tenant: Tenant, draft: CatalogVersion, actor: Actor, at: datetime, license_id: str = ""
) -> ImportRecord:
    """Start a check of the newest rows of a catalog under its draft, once for each draft."""
    key = draft.catalog.key
    if (former := latest_impact(tenant, draft)) is not None:
        return former
    refuse_beyond(tenant, size=0)
    with transaction.atomic():
        record = ImportRecord(
            public_id=new_id("rec_"),
            tenant=tenant,
            purpose=ImportRecord.Purpose.IMPACT,
            state=ImportRecord.State.RECEIVED,
            created_at=at,
            filename=key,
            license_id=license_id,
            tested_against={"catalogKey": key, "etag": draft.etag},
        )
        record.save()
        return transitions.receive(record, actor=actor, at=at)
