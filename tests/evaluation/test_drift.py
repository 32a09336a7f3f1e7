"""Drift on generated feeds: a small part of what ``python -m eval drift`` measures."""

import pytest

from eval.drift.command import HISTORIES, changed, main, ordinary
from eval.drift.feeds import KINDS, TINY


@pytest.mark.parametrize("kind", sorted({*KINDS} - {"members", "prices", "stock"} - TINY))
def test_most_changes_of_a_feed_are_noticed(kind):
    results = list(changed(kind, 3, HISTORIES[-1]))
    missed = [name for name, findings in results if not findings]

    assert set(missed) <= {"first_half", "some_half", "doubled"}  # of few or noisy rows
    assert len(results) >= 10


def test_a_feed_is_the_same_for_the_same_seed():
    assert KINDS["orders"](5).file(0) == KINDS["orders"](5).file(0)
    assert KINDS["orders"](5).file(0) != KINDS["orders"](6).file(0)


def test_ordinary_weeks_of_a_feed_are_silent():
    assert [week for week, findings in ordinary("timesheets", 4) if findings][1:] == []


def test_ordinary_weeks_of_two_rows_and_more_are_silent():
    assert [week for week, findings in ordinary("claims", 4) if findings] == []


def test_the_command_names_its_options(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])

    assert "--seed" in capsys.readouterr().out
