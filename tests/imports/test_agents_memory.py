"""An agent's decisions apply to later imports only if a person confirms or its key allows it."""

import pytest

from common import clock
from common.actors import Actor
from imports.services.answers import answer_question
from ledger.models import Answer, Question
from licensing.models import License
from tests.imports.asked import Imported, publish_fields
from tests.imports.conftest import carry_on

pytestmark = pytest.mark.django_db
STATUS = {
    "key": "status",
    "columnType": "category",
    "dropdownOptions": [
        {"label": "Open", "type": "string", "value": "open"},
        {"label": "Closed", "type": "string", "value": "closed"},
    ],
}
TEXT = "Name,Status\nAda,open\nBob,closed?\n"
AGENT = Actor(kind="agent", id="lic_agent", label="assistant")


@pytest.fixture
def imported(owner, client):
    """Return a function that imports the same file again."""
    publish_fields(owner, "name", STATUS)
    return lambda: Imported(client, TEXT, autoMap=True)


def mint_for_agent(owner, **entitlements):
    License.objects.create(
        public_id=AGENT.id,
        tenant=owner,
        entitlements=entitlements,
        issued_at=clock.now(),
        expires_at=clock.now(),
    )


def answered_by_agent(imported):
    """Let the agent decide what the unclear text means."""
    (shown,) = imported.questions()
    question = Question.objects.get(public_id=shown["id"])
    answer_question(question=question, value="closed", actor=AGENT, at=clock.now())
    imported.record = carry_on(imported.client, imported.id)
    return shown


def test_an_agents_answer_decides_its_own_import_and_no_other(owner, imported):
    mint_for_agent(owner, agentAccess=True)
    first = imported()
    answered_by_agent(first)
    assert first.values("p.status") == ["open", "closed"]
    first.finish()

    again = imported()

    (question,) = again.questions()
    assert (question["state"], question["evidence"][0]) == ("open", "closed?")
    assert again.values("p.status") == ["open", None]


def test_a_person_who_gives_the_same_answer_confirms_it(owner, imported):
    mint_for_agent(owner, agentAccess=True)
    first = imported()
    first.answer(answered_by_agent(first), "closed")
    first.finish()

    again = imported()

    (question,) = again.questions()
    assert question["answeredBy"]["label"] == "learned"
    assert question["learnedFrom"].startswith("ans_")
    assert again.values("p.status") == ["open", "closed"]


def test_the_host_may_allow_it_with_the_key(owner, imported):
    mint_for_agent(owner, agentAccess=True, agentMemory=True)
    first = imported()
    answered_by_agent(first)
    first.finish()

    (question,) = imported().questions()

    assert question["answeredBy"]["label"] == "learned"


def test_what_an_agent_taught_counts_no_more_when_its_key_may_not(owner, imported):
    mint_for_agent(owner, agentMemory=True)
    first = imported()
    answered_by_agent(first)
    first.finish()
    assert Answer.objects.get().answered_by["kind"] == "agent"
    License.objects.update(entitlements={})

    (question,) = imported().questions()

    assert question["state"] == "open"
