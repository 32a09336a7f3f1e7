"""An import of a picture: asked about, explained, and never applied before a person has looked."""

from dataclasses import replace

import pytest

from common import clock
from common.actors import Actor
from imports import services
from imports.services.answers import NeedsLook
from ledger.models import Question
from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.conftest import carry_on
from tests.jobs import run_job_here
from tests.scans import HEADER, ROWS, picture, recognition, saved

pytestmark = pytest.mark.django_db
AGENT = Actor(kind="agent", id="lic_agent", label="assistant")
BROWSER = {"applyMode": "browser", "openQuestions": "dismiss"}


@pytest.fixture
def scan(owner, client, tmp_path, monkeypatch):
    """Return a function that imports a picture of rows."""
    about = recognition()

    def recognising(folder, request, **members):
        return run_job_here(folder, replace(request, recognition=about), **members)

    monkeypatch.setattr("sandbox.bench.run_job", recognising)
    publish_fields(owner, "item", "description", {"key": "qty", "columnType": "int"}, "price")

    def scan(rows):
        path = saved(tmp_path / "scan.png", picture([HEADER, *rows]))
        with path.open("rb") as file:
            body = {"file": file, "autoMap": "true"}
            answer = client.post(f"{V1}/imports", body)
        return Imported.of(client, carry_on(client, answer.json()["recordId"]))

    return scan


def test_a_look_opens_the_way_and_nothing_else_does(scan):
    imported = scan(ROWS)
    question = imported.question("recognised_text")

    refused = imported.apply(**BROWSER)
    dismissed = imported.dismiss(question)

    assert imported.values("p.qty") == [4, 7, 15, 2, 9, 3]
    assert (refused.status_code, refused.json()["code"]) == (409, "open_questions")
    assert (dismissed.status_code, dismissed.json()["code"]) == (409, "needs_look")
    assert imported.answer(question, "compared").status_code == 202
    assert imported.apply(**BROWSER).status_code == 202
    assert imported.state == "applied"


def test_an_agent_answers_for_no_person(scan):
    imported = scan(ROWS)
    question = Question.objects.get(kind="recognised_text")

    with pytest.raises(NeedsLook):
        services.answer_question(question=question, value="compared", actor=AGENT, at=clock.now())

    assert imported.question("recognised_text")["state"] == "open"


def test_the_next_picture_is_asked_about_again(scan):
    first = scan(ROWS)
    first.answer(first.question("recognised_text"), "compared", remember=True)
    first.apply(**BROWSER)

    assert scan(ROWS).question("recognised_text")["state"] == "open"


def test_each_value_says_where_it_is_and_how_sure_it_is(scan):
    imported = scan(ROWS)

    story = imported.client.get(imported.url("rows/0/explain")).json()

    (item,) = [cell for cell in story["cells"] if cell["field"] == "p.item"]
    (place,) = item["places"]
    left, top, right, bottom = place["box"]
    assert story["page"] == 1
    assert left < XS_OF_ITEM < right
    assert top < bottom
    assert 0 <= place["confidence"] <= 100
    assert place["clip"] == f"tables/0/page/1?box={left:.1f},{top:.1f},{right:.1f},{bottom:.1f}"


XS_OF_ITEM = 240 * 72 / 300 + 5  # points


def test_a_doubtful_value_is_an_issue_until_a_person_has_written_it(scan, monkeypatch):
    monkeypatch.setattr("tabular.transforming.step_rows.SURE", 101)  # every cell is doubted
    imported = scan(ROWS[:3])

    issues = imported.client.get(imported.url("issues"), {"field": "p.item"}).json()
    edit = {"revision": imported.record["revision"], "edits": [
        {"row": 0, "field": "p.item", "text": "A-1001"}
    ]}  # fmt: skip
    edited = imported.client.patch(imported.url("rows"), edit, format="json")

    assert "recognised_doubtfully" in str(issues)
    assert edited.status_code == 200, edited.json()
    (row, *_) = imported.client.post(imported.url("rows/query"), {}, format="json").json()["rows"]
    codes = {issue["field"] for issue in row["issues"] if issue["code"] == "recognised_doubtfully"}
    assert codes == {"p.description", "p.qty", "p.price"}
