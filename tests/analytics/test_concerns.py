"""What needs an operator is decided from numbers alone."""

from dataclasses import replace
from datetime import timedelta

import pytest
import yaml

from analytics.concerns import Machine, concerns
from analytics.selectors import Feeds, Mails, Now
from tests.analytics.conftest import NOON

WELL = Now(
    at=NOON,
    imports={"review": 3},
    deliveries={},
    oldest_due={"imports": timedelta(), "deliveries": timedelta()},
    questions=1,
    oldest_question=timedelta(days=3),
    receivers=2,
    failing_receivers=0,
    failing_for=timedelta(),
    refusing_receivers=0,
    feeds=Feeds(by_health={"good": 3}, failing=0, failing_for=timedelta()),
    mails=Mails(queued=1, retried=0, failing_for=timedelta()),
    expiring={0: 0, 1: 0, 7: 0, 30: 1},
    counted=timedelta(seconds=12),
)
HEALTHY = Machine(lacking=(), free_share=0.5)


def test_an_engine_that_works_needs_no_person():
    assert list(concerns(WELL, HEALTHY)) == []


@pytest.mark.parametrize(
    ("now", "machine", "codes"),
    [
        (WELL, replace(HEALTHY, lacking=("imports",)), ["ProgramMissing"]),
        (WELL, replace(HEALTHY, killed={"sandbox": 1}), ["ProgramKilled"]),
        (WELL, replace(HEALTHY, failing={"broker": "away"}), ["ServiceFails"]),
        (WELL, replace(HEALTHY, free_share=0.09), ["DiskAlmostFull"]),
        (replace(WELL, refusing_receivers=1), HEALTHY, ["ReceiverRefuses"]),
        (
            replace(WELL, oldest_due={"imports": timedelta(minutes=3)}),
            HEALTHY,
            ["WorkWaits"],
        ),
        (
            replace(WELL, failing_receivers=1, failing_for=timedelta(hours=1)),
            HEALTHY,
            ["ReceiverFails"],
        ),
        (
            replace(WELL, failing_receivers=1, failing_for=timedelta(minutes=9)),
            HEALTHY,
            [],  # the next attempts may succeed
        ),
        (replace(WELL, feeds=Feeds({}, 1, timedelta(minutes=9))), HEALTHY, []),
        (replace(WELL, feeds=Feeds({}, 1, timedelta(minutes=11))), HEALTHY, ["FeedFails"]),
        (replace(WELL, mails=Mails(1, 1, timedelta(minutes=9))), HEALTHY, []),
        (replace(WELL, mails=Mails(1, 1, timedelta(minutes=11))), HEALTHY, ["MailFails"]),
        (replace(WELL, expiring=WELL.expiring | {7: 1}), HEALTHY, ["LicenseExpires"]),
        (replace(WELL, counted=None), HEALTHY, ["CountsAreOld"]),
    ],
)
def test_what_needs_an_operator(now, machine, codes):
    assert [concern.code for concern in concerns(now, machine)] == codes


def test_each_concern_has_an_alert_with_the_same_name():
    from analytics import concerns as module
    from tests.analytics.test_alerts import ALERTS

    rules = yaml.safe_load(ALERTS.read_text("utf-8"))["groups"]
    alerts = {rule["alert"] for group in rules for rule in group["rules"]}
    source = module.__file__
    with open(source, encoding="utf-8") as file:
        text = file.read()
    named = {name for name in alerts if f'"{name}"' in text}

    # Only an observer outside sees that an engine is away, and how a count grows over time.
    assert named == alerts - {"EngineUnreachable", "JobsFail", "LimitsAreHit"}
