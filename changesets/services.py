"""Apply an import: fix what is applied, write the deliveries, commit them together."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import transaction

from changesets.models import Changeset
from common import clock
from common.actors import Actor
from common.claims import ClaimLost
from common.errors import Conflict, IllegalMove, StaleState
from common.ids import new_id
from deliveries import bodies, parting, payload
from deliveries import selectors as delivery_selectors
from deliveries import services as deliveries
from deliveries.bodies import Body
from deliveries.models import Registration
from imports import services as imports
from imports.models import ImportRecord
from imports.progress import Reporter
from imports.selectors import source_mapping
from staging import selectors as staging
from staging.delivering import Delivered
from tabular.model.wording import counted

SUBMIT = "submit"


MOST_PARTS = 10_000


class TooManyParts(Conflict):
    """A registration's maxRowsPerDelivery would make too many deliveries of this import."""

    code = "too_many_parts"


class NoWebhookRegistered(Conflict):
    """No webhook is registered. Register one, or apply in browser mode."""

    code = "no_webhook_registered"


def apply(
    *,
    record: ImportRecord,
    apply_mode: str,
    invalid_rows: str,
    open_questions: str = "block",
    actor: Actor,
    at: datetime,
) -> Changeset:
    """
    Freeze an import and have its deliveries written.

    NoWebhookRegistered, TooManyParts, OpenQuestions, InvalidRows, NothingToApply or NotReady before
    anything freezes.
    """
    registrations = _registrations(record, apply_mode)
    with transaction.atomic():
        frozen = imports.freeze(
            record=record,
            invalid_rows=invalid_rows,
            open_questions=open_questions,
            actor=actor,
            at=at,
        )
        return Changeset.objects.create(
            public_id=new_id("chg_"),
            state=Changeset.State.STAGED,
            tenant=record.tenant,
            record=record,
            revision=frozen.revision,
            apply_mode=apply_mode,
            invalid_rows=invalid_rows,
            parts=[
                part
                for registration in registrations
                for part in _parts_for(registration, frozen.imported)
            ],
            counts={
                "rows": frozen.rows,
                "imported": frozen.imported,
                "excluded": frozen.excluded,
                "failed": frozen.failed,
            },
            occurred_at=at,
        )


def _registrations(record: ImportRecord, apply_mode: str) -> list[Registration]:
    if apply_mode != "webhook":
        return []
    found = delivery_selectors.registrations_for(
        record.tenant, SUBMIT, catalog_key=record.catalog_key
    )
    if found:
        return found
    if delivery_selectors.registrations_of(record.tenant).exists():
        raise NoWebhookRegistered(
            f"None of your webhooks takes imports into the catalog {record.catalog_key!r}. "
            "Register one that does, or apply in browser mode."
        )
    raise NoWebhookRegistered


def _parts_for(registration: Registration, row_count: int) -> list[dict[str, Any]]:
    """Fix the deliveries of one registration: ids, and which rows go into which."""
    max_rows = registration.max_rows_per_delivery or max(row_count, 1)
    if (count := parting.count_parts(row_count, max_rows)) > MOST_PARTS:
        raise TooManyParts(
            f"{counted(row_count, 'row')} at {max_rows:,} a delivery would need "
            f"{counted(count, 'delivery', 'deliveries')} to {registration.url}; at most "
            f"{MOST_PARTS:,} are allowed. Ask for more rows per delivery there."
        )
    sizes = parting.rows_of_parts(row_count, max_rows)
    return [
        {
            "registrationId": registration.public_id,
            "deliveryId": new_id("dlv_"),
            "first": index * max_rows,
            "rows": rows,
            **({"batch": {"index": index + 1, "count": len(sizes)}} if len(sizes) > 1 else {}),
        }
        for index, rows in enumerate(sizes)
    ]


