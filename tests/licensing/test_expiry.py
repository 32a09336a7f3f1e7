"""A license key is announced 30, 7 and 1 days before it expires, once each."""

import logging
from datetime import timedelta
from types import SimpleNamespace

import pytest

from common import clock
from common.models import Event
from licensing.models import License, Tenant
from licensing.tokens import expiry

pytestmark = pytest.mark.django_db
AT = clock.now()


@pytest.fixture
def key():
    """Return a function that adds a license which expires some hours from now."""
    tenant = Tenant.objects.create(public_id="tnt_owner", created_at=AT)

    def key(hours: float, *, minted: float = 100 * 24, revoked: bool = False) -> License:
        return License.objects.create(
            public_id=f"lic_{License.objects.count()}",
            tenant=tenant,
            issued_at=AT - timedelta(hours=minted),
            expires_at=AT + timedelta(hours=hours),
            revoked_at=AT if revoked else None,
        )

    return key


def lines(caplog) -> list[str]:
    return [
        record.getMessage() for record in caplog.records if record.name == "licensing.tokens.expiry"
    ]


@pytest.mark.parametrize(
    ("hours", "days"),
    [
        (1, 1),
        (24, 1),
        (24.1, 7),
        (168, 7),
        (169, 30),
        (720, 30),
        (721, None),
        (0, None),
        (-1, None),
    ],
)
def test_the_step_is_the_shortest_that_holds_the_time_left(hours, days):
    assert expiry.within_days(AT + timedelta(hours=hours), at=AT) == days


def test_each_step_is_announced_once(key, caplog):
    caplog.set_level(logging.WARNING)
    license = key(hours=29 * 24)
    for hours in (0, 1, 23 * 24, 23 * 24 + 1, 28.5 * 24, 28.5 * 24 + 1):
        expiry.announce(at=AT + timedelta(hours=hours))

    assert [line.split(" expires_at")[0] for line in lines(caplog)] == [
        f"license {license.public_id}: expires within {days} days" for days in (30, 7, 1)
    ]
    noted = Event.objects.filter(kind="license.expires", subject=license.public_id)
    assert sorted(event.about["days"] for event in noted) == [1, 7, 30]


def test_a_key_that_was_minted_for_an_hour_is_not_announced(key, caplog):
    key(hours=1, minted=0)
    expiry.announce(at=AT)

    assert lines(caplog) == []


def test_revoked_and_expired_keys_are_not_announced(key, caplog):
    key(hours=12, revoked=True)
    key(hours=-1)
    expiry.announce(at=AT)

    assert lines(caplog) == []


def test_a_key_that_cannot_be_announced_does_not_stop_the_others(key, caplog):
    caplog.set_level(logging.WARNING)
    first, second = key(hours=20), key(hours=20)

    def fail(license, days, at):
        if license == first:
            raise ValueError("a value")

    with pytest.raises(ValueError, match="a value"):
        expiry.announce(at=AT, also=fail)

    assert list(Event.objects.values_list("subject", flat=True)) == [second.public_id]
    failed = f"license {first.public_id}: its end is not announced: ValueError"
    assert lines(caplog)[0] == failed
    assert "a value" not in caplog.text


def test_a_beat_of_the_former_release_has_it_announced_too(monkeypatch):
    from deliveries import tasks
    from licensing import tasks as former

    sent = []
    monkeypatch.setattr(former, "current_app", SimpleNamespace(send_task=sent.append))

    former.announce_expiry()

    assert former.announce_expiry.name == "licensing.tasks.announce_expiry"
    assert sent == [tasks.announce_expiry.name]
