"""Machines that look after machines are told what is missing, without a key or a host name."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.test import Client

from common import clock
from importengine import health, seen
from importengine.models import SeenProgram
from importengine.required import missing, refuse_incomplete


@pytest.fixture
def probe(settings):
    settings.ALLOWED_HOSTS = ["engine.example"]
    settings.BROKER_DIR = settings.DATA_DIR / "broker"
    (settings.BROKER_DIR / "queue").mkdir(parents=True)
    return lambda path: Client().get(path, HTTP_HOST="10.0.0.7")


def see(**ago_s: int) -> None:
    for name, seconds in ago_s.items():
        at = clock.now() - timedelta(seconds=seconds)
        queues = "imports,deliveries" if name == "worker" else name
        SeenProgram.objects.create(name=name, queues=queues, seen_at=at)


def test_a_process_that_runs_says_so_without_a_database(probe):
    answer = probe("/healthz")

    assert (answer.status_code, answer.content) == (200, b"ok\n")


@pytest.mark.django_db
def test_an_engine_with_its_workers_and_beat_is_ready(probe):
    see(worker=5, beat=30)
    answer = probe("/readyz")

    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
    assert set(answer.json()["checks"].values()) == {"ok"}


@pytest.mark.django_db
@pytest.mark.parametrize(("sandbox", "status"), [("available", 200), ("strict", 503)])
def test_a_machine_that_cannot_confine_steps_says_so(probe, settings, monkeypatch, sandbox, status):
    monkeypatch.setattr("sandbox.confinement.missing", lambda: ["landlock"])
    settings.SANDBOX = sandbox
    see(worker=5, beat=30)
    answer = probe("/readyz")

    assert answer.status_code == status
    assert answer.json()["checks"]["sandbox"] == "ERROR: lacks landlock"


@pytest.mark.django_db
def test_a_worker_that_was_not_seen_for_a_minute_is_missed(probe):
    see(worker=61, beat=1)
    answer = probe("/readyz")

    assert (answer.status_code, answer.json()["status"]) == (503, "not_ready")
    missed = {name for name, value in answer.json()["checks"].items() if value != "ok"}
    assert missed == {"imports", "deliveries"}


@pytest.mark.django_db
def test_a_broker_that_is_away_is_missed(probe, settings):
    see(worker=1, beat=1)
    settings.REDIS_URL = ""
    settings.BROKER_DIR = settings.DATA_DIR / "nowhere"

    assert probe("/readyz").json()["checks"]["broker"] == "its folder cannot be written"


def test_a_database_that_is_away_is_missed_and_its_address_stays_ours(probe, monkeypatch):
    def away(*_: object) -> None:
        raise OperationalError("no route to postgres.internal:5432")

    monkeypatch.setattr(health.connection, "cursor", away)
    monkeypatch.setattr(seen, "queues_seen", away)
    answer = probe("/readyz")

    assert answer.status_code == 503
    assert answer.json()["checks"]["database"] == "away (OperationalError)"
    assert b"internal" not in answer.content


def test_what_is_not_set_is_named(settings):
    settings.SECRET_KEY, settings.ENCRYPTION_KEYS, settings.LICENSE_PUBLIC_KEY = "x", (), ""

    assert missing() == ["IMPORT_ENCRYPTION_KEYS", "IMPORT_LICENSE_PUBLIC_KEY"]
    with pytest.raises(SystemExit, match=r"ENCRYPTION_KEYS and IMPORT_LICENSE_PUBLIC_KEY are not"):
        refuse_incomplete()