def cancel(*, record: ImportRecord, actor: Actor, at: datetime, reason: str = "") -> ImportRecord:
    """Give an unfinished import up, with what an apply of it had fixed and not yet delivered."""
    with transaction.atomic():
        given_up = imports.cancel(record=record, actor=actor, at=at, reason=reason)
        _discard(record, actor=actor, at=at)
    return given_up


def delete(*, record: ImportRecord, actor: Actor, at: datetime) -> None:
    """Purge bytes and rows now, unsent deliveries and an unfinished apply too."""
    if record.may_move_to(ImportRecord.State.CANCELLED):
        cancel(record=record, actor=actor, at=at, reason="deleted")
    imports.delete(record=record, actor=actor, at=at)


def _discard(record: ImportRecord, *, actor: Actor, at: datetime) -> None:
    for changeset in record.changesets.filter(state=Changeset.State.STAGED):
        changeset.move_to(Changeset.State.DISCARDED, at=at, actor=actor, reason="import cancelled")


def write_deliveries(record: ImportRecord, reporter: Reporter) -> None:
    """
    Carry out an apply: the step of the state ``applying``.

    The bodies are written and fsynced first; one transaction then makes their deliveries pending,
    the changeset applied and the import applied. After a crash the same inputs give the same bytes.
    """
    changeset = record.changesets.get(state=Changeset.State.STAGED)
    stored: list[Body] = []
    try:
        stored.extend(_store_bodies(changeset))
        _commit(record, changeset, stored)
    except (ClaimLost, StaleState, IllegalMove):  # refused: no row names these files
        bodies.forget_files({body.file for body in stored})
        raise


def _commit(record: ImportRecord, changeset: Changeset, stored: list[Body]) -> None:
    at = clock.now()
    with transaction.atomic():
        for part, body in zip(changeset.parts, stored, strict=True):
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
        imports.learn(record=record, at=at)


def delivered(changeset: Changeset) -> Delivered:
    """Give the rows a changeset delivers."""
    table = staging.at_revision(changeset.record.public_id, changeset.revision)
    if table is None:
        raise LookupError(f"{changeset.record} has no revision {changeset.revision}")
    return Delivered(table, includes_invalid=changeset.invalid_rows == "include")


def _store_bodies(changeset: Changeset) -> Iterator[Body]:
    """Write each slice of the rows once, for all registrations that get the same slice."""
    rows = delivered(changeset)
    by_slice: dict[str, Body] = {}
    for part in changeset.parts:
        same = json.dumps([part["first"], part["rows"], part.get("batch")])
        if same in by_slice:
            body = bodies.sharing(by_slice[same], delivery_id=part["deliveryId"])
        else:
            rest = _shared(changeset, part, rows)
            body = bodies.store_shared(rest, delivery_id=part["deliveryId"])
            by_slice[same] = body
        yield body


def _shared(changeset: Changeset, part: dict[str, Any], rows: Delivered) -> Iterator[bytes]:
    record = changeset.record
    first, end = part["first"], part["first"] + part["rows"]
    envelope = payload.Envelope(
        delivery_id=part["deliveryId"],
        tenant_id=record.tenant.public_id,
        record_id=record.public_id,
        action=SUBMIT,
        row_count=part["rows"],
        mapping=source_mapping(record),
        occurred_at=clock.iso(changeset.occurred_at),
        catalog_key=record.catalog_key,
        catalog_version=record.catalog_number,
        meta=record.meta,
        row_issues=[
            {**issue, "row": issue["row"] - first} for issue in rows.row_issues(first, end)
        ],
        batch=part.get("batch"),
        contract_id=record.contract_id or None,
    )
    return payload.shared(envelope, rows.batches(first, end), rows.types, formats=rows.formats)


def _enqueue(changeset: Changeset, part: dict[str, Any], body: Body, at: datetime) -> None:
    registrations = delivery_selectors.registrations_of(changeset.tenant)
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
        row_count=part["rows"],
        at=at,
    )
