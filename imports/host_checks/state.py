"""The progress of hosts that check rows in review."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from common import clock
from common.errors import Conflict
from common.rows import the_only
from imports.host_checks.model import HostCheck
from imports.models import ImportRecord
from staging.models import Revision

Outcome = HostCheck.Outcome
WORST_FIRST = ("waiting", "late", "failed", "refused", "answered")


class StillChecking(Conflict):
    """A host is still checking the rows. Wait for its answer or its deadline."""

    code = "still_checking"


def refuse_unchecked(record: ImportRecord, *, at: datetime) -> None:
    """Raise StillChecking while a host that was asked about rows may still answer in time."""
    waiting = record.host_checks.filter(outcome=Outcome.WAITING, deadline_at__gt=at)
    if (last := waiting.order_by("-deadline_at").first()) is not None:
        raise StillChecking(members={"deadlineAt": clock.iso(last.deadline_at)})
    if record.checked_revision != record.revision:  # edited, and hosts have not been asked again
        edited = the_only(Revision.objects.filter(subject=record.public_id, number=record.revision))
        until = edited and edited.created_at + timedelta(seconds=settings.CHECK_DEADLINE_S)
        if until and until > at:
            raise StillChecking(members={"deadlineAt": clock.iso(until)})


def summaries(records: Iterable[ImportRecord], *, at: datetime) -> dict[str, dict[str, Any]]:
    """Return the progress of checks by import: the worst state, and the number of batches."""
    checked_records = [record.pk for record in records if record.checked_revision]
    by_record: dict[str, dict[str, Any]] = {}
    checks = HostCheck.objects.filter(record__in=checked_records).order_by("pk")
    columns = ("record__public_id", "outcome", "note", "deadline_at")
    for record_id, outcome, note, deadline in (
        checks.values_list(*columns) if checked_records else ()
    ):
        summary = by_record.setdefault(record_id, {"state": "answered", "batches": {}, "note": ""})
        state = "late" if outcome == Outcome.WAITING and deadline <= at else str(outcome)
        summary["batches"][state] = summary["batches"].get(state, 0) + 1
        summary["note"] = summary["note"] or note
        summary["state"] = min(summary["state"], state, key=WORST_FIRST.index)
    return by_record
