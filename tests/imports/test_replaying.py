"""The rows of an import can be made again, byte for byte; or the pin that differs is named."""

import json
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from common import clock
from eval.replays import replay_all
from imports import services
from imports.models import ImportRecord
from imports.services.replays import FileGone, staged_rows
from staging.models import OrphanedEdit, Revision
from tabular import versions
from tests.imports.conftest import client, owner, publish, upload

__all__ = ["client", "owner", "publish", "upload"]  # fixtures

pytestmark = pytest.mark.django_db
IMPORTS = "/api/import/v1/imports"


@pytest.fixture
def record(publish, upload) -> tuple[ImportRecord, str]:
    """Return a reviewed import and its URL."""
    publish("orders")
    made = upload("orders-cp1252.csv", autoMap="true")
    assert made["state"] == "review"
    address = f"{IMPORTS}/{made['recordId']}"
    return ImportRecord.objects.get(public_id=made["recordId"]), address


@pytest.fixture
def edited(record, client) -> ImportRecord:
    imported, address = record
    change = {
        "revision": imported.revision,
        "edits": [{"row": 1, "field": "orders.customer", "text": "Somebody else"}],
        "exclude": [0],
    }
    answer = client.patch(f"{address}/rows", change, format="json")
    assert answer.status_code == 200, answer.content
    imported.refresh_from_db()
    return imported


def test_the_rows_of_an_import_are_made_again_with_its_edits(edited):
    revisions = Revision.objects.count()

    replayed = services.replay(record=edited, at=clock.now())

    assert replayed.is_identical
    assert replayed.after.count == edited.counts["rows"] - 1
    assert replayed.differing_pins == {}
    assert (Revision.objects.count(), OrphanedEdit.objects.count()) == (revisions, 0)


def test_an_edit_is_part_of_what_is_compared(record, edited):
    imported, _ = record
    plain = services.rows_of(imported, 1)

    replayed = services.replay(record=edited, at=clock.now())

    assert replayed.after != staged_rows(plain)


def test_rows_that_are_made_otherwise_now_name_the_pin_that_differs(edited, monkeypatch):
    monkeypatch.setattr(versions, "TRANSFORM", "another")
    upper = {"version": 1, "steps": [{"do": "case", "columns": ["Kunde"], "to": "upper"}]}
    edited.decided = replace(edited.decided, recipe=upper)

    replayed = services.replay(record=edited, at=clock.now())

    assert not replayed.is_identical
    assert list(replayed.differing_pins) == ["transform"]


def test_an_import_whose_file_is_gone_cannot_be_replayed(edited):
    edited.file = ""

    with pytest.raises(FileGone):
        services.replay(record=edited, at=clock.now())


def test_the_command_says_what_it_proved(edited):
    out = StringIO()

    call_command("replay", edited.public_id, "--json", stdout=out)

    replayed = json.loads(out.getvalue())
    assert replayed["identical"] is True
    assert replayed["before"] == replayed["after"]
    with pytest.raises(CommandError, match="no import"):
        call_command("replay", "rec_none", stdout=out)


def test_stored_imports_are_replayed_without_a_database(edited, tmp_path, capsys):
    call_command("replay", edited.public_id, f"--store={tmp_path}", stdout=StringIO())

    assert replay_all(tmp_path) == 0
    assert capsys.readouterr().out == "1 of 1 stored imports are byte for byte the same\n"


def test_a_stored_import_that_is_made_otherwise_now_names_the_pin(edited, tmp_path, capsys):
    stored = services.store(record=edited, folder=tmp_path) / "import.json"
    replayed = json.loads(stored.read_text("utf-8"))
    replayed["plan"]["mapping"].pop("Kunde")
    replayed["pins"]["transform"] = "of long ago"
    stored.write_text(json.dumps(replayed), "utf-8")

    assert replay_all(tmp_path) == 1
    assert "made with another transform and plan" in capsys.readouterr().out
