"""An import that is deleted while a model is asked about it: nothing of it is stored again."""

from pathlib import Path

import pytest

from imports.jobs import transform
from imports.models import ImportRecord
from staging.models import Revision
from tests.imports.advice.test_options import FORM, STATUS, TEXT
from tests.imports.asked import V1, publish_fields
from workflow import worker

pytestmark = pytest.mark.django_db


def test_rows_of_a_deleted_import_are_not_staged(owner, client, model, monkeypatch, settings):
    publish_fields(owner, "name", STATUS)
    owner.shows_models_samples = True
    owner.save()
    model.chooses(**{FORM: "Paid in full"})
    made = client.post(f"{V1}/imports", {"text": TEXT, "autoMap": True}, format="json").json()
    ask = transform.with_proposed_options

    def deleted_meanwhile(*args, **named):
        answer = ask(*args, **named)
        assert client.delete(f"{V1}/imports/{made['recordId']}").status_code in {200, 202, 204}
        return answer

    monkeypatch.setattr(transform, "with_proposed_options", deleted_meanwhile)

    worker.advance(made["recordId"])

    record = ImportRecord.objects.get(public_id=made["recordId"])
    assert (record.state, record.purged_at is None) == ("cancelled", False)
    assert not Revision.objects.filter(subject=record.public_id).exists()
    assert list(Path(settings.DATA_DIR).rglob("column-*")) == []
