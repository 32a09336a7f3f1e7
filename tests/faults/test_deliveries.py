"""Deliveries are never lost or wrong, whatever is killed. Real processes throughout."""

import time
from collections import Counter

import pytest

from tests.deliveries.conftest import Host, answers
from tests.faults.conftest import Cluster, Outbox, OwnRedis, started
from tests.processes.conftest import Engine, until
from tests.receiving import assert_delivery

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def engine(tmp_path_factory, cluster, own_redis, template):
    """Yield a started engine for all tests of this module: each leaves every delivery settled."""
    folder = tmp_path_factory.mktemp("deliveries")
    with started(folder, cluster, own_redis, template, {}) as engine:
        yield engine


def slowly(call) -> None:
    """Record a call after a moment, so that a delivery is always in progress."""
    call.take()
    time.sleep(0.02)
    call.send_response(200)
    call.send_header("content-length", "0")
    call.end_headers()


def times_sent(host: Host) -> Counter[str]:
    """Count the deliveries by their ids, each whole and at its own URL."""
    for received in list(host.received):
        assert_delivery(received, url=host.url)
    return Counter(received.delivery_id for received in host.received)


def assert_same_bytes(host: Host) -> None:
    """Assert that a delivery received twice has the same id and body."""
    bodies = {(item.delivery_id, item.body) for item in host.received}
    assert len(bodies) == len(times_sent(host))


def test_a_killed_worker_loses_nothing(engine: Engine, make_host):
    host = make_host(slowly)
    outbox = Outbox(engine, host.url)
    outbox.fill(120)
    settled: Counter[str] = Counter()
    for _ in range(2):
        seen = len(host.received)
        until(lambda seen=seen: len(host.received) > seen, "some are sent")
        assert engine.kill("-Q deliveries")
        delivered = outbox.in_state("delivered")
        settled = Counter({item: times_sent(host)[item] for item in delivered})
        outbox.fill(20)

    outbox.until_all_are("delivered")

    sent = times_sent(host)
    assert set(sent) == set(outbox.ids)
    assert_same_bytes(host)
    assert max(sent.values()) <= 3  # once, and once more for each kill that lost its answer
    assert {item: sent[item] for item in settled} == settled  # nothing is sent after delivered


def test_killed_web_and_beat_lose_nothing_and_send_nothing_twice(engine: Engine, make_host):
    host = make_host(slowly)
    outbox = Outbox(engine, host.url)
    outbox.fill(100)

    assert engine.kill("celery -A importengine beat")
    assert engine.kill("granian")
    until(engine.answers, "the web process is back")
    outbox.fill(10)
    outbox.until_all_are("delivered")

    assert times_sent(host) == Counter(outbox.ids)


def test_a_flushed_and_killed_redis_delays_and_sends_nothing_twice(
    engine: Engine, own_redis: OwnRedis, make_host
):
    host = make_host(answers(503), slowly)
    outbox = Outbox(engine, host.url)
    outbox.fill(20)
    own_redis.flush()
    own_redis.kill()
    outbox.fill(20)  # a request never waits for Redis
    own_redis.start()

    outbox.until_all_are("delivered")

    assert sum(times_sent(host).values()) == len(outbox.ids) + 1  # the one 503
    assert_same_bytes(host)


def test_a_crashed_database_loses_nothing_and_sends_nothing_twice(
    engine: Engine, cluster: Cluster, make_host
):
    host = make_host(slowly)
    outbox = Outbox(engine, host.url)
    outbox.fill(150)
    until(lambda: host.received, "some are sent")

    cluster.crash()
    time.sleep(1)
    cluster.start()
    outbox.until_all_are("delivered")

    assert times_sent(host) == Counter(outbox.ids)


def test_an_hour_of_500_ends_in_one_delivery(engine: Engine, make_host):
    refusals = [answers(500) for _ in range(12)]  # waits of a second represent the hour
    host = make_host(*refusals, answers(200))
    outbox = Outbox(engine, host.url)
    outbox.fill(1)

    outbox.until_all_are("delivered")
    time.sleep(3)

    assert times_sent(host) == Counter({outbox.ids[0]: 13})
    assert_same_bytes(host)
    attempts = engine.get(f"/deliveries/{outbox.ids[0]}")["attempts"]
    assert [attempt["httpStatus"] for attempt in attempts] == [500] * 12 + [200]
