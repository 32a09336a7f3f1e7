"""Ask hosts about rows: in batches, signed like deliveries, answered with findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction

from common import clock
from common.ids import new_id
from deliveries import bodies, payload
from deliveries import services as deliveries
from deliveries.bodies import Body
from deliveries.models import Registration
from deliveries.services.registrations import CHECK
from imports.host_checks.model import HostCheck
from imports.host_checks.rows import contents_of, in_review, rounds_now, unchecked_rows
from imports.inputs import checkers_of, source_mapping
from imports.models import ImportRecord
from staging import selectors as staging
from staging.columns import StagedTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from staging.arrays import Rows

MOST_ROWS = 2_000  # per batch, so that the findings about all of them fit into one answer
State = ImportRecord.State


@dataclass(frozen=True, slots=True)
class Batch:
    """The rows for one host, with the body on disk."""

    registration: Registration
    delivery_id: str
    rows: bytes
    contents: bytes
    rounds: bytes
    row_count: int
    body: Body


def batches_for(
    record: ImportRecord, table: StagedTable, registrations: Sequence[Registration]
) -> list[Batch]:
    """Write a batch for each host, of the rows that it has not seen in their current form."""
    contents = contents_of(table)
    heard = record.host_checks.exclude(outcome__in=HostCheck.UNHEARD).select_related("delivery")
    checks = list(heard)
    rounds = rounds_now(contents, checks)
    by_host: dict[int, list[HostCheck]] = {}
    for check in checks:
        by_host.setdefault(check.delivery.registration_id, []).append(check)
    return [
        batch
        for registration in registrations
        for batch in _batches(
            record,
            registration,
            table,
            contents,
            rounds,
            unchecked_rows(contents, by_host.get(registration.pk, ())),
        )
    ]


def _batches(
    record: ImportRecord,
    registration: Registration,
    table: StagedTable,
    contents: NDArray[np.uint64],
    rounds: NDArray[np.uint8],
    rows: Rows,
) -> Iterator[Batch]:
    most = min(registration.max_rows_per_delivery or MOST_ROWS, MOST_ROWS)
    starts = range(0, len(rows), most)
    for index, start in enumerate(starts, start=1):
        some = rows[start : start + most]
        delivery_id = new_id("dlv_")
        batch = {"index": index, "count": len(starts)} if len(starts) > 1 else None
        body = bodies.store(_body(record, table, some, delivery_id, batch))
        yield Batch(
            registration,
            delivery_id,
            rows=some.tobytes(),
            contents=contents[some].tobytes(),
            rounds=rounds[some].tobytes(),
            row_count=len(some),
            body=body,
        )


def _body(
    record: ImportRecord,
    table: StagedTable,
    rows: Rows,
    delivery_id: str,
    batch: dict[str, int] | None,
) -> Iterator[bytes]:
    prepared = in_review(table, rows)
    envelope = payload.Envelope(
        delivery_id=delivery_id,
        tenant_id=record.tenant.host_id,
        test=record.tenant.is_test,
        record_id=record.public_id,
        action=CHECK,
        row_count=len(rows),
        mapping=source_mapping(record),
        occurred_at=clock.iso(clock.now()),
        catalog_key=record.catalog_key,
        catalog_version=record.catalog_number,
        meta=record.meta,
        batch=batch,
        contract_id=record.contract_id or None,
    )
    return payload.body(envelope, prepared.batches(), prepared.types, formats=prepared.formats)


def enqueue(record: ImportRecord, batches: Iterable[Batch], *, at: datetime) -> None:
    """Send batches, inside the transaction in which their rows enter review."""
    for batch in batches:
        delivery = deliveries.enqueue(
            tenant=record.tenant,
            registration=batch.registration,
            delivery_id=batch.delivery_id,
            record_id=record.public_id,
            changeset_id="",
            action=CHECK,
            body=batch.body,
            row_count=batch.row_count,
            at=at,
        )
        HostCheck.objects.create(
            record=record,
            delivery=delivery,
            rows=batch.rows,
            contents=batch.contents,
            rounds=batch.rounds,
            deadline_at=at + timedelta(seconds=settings.CHECK_DEADLINE_S),
        )


def forget(batches: Iterable[Batch]) -> None:
    """Delete the bodies of batches that are not sent."""
    bodies.forget_files({batch.body.file for batch in batches})


def ask_again(record: ImportRecord, *, at: datetime) -> None:
    """Ask about the rows that changed since hosts were asked, if they are still the newest."""
    table = staging.at_revision(record.public_id, record.revision)
    if table is None:
        return
    batches = batches_for(record, table, checkers_of(record))
    with transaction.atomic():
        newest = ImportRecord.objects.filter(
            pk=record.pk, state=State.REVIEW, revision=record.revision
        )
        if newest.update(checked_revision=record.revision):
            enqueue(record, batches, at=at)
            return
    forget(batches)
