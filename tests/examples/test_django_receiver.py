"""The Django receiver, run as a host runs it: a process of its own, spoken to over HTTP."""

import hashlib
import hmac
import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

import pytest

MANAGE = Path(__file__).resolve().parents[2] / "examples" / "django_receiver" / "manage.py"
SECRET = "whsec_bmV3"
OLD_SECRET = "whsec_b2xk"
STRANGER = "whsec_c3RyYW5nZXI"
MAX_BODY_BYTES = 8 << 20

pytestmark = pytest.mark.processes


class Receiver:
    """A running receiver and its database."""

    def __init__(self, port, database):
        self.port = port
        self.database = database

    def post(self, body, headers):
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("POST", "/imports/apply", body, headers)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def deliver(self, body, **signing):
        return self.post(body, signed(body, **signing))[0]

    def count(self, table, delivery_id):
        where = {
            "delivery": "SELECT count(*) FROM import_receiver_receiveddelivery WHERE delivery_id=?",
            "row": "SELECT count(*) FROM import_receiver_receivedrow r"
            " JOIN import_receiver_receiveddelivery d ON d.id=r.delivery_id WHERE d.delivery_id=?",
        }[table]
        with sqlite3.connect(self.database, timeout=20) as connection:
            return connection.execute(where, [delivery_id]).fetchone()[0]


def manage(*arguments, **environment):
    return subprocess.Popen(
        [sys.executable, str(MANAGE), *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def wait_until_it_answers(port, process):
    for _ in range(600):
        assert process.poll() is None, "the receiver ended"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    pytest.fail("the receiver does not answer")


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """Yield a function that starts receivers with given secrets."""
    running = []

    def start(secrets):
        database = tmp_path_factory.mktemp("receiver") / "db.sqlite3"
        environment = {
            "RECEIVER_DATABASE": str(database),
            "IMPORT_SIGNING_SECRETS": secrets,
            "RECEIVER_MAX_BODY_BYTES": str(MAX_BODY_BYTES),
        }
        assert manage("migrate", **environment).wait() == 0
        port = free_port()
        process = manage("runserver", "--noreload", f"127.0.0.1:{port}", **environment)
        running.append(process)
        wait_until_it_answers(port, process)
        return Receiver(port, database)

    yield start
    for process in running:
        process.terminate()
        process.wait()


@pytest.fixture(scope="module")
def receiver(start):
    return start(f"{SECRET},{OLD_SECRET}")


def signed(body, *, secrets=(SECRET,), age_s=0):
    t = int(time.time()) - age_s
    signatures = [
        hmac.new(secret.encode(), f"{t}.".encode() + body, hashlib.sha256).hexdigest()
        for secret in secrets
    ]
    return {
        "content-type": "application/json",
        "x-import-event": "import.apply",
        "x-import-timestamp": str(t),
        "x-import-signature": ",".join([f"t={t}", *(f"v1={text}" for text in signatures)]),
    }


def delivery(delivery_id, *, rows=2, **members):
    body = {
        "event": "import.apply",
        "deliveryId": delivery_id,
        "tenantId": "tnt_acme",
        "recordId": "rec_orders",
        "action": "submit",
        "rowCount": rows,
        "mapping": {"Auftrags-Nr.": "orders.order_number"},
        "rows": [{"orders.order_number": f"A-{at}"} for at in range(rows)],
        "occurredAt": "2026-11-20T12:00:00Z",
    }
    return json.dumps({**body, **members}).encode()


def test_a_genuine_delivery_is_stored_with_its_rows(receiver):
    assert receiver.deliver(delivery("dlv_first", rows=3)) == 200

    assert receiver.count("row", "dlv_first") == 3


def test_a_repeated_delivery_is_a_no_op_that_answers_200(receiver):
    body = delivery("dlv_again")
    receiver.deliver(body)

    assert receiver.deliver(body, age_s=5) == 200  # signed afresh, as the engine does

    assert (receiver.count("delivery", "dlv_again"), receiver.count("row", "dlv_again")) == (1, 2)


def test_of_many_same_deliveries_at_once_one_is_stored_and_all_are_told_200(receiver):
    body = delivery("dlv_race", rows=500)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: receiver.deliver(body), range(8)))

    assert answers == [200] * 8
    assert (receiver.count("delivery", "dlv_race"), receiver.count("row", "dlv_race")) == (1, 500)


def test_a_delivery_that_fails_half_way_leaves_nothing_and_may_come_again(receiver):
    body = delivery("dlv_half", rows=3)
    with sqlite3.connect(receiver.database, timeout=20) as connection:
        connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON import_receiver_receivedrow"
            " BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
    first = receiver.deliver(body)
    left = receiver.count("delivery", "dlv_half")
    with sqlite3.connect(receiver.database, timeout=20) as connection:
        connection.execute("DROP TRIGGER full")

    assert (first, left) == (500, 0)
    assert receiver.deliver(body) == 200
    assert receiver.count("row", "dlv_half") == 3


