"""A worker that dies between a model's answer and its record: the import goes on."""

from datetime import timedelta

import pytest

from common import clock
from imports.models import ImportRecord
from ledger.models import ModelAnswer
from tests.imports.advice.test_columns import CRAFT, TEXT
from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.conftest import carry_on
from tests.imports.life.crashes import Died, dying
from workflow import worker

pytestmark = pytest.mark.django_db
KEEP = "ledger.models.ModelAnswer.objects.get_or_create"


@pytest.fixture
def uploaded(owner, client):
    """Upload a file with a column that the matcher leaves out; return the import's id."""
    publish_fields(owner, "name", "email", {"key": "vessel", "label": "Vessel"})
    answer = client.post(f"{V1}/imports", {"text": TEXT, "autoMap": True}, format="json")
    return answer.json()["recordId"]


@pytest.mark.parametrize(("way", "calls"), [("before", 2), ("after", 1)])
def test_the_model_is_asked_again_only_if_its_answer_was_not_kept(
    way, calls, uploaded, model, client
):
    model.proposes(**{CRAFT: "Vessel"})
    with dying(KEEP, way, Died()), pytest.raises(Died):
        worker.advance(uploaded)
    long_ago = clock.now() - timedelta(days=1)
    ImportRecord.objects.filter(public_id=uploaded).update(due_at=long_ago, claimed_until=long_ago)

    upload = Imported.of(client, carry_on(client, uploaded))

    assert upload.question("column")["columns"] == [CRAFT]
    assert (len(model.received), ModelAnswer.objects.count()) == (calls, 1)
