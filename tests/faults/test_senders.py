"""Two workers and hosts that misbehave neither delay nor double deliveries. Real processes."""

import subprocess
import sys
import threading
import time
from collections import Counter

import pytest

from tests.deliveries.conftest import answers, drops
from tests.faults.conftest import Outbox
from tests.faults.test_deliveries import slowly, times_sent
from tests.processes.conftest import Engine, until, with_settings
from tests.processes.template import ROOT

pytestmark = pytest.mark.processes


# A lease that no stall of a loaded machine outlives: only the race is to be seen.
@pytest.mark.parametrize("more", [with_settings(LEASE_S=120)])
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
