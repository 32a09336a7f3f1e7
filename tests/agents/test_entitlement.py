"""agentAccess: checked in one place for every tool that writes; without it nothing changes."""

import pytest

from changesets.models import Changeset
from imports.models import ImportRecord
from ledger.models import Question
from tests.agents.test_tools import STOCK, in_base64

pytestmark = pytest.mark.django_db
PAGE = "https://shop.example"


@pytest.fixture
def import_and_question(publish, reader) -> tuple[str, str]:
    """Propose a mapping without the entitlement; return the import and one question."""
    publish("stock")
    made = reader("propose_mapping", base64=in_base64(STOCK), catalogKey="stock")
    return made["recordId"], made["questions"][0]["id"]


def calls(record_id: str, question_id: str) -> dict[str, dict]:
    return {
        "answer_question": {"questionId": question_id, "value": 0},
        "dismiss_question": {"questionId": question_id},
        "execute_import": {
            "recordId": record_id,
            "applyMode": "browser",
            "openQuestions": "dismiss",
            "invalidRows": "exclude",
        },
        "revert_changeset": {"changesetId": "chg_any"},
    }


def test_every_license_reads(import_and_question, reader):
    record_id, question_id = import_and_question

    assert reader("list_questions")["items"][0]["id"] == question_id
    assert reader("resolved_mapping", recordId=record_id)["recordId"] == record_id
    assert reader("dry_run_transform", recordId=record_id)["rows"]
    assert reader("list_changesets")["items"] == []


@pytest.mark.parametrize("name", calls("", ""))
@pytest.mark.parametrize(
    "license",
    [
        {},
        {"plan": "enterprise"},
        {"plan": "enterprise", "entitlements": ("catalogEditor",)},
    ],
    ids=["standard", "enterprise without", "enterprise with another"],
)
def test_without_the_entitlement_a_tool_that_writes_changes_nothing(
    import_and_question, make_agent, name, license
):
    record = ImportRecord.objects.get(public_id=import_and_question[0])

    refusal = make_agent(**license).refusal(name, **calls(*import_and_question)[name])

    assert refusal["code"] == "entitlement_required"
    assert refusal["entitlement"] == "agentAccess"
    assert "agentAccess" in refusal["nextStep"]
    after = ImportRecord.objects.get(public_id=import_and_question[0])
    assert (after.state, after.version) == (record.state, record.version)
    assert Question.objects.get(public_id=import_and_question[1]).state == "open"
    assert not Changeset.objects.exists()


def test_the_entitlement_is_asked_for_before_anything_is_looked_up(reader):
    refusal = reader.refusal("answer_question", nonsense=1)

    assert refusal["code"] == "entitlement_required"


def test_another_key_of_the_tenant_lends_nothing(import_and_question, agent, reader):
    assert agent("dismiss_question", questionId=import_and_question[1])
    refusal = reader.refusal("dismiss_question", questionId=import_and_question[1])

    assert refusal["code"] == "entitlement_required"


def test_a_key_in_a_page_reaches_the_import_it_made_and_no_other(publish, make_agent, agent):
    publish("stock")
    other = agent("propose_mapping", base64=in_base64(STOCK), catalogKey="stock")["recordId"]
    about = {"origins": (PAGE,), "license_id": "lic_page"}
    made = make_agent(**about)("propose_mapping", base64=in_base64(STOCK), catalogKey="stock")

    page = make_agent(**about, import_token=made["importToken"])
    subjects = {item["subject"] for item in page("list_questions")["items"]}

    assert subjects == {made["recordId"]}
    assert page("resolved_mapping", recordId=made["recordId"])
    assert page.refusal("resolved_mapping", recordId=other)["code"] == "unknown_import"
    assert page("list_changesets")["items"] == []
    assert make_agent(**about)("list_questions")["items"] == []


def test_a_full_key_is_given_no_token(publish, agent):
    publish("stock")

    assert "importToken" not in agent("analyze_file", base64=in_base64(STOCK))
