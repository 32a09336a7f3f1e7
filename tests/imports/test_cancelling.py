"""Long work shows its progress, and stops when it is cancelled. Every child here is real."""

import time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from common import clock
from common.actors import ENGINE
from imports import transitions
from imports.models import ImportRecord
from imports.progress import EVERY_S, Reporter
from workflow import worker

pytestmark = [pytest.mark.django_db, pytest.mark.child]
IMPORTS = "/api/import/v1/imports"
HEADER = "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status\n"
LINE = "A-{0};05.02.2026;Kunde {0};k{0}@example.com;Stuhl;2;1.249,00;2.498,00;offen\n"


@pytest.fixture
def record_id(publish, client) -> str:
    publish("orders")
    text = HEADER + "".join(LINE.format(number) for number in range(20_000))
    body = {"file": SimpleUploadedFile("orders.csv", text.encode()), "autoMap": "true"}
    return client.post(IMPORTS, body).json()["recordId"]


@pytest.mark.parametrize("state", ["reading", "transforming"])
def test_a_child_at_work_is_stopped_by_a_cancel(client, record_id, state, monkeypatch, data_folder):
    real = Reporter.cancelled
    given_up = []

    def cancelled(reporter: Reporter) -> bool:
        record = ImportRecord.objects.get(public_id=record_id)
        if record.state == state and not given_up:
            given_up.append(time.monotonic())
            transitions.cancel(record, actor=ENGINE, at=clock.now())
        return real(reporter)

    monkeypatch.setattr(Reporter, "cancelled", cancelled)
    worker.advance(record_id)

    record = client.get(f"{IMPORTS}/{record_id}").json()
    assert given_up
    assert (record["state"], record["problem"]) == ("cancelled", None)
    assert list((data_folder / "work").iterdir()) == []
    history = client.get(f"{IMPORTS}/{record_id}/history").json()["items"]
    assert history[-1]["about"]["from"] == state


def test_long_work_writes_its_progress_as_often_as_it_is_looked_at(record_id, monkeypatch):
    written = []
    real = ImportRecord.update_as_claimed

    def noted(record, **changes):
        if now := changes.get("progress"):
            written.append((now.stage, now.done, now.total))
        return real(record, **changes)

    monkeypatch.setattr(ImportRecord, "update_as_claimed", noted)
    monkeypatch.setattr("imports.progress.EVERY_S", 0.0)
    worker.advance(record_id)

    stages = {stage for stage, _, _ in written}
    assert len(stages) >= 2, written
    for stage in stages:
        counts = [done for name, done, _ in written if name == stage]
        assert counts == sorted(counts)
    assert EVERY_S <= 1


def test_a_second_cancel_says_that_it_is_cancelled_already(publish, upload, client):
    publish("orders")
    record_id = upload("orders-cp1252.csv")["recordId"]
    client.post(f"/api/import/v1/imports/{record_id}/cancel")

    again = client.post(f"/api/import/v1/imports/{record_id}/cancel")

    assert (again.status_code, again.json()["code"]) == (409, "illegal_move")
    assert again.json()["detail"] == f"{record_id} is already cancelled."
