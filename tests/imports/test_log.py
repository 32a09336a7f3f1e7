"""The log shows an import's ids, states and counts, and none of its content."""

import logging
from ipaddress import ip_network

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F
from django.test import Client as Browser

from common import clock
from common.work.claims import claim
from deliveries.models import Delivery, Registration
from deliveries.services.attempt import new_client
from deliveries.services.dispatch import Dispatcher
from imports.models import ImportRecord
from imports.progress import Reporter
from tests.deliveries.conftest import answers, make_host
from tests.imports.asked import V1, publish_fields
from tests.imports.conftest import carry_on
from workflow import worker
from workflow.worker import advance

__all__ = ["make_host"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)
MARK = "markerseen"


@pytest.fixture
def logged(caplog):
    """Return a function that returns every log line of a program at the default level."""
    caplog.set_level(logging.INFO)

    def logged() -> list[str]:
        records = [*caplog.get_records("setup"), *caplog.get_records("call")]
        return [f"{record.levelname} {record.getMessage()}" for record in records]

    return logged


@pytest.fixture
def life(owner, client, make_host, settings, logged):
    """Take a file through a failed and a successful delivery, to its end; return its import."""
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    host = make_host(answers(503, f"{MARK}-answer".encode()), answers(200))
    url = f"{host.url}?token={MARK}-query"
    client.post(f"{V1}/webhooks", {"url": url}, format="json")
    publish_fields(owner, "name", "phone")
    content = f"Name {MARK}-header,Phone\nAda {MARK}-cell,1\n".encode()
    form = {"file": SimpleUploadedFile(f"{MARK}-file.csv", content)}
    record_id = client.post(f"{V1}/imports", form).json()["recordId"]
    carry_on(client, record_id)
    address = f"{V1}/imports/{record_id}"
    mapping = {"mapping": {f"Name {MARK}-header": "p.name", "Phone": "p.phone"}}
    assert client.put(f"{address}/mapping", mapping, format="json").status_code == 202
    carry_on(client, record_id)
    assert client.post(f"{address}/apply", {}, format="json").status_code == 202
    carry_on(client, record_id)
    while Delivery.objects.filter(state="pending").update(due_at=clock.now()):
        Dispatcher(client=new_client()).run()
    client.delete(address)
    assert len(host.received) == 2
    return record_id


def test_the_id_of_an_import_finds_its_story(life, logged):
    story = [line for line in logged() if life in line]

    moves = [line.partition(": ")[2].split(" ")[:3] for line in story]
    lines = [" ".join(move) for move in moves]
    for expected in (
        "received -> reading",
        "reading -> mapping",
        "mapping -> transforming",
        "transforming -> review",
        "review -> applying",
        "applying -> applied",
        "new -> pending",
        "pending -> sending",
        "sending -> pending",
        "sending -> delivered",
    ):
        assert expected in lines
    (failed,) = [line for line in story if "sending -> pending" in line]
    delivery = Delivery.objects.get()
    for part in (
        "WARNING",
        delivery.public_id,
        "tenant=tnt_owner",
        "attempt=1",
        "rows=1",
        "cause=http_503",
        "seconds=",
        f"webhook={delivery.registration.public_id}",
    ):
        assert part in failed


def test_an_announced_file_is_told_when_it_is_registered(owner, client, logged):
    publish_fields(owner, "name")
    announced = {"filename": f"{MARK}.csv", "size": 42}

    record_id = client.post(f"{V1}/imports", announced, format="json").json()["recordId"]

    (line,) = [line for line in logged() if record_id in line]
    assert "new -> received" in line
    for part in ("tenant=tnt_owner", "bytes=42", "seconds="):
        assert part in line
    assert MARK not in line


def test_a_claim_that_is_taken_over_is_logged_by_the_worker_that_takes_it(owner, client, logged):
    record = uploaded(owner, client)
    (held,) = claim(ImportRecord.objects.all(), at=clock.now(), limit=1)
    ImportRecord.objects.update(claimed_until=clock.now())  # its worker died

    advance(record)

    (line,) = [line for line in logged() if "cause=lease_expired" in line]
    for part in ("WARNING", record, "reading -> reading", "tenant=tnt_owner", "seconds="):
        assert part in line
    assert f"claim={held.claim_no + 1}" in line


def test_a_claim_that_is_lost_is_logged_by_the_worker_that_had_it(
    owner, client, logged, monkeypatch
):
    record = uploaded(owner, client)
    read = worker.JOBS[ImportRecord.State.READING]

    def overtaken(record: ImportRecord, reporter: Reporter) -> None:
        ImportRecord.objects.update(claim_no=F("claim_no") + 1)
        read(record, reporter)

    monkeypatch.setattr(worker, "job_of", lambda _: overtaken)

    advance(record)

    (line,) = [line for line in logged() if "cause=claim_lost" in line]
    for part in ("WARNING", record, "reading -> reading", "tenant=tnt_owner", "claim=1"):
        assert part in line


def uploaded(owner, client) -> str:
    publish_fields(owner, "name")
    form = {"file": SimpleUploadedFile("f.csv", b"Name\nAda\n")}
    record_id = client.post(f"{V1}/imports", form).json()["recordId"]
    assert ImportRecord.objects.get().state == "reading"
    return record_id


def test_no_line_has_a_cell_a_name_a_secret_or_a_query(life, logged):
    secret = Registration.objects.get().secret

    lines = logged()

    assert any(life in line for line in lines)
    assert [line for line in lines if MARK in line or secret in line or "token=" in line] == []


def test_a_probe_of_an_engine_that_is_not_ready_is_not_an_error(logged):
    answer = Browser().get("/readyz")

    assert answer.status_code == 503
    assert [line for line in logged() if line.startswith(("ERROR", "CRITICAL"))] == []
