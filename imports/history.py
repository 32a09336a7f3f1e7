"""Who did what to an import, oldest first. The history remains after bytes and rows are purged."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from common.models import Move
from imports.models import ImportRecord
from ledger.models import Question
from staging.models import Revision


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
