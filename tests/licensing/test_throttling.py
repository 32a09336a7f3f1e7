"""A license has so many calls a minute. Spec: Limits."""

from datetime import UTC, datetime, timedelta

import pytest
from redis.exceptions import ConnectionError as RedisOut
from redis.exceptions import TimeoutError as RedisSlow

from common import clock
from common.ids import new_id
from licensing import throttle

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.licensing.urls")]
EARLY = datetime(2026, 11, 20, 12, 0, 20, tzinfo=UTC)


@pytest.fixture(autouse=True)
def two_calls_a_minute(settings, monkeypatch):
    settings.RATE_PER_MINUTE = 2
    monkeypatch.setattr(throttle, "counter", throttle.CallCounter())
    monkeypatch.setattr(clock, "now", lambda: EARLY)


@pytest.fixture
def client(mint_key, client_of, monkeypatch):
    return client_of(lasting(mint_key))


def lasting(mint_key, **claims) -> str:
    """Mint a key that is valid at EARLY, whatever today is."""
    return mint_key(expires_in_s=10**9, issued_at=int(EARLY.timestamp()), **claims)


def statuses(client, calls: int) -> list[int]:
    return [client.get("/api/thing").status_code for _ in range(calls)]


def test_the_call_over_the_rate_waits_for_the_next_minute(client):
    assert statuses(client, 2) == [200, 200]

    answer = client.get("/api/thing")

    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_requests")
    assert answer.headers["Retry-After"] == "40"


def test_the_next_minute_starts_afresh(client, monkeypatch):
    statuses(client, 3)
    monkeypatch.setattr(clock, "now", lambda: EARLY + timedelta(seconds=40))

    assert statuses(client, 1) == [200]


def test_another_license_of_the_tenant_has_its_own_minute(client, mint_key, client_of):
    statuses(client, 3)

    assert statuses(client_of(lasting(mint_key)), 1) == [200]


def test_refused_keys_use_up_nobodys_minute(client, mint_key, client_of):
    license_id = new_id("lic_")
    forged = client_of(lasting(mint_key, license_id=license_id)[:-8])
    statuses(forged, 5)

    assert statuses(client_of(lasting(mint_key, license_id=license_id)), 1) == [200]


@pytest.mark.parametrize("failure", [RedisOut("refused"), RedisSlow("slow"), OSError("gone")])
def test_a_cache_that_is_out_refuses_no_caller(client, monkeypatch, failure):
    def fail(*args, **kwargs):
        raise failure

    monkeypatch.setattr(throttle.cache, "incr", fail)

    assert statuses(client, 4) == [200, 200, 200, 200]


def test_a_cache_that_is_out_is_asked_once_in_a_while(client, monkeypatch):
    calls = []

    def fail(key, *args, **kwargs):
        calls.append(key)
        raise RedisOut

    monkeypatch.setattr(throttle.cache, "incr", fail)
    statuses(client, 4)

    assert len(calls) == 1


def test_counting_resumes_when_the_cache_is_back(client, monkeypatch):
    seconds = iter([1.0, 12.0, 13.0, 14.0])
    monkeypatch.setattr(throttle, "monotonic", lambda: next(seconds))
    with monkeypatch.context() as out:
        out.setattr(throttle.cache, "incr", lambda key: (_ for _ in ()).throw(RedisOut()))
        statuses(client, 1)

    assert statuses(client, 3) == [200, 200, 429]


def test_while_one_call_asks_whether_the_cache_is_back_others_pass(monkeypatch):
    counter, calls = throttle.CallCounter(), []
    moments = iter([0.0, 11.0, 11.0])
    monkeypatch.setattr(throttle, "monotonic", lambda: next(moments))

    def fail(key):
        calls.append(key)
        if len(calls) == 2:  # the probe is under way when another call comes
            assert counter.count("lic_other") == 0
        raise RedisOut

    monkeypatch.setattr(throttle.cache, "incr", fail)
    for _ in range(2):
        counter.count("lic_one")

    assert len(calls) == 2
