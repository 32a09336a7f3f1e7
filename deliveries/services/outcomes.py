"""
Record what hosts answered and move deliveries on, a batch at a time.

An attempt whose claim was lost is logged and moves nothing.
"""

import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import F

from common.work.life import tell
from deliveries import transitions
from deliveries.answer import NOTHING, HostResults, read_findings, read_results
from deliveries.http.client import Answer
from deliveries.models import RESPONSE_HEAD_LENGTH, Attempt, Delivery
from deliveries.services.health import note_failing, note_healthy, note_refusing
from deliveries.services.notices import announce
from deliveries.services.registrations import CHECK, NOTIFY
from deliveries.verdict import CHECK_WAITS_S, Final, RetryIn, Verdict, judge, read_retry_after

READ = ("pk", "state", "action", "claim_no", "attempts", "waits_used")


@dataclass(frozen=True, slots=True)
class Sent:
    """One finished attempt."""

    delivery: Delivery  # as claimed
    answer: Answer
    started_at: datetime
    finished_at: datetime


def record_outcomes(sent: Sequence[Sent], *, at: datetime) -> set[int]:
    """
    Write the attempts, and move on each delivery whose claim is still held.

    Return the keys of the registrations whose last attempt failed.

    An attempt whose claim was lost is kept in the audit log and, unless the host accepted the rows,
    changes nothing else.
    """
    with transaction.atomic():
        keys = [item.delivery.pk for item in sent]
        rows = Delivery.objects.select_for_update().filter(pk__in=keys).order_by("pk")
        now = {row.pk: row for row in rows.only(*READ)}
        known = [item for item in sent if item.delivery.pk in now]
        Attempt.objects.bulk_create(_attempt(item, now[item.delivery.pk]) for item in known)
        ours = [item for item in known if _may_move(item, now[item.delivery.pk])]
        judged = [(item, _verdict(item, now[item.delivery.pk])) for item in ours]
        _move_on(judged, at)
        _announce_exhausted(judged, at)
        _tell(judged)
        _keep_results(ours)
        if not_ours := now.keys() - {item.delivery.pk for item in ours}:
            Delivery.objects.filter(pk__in=not_ours).update(attempts=F("attempts") + 1)
        failing = _mark_registrations(known, at)
        note_refusing(failing & _refused_by(judged), at=at)
        return failing


def unrecorded(sent: Sequence[Sent]) -> list[Sent]:
    """Return the attempts that are not in the log: a commit may succeed without confirmation."""
    keys = [item.delivery.pk for item in sent]
    logged = Attempt.objects.filter(delivery__in=keys).values_list("delivery_id", "started_at")
    known = set(logged)
    return [item for item in sent if (item.delivery.pk, item.started_at) not in known]


def _may_move(sent: Sent, row: Delivery) -> bool:
    """Return whether the claim is still held, or the host has the rows in any case."""
    if _is_success(sent):
        return row.state in Delivery.UNSETTLED
    return row.state == Delivery.State.SENDING and row.claim_no == sent.delivery.claim_no


def _attempt(sent: Sent, row: Delivery) -> Attempt:
    target = sent.answer.target
    return Attempt(
        delivery_id=sent.delivery.pk,
        number=row.attempts + 1,
        started_at=sent.started_at,
        finished_at=sent.finished_at,
        sent_to=target.shown if target else "",
        sent_to_key=target.key if target else "",
        http_status=sent.answer.http_status,
        error_class=sent.answer.error_class,
        latency_ms=sent.answer.latency_ms,
        response_head=sent.answer.head[:RESPONSE_HEAD_LENGTH],
    )


def _verdict(sent: Sent, row: Delivery) -> Verdict:
    return judge(
        http_status=sent.answer.http_status,
        waits_used=row.waits_used,
        waits_s=CHECK_WAITS_S if row.action == CHECK else settings.WEBHOOK_WAITS_S,
        retry_after_s=read_retry_after(sent.answer.retry_after, at=sent.finished_at),
        dice=random.random(),  # noqa: S311 - jitter, not a secret
    )


def _move_on(judged: Sequence[tuple[Sent, Verdict]], at: datetime) -> None:
    by_outcome: dict[Final, list[int]] = {}
    for sent, verdict in judged:
        match verdict:
            case Final():
                by_outcome.setdefault(verdict, []).append(sent.delivery.pk)
            case RetryIn(wait):
                due_at = sent.finished_at + wait
                transitions.wait_for_retry(sent.delivery, due_at=due_at)
    for outcome, keys in by_outcome.items():
        transitions.finish(keys, outcome, at=at)


def _announce_exhausted(judged: Sequence[tuple[Sent, Verdict]], at: datetime) -> None:
    """Announce each delivery that is given up; a notice that is given up announces nothing."""
    for sent, verdict in judged:
        delivery = sent.delivery
        is_given_up = isinstance(verdict, Final) and verdict.state == "exhausted"
        if is_given_up and delivery.action != NOTIFY and not delivery.is_test:
            announce(
                tenant=delivery.tenant,
                kind="delivery.exhausted",
                subject=delivery.public_id,
                record_id=delivery.record_id,
                at=at,
                about={"webhookId": delivery.registration.public_id},
            )


def _tell(judged: Sequence[tuple[Sent, Verdict]]) -> None:
    for sent, verdict in judged:
        answer, delivery = sent.answer, sent.delivery
        tell(
            "delivery",
            delivery.public_id,
            before=Delivery.State.SENDING,
            after=verdict.state if isinstance(verdict, Final) else Delivery.State.PENDING,
            level=logging.INFO if _is_success(sent) else logging.WARNING,
            about={
                **delivery.log_members(),
                "webhook": delivery.registration.public_id,
                "attempt": delivery.attempts + 1,
                "cause": answer.error_class or f"http_{answer.http_status}",
                "seconds": answer.latency_ms / 1000,
            },
        )


def _keep_results(sent: Sequence[Sent]) -> None:
    """Store what hosts report about received rows; an answer without results changes nothing."""
    for item in sent:
        if _is_success(item):
            results = _results_of(item)
            if results != NOTHING:
                Delivery.objects.filter(pk=item.delivery.pk).update(
                    host_results=results.rows, host_results_note=results.note
                )


def _results_of(sent: Sent) -> HostResults:
    answer, row_count = sent.answer, sent.delivery.row_count
    if sent.delivery.action == NOTIFY:
        return NOTHING
    if sent.delivery.action == CHECK:
        return read_findings(answer.content, row_count=row_count)
    return read_results(answer.head, answer.content, row_count=row_count)


def _refused_by(judged: Sequence[tuple[Sent, Verdict]]) -> set[int]:
    """Return the registrations that refused a delivery; test deliveries are for trying."""
    return {
        sent.delivery.registration_id
        for sent, verdict in judged
        if isinstance(verdict, Final) and verdict.state == "rejected" and not sent.delivery.is_test
    }


def _mark_registrations(sent: Sequence[Sent], at: datetime) -> set[int]:
    """Flag the registrations whose last attempt failed, and clear the flag of the others."""
    last = {
        item.delivery.registration_id: item for item in sorted(sent, key=lambda s: s.finished_at)
    }
    healthy = [key for key, item in last.items() if _is_success(item)]
    note_healthy(healthy)
    for key in last.keys() - set(healthy):
        failed = [item for item in sent if item.delivery.registration_id == key]
        note_failing(key, failures=len(failed), at=at)
    return last.keys() - set(healthy)


def _is_success(sent: Sent) -> bool:
    status = sent.answer.http_status
    return status is not None and 200 <= status < 300
