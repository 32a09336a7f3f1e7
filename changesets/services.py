"""Apply an import: fix what is applied, write the deliveries, commit them together."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import transaction

from changesets.models import Changeset
from common import clock, storage
from common.actors import Actor
from common.errors import Conflict
from common.ids import new_id
from deliveries import payload
from deliveries import selectors as delivery_selectors
from deliveries import services as deliveries
from imports import services as imports
from imports.models import ImportRecord
from imports.progress import Reporter
from staging import selectors as staging
from staging.delivering import Delivered

SUBMIT = "submit"


class NoWebhookRegistered(Conflict):
    """No webhook is registered. Register one, or apply in browser mode."""

    code = "no_webhook_registered"


def apply(
    *,
    record: ImportRecord,
    apply_mode: str,
    invalid_rows: str,
    actor: Actor,
    at: datetime,
) -> Changeset:
    """
    Freeze an import and have its deliveries written.

    NoWebhookRegistered, InvalidRows or NotReady before anything freezes.
    """
    registrations = _registrations(record, apply_mode)
    with transaction.atomic():
        frozen = imports.freeze(record=record, invalid_rows=invalid_rows, actor=actor, at=at)
        return Changeset.objects.create(
            public_id=new_id("chg_"),
            state=Changeset.State.STAGED,
            tenant=record.tenant,
            record=record,
            revision=frozen.revision,
            apply_mode=apply_mode,
            invalid_rows=invalid_rows,
            parts=[
                {"registrationId": registration, "deliveryId": new_id("dlv_")}
                for registration in registrations
            ],
            counts={
                "rows": frozen.rows,
                "imported": frozen.imported,
                "excluded": frozen.excluded,
                "failed": frozen.failed,
            },
            occurred_at=at,
        )


def _registrations(record: ImportRecord, apply_mode: str) -> list[str]:
    if apply_mode != "webhook":
        return []
    found = delivery_selectors.registrations_for(record.tenant, SUBMIT)
    ids = list(found.order_by("pk").values_list("public_id", flat=True))
    if not ids:
        raise NoWebhookRegistered
    return ids


def write_deliveries(record: ImportRecord, reporter: Reporter) -> None:
    """
    Carry out an apply: the step of the state ``applying``.

    The bodies are written and fsynced first; one transaction then makes their deliveries pending,
    the changeset applied and the import applied. After a crash the same inputs give the same bytes.
    """
    changeset = record.changesets.get(state=Changeset.State.STAGED)
    rows = delivered(changeset)
    bodies = [_store_body(changeset, part, rows) for part in changeset.parts]
    at = clock.now()
    with transaction.atomic():
        for part, body in zip(changeset.parts, bodies, strict=True):
            _enqueue(changeset, part, body, at)
        changeset.move_to(Changeset.State.APPLIED, at=at)
        record.move_to(
            ImportRecord.State.APPLIED,
            at=at,
            applied_at=changeset.occurred_at,
            counts={**record.counts, **changeset.counts},
            due_at=None,
            claimed_until=None,
        )


def delivered(changeset: Changeset) -> Delivered:
    """Give the rows a changeset delivers."""
    table = staging.at_revision(changeset.record.public_id, changeset.revision)
    if table is None:
        raise LookupError(f"{changeset.record} has no revision {changeset.revision}")
    return Delivered(table, includes_invalid=changeset.invalid_rows == "include")


def _store_body(changeset: Changeset, part: dict[str, Any], rows: Delivered) -> storage.StoredFile:
    return storage.store("bodies", _body(changeset, part, rows))


def _body(changeset: Changeset, part: dict[str, Any], rows: Delivered) -> Iterator[bytes]:
    record = changeset.record
    envelope = payload.Envelope(
        delivery_id=part["deliveryId"],
        tenant_id=record.tenant.public_id,
        record_id=record.public_id,
        action=SUBMIT,
        row_count=changeset.counts["imported"],
        mapping=record.mapping or {},
        occurred_at=clock.iso(changeset.occurred_at),
        meta=record.meta,
        row_issues=rows.row_issues(),
    )
    return payload.body(envelope, rows.batches(), rows.types, formats=rows.formats)


def _enqueue(
    changeset: Changeset, part: dict[str, Any], body: storage.StoredFile, at: datetime
) -> None:
    registrations = delivery_selectors.registrations_for(changeset.tenant, SUBMIT)
    registration = registrations.filter(public_id=part["registrationId"]).first()
    if registration is None:
        return  # deleted since the apply: nobody is left to tell
    deliveries.enqueue(
        tenant=changeset.tenant,
        registration=registration,
        delivery_id=part["deliveryId"],
        record_id=changeset.record.public_id,
        changeset_id=changeset.public_id,
        action=SUBMIT,
        body=body,
        row_count=changeset.counts["imported"],
        at=at,
    )
