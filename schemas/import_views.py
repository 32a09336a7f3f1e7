"""Imports as callers see them, with what other packages know of them."""

from collections.abc import Iterable
from typing import Any

from changesets.lookups.state import problem_for_page
from changesets.selectors import last_changesets
from common import clock
from deliveries import selectors as deliveries
from deliveries.services.registrations import CHECK
from imports.bulk_changes.state import running_changes
from imports.host_checks.state import summaries
from imports.models import ImportRecord
from imports.page_policy import moves_of
from imports.selectors import applied_before, asking
from licensing.caller import Caller
from schemas.shapes.imports import ImportOut


def shown(records: Iterable[ImportRecord], caller: Caller) -> list[dict[str, Any]]:
    """Return imports as a caller sees them; one query reads all their deliveries."""
    records = list(records)
    changes = running_changes(records)
    about = {
        "deliveries": _deliveries(records),
        "duplicates": applied_before(records),
        "asking": asking(records),
        "changes": changes,
        "moves": moves_of(caller, records, changing=changes.keys()),
        "checks": summaries(records, at=clock.now()),
        "changesets": last_changesets(records),
        "corrects": _corrected(records),
    }
    members = [dict(ImportOut(record, context=about).data) for record in records]
    if caller.is_page:
        for item in members:
            item["problem"] = problem_for_page(item["problem"])
    return members


def _corrected(records: list[ImportRecord]) -> dict[int, str]:
    """Name the imports whose exported rows some of these bring back."""
    keys = {record.corrects_id for record in records if record.corrects_id is not None}
    named = ImportRecord.objects.filter(pk__in=keys).values_list("pk", "public_id")
    return dict(named) if keys else {}


def _deliveries(records: list[ImportRecord]) -> dict[str, list[dict[str, Any]]]:
    applied = [record for record in records if record.applied_at is not None]
    by_record: dict[str, list[dict[str, Any]]] = {}
    if applied:
        ids = [record.public_id for record in applied]
        for delivery in (
            deliveries.all_deliveries_of(applied[0].tenant)
            .filter(record_id__in=ids)
            .exclude(action=CHECK)
        ):
            webhook_id = delivery.registration.public_id
            summary = {
                "id": delivery.public_id,
                "webhookId": webhook_id,
                "registrationId": webhook_id,
                "state": delivery.state,
                "attempts": delivery.attempts,
            }
            by_record.setdefault(delivery.record_id, []).append(summary)
    return by_record
