"""Spec: Events > Delivery and retry."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deliveries.verdict import (
    GONE,
    TOO_LARGE,
    WAITS_S,
    Final,
    RetryIn,
    judge,
    read_retry_after,
)

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
FIRST = RetryIn(timedelta(seconds=5))


@pytest.mark.parametrize(
    ("http_status", "waits_used", "verdict"),
    [
        (200, 0, Final("delivered")),
        (204, 0, Final("delivered")),
        (299, 11, Final("delivered")),  # the last attempt counts like the first
        (300, 0, FIRST),  # the first status that is not a success
        (400, 0, Final("rejected")),
        (404, 0, Final("rejected")),  # terminal on the very first try
        (408, 0, Final("rejected")),  # every 4xx is final, those other senders retry too
        (410, 0, Final("rejected", GONE)),
        (413, 0, Final("rejected", TOO_LARGE)),
        (429, 0, Final("rejected")),
        (None, 0, FIRST),  # no answer is not a "no"
        (301, 0, FIRST),  # redirects are not followed
        (307, 0, FIRST),
        (500, 0, FIRST),
        (503, 1, RetryIn(timedelta(seconds=20))),
        (599, 6, RetryIn(timedelta(seconds=20_480))),
        (500, 10, RetryIn(timedelta(days=1))),
        (500, 11, Final("exhausted")),
        (None, 11, Final("exhausted")),
        (600, 0, FIRST),  # not a status anybody defined
        (101, 0, FIRST),
    ],
)
def test_an_attempt_is_judged_by_its_status(http_status, waits_used, verdict):
    assert judge(http_status=http_status, waits_used=waits_used) == verdict


def test_each_wait_is_four_times_the_one_before_up_to_a_day():
    assert list(WAITS_S[:7]) == [5 * 4**times for times in range(7)]
    assert set(WAITS_S[7:]) == {86_400}


def test_the_waits_last_five_days_at_most():
    assert sum(WAITS_S) * 1.2 < 5.2 * 86_400
    assert sum(WAITS_S) > 4 * 86_400


@pytest.mark.parametrize(
    ("http_status", "retry_after_s", "seconds"),
    [
        (503, 7, 7),
        (503, 1, 5),  # never sooner than the schedule
        (503, 3_600, 10),  # never later than twice the wait
        (500, 8, 8),
        (302, 8, 5),  # only a 5xx may ask
        (None, 8, 5),
    ],
)
def test_retry_after_is_honoured_between_once_and_twice_the_wait(
    http_status, retry_after_s, seconds
):
    verdict = judge(http_status=http_status, waits_used=0, retry_after_s=retry_after_s)

    assert verdict == RetryIn(timedelta(seconds=seconds))


@given(dice=st.floats(0, 1), waits_used=st.integers(0, len(WAITS_S) - 1))
def test_jitter_moves_a_wait_by_a_fifth_at_most(dice, waits_used):
    verdict = judge(http_status=500, waits_used=waits_used, dice=dice)

    assert isinstance(verdict, RetryIn)
    share = verdict.wait.total_seconds() / WAITS_S[waits_used]
    assert 0.8 - 1e-6 <= share <= 1.2 + 1e-6


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("٣", None),  # a digit, but not one of HTTP's
        ("30", 30),
        (" 30 ", 30),
        ("99999999999999999999", 999_999_999),
        ("Fri, 20 Nov 2026 12:01:00 GMT", 60),
        ("Fri, 20 Nov 2026 11:00:00 GMT", 0),  # already past
        ("Fri, 20 Nov 2026 12:01:00", 60),  # no zone means GMT
        ("Fri, 99 Nov 2026 12:01:00 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(text, seconds):
    assert read_retry_after(text, at=NOON) == seconds


@given(st.text())
def test_no_header_makes_retry_after_fail(text):
    seconds = read_retry_after(text, at=NOON)

    assert seconds is None or seconds >= 0
