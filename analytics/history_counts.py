"""
Count the histories of moves and attempts once, in batches, by a cursor.

Rows of a history are only ever appended, but a row with a smaller key may be committed after one
with a larger key. So a run counts what was already the newest row ``SETTLED`` ago: by then every
transaction that drew a smaller key has ended, since none of them waits for a file or a network.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import models, transaction

from analytics import days, series
from analytics.by_catalog import counts as by_catalog
from analytics.models import Cursor
from analytics.tally import (
    ATTEMPT_SECONDS,
    ATTEMPTS,
    DELIVERY_MOVES,
    FAILURES,
    FEED_FILES,
    MAIL_MOVES,
    MOVES,
    QUESTION_MOVES,
    ROWS,
    STATE_SECONDS,
    Tally,
)
from common import clock
from common.models import Move
from deliveries.models import Attempt
from feeds.models import TakenFile
from imports.models import ImportRecord

BATCH = 2_000  # rows counted in one transaction
MOST_BATCHES = 100  # in a run, so that a long history leaves the worker time for others
SETTLED = timedelta(seconds=10)
OF_CATALOGS = "moves_of_catalogs"
State = ImportRecord.State


def fold() -> None:
    """Count what the histories gained since the last run, up to ``MOST_BATCHES`` of each."""
    days.forget(clock.now())  # first, so that nothing that cannot be counted keeps them
    by_catalog.forget(clock.now())
    for source, (model, count) in SOURCES.items():
        for _ in range(MOST_BATCHES):
            if not _fold_batch(source, model, count, clock.now()):
                break


def pause_catalogs() -> None:
    """
    Wait for a run that counts by catalog, and let the next one wait for this transaction.

    Otherwise a run that has read imports adds what they say after they are erased.
    """
    Cursor.objects.select_for_update().filter(source=OF_CATALOGS).first()


def age(at: datetime) -> timedelta | None:
    """Return how long ago the histories were last looked at; None if never."""
    cursors = Cursor.objects.filter(source__in=("moves", "attempts"))
    seen = cursors.aggregate(seen=models.Min("seen_at"))["seen"]
    return None if seen is None else at - seen


def _fold_batch(
    source: str, model: type[models.Model], count: Callable[[list[Any]], None], at: datetime
) -> bool:
    """Count one batch; return whether more may be there."""
    history = model._default_manager.order_by("pk")
    with transaction.atomic():
        newest = history.values_list("pk", flat=True).last() or 0
        first = {"complete": newest, "seen_at": at}
        Cursor.objects.get_or_create(source=source, defaults=first)
        cursor = Cursor.objects.select_for_update().get(source=source)
        if timedelta() <= at - cursor.seen_at < SETTLED:  # below: the clock was set back
            return False
        rows = list(history.filter(pk__gt=cursor.counted, pk__lte=cursor.complete)[:BATCH])
        count(rows)
        if len(rows) == BATCH:
            cursor.counted = rows[-1].pk
        else:
            cursor.counted, cursor.complete, cursor.seen_at = cursor.complete, newest, at
        cursor.save()
    return len(rows) == BATCH


def count_moves(moves: list[Move]) -> Tally:
    """Return the counts of moves of imports, deliveries, questions and mails."""
    tally = Tally()
    began = _moments_before(moves)
    for move in moves:
        kind = move.subject.partition("_")[0]
        if kind == "rec":
            _count_import(tally, move, began.get((move.subject, move.version - 1)))
        elif kind == "dlv":
            tally.count(DELIVERY_MOVES, state=move.to_state)
        elif kind == "qst":
            tally.count(QUESTION_MOVES, state=move.to_state)
        elif kind == "mal":
            tally.count(MAIL_MOVES, state=move.to_state)
    for name, rows in _rows_of([move.subject for move in moves if move.to_state == State.APPLIED]):
        tally.count(ROWS, rows, outcome=name)
    return tally


def count_attempts(attempts: list[Attempt]) -> Tally:
    """Return the counts of attempts by class of status, and their seconds."""
    tally = Tally()
    for attempt in attempts:
        status = attempt.http_status
        tally.count(ATTEMPTS, result=f"{status // 100}xx" if status else attempt.error_class)
        tally.measure(ATTEMPT_SECONDS, attempt.latency_ms / 1_000)
    return tally


def count_files(files: list[TakenFile]) -> Tally:
    """
    Return the counts of files that feeds took or refused.

    A file that may still be written has a row that is replaced once it is taken.
    """
    tally = Tally()
    for file in files:
        if file.outcome:
            tally.count(FEED_FILES, outcome=file.outcome)
    return tally


def _count_import(tally: Tally, move: Move, began_at: datetime | None) -> None:
    tally.count(MOVES, state=move.to_state)
    if move.to_state == State.FAILED:
        tally.count(FAILURES, code=move.reason)
    if began_at is not None:
        seconds = max(0.0, (move.at - began_at).total_seconds())
        tally.measure(STATE_SECONDS, seconds, state=move.from_state)


def _moments_before(moves: list[Move]) -> dict[tuple[str, int], datetime]:
    """Return when each object reached each version, for the objects that these moves are of."""
    subjects = {move.subject for move in moves if move.subject.startswith("rec_")}
    reached = Move.objects.filter(subject__in=subjects).values_list("subject", "version", "at")
    return {(subject, version): at for subject, version, at in reached}


def _rows_of(subjects: list[str]) -> list[tuple[str, int]]:
    """Return how many rows of applied imports were delivered, and how many were not."""
    records = ImportRecord.objects.filter(public_id__in=subjects)
    return [
        (name, number)
        for counts in records.values_list("counts", flat=True)
        for name in ("imported", "failed")
        if (number := (counts or {}).get(name, 0))
    ]


# Each source has a cursor of its own, so that one which is added later counts the whole history.
SOURCES: dict[str, tuple[type[models.Model], Callable[[list[Any]], None]]] = {
    "moves": (Move, lambda moves: series.add(count_moves(moves))),
    "attempts": (Attempt, lambda attempts: series.add(count_attempts(attempts))),
    "feed_files": (TakenFile, lambda files: series.add(count_files(files))),
    "moves_of_days": (Move, lambda moves: days.add(days.of_moves(moves))),
    "attempts_of_days": (Attempt, lambda attempts: days.add(days.of_attempts(attempts))),
    OF_CATALOGS: (Move, by_catalog.count),  # the slowest, so it delays no other
}
