"""Monitoring is told what is missing, without a key or a host name."""

import secrets
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.test import Client

from common import clock
from importengine.checks import check_deployment
from importengine.models import SeenProgram
from importengine.processes import heartbeats
from importengine.processes.confinement import check_recognition
from importengine.processes.required import missing, refuse_incomplete, refuse_unknown_queues
from importengine.web import health, services


@pytest.fixture
def probe(settings, monkeypatch):
    monkeypatch.setattr(
        "importengine.web.elements.what_is_wrong", lambda: None
    )  # not built for tests
    settings.ALLOWED_HOSTS = ["engine.example"]
    settings.BROKER_DIR = settings.DATA_DIR / "broker"
    (settings.BROKER_DIR / "queue").mkdir(parents=True)
    monkeypatch.setattr(
        services, "last_look", lambda: {name: asks() for name, asks in services.looks().items()}
    )
    return lambda path: Client().get(path, HTTP_HOST="10.0.0.7")


def see(**ago_s: int) -> None:
    for name, seconds in ago_s.items():
        queues = "imports,deliveries" if name == "worker" else name
        see_one(queues, began_s=seconds + 600, seen_s=seconds)


def see_one(queues: str, *, began_s: int, seen_s: int, host: str = "a", ahead_s: int = 0) -> None:
    now = clock.now()
    SeenProgram.objects.create(
        name=secrets.token_hex(4),
        host=host,
        queues=queues,
        began_at=now - timedelta(seconds=began_s),
        seen_at=now - timedelta(seconds=seen_s),
        clock_ahead_s=ahead_s,
    )


def test_a_process_that_runs_says_so_without_a_database(probe):
    answer = probe("/healthz")

    assert (answer.status_code, answer.content) == (200, b"ok\n")


@pytest.mark.django_db
def test_an_engine_with_its_workers_and_beat_is_ready(probe):
    see(worker=5, beat=20)
    answer = probe("/readyz")

    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
    assert set(answer.json()["checks"].values()) == {"ok"}


@pytest.mark.django_db
def test_a_store_that_takes_no_file_is_named_without_its_address(probe, settings, monkeypatch):
    settings.S3_URL = "http://10.0.0.3:8333/files"
    monkeypatch.setattr("common.storage.what_is_wrong_with_bucket", lambda: "10.0.0.3 is away")
    see(worker=5, beat=20)
    answer = probe("/readyz")

    assert (answer.status_code, answer.json()["status"]) == (503, "not_ready")
    missed = {name: value for name, value in answer.json()["checks"].items() if value != "ok"}
    assert missed == {"storage": "away, or refuses the engine"}


@pytest.mark.django_db
@pytest.mark.parametrize(("sandbox", "status"), [("available", 200), ("strict", 503)])
def test_a_machine_that_cannot_confine_steps_says_so(probe, settings, monkeypatch, sandbox, status):
    monkeypatch.setattr("tabular.job.isolation.missing", lambda: ["landlock"])
    settings.SANDBOX = sandbox
    see(worker=5, beat=20)
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
def test_two_workers_on_one_machine_are_both_seen(probe):
    for queue in heartbeats.WORK:  # as their processes do, every ten seconds
        heartbeats.write_down(name=secrets.token_hex(4), queues=queue, began_at=clock.now())
    see(beat=1)

    assert probe("/readyz").json()["status"] == "ready"


@pytest.mark.django_db
def test_a_queue_without_a_worker_is_named_with_the_option_that_serves_it(probe):
    see(imports=1, beat=1)  # celery's own choice, without -Q
    answer = probe("/readyz")

    assert answer.status_code == 503
    check = answer.json()["checks"]["deliveries"]
    assert check == "no worker with -Q deliveries seen for half a minute"


@pytest.mark.parametrize(("queues", "is_named"), [(["imports"], False), (["import", "beat"], True)])
def test_a_worker_of_a_queue_that_does_not_exist_is_not_started(queues, is_named):
    if not is_named:
        refuse_unknown_queues(options={"queues": queues})
        refuse_unknown_queues(options={"queues": None})
        return
    with pytest.raises(SystemExit, match="no queue is called beat or import"):
        refuse_unknown_queues(options={"queues": queues})


@pytest.mark.django_db
def test_two_beats_are_named_and_stop_nothing(probe):
    see(worker=1)
    see_one("beat", began_s=600, seen_s=5, host="first")
    see_one("beat", began_s=300, seen_s=5, host="second")
    answer = probe("/readyz")

    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
    check = answer.json()["checks"]["single_beat"]
    assert check == "2 beats ran within half a minute; one is enough"
    assert [
        message.msg for message in check_deployment(None) if message.id == "importengine.W003"
    ] == ["2 beats ran within half a minute, on first, second."]