def test_members_nobody_knows_are_ignored(receiver):
    body = delivery("dlv_newer", later={"a": [1]}, meta={"user": 7}, entities={}, links=[])

    assert receiver.deliver(body) == 200
    assert receiver.count("row", "dlv_newer") == 2


def test_the_catalog_of_the_rows_is_kept(receiver):
    receiver.deliver(delivery("dlv_orders", catalogKey="orders", catalogVersion=3))

    with sqlite3.connect(receiver.database, timeout=20) as connection:
        question = "SELECT catalog_key FROM import_receiver_receiveddelivery WHERE delivery_id=?"
        assert connection.execute(question, ["dlv_orders"]).fetchone() == ("orders",)


@pytest.mark.parametrize(
    "secrets",
    [(SECRET,), (OLD_SECRET,), (SECRET, OLD_SECRET), (STRANGER, OLD_SECRET)],
    ids=["new", "old", "both, newest first", "one it never heard of"],
)
def test_while_a_secret_rotates_either_is_accepted(receiver, secrets):
    assert receiver.deliver(delivery(f"dlv_{'_'.join(secrets)}"), secrets=secrets) == 200


def test_a_receiver_that_knows_only_the_old_secret_takes_the_overlap(start):
    old = start(OLD_SECRET)

    assert old.deliver(delivery("dlv_overlap"), secrets=(SECRET, OLD_SECRET)) == 200


def test_a_receiver_without_a_secret_asks_to_come_back(start):
    assert start("").deliver(delivery("dlv_unset")) == 503


def test_a_strangers_signature_is_refused(receiver):
    assert receiver.deliver(delivery("dlv_strange"), secrets=(STRANGER,)) == 401

    assert receiver.count("delivery", "dlv_strange") == 0


def test_a_changed_body_is_refused(receiver):
    body = delivery("dlv_tampered")

    status, _ = receiver.post(body.replace(b"A-1", b"A-9"), signed(body))

    assert status == 401
    assert receiver.count("delivery", "dlv_tampered") == 0


def test_a_recorded_delivery_played_back_later_is_refused(receiver):
    assert receiver.deliver(delivery("dlv_replay"), age_s=330) == 401

    assert receiver.count("delivery", "dlv_replay") == 0


def test_a_delivery_without_a_signature_is_malformed(receiver):
    status, _ = receiver.post(delivery("dlv_bare"), {"content-type": "application/json"})

    assert status == 400


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b"\xff\xfe",
        delivery("dlv_odd", rows=2, rowCount=3),
        delivery("dlv_odd", deliveryId=None),
        delivery("dlv_odd", rows=0, rowCount=0, occurredAt="yesterday"),
        delivery("dlv_odd", action="revert"),  # taken for a submit it would import again
        delivery("dlv_odd", event="import.other"),
    ],
    ids=["cut", "list", "binary", "count", "no id", "time", "action", "event"],
)
def test_what_is_signed_but_not_understood_is_refused_for_good(receiver, body):
    assert receiver.deliver(body) == 400

    assert receiver.count("delivery", "dlv_odd") == 0


def test_a_large_body_within_the_limit_is_taken(receiver):
    body = delivery("dlv_large", rows=2000, padding="x" * (6 << 20))

    assert receiver.deliver(body) == 200

    assert receiver.count("row", "dlv_large") == 2000


def test_a_body_over_the_limit_is_refused_before_it_is_read(receiver):
    connection = HTTPConnection("127.0.0.1", receiver.port, timeout=30)
    connection.putrequest("POST", "/imports/apply")
    connection.putheader("content-length", str(MAX_BODY_BYTES + 1))
    connection.endheaders()

    assert connection.getresponse().status == 413


def test_a_body_that_is_cut_off_is_not_refused_for_good(receiver):
    body = delivery("dlv_cut")
    head = "".join(f"{name}: {value}\r\n" for name, value in signed(body).items())
    request = f"POST /imports/apply HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(body)}\r\n"

    with socket.create_connection(("127.0.0.1", receiver.port), timeout=30) as connection:
        connection.sendall(f"{request}{head}\r\n".encode() + body[:-20])
        connection.shutdown(socket.SHUT_WR)
        answer = connection.recv(100)

    assert answer.split()[1] == b"503"


def test_only_post_is_spoken_here(receiver):
    connection = HTTPConnection("127.0.0.1", receiver.port, timeout=30)
    connection.request("GET", "/imports/apply")

    assert connection.getresponse().status == 405
