"""Killing any process at any moment loses nothing and sends nothing twice under another id."""

import json

import pytest

from tests.processes.conftest import SHORT, Engine, Receiver, copy_of, until

pytestmark = pytest.mark.processes
HEADER = "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status\n"
ROWS = 60_000


def big_file() -> bytes:
    line = "A-{0};05.02.2026;Kunde {0};k{0}@example.com;Stuhl;2;1.249,00;2.498,00;offen\n"
    return (HEADER + "".join(line.format(number) for number in range(ROWS))).encode()


@pytest.fixture(scope="module")
def engine(tmp_path_factory, template):
    """Yield a started engine for all tests of this module."""
    with copy_of(template, tmp_path_factory.mktemp("kill"), SHORT) as engine:
        engine.start()
        yield engine


@pytest.fixture
def import_of(engine: Engine, receiver: Receiver):
    """Register a webhook for one test, and yield a function that uploads a file."""

    def import_of(content: bytes) -> str:
        answer = engine.post("/imports", files={"file": ("f.csv", content)}, data={"autoMap": "1"})
        return answer["recordId"]

    with engine.webhook(receiver.url):
        yield import_of


def test_an_import_survives_its_worker_while_reading_and_while_applying(
    engine, receiver, import_of
):
    record_id = import_of(big_file())
    until(lambda: engine.state(record_id) != "received", "reading, or what follows it")
    assert engine.kill("celery", "tabular")
    until(lambda: engine.state(record_id) == "review", "review after the worker was killed")

    engine.post(f"/imports/{record_id}/apply", json={"invalidRows": "exclude"})
    until(lambda: engine.state(record_id) in {"applying", "applied"}, "applying")
    engine.kill("celery", "tabular")
    until(lambda: engine.state(record_id) == "applied", "applied after the worker was killed")
    until(lambda: receiver.bodies, "a delivery")

    body = json.loads(receiver.bodies[0])
    assert (body["rowCount"], body["recordId"]) == (ROWS, record_id)
    assert len(body["rows"]) == ROWS


def test_a_delivery_survives_its_worker_and_keeps_its_id_and_bytes(engine, receiver, import_of):
    receiver.answer = lambda count: 503 if count < 3 else 200
    record_id = import_of(
        (HEADER + "A-1;05.02.2026;K;k@example.com;Stuhl;2;1,00;2,00;offen\n").encode()
    )
    until(lambda: engine.state(record_id) == "review", "review")
    engine.post(f"/imports/{record_id}/apply", json={})
    until(lambda: receiver.bodies, "the first attempt")
    engine.kill("celery")

    until(lambda: len(receiver.bodies) >= 3, "attempts after the worker was killed")
    until(
        lambda: (
            [d["state"] for d in engine.get(f"/imports/{record_id}")["deliveries"]] == ["delivered"]
        ),
        "delivered",
    )
    assert len(set(receiver.bodies)) == 1
    assert len(set(receiver.delivery_ids())) == 1


def test_everything_goes_on_after_the_whole_engine_was_killed(engine, receiver, import_of):
    record_id = import_of(big_file())
    until(lambda: engine.state(record_id) != "received", "reading, or what follows it")
    engine.kill("python")
    engine.stop()

    engine.start()
    until(lambda: engine.state(record_id) == "review", "review after a restart")
    assert engine.get(f"/imports/{record_id}")["counts"]["rows"] == ROWS
