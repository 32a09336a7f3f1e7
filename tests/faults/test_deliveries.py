"""Deliveries are never lost or wrong, whatever is killed. Real processes throughout."""

import subprocess
import sys
import threading
import time
from collections import Counter

import pytest

from tests.deliveries.conftest import Host, answers, drops
from tests.faults.conftest import Cluster, Outbox, OwnRedis
from tests.processes.conftest import ROOT, Engine, until, with_settings
from tests.receiving import assert_delivery

pytestmark = pytest.mark.processes


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


# A lease that no stall of a loaded machine outlives: only the race is to be seen.
@pytest.mark.parametrize("engine", [with_settings(LEASE_S=120)], indirect=True)
def test_two_workers_send_each_delivery_once(engine: Engine, make_host):
    host = make_host(slowly)
    command = [sys.executable, "scripts/development.py", "shell", "-v", "0", "-c"]
    code = "from deliveries.tasks import dispatch_due\nfor _ in range(400): dispatch_due()"
    environment = {**engine._environment}
    outbox = Outbox(engine, host.url)
    with subprocess.Popen([*command, code], cwd=ROOT, env=environment) as second:
        outbox.fill(150)
        outbox.until_all_are("delivered")
        second.kill()

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


def test_hosts_that_misbehave_neither_delay_others_nor_fool_the_engine(engine: Engine, make_host):
    over = threading.Event()

    def hangs(call) -> None:
        call.take()
        over.wait(120)

    def drips(call) -> None:
        call.take()
        while not over.is_set():
            call.wfile.write(b"HTTP/1.1 200 OK\r\nx: y\r\n"[:1])
            time.sleep(0.2)

    def pours(call) -> None:
        call.take()
        call.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n")
        while True:
            call.wfile.write(b"y" * 65_536)

    metadata = "http://169.254.169.254/latest/meta-data/"
    hosts = {
        "hanging": make_host(hangs),
        "dripping": make_host(drips),
        "pouring": make_host(pours),
        "dropping": make_host(drops),
        "redirecting": make_host(answers(301, location=metadata)),
    }
    outboxes = {name: Outbox(engine, host.url) for name, host in hosts.items()}
    good = make_host(answers(200))
    quick = Outbox(engine, good.url)
    for outbox in outboxes.values():
        outbox.fill(10)
    until(lambda: all(host.open_at_once or host.received for host in hosts.values()), "all busy")
    quick.fill(30)

    quick.until_all_are("delivered", seconds=28)  # the others hang for 30
    outboxes["pouring"].until_all_are("delivered")

    assert times_sent(good) == Counter(quick.ids)
    assert outboxes["hanging"].states() <= {"pending", "sending"}
    assert outboxes["dripping"].states() <= {"pending", "sending"}
    assert outboxes["dropping"].states() <= {"pending", "sending"}
    answered = engine.get(f"/deliveries/{outboxes['redirecting'].ids[0]}")["attempts"]
    assert {attempt["httpStatus"] for attempt in answered} == {301}
    over.set()
