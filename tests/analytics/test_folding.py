"""Histories are counted once, completely, and whatever the clock does."""

import pytest

from analytics import history_counts, series
from analytics.models import Cursor
from analytics.tally import (
    ATTEMPTS,
    FAILURES,
    FEED_FILES,
    MAIL_MOVES,
    MOVES,
    STATE_SECONDS,
    Tally,
)
from common.models import Move
from deliveries.models import Attempt
from feeds.models import Feed, TakenFile
from tests.analytics.conftest import NOON

pytestmark = pytest.mark.django_db


def move(number: int, to_state: str, *, subject: str = "rec_1", reason: str = "", at=NOON) -> Move:
    return Move.objects.create(
        subject=subject,
        from_state="reading",
        to_state=to_state,
        version=number,
        actor={},
        reason=reason,
        at=at,
    )


def test_an_import_is_counted_in_every_state_it_reached(publish, upload, fold_later, counts):
    publish("orders")
    assert upload("orders-cp1252.csv", autoMap="true")["state"] == "review"
    fold_later()
    fold_later()

    assert {"reading": 1, "transforming": 1, "review": 1}.items() <= counts(MOVES).items()


def test_no_move_is_counted_twice(fold_later, counts):
    move(1, "review")
    for _ in range(4):
        fold_later()

    assert counts(MOVES) == {"review": 1}


def test_batches_are_counted_up_to_the_end(monkeypatch, fold_later, counts):
    monkeypatch.setattr(history_counts, "BATCH", 2)
    for number in range(1, 6):
        move(number, "review", subject=f"rec_{number}")
    fold_later()
    fold_later()

    assert counts(MOVES) == {"review": 5}


def test_a_row_committed_late_with_a_smaller_key_is_counted(fold_later, counts):
    late = move(1, "review")
    newer = move(2, "applied")
    late.delete()  # its transaction has not ended: others do not see it
    fold_later()
    Move.objects.create(
        pk=newer.pk - 1,
        subject="rec_1",
        from_state="reading",
        to_state="review",
        version=1,
        actor={},
        at=NOON,
    )
    fold_later()

    assert counts(MOVES) == {"applied": 1, "review": 1}


def test_two_runs_within_ten_seconds_count_only_what_is_settled(fold_later, counts):
    fold_later()
    fold_later()
    move(1, "review")
    fold_later(3)

    assert counts(MOVES) == {}


def test_a_clock_that_was_set_back_stops_nothing(fold_later, counts):
    fold_later()
    move(1, "review")
    fold_later(-3_600)
    fold_later()

    assert counts(MOVES) == {"review": 1}


def test_a_failure_is_counted_by_its_code(fold_later, counts):
    move(1, "failed", reason="too_many_rows")
    fold_later()
    fold_later()

    assert counts(FAILURES) == {"too_many_rows": 1}


def test_seconds_in_a_state_are_those_since_the_move_before(fold_later):
    from datetime import timedelta

    move(1, "reading")
    move(2, "review", at=NOON + timedelta(seconds=40))
    fold_later()
    fold_later()

    (seconds,) = (sums for name, _, sums in series.stored() if name == STATE_SECONDS)
    assert (seconds.count, seconds.total) == (1, 40.0)
    assert seconds.buckets[3] == 1  # above 15 s, up to 60 s


def test_files_of_feeds_and_mails_are_counted_by_what_became_of_them(fold_later, counts, owner):
    feed = Feed.objects.create(
        public_id="fed_1", state="active", tenant=owner, due_at=NOON, created_at=NOON, created_by={}
    )
    for mark, outcome in enumerate(("imported", "imported", "same", "refused", "")):
        TakenFile.objects.create(feed=feed, mark=str(mark), outcome=outcome, seen_at=NOON)
    for number, state in enumerate(("sent", "failed", "sent")):
        move(1, state, subject=f"mal_{number}")
    fold_later()
    fold_later()

    assert counts(FEED_FILES) == {"imported": 2, "same": 1, "refused": 1}
    assert counts(MAIL_MOVES) == {"sent": 2, "failed": 1}


@pytest.mark.parametrize(
    ("status", "error", "result"),
    [(204, "", "2xx"), (503, "", "5xx"), (None, "connect_timeout", "connect_timeout")],
)
def test_an_attempt_is_counted_by_class(status, error, result):
    attempt = Attempt(http_status=status, error_class=error, latency_ms=80)

    assert (ATTEMPTS, (("result", result),)) in history_counts.count_attempts([attempt]).sums


def test_processes_that_add_to_one_series_lose_nothing(counts):
    for _ in range(3):
        tally = Tally()
        tally.count(MOVES, state="review")
        series.add(tally)

    assert counts(MOVES) == {"review": 3}


def test_how_old_the_counts_are_is_known(fold_later):
    assert history_counts.age(NOON) is None
    fold_later()

    assert history_counts.age(Cursor.objects.get(source="moves").seen_at).total_seconds() == 0
