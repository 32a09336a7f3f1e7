"""Start an import again from its stored file, with or without its mapping and answers."""

from datetime import datetime
from typing import Any

from django.db import transaction

from common import storage
from common.actors import Actor
from common.errors import Conflict
from imports.allowances import refuse_beyond
from imports.mapping.custom_fields import may_have
from imports.models import ImportRecord
from imports.parts import Parsed
from imports.services.upload import ImportOptions, create_import
from ledger import services as ledger

State = ImportRecord.State


class FileGone(Conflict):
    """The file of that import was deleted. Upload it again."""

    code = "file_gone"


class NotReceivedYet(Conflict):
    """The bytes of that import are still arriving. Wait until it is read."""

    code = "not_received_yet"


def start_again(
    *,
    former: ImportRecord,
    catalog_version: Any,
    options: ImportOptions,
    with_mapping: bool,
    filename: str = "",
    actor: Actor,
    at: datetime,
    license_id: str,
) -> ImportRecord:
    """
    Create an import of the file of an earlier one. Raise FileGone if it was purged.

    with_mapping: reuse the choices about the file, the mapping and the answers, as far as the
    catalog version still has the fields; otherwise only the file is used.
    """
    refuse_beyond(former.tenant, size=former.size)
    stored = stored_again(former)
    try:
        with transaction.atomic():
            record = create_import(
                tenant=former.tenant,
                catalog_version=catalog_version,
                filename=filename or former.filename,
                stored=stored,
                actor=actor,
                at=at,
                license_id=license_id,
                options=options,
            )
            record.started_from = former.public_id
            if with_mapping:
                _copy_confirmed(former, record, at)
            record.save()
    except BaseException:
        storage.delete(stored.name)
        raise
    return record


def stored_again(former: ImportRecord) -> storage.StoredFile:
    """Return a second name for the file of an import. Raise NotReceivedYet or FileGone."""
    if former.state == State.RECEIVED:
        raise NotReceivedYet
    try:
        name = storage.again(former.file) if former.file else ""
    except FileNotFoundError:  # purged at this moment
        name = ""
    if not name:
        raise FileGone(
            members={"purgedAt": former.purged_at.isoformat() if former.purged_at else None}
        )
    return storage.StoredFile(name, former.size, former.sha256)


def _copy_confirmed(former: ImportRecord, record: ImportRecord, at: datetime) -> None:
    """Copy the confirmed inputs; a mapping to fields that no longer exist is proposed again."""
    record.parsed = Parsed(choices=former.parsed.choices)
    ledger.copy_answers(tenant=former.tenant, subject=former.public_id, to=record.public_id, at=at)
    custom = former.decided.custom_fields
    fields = record.with_custom_fields(custom).live_fields
    if former.mapping is None or not set(former.mapping.values()) <= set(fields):
        return
    if not may_have(record.target, custom):
        return
    record.parsed, record.decided = former.parsed, former.decided
