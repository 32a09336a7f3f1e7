"""Follow up on checks: store the hosts' answers, and ask again about edited rows."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db.models import F, Q

from common import clock
from common.actors import ENGINE
from common.errors import Conflict
from deliveries.models import Delivery
from imports.host_checks.model import HostCheck
from imports.host_checks.requests import ask_again
from imports.host_checks.rows import contents_of, rows_checked, still_so
from imports.host_checks.values import findings_in, set_values
from imports.models import ImportRecord
from imports.services.review import carry_out, rows_of
from staging.exports.host_findings import differing, prepare_findings
from staging.models import Revision
from tabular.model.sentences import Sentence

logger = logging.getLogger(__name__)
MOST = 100  # imports per pass
State = ImportRecord.State
Outcome = HostCheck.Outcome


def follow_due() -> None:
    """Store answers and ask again; safe to run twice or late."""
    at = clock.now()
    for record in _due():
        try:
            finished = list(_finished_checks(record))
            if record.state == State.REVIEW:
                set_values(record, [c for c in finished if _is_answered(c, record)], at=at)
                take_in(record, finished, at=at)
            for check in finished:
                _note(check, record)
            if record.state == State.REVIEW and record.checked_revision != record.revision:
                ask_again(record, at=at)
        except Conflict:
            logger.info("%s: the rows changed meanwhile", record.public_id)


def _due() -> list[ImportRecord]:
    """Return the imports with an unprocessed answer, or with rows to ask about again."""
    answered = HostCheck.objects.filter(_is_finished()).values("record")
    edited = Q(state=State.REVIEW, checked_revision__gt=0) & ~Q(checked_revision=F("revision"))
    order = ImportRecord.objects.filter(Q(pk__in=answered) | edited).order_by("pk")
    if not order.exists():  # asked every few seconds: the rows take longer to ask for
        return []
    return list(order.select_related("tenant", "catalog_version__catalog")[:MOST])


def _is_finished() -> Q:
    """Return the filter for finished deliveries, and for those that arrived late."""
    first = Q(outcome=Outcome.WAITING) & ~Q(delivery__state__in=Delivery.UNSETTLED)
    return first | Q(outcome=Outcome.FAILED, delivery__state=Delivery.State.DELIVERED)


def _finished_checks(record: ImportRecord) -> Iterator[HostCheck]:
    yield from record.host_checks.filter(_is_finished()).select_related("delivery").order_by("pk")


def take_in(record: ImportRecord, finished: Collection[HostCheck], *, at: datetime) -> None:
    """Replace the host issues of rows in review by what hosts report of their current content."""
    table = rows_of(record)
    contents = contents_of(table)
    answered = record.host_checks.filter(outcome=Outcome.ANSWERED).select_related("delivery")
    fields = set(table.files.by_field)
    results_by_row: dict[int, list[Mapping[str, Any]]] = {}
    for check in [*answered.order_by("pk"), *finished]:
        if _judged(check, fields)[0] == Outcome.ANSWERED:
            rows, same = rows_checked(check), still_so(check, contents)
            for finding in findings_in(check):
                if same[finding["row"]]:
                    results_by_row.setdefault(int(rows[finding["row"]]), []).append(finding)
    if differing(table, results_by_row):
        carry_out(
            record=record,
            prepare=lambda newest: prepare_findings(
                newest, results_by_row, kind=Revision.Kind.CHECK
            ),
            actor=ENGINE,
            at=at,
        )


def _is_answered(check: HostCheck, record: ImportRecord) -> bool:
    return _judged(check, rows_of(record).files.by_field)[0] == Outcome.ANSWERED


def _judged(check: HostCheck, fields: Collection[str]) -> tuple[str, str]:
    """Return the outcome of a batch, and the reason."""
    delivery = check.delivery
    if delivery.state != Delivery.State.DELIVERED:
        return Outcome.FAILED, delivery.hint or Sentence(
            "The host did not answer: {A}.", A=delivery.state
        )
    if delivery.host_results_note:
        return Outcome.REFUSED, delivery.host_results_note
    for number, result in enumerate(delivery.host_results or (), start=1):
        if result.get("field", "") and result["field"] not in fields:
            why = f"in item {number}, field is none of the rows"
            return Outcome.REFUSED, Sentence("The host's findings were not stored: {A}.", A=why)
    return Outcome.ANSWERED, ""


def _note(check: HostCheck, record: ImportRecord) -> None:
    table = rows_of(record) if record.revision and record.purged_at is None else None
    fields = set(table.files.by_field) if table is not None else set()
    outcome, note = _judged(check, fields)
    HostCheck.objects.filter(pk=check.pk).update(outcome=outcome, note=note[:300])
