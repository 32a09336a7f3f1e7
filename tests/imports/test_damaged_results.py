"""A step whose result cannot be used fails its import in words, whatever the child left."""

import pytest

from common import clock
from imports import advancing
from imports.models import ImportRecord
from sandbox.run import _outcome
from tests.imports.asked import V1, publish_fields

pytestmark = pytest.mark.django_db


def test_a_damaged_result_fails_the_import_with_its_problem(owner, client, monkeypatch):
    from imports.jobs import reading

    def damaged(folder, request, **others):
        (folder / "result.json").write_text('{"tables": "secret"}')
        return _outcome(request, 0, folder)

    publish_fields(owner, "name")
    monkeypatch.setattr(reading, "run_job", damaged)
    body = {"text": "Name\nAda\n", "catalogKey": "people"}
    record_id = client.post(f"{V1}/imports", body, format="json").json()["recordId"]
    for _ in range(len(advancing.WAITS) + 1):
        ImportRecord.objects.filter(public_id=record_id).update(due_at=clock.now())
        advancing.advance(record_id)

    shown = client.get(f"{V1}/imports/{record_id}").json()
    assert (shown["state"], shown["problem"]["code"]) == ("failed", "internal_error")
    assert "secret" not in str(shown)
