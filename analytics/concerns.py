"""What an operator should look at, decided from what is there now. Pure."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from analytics.selectors import Now
from tabular.model.sentences import counted

# The same limits are in deploy/prometheus/alerts.yaml; a test compares them.
WAITING = timedelta(minutes=2)
FAILING = timedelta(minutes=10)
COUNTED = timedelta(minutes=2)
LEAST_FREE = 0.1  # of the disk
SOON_DAYS, TOMORROW_DAYS = 7, 1


@dataclass(frozen=True, slots=True)
class Concern:
    """Something that needs an operator, and what to do about it."""

    code: str  # also the name of the alert
    sentence: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Machine:
    """What the programs and the disk look like."""

    lacking: Collection[str]  # queues that no program serves; "beat", "web"
    free_share: float  # of the disk with the data folder, 0 to 1
    killed: Mapping[str, int] = field(default_factory=dict)  # in the last minutes, by program
    failing: Mapping[str, str] = field(default_factory=dict)  # services, and what is wrong


def concerns(now: Now, machine: Machine) -> Iterator[Concern]:
    """Yield what needs an operator, the most urgent first."""
    yield from _of_programs(machine)
    for service, wrong in sorted(machine.failing.items()):
        yield Concern(
            "ServiceFails",
            f"The {service} cannot be used: {wrong}.",
            "Run `manage.py doctor`: it says what to do.",
        )
    if machine.free_share < LEAST_FREE:
        yield Concern(
            "DiskAlmostFull",
            f"{machine.free_share:.0%} of the disk with the data folder is free.",
            "Free space, enlarge the disk, or lower IMPORT_RETENTION_DAYS.",
        )
    for queue, waited in now.oldest_due.items():
        if waited > WAITING:
            yield Concern(
                "WorkWaits",
                f"Work for {queue} has been due for {lasting(waited)}.",
                "Check that its worker runs, then its log. Add workers if all are busy.",
            )
    yield from _of_receivers(now)
    yield from _of_feeds(now)
    if now.expiring[TOMORROW_DAYS]:
        yield Concern(
            "LicenseExpiresTomorrow",
            f"{_keys(now.expiring[TOMORROW_DAYS])} within a day.",
            "Mint new keys and hand them out now: docs/rotating-keys.md.",
        )
    elif now.expiring[SOON_DAYS]:
        yield Concern(
            "LicenseExpires",
            f"{_keys(now.expiring[SOON_DAYS])} within {SOON_DAYS} days.",
            "Mint new keys and hand them out: docs/rotating-keys.md.",
        )
    if now.counted is None or now.counted > COUNTED:
        updated = "never been updated"
        if now.counted is not None:
            updated = f"not been updated for {lasting(now.counted)}"
        yield Concern(
            "CountsAreOld",
            f"The counts of metrics have {updated}.",
            "Check that beat and a worker with -Q imports run.",
        )


def _of_programs(machine: Machine) -> Iterator[Concern]:
    for queue in sorted(machine.lacking):
        program = queue if queue in {"beat", "web"} else f"a worker with -Q {queue}"
        yield Concern(
            "ProgramMissing",
            f"No program for {queue} has been seen for half a minute.",
            f"Start {program}.",
        )
    for program, number in sorted(machine.killed.items()):
        yield Concern(
            "ProgramKilled",
            f"{counted(number, 'program', 'programs')} for {program} ended without being stopped "
            "in the last ten minutes.",
            "Look at its log, and at the memory of its machine.",
        )


def _of_receivers(now: Now) -> Iterator[Concern]:
    if now.refusing_receivers:
        yield Concern(
            "ReceiverRefuses",
            f"{counted(now.refusing_receivers, 'receiver refuses', 'receivers refuse')} "
            "deliveries, which are not sent again.",
            "Open Webhooks in the admin, correct the receiver, then resend: "
            "docs/how-to/resend-a-failed-delivery.md.",
        )
    if now.failing_receivers and now.failing_for > FAILING:
        yield Concern(
            "ReceiverFails",
            f"{now.failing_receivers} of {now.receivers} receivers fail, "
            f"one of them for {lasting(now.failing_for)}.",
            "Open Webhooks in the admin: each failing one shows its last answer.",
        )


def _of_feeds(now: Now) -> Iterator[Concern]:
    if now.feeds.failing and now.feeds.failing_for > FAILING:
        yield Concern(
            "FeedFails",
            f"{counted(now.feeds.failing, 'feed fails', 'feeds fail')}, "
            f"one of them for {lasting(now.feeds.failing_for)}.",
            "Open Feeds in the admin: the last run says why, and a test what is wrong now.",
        )
    if now.mails.retried and now.mails.failing_for > FAILING:
        yield Concern(
            "MailFails",
            f"{counted(now.mails.retried, 'mail is', 'mails are')} not sent, "
            f"one of them for {lasting(now.mails.failing_for)}.",
            "Check IMPORT_MAIL_URL and the mail server; the log of the worker names the cause.",
        )


def _keys(number: int) -> str:
    return counted(number, "license key expires", "license keys expire")


def lasting(span: timedelta) -> str:
    """
    Return a duration in the largest unit that fits.

    >>> lasting(timedelta(seconds=50)), lasting(timedelta(minutes=90)), lasting(timedelta(days=3))
    ('50 s', '90 min', '3 days')
    """
    seconds = span.total_seconds()
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7_200:
        return f"{seconds / 60:.0f} min"
    if seconds < 172_800:
        return f"{seconds / 3_600:.0f} h"
    return f"{seconds / 86_400:.0f} days"