@pytest.mark.django_db
def test_a_beat_that_was_started_again_is_one_beat(probe):
    see(worker=1)
    see_one("beat", began_s=600, seen_s=20)
    see_one("beat", began_s=15, seen_s=5)

    assert probe("/readyz").json()["checks"]["single_beat"] == "ok"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ahead_s", "expected"),
    [
        (3600, "imports: 3600 s ahead of the database's clock"),
        (-3600, "imports: 3600 s behind the database's clock"),
        (5, "ok"),
    ],
)
def test_a_clock_an_hour_off_is_named(probe, ahead_s, expected):
    see(deliveries=1, beat=1)
    see_one("imports", began_s=60, seen_s=1, host="machine-b", ahead_s=ahead_s)
    answer = probe("/readyz")

    assert answer.status_code == (200 if expected == "ok" else 503)
    assert answer.json()["checks"]["clocks"] == expected
    errors = [message for message in check_deployment(None) if message.id == "importengine.E008"]
    assert len(errors) == (expected != "ok")
    assert all("machine-b" in error.msg for error in errors)


@pytest.mark.django_db
@pytest.mark.parametrize("hours", [1, -1])
def test_the_clock_of_this_machine_is_compared_with_the_database(probe, monkeypatch, hours):
    see(worker=1, beat=1)
    here = clock.now()
    monkeypatch.setattr(heartbeats, "database_now", lambda: here)
    monkeypatch.setattr(clock, "now", lambda: here + timedelta(hours=hours))
    check = probe("/readyz").json()["checks"]["clocks"]

    way = "ahead of" if hours > 0 else "behind"
    assert check == f"this process: 3600 s {way} the database's clock"


@pytest.mark.django_db
def test_a_program_whose_clock_is_off_is_seen_all_the_same(probe, monkeypatch):
    there = heartbeats.database_now()
    monkeypatch.setattr(heartbeats, "database_now", lambda: there)
    with monkeypatch.context() as off:
        off.setattr(clock, "now", lambda: there - timedelta(hours=1))
        heartbeats.write_down(name="a", queues="imports,deliveries", began_at=there)
        heartbeats.write_down(name="b", queues="beat", began_at=there)
    checks = probe("/readyz").json()["checks"]

    assert [checks[name] for name in heartbeats.QUEUES] == ["ok"] * 3
    assert checks["clocks"].startswith("imports,deliveries: 3600 s behind")


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
    for look in ("programs", "clocks_off", "beats_at_once"):
        monkeypatch.setattr(heartbeats, look, away)
    answer = probe("/readyz")

    assert answer.status_code == 503
    assert answer.json()["checks"]["database"] == "away (OperationalError)"
    assert b"internal" not in answer.content


def test_what_is_not_set_is_named(settings):
    settings.SECRET_KEY, settings.ENCRYPTION_KEYS, settings.LICENSE_PUBLIC_KEY = "x", (), ""

    assert missing() == ["IMPORT_ENCRYPTION_KEYS", "IMPORT_LICENSE_PUBLIC_KEY"]
    with pytest.raises(SystemExit, match=r"ENCRYPTION_KEYS and IMPORT_LICENSE_PUBLIC_KEY are not"):
        refuse_incomplete()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("languages", "expected"),
    [((), "nothing"), (("eng",), "ERROR: tesseract is not"), (("../x",), "ERROR: IMPORT_SCAN_")],
)
def test_what_scans_lack_is_told_and_stops_nothing(
    settings, monkeypatch, probe, languages, expected
):
    settings.SCAN_LANGUAGES = languages
    monkeypatch.setattr("sandbox.recognition.FOLDERS", "/nonexistent")

    see(worker=5, beat=20)
    answer = probe("/readyz")

    assert answer.json()["checks"].get("scans", "nothing").startswith(expected)
    assert answer.status_code == 200


def test_the_check_names_what_scans_lack(settings, monkeypatch):
    settings.SCAN_LANGUAGES = ("eng",)
    monkeypatch.setattr("sandbox.recognition.FOLDERS", "/nonexistent")

    (warning,) = check_recognition(None)

    assert warning.id == "sandbox.W001"
    assert "tesseract is not installed" in warning.msg


@pytest.mark.django_db
def test_a_program_that_was_killed_is_counted_for_ten_minutes():
    see_one("imports", began_s=900, seen_s=40)
    see_one("imports", began_s=900, seen_s=610)
    see_one("beat", began_s=900, seen_s=5)
    programs = heartbeats.programs()

    assert (set(programs.queues), dict(programs.killed)) == ({"beat"}, {"imports": 1})


@pytest.mark.django_db
def test_a_program_that_ends_in_order_was_not_killed():
    beating = heartbeats.Beating("imports")
    beating.beat()
    assert heartbeats.programs().queues == {"imports"}

    beating.end()

    assert not SeenProgram.objects.exists()


@pytest.mark.django_db
def test_a_server_of_jobs_that_was_killed_is_recorded_once(monkeypatch):
    monkeypatch.setattr(heartbeats.SERVERS, "lost", lambda: 1)
    beating = heartbeats.Beating("imports")
    beating.beat()
    beating.beat()

    assert SeenProgram.objects.filter(queues="sandbox").count() == 1


@pytest.mark.parametrize(("path", "status"), [("/admin/", 503), ("/api/import/v1/imports", 500)])
def test_a_person_is_told_that_the_database_is_away(rf, path, status):
    try:
        raise OperationalError
    except OperationalError:
        answer = health.server_error(rf.get(path))

    assert answer.status_code == status
    assert (b"The database does not answer." in answer.content) == (status == 503)
