"""``version`` says which engine this is; it exits with 1 where parts are of another engine."""

import json
import subprocess
import sys
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db.migrations.recorder import MigrationRecorder

from common.release import release_in
from importengine.web import elements

pytestmark = pytest.mark.django_db


@pytest.fixture
def built(monkeypatch):
    monkeypatch.setattr(elements, "what_is_wrong", lambda: None)


def version() -> tuple[dict, int]:
    out = StringIO()
    try:
        call_command("version", "--json", stdout=out)
    except SystemExit as end:
        return json.loads(out.getvalue()), int(end.code or 0)
    return json.loads(out.getvalue()), 0


def test_parts_that_belong_together_exit_with_0(built):
    printed, code = version()

    assert (printed["engine"], printed["migrations"], code) == (
        release_in(settings.BASE_DIR).engine, "current", 0
    )  # fmt: skip
    assert printed["pins"].keys() == {"matcher", "transform"}


def test_elements_of_another_build_exit_with_1(monkeypatch):
    monkeypatch.setattr(elements, "what_is_wrong", lambda: "not built")

    printed, code = version()

    assert (printed["elements"], code) == ("not built", 1)


def test_a_database_of_a_newer_engine_is_named(built):
    MigrationRecorder.Migration.objects.create(app="imports", name="9999_of_the_future")

    printed, code = version()

    assert (printed["migrations"], code) == ("of a newer engine (imports)", 1)


def test_a_database_that_lacks_migrations_is_named(built):
    last = MigrationRecorder.Migration.objects.filter(app="references").order_by("-pk").first()
    last.delete()

    printed, code = version()

    assert printed["migrations"].startswith("1 to apply")
    assert code == 1


def test_the_command_line_answers_with_the_engines_version():
    command = [sys.executable, "manage.py", "version", "--help"]
    answer = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True)

    assert "version of the engine" in answer.stdout
