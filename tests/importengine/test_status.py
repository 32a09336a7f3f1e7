"""``status`` and ``doctor`` say what needs an operator, and exit with 1 then."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from analytics import history_counts
from common import clock
from importengine.processes.programs import make_broker_folders
from importengine.web import services
from imports.models import ImportRecord
from licensing.models import License, Tenant
from tests.importengine.test_health import see

pytestmark = pytest.mark.django_db


def run(*words: str) -> tuple[str, int]:
    out = StringIO()
    try:
        call_command(*words, stdout=out)
    except SystemExit as end:
        return out.getvalue(), int(end.code or 0)
    return out.getvalue(), 0


@pytest.fixture
def well(monkeypatch, settings):
    """Make an engine whose programs run, whose counts are current, and whose disk has space."""
    see(worker=5, beat=5, web=5)
    make_broker_folders()
    monkeypatch.setattr(services, "last_look", services.LastLook())
    history_counts.fold()
    monkeypatch.setattr("importengine.web.metrics.shutil.disk_usage", lambda _: _Usage)


class _Usage:
    free, total = 50, 100


def test_an_engine_that_works_exits_with_0(well):
    text, code = run("status")

    assert (code, text.splitlines()[-1]) == (0, "Nothing needs an operator."), text


def test_a_missing_worker_is_named_with_its_remedy():
    text, code = run("status")

    assert code == 1
    assert "! No program for imports has been seen for half a minute." in text
    assert "Start a worker with -Q imports." in text


def test_work_that_waits_is_named(well):
    tenant = Tenant.objects.create(public_id="tnt_owner", created_at=clock.now())
    ImportRecord.objects.create(
        public_id="rec_1",
        tenant=tenant,
        state="reading",
        created_at=clock.now(),
        due_at=clock.now() - timedelta(minutes=5),
    )
    text, code = run("status")

    assert code == 1
    assert "! Work for imports has been due for 5 min." in text


def test_a_license_that_expires_in_a_week_is_named(well):
    tenant = Tenant.objects.create(public_id="tnt_owner", created_at=clock.now())
    at = clock.now()
    License.objects.create(
        public_id="lic_1", tenant=tenant, issued_at=at, expires_at=at + timedelta(days=3)
    )
    text, code = run("status")

    assert code == 1
    assert "! 1 license key expires within 7 days." in text


@pytest.mark.parametrize(
    ("hours", "line"),
    [
        (12, "1 expire within 30 days, 1 within 7, 1 within 1;"),
        (100, "1 expire within 30 days, 1 within 7, 0 within 1;"),
        (500, "1 expire within 30 days, 0 within 7, 0 within 1;"),
    ],
)
def test_each_step_of_an_expiry_is_shown(well, hours, line):
    tenant = Tenant.objects.create(public_id="tnt_owner", created_at=clock.now())
    at = clock.now()
    License.objects.create(
        public_id="lic_1", tenant=tenant, issued_at=at, expires_at=at + timedelta(hours=hours)
    )
    text, code = run("status")

    assert line in text
    assert code == (0 if hours > 168 else 1)
    assert ("within a day" in text) == (hours < 24)


def test_json_is_for_programs(well):
    text, code = run("status", "--json")
    status = json.loads(text)

    assert (code, status["needsOperator"], status["now"]["questions"]) == (0, [], 0)


def test_doctor_names_each_part_and_its_remedy(settings):
    settings.REDIS_URL, settings.BROKER_DIR = "", settings.DATA_DIR / "missing"
    text, code = run("doctor")

    assert code == 1
    assert "database:   ok" in text
    assert "! The broker is its folder cannot be written." in text
    assert f"Make {settings.BROKER_DIR / 'queue'} writable." in text
