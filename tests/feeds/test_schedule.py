"""Schedules of feeds, where clocks are set forward and back."""

from datetime import UTC, datetime, timedelta

import pytest

from feeds.schedule import WrongSchedule, next_run

BERLIN = "Europe/Berlin"


def runs(expression, zone, start, count):
    moment, moments = start, []
    for _ in range(count):
        moment = next_run(expression, zone, moment)
        moments.append(moment.strftime("%d %H:%M"))
    return moments


@pytest.mark.parametrize(
    ("expression", "start", "expected"),
    [
        # 28 March 2027: 02:00 to 03:00 does not exist; the run takes place at its end.
        ("30 2 * * *", datetime(2027, 3, 27, 12, tzinfo=UTC), ["28 01:00", "29 00:30", "30 00:30"]),
        # 25 October 2026: 02:00 to 03:00 happens twice; the run takes place in the first one.
        ("30 2 * * *", datetime(2026, 10, 24, 12, tzinfo=UTC), ["25 00:30", "26 01:30"]),
        ("0 6 * * *", datetime(2026, 10, 24, 12, tzinfo=UTC), ["25 05:00", "26 05:00"]),
        # Every half hour goes on through both of the hours.
        (
            "*/30 * * * *",
            datetime(2026, 10, 25, 0, 10, tzinfo=UTC),
            ["25 00:30", "25 01:00", "25 01:30", "25 02:00"],
        ),
    ],
)
def test_runs_around_a_change_of_the_clock(expression, start, expected):
    assert runs(expression, BERLIN, start, len(expected)) == expected


@pytest.mark.parametrize("minutes", range(0, 180, 7))
def test_the_next_run_is_always_later(minutes):
    moment = datetime(2026, 10, 24, 23, 30, tzinfo=UTC) + timedelta(minutes=minutes)

    assert next_run("30 2 * * *", BERLIN, moment) > moment


@pytest.mark.parametrize(
    "expression", ["", "* * * *", "* * * * * *", "61 * * * *", "0 0 31 2 *", "@daily", "a b c d e"]
)
def test_an_invalid_schedule_is_refused(expression):
    with pytest.raises(WrongSchedule):
        next_run(expression, "UTC", datetime(2026, 1, 1, tzinfo=UTC))
