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
from ipaddress import ip_network
from pathlib import Path

import pyarrow as pa
import pytest

from deliveries.http.client import Client
from deliveries.http.connections import TlsSettings
from deliveries.rehearsal import SCENES, Rows, rehearse
from deliveries.rehearsal import Receiver as Rehearsed

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

    def entities(self, entity):
        """Return the values of the entities of a name, by ref."""
        question = 'SELECT ref, "values" FROM import_receiver_receivedentity WHERE entity=?'
        with sqlite3.connect(self.database, timeout=20) as connection:
            stored = connection.execute(question, [entity]).fetchall()
        return {ref: json.loads(values) for ref, values in stored}


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

    def start(secrets, *, most_bytes=MAX_BODY_BYTES):
        database = tmp_path_factory.mktemp("receiver") / "db.sqlite3"
        environment = {
            "RECEIVER_DATABASE": str(database),
            "IMPORT_SIGNING_SECRETS": secrets,
            "RECEIVER_MAX_BODY_BYTES": str(most_bytes),
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


def test_unknown_members_are_ignored(receiver):
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
        delivery("dlv_odd", action="revert"),  # which does not say what it takes back
        delivery("dlv_odd", event=None),
    ],
    ids=["cut", "list", "binary", "count", "no id", "time", "action", "event"],
)
def test_what_is_signed_but_not_understood_is_refused_for_good(receiver, body):
    assert receiver.deliver(body) == 400

    assert receiver.count("delivery", "dlv_odd") == 0


@pytest.mark.parametrize("kind", ["feed.failed", "import.waiting", "an.event-of-tomorrow"])
def test_a_notice_is_answered_with_200_and_stores_nothing(receiver, kind):
    notice = {"event": kind, "deliveryId": "dlv_notice", "subject": "rec_1"}

    assert receiver.deliver(json.dumps(notice).encode()) == 200
    assert receiver.count("delivery", "dlv_notice") == 0


def test_a_revert_takes_back_the_rows_of_the_delivery_that_it_names(receiver):
    assert receiver.deliver(delivery("dlv_taken", rows=2)) == 200
    about = {"changesetId": "chg_1", "deliveryId": "dlv_taken"}
    revert = delivery("dlv_back", rows=2, action="revert", reverts=about)

    assert [receiver.deliver(revert) for _ in range(2)] == [200, 200]

    assert receiver.count("row", "dlv_taken") == 0
    assert (receiver.count("delivery", "dlv_back"), receiver.count("row", "dlv_back")) == (1, 0)


def test_a_delivery_that_comes_after_its_revert_brings_no_rows(receiver):
    about = {"changesetId": "chg_1", "deliveryId": "dlv_late"}
    receiver.deliver(delivery("dlv_early_back", rows=2, action="revert", reverts=about))

    assert receiver.deliver(delivery("dlv_late", rows=2)) == 200

    assert receiver.count("row", "dlv_late") == 0


def about(entity, delivery_id, status="created", city="Berlin", changes=(), **members):
    """Return a delivery of one row, as a registration that includes changes gets it."""
    changed = {
        "rows": [{"c.no": "C-1", "c.city": city}],
        "rowEntities": [{"row": 0, "entity": entity, "ref": "17"}],
        "entities": {entity: [{"ref": "17", "status": status}]},
        "changes": list(changes),
        **members,
    }
    return json.dumps({**json.loads(delivery(delivery_id, rows=1)), **changed}).encode()


def moved(before, after):
    return {"row": 0, "field": "c.city", "before": before, "after": after}


def test_an_entity_is_stored_once_and_only_its_changed_cells_are_set(receiver):
    assert receiver.deliver(about("moving", "dlv_m1")) == 200
    with sqlite3.connect(receiver.database, timeout=20) as connection:
        by_hand = json.dumps({"c.no": "C-1", "c.city": "Berlin", "c.phone": "by hand"})
        change = 'UPDATE import_receiver_receivedentity SET "values"=? WHERE entity=?'
        connection.execute(change, [by_hand, "moving"])

    changes = [moved("Berlin", "Bonn")]
    assert receiver.deliver(about("moving", "dlv_m2", "changed", "Bonn", changes)) == 200

    assert receiver.entities("moving") == {
        "17": {"c.no": "C-1", "c.city": "Bonn", "c.phone": "by hand"}
    }


def test_a_revert_sets_what_was_before_and_removes_what_was_new(receiver):
    changes = [moved("Berlin", "Bonn")]
    receiver.deliver(about("back", "dlv_b1"))
    receiver.deliver(about("back", "dlv_b2", "changed", "Bonn", changes))
    for number, status, some, left in [
        (2, "changed", changes, {"17": {"c.no": "C-1", "c.city": "Berlin"}}),
        (1, "created", (), {}),
    ]:
        names = {"changesetId": "chg_1", "deliveryId": f"dlv_b{number}"}
        revert = about(
            "back", f"dlv_back{number}", status, "Bonn", some, action="revert", reverts=names
        )
        assert receiver.deliver(revert) == 200
        assert receiver.entities("back") == left


def test_what_a_full_sync_deletes_is_deleted_and_stored_again_by_a_revert(receiver):
    receiver.deliver(about("gone", "dlv_g1"))
    former = receiver.entities("gone")
    entity = {"ref": "17", "status": "deleted", "key": {"no": "C-1"}}
    entity["values"] = {"no": "C-1", "city": "Berlin"}
    members = {"entities": {"gone": [entity]}}

    assert receiver.deliver(delivery("dlv_g2", rows=0, action="delete", **members)) == 200
    assert receiver.entities("gone") == {}
    names = {"changesetId": "chg_1", "deliveryId": "dlv_g2"}
    revert = delivery("dlv_g3", rows=0, action="revert", reverts=names, **members)
    assert receiver.deliver(revert) == 200
    assert former == {"17": {"c.no": "C-1", "c.city": "Berlin"}}
    assert receiver.entities("gone") == {"17": {"gone.no": "C-1", "gone.city": "Berlin"}}


@pytest.mark.parametrize(
    "members",
    [{"rowEntities": [{"row": 9, "entity": "c", "ref": "1"}]}, {"changes": [{}]}, {"entities": []}],
    ids=["row", "change", "entities"],
)
def test_changes_that_are_not_understood_are_refused_for_good(receiver, members):
    assert receiver.deliver(about("odd", "dlv_odd_changes", **members)) == 400

    assert receiver.entities("odd") == {}


def test_each_scene_of_a_rehearsal_is_answered_as_it_should_be(start):
    running = start(SECRET, most_bytes=64 << 20)
    rehearsed = Rehearsed(
        client=Client(networks=[ip_network("127.0.0.0/8")], tls=TlsSettings()),
        url=f"http://127.0.0.1:{running.port}/imports/apply",
        secrets=[SECRET],
        tenant_id="tnt_1",
        rows=Rows(pa.record_batch({"p.size": ['10 € "😀"', None]}), {}, {}, "p", 1),
        is_marked=False,
        pause_s=0.1,
    )

    reports = list(rehearse(rehearsed))

    assert len(reports) == len(SCENES)
    assert [report for report in reports if not report.is_right] == []


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
