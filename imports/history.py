"""Who did what to an import, oldest first. The history remains after bytes and rows are purged."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from common.models import Event as Audited
from common.models import Move
from deliveries.models import Attempt, Delivery
from imports.models import ImportRecord
from ledger.models import Question
from staging.duplicates.dismissed import DISMISSED
from staging.models import Revision
from tabular.model.sentences import counted


@dataclass(frozen=True, slots=True)
class Event:
    """One event. what: moved, changed or answered; about: its details."""

    at: datetime
    actor: dict[str, Any]
    what: str
    about: dict[str, Any]


def history_of(record: ImportRecord, *, offset: int, limit: int) -> list[Event]:
    """
    Return the events from the ``offset``-th on.

    Events are only ever appended, so an offset is a valid place to continue from.
    """
    events = [*_moves(record), *_changes(record), *_answers(record)]
    events.sort(key=lambda event: event.at)
    return events[offset : offset + limit]


def without_texts(event: Event) -> Event:
    """Return an event without typed or searched text, which may contain cells."""
    if event.what != "changed":
        return event
    return replace(event, about={name: event.about[name] for name in ("revision", "kind", "cells")})


def _moves(record: ImportRecord) -> Iterator[Event]:
    for move in Move.objects.filter(subject=record.public_id).order_by("version"):
        about = {"from": move.from_state, "to": move.to_state, "reason": move.reason}
        yield Event(at=move.at, actor=move.actor, what="moved", about=about)


def _changes(record: ImportRecord) -> Iterator[Event]:
    made = Revision.objects.filter(subject=record.public_id)
    columns = "number", "kind", "cells", "about", "actor", "created_at"
    for number, kind, cells, details, actor, at in made.order_by("number").values_list(*columns):
        if actor:
            about = {"revision": number, "kind": kind, "cells": cells, **details}
            about.pop(DISMISSED, None)  # digests, for the engine alone
            yield Event(at=at, actor=actor, what="changed", about=about)


def _answers(record: ImportRecord) -> Iterator[Event]:
    for question in Question.objects.filter(subject=record.public_id).order_by("pk"):
        if question.answered_at is not None and question.answered_by:
            about = {
                "questionId": question.public_id,
                "kind": question.kind,
                "state": question.state,
            }
            who, at = question.answered_by, question.answered_at
            yield Event(at=at, actor=who, what="answered", about=about)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a timeline. model: the admin list that has the subject; empty for the import."""

    at: datetime
    text: str
    actor: dict[str, Any] | None = None
    model: str = ""
    subject: str = ""
    is_bad: bool = False


def timeline_of(record: ImportRecord) -> list[Line]:
    """Return what happened from the upload to each receiver's answer, without any cell."""
    deliveries = Delivery.objects.filter(record_id=record.public_id).order_by("pk")
    sent = list(deliveries.select_related("registration"))
    lines = [*_own_lines(record), *_changeset_lines(record), *_delivery_lines(sent)]
    return sorted(lines, key=lambda line: line.at)


def _own_lines(record: ImportRecord) -> Iterator[Line]:
    for event in [*_moves(record), *_changes(record), *_answers(record)]:
        about = event.about
        match event.what:
            case "moved":
                text = f"{about['from']} → {about['to']} {about['reason']}".rstrip()
                bad = about["to"] == ImportRecord.State.FAILED
                yield Line(event.at, text, event.actor, is_bad=bad)
            case "changed":
                cells = counted(about["cells"], "cell")
                text = f"revision {about['revision']}: {about['kind']}, {cells}"
                yield Line(event.at, text, event.actor)
            case _:
                text = f"question {about['kind']} {about['state']}"
                yield Line(event.at, text, event.actor, "ledger_question", about["questionId"])


def _changeset_lines(record: ImportRecord) -> Iterator[Line]:
    audited = Audited.objects.filter(record=record.public_id, subject__startswith="chg_")
    for move in Move.objects.filter(subject__in=audited.values("subject")):
        text = f"changeset {move.from_state} → {move.to_state} {move.reason}".rstrip()
        yield Line(move.at, text, move.actor, "changesets_changeset", move.subject)


def _delivery_lines(sent: list[Delivery]) -> Iterator[Line]:
    names = {delivery.pk: delivery for delivery in sent}
    for delivery in sent:
        text = f"delivery of {counted(delivery.row_count, 'row')} to {_name(delivery)}"
        yield Line(delivery.created_at, text, None, "deliveries_delivery", delivery.public_id)
    for attempt in Attempt.objects.filter(delivery__in=sent):
        delivery = names[attempt.delivery_id]
        answer = attempt.http_status or attempt.error_class
        text = f"{_name(delivery)} answered {answer}, attempt {attempt.number}"
        bad = not 200 <= (attempt.http_status or 0) < 300
        yield Line(attempt.finished_at, text, None, "deliveries_delivery", delivery.public_id, bad)


def _name(delivery: Delivery) -> str:
    to = delivery.registration
    return to.label or to.public_id
