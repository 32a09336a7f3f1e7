"""Imports as they go over the wire, with what other rooms know of them."""

from collections.abc import Iterable
from typing import Any

from changesets.selectors import last_changesets
from deliveries import selectors as deliveries
from imports.models import ImportRecord
from imports.selectors import applied_before, asking
from wire.shapes.imports import ImportOut


def shown(records: Iterable[ImportRecord]) -> list[dict[str, Any]]:
    """Give imports as they go over the wire, their deliveries read in one query."""
    records = list(records)
    about = {
        "deliveries": _deliveries(records),
        "duplicates": applied_before(records),
        "asking": asking(records),
        "changesets": last_changesets(records),
    }
    return [dict(ImportOut(record, context=about).data) for record in records]


def _deliveries(records: list[ImportRecord]) -> dict[str, list[dict[str, Any]]]:
    applied = [record for record in records if record.applied_at is not None]
    by_record: dict[str, list[dict[str, Any]]] = {}
    if applied:
        ids = [record.public_id for record in applied]
        for delivery in deliveries.all_deliveries_of(applied[0].tenant).filter(record_id__in=ids):
            summary = {
                "id": delivery.public_id,
                "registrationId": delivery.registration.public_id,
                "state": delivery.state,
                "attempts": delivery.attempts,
            }
            by_record.setdefault(delivery.record_id, []).append(summary)
    return by_record
