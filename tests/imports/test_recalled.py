"""An answer that was given for an earlier import says so: when first, by whom, and at each cell."""

from datetime import UTC, datetime, timedelta

import pytest

from common.actors import Actor
from imports.services.answers import answer_question
from ledger.models import Answer, Question
from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.conftest import carry_on
from tests.imports.test_agents_memory import AGENT, STATUS, mint_for_agent

pytestmark = pytest.mark.django_db
TEXT = "Name,Status\nAda,open\nBob,closed?\n"
FIRST = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
ADA = Actor(kind="person", id="user:1", label="Ada")
BOB = Actor(kind="person", id="user:2", label="Bob")


@pytest.fixture
def imported(owner, client):
    """Return a function that uploads the same file again."""
    publish_fields(owner, "name", STATUS)
    return lambda: Imported(client, TEXT, autoMap=True)


def answered(upload, actor, value="closed", day=0):
    """Have an actor say what the doubted text means, on a day."""
    (shown,) = upload.questions()
    question = Question.objects.get(public_id=shown["id"])
    at = FIRST + timedelta(days=day)
    answer_question(question=question, value=value, actor=actor, at=at)
    upload.record = carry_on(upload.client, upload.id)
    return upload


def recalled(upload):
    (question,) = upload.questions()
    return question["recalled"]


def test_a_recalled_answer_names_who_gave_it_first_and_when(imported):
    first = answered(imported(), ADA)
    assert recalled(first) is None
    first.finish()

    assert recalled(imported()) == {
        "answerId": Answer.objects.get().public_id,
        "givenAt": "2026-11-20T09:30:00.000Z",
        "givenBy": {"kind": "person", "id": "user:1", "label": "Ada"},
        "confirmedBy": None,
    }


def test_an_agents_answer_names_the_person_who_confirmed_it(owner, imported):
    mint_for_agent(owner, agentAccess=True)
    answered(answered(imported(), AGENT), ADA, day=1).finish()

    answer = recalled(imported())

    assert (answer["givenBy"]["kind"], answer["givenBy"]["label"]) == ("agent", "assistant")
    assert answer["confirmedBy"] == ADA.as_dict()


def test_an_answer_of_the_host_is_told_from_a_persons(imported):
    upload = imported()
    upload.answer(upload.questions()[0], "closed")
    upload.finish()

    answer = recalled(imported())

    assert answer["givenBy"]["kind"] == "system"
    assert answer["givenBy"]["id"].startswith("lic_")
    assert answer["confirmedBy"] is None


def test_a_later_import_that_confirms_it_keeps_when_it_was_first_given(imported):
    answered(imported(), ADA).finish()
    imported().finish()
    answered(imported(), BOB, day=1).finish()

    answer = recalled(imported())

    assert answer["givenAt"] == "2026-11-20T09:30:00.000Z"
    assert (answer["givenBy"], answer["confirmedBy"]) == (ADA.as_dict(), BOB.as_dict())


def test_another_answer_is_recalled_no_more_and_first_given_where_it_was(imported):
    answered(imported(), ADA).finish()
    other = answered(imported(), BOB, "open", day=1)
    assert recalled(other) is None
    other.finish()

    answer = recalled(imported())

    assert answer["givenAt"] == "2026-11-21T09:30:00.000Z"
    assert (answer["givenBy"], answer["confirmedBy"]) == (BOB.as_dict(), None)


def test_undoing_another_answer_gives_the_recalled_one_back(imported, client):
    answered(imported(), ADA).finish()
    upload = imported()
    before = recalled(upload)
    answered(upload, BOB, "open")
    revision = client.get(f"{V1}/imports/{upload.id}").json()["revision"]

    undone = client.post(upload.url("undo"), {"revision": revision}, format="json")

    assert undone.status_code == 200, undone.content
    assert recalled(upload) == before
    assert before is not None


def test_it_outlives_the_memory_it_came_from(imported, client):
    answered(imported(), ADA).finish()
    upload = imported()
    assert client.delete(f"{V1}/answers/{recalled(upload)['answerId']}").status_code == 204

    assert recalled(upload)["givenBy"] == ADA.as_dict()


def test_an_import_that_is_started_again_recalls_what_was_answered_before(imported, client):
    first = answered(imported(), ADA)
    made = client.post(f"{V1}/imports", {"from": first.id}, format="json").json()
    again = Imported.of(client, carry_on(client, made["recordId"]))

    answer = recalled(again)

    assert (answer["answerId"], answer["givenBy"]) == ("", ADA.as_dict())
    assert answer["givenAt"] == "2026-11-20T09:30:00.000Z"


def test_what_an_earlier_version_recalled_says_that_much(imported):
    answered(imported(), ADA).finish()
    upload = imported()
    Question.objects.update(recalled=None)

    answer = recalled(upload)

    assert answer["answerId"].startswith("ans_")
    assert (answer["givenAt"], answer["givenBy"], answer["confirmedBy"]) == (None, None, None)


def test_a_cell_is_explained_with_the_answer_that_decided_it(imported, client):
    answered(imported(), ADA).finish()
    upload = imported()

    def answers(row):
        story = client.get(upload.url(f"rows/{row}/explain")).json()
        return {cell["field"]: cell["answers"] for cell in story["cells"]}

    (answer,) = answers(1)["p.status"]
    assert (answer["kind"], answer["answer"]) == ("category_value", "closed")
    assert answer["questionId"] == upload.questions()[0]["id"]
    assert answer["answeredBy"]["label"] == "learned"
    assert answer["recalled"] == recalled(upload)
    assert answers(1)["p.name"] == answers(0)["p.status"] == []


def test_a_page_that_anybody_sees_is_told_no_names(imported, mint_key, client_of):
    answered(imported(), ADA).finish()
    page = client_of(mint_key("tnt_owner", origins=("https://shop.example",)))
    body = {"text": TEXT, "autoMap": True, "catalogKey": "people"}
    made = page.post(f"{V1}/imports", body, format="json").json()
    page.credentials(**page._credentials, HTTP_X_IMPORT_TOKEN=made["importToken"])
    upload = Imported.of(page, carry_on(page, made["recordId"]))

    assert recalled(upload)["givenBy"] == {"kind": "person", "id": "", "label": ""}
    (cell,) = [
        cell for cell in page.get(upload.url("rows/1/explain")).json()["cells"] if cell["answers"]
    ]
    assert cell["answers"][0]["recalled"]["givenBy"]["label"] == ""


def test_a_recalled_answer_about_a_column_is_behind_its_cells(owner, client):
    from tests.imports.test_questions import AMOUNTS, amounts

    publish_fields(owner, *amounts(), key="money")
    first = Imported(client, AMOUNTS, catalogKey="money")
    first.answer(first.question("column"), "p.net_amount")
    first.finish(remember=False)

    again = Imported(client, AMOUNTS, catalogKey="money")
    again.put("mapping", {**again.mapping()["proposed"], "allowMissing": True})
    story = client.get(again.url("rows/0/explain")).json()

    body = {
        cell["field"]: [answer["kind"] for answer in cell["answers"]] for cell in story["cells"]
    }
    assert body["p.net_amount"] == ["column"]
    assert body["p.customer"] == []
