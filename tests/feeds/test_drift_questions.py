"""Each finding about a feed's file is a question that a person answers before the apply."""

from contextlib import nullcontext

import pytest

from common import clock
from common.actors import Actor
from common.errors import NotAllowed
from feeds.applying import judging
from feeds.applying.asking import questions_of
from feeds.drift.finding import CODES, Finding
from feeds.drift.reasons import reason_of
from imports import services as imports
from imports.answers.questions import OpenQuestions
from imports.page_policy import require_answer
from imports.services.answers import NeedsLook
from ledger.models import Question
from licensing.caller import Caller, PagePolicy
from tabular.model.sentences import LANGUAGES, translated
from tests.agents.conftest import ENTITLED, Agent
from tests.feeds.conftest import imports_of, run_twice
from tests.feeds.drift.test_reasons import sides
from tests.feeds.test_six_weeks import ADA, apply, learn_from, rows, week
from workflow.worker import advance

__all__ = ["week"]  # a fixture
pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
AGENT = Actor("agent", "lic_agent", "assistant")


@pytest.fixture
def odd(feed, week):
    """Return the import of a file with half of the usual rows, and days of another year."""
    learn_from(feed, week)
    week(rows(101), "w1.csv")
    week(later(rows(48)), "w2.csv")
    return imports_of(feed)[-1]


def later(text: str) -> str:
    return text.replace("2026-01-", "2031-01-")


def questions_about(record) -> list[Question]:
    return list(Question.objects.filter(subject=record.public_id, kind="drift").order_by("pk"))


def answer(question, value, actor=ADA):
    about = {"question": question, "value": value, "actor": actor, "at": clock.now()}
    return imports.answer_question(**about)


def test_each_finding_is_one_question_with_both_sides(odd):
    questions = questions_about(odd)

    assert [question.evidence for question in questions] == [
        ["Fewer rows than usual: 48. Usual: 100."],
        ["Days in column Joined: 2031-01-01 – 2031-01-28. Before: 2026-01-01 – 2026-01-28."],
    ]
    assert [question.columns for question in questions] == [[], ["Joined"]]
    assert [reason["code"] for reason in odd.held][-2:] == ["drift_rows_fewer", "drift_dates_range"]
    assert "open_questions" not in [reason["code"] for reason in odd.held]


def test_only_what_a_person_accepts_can_be_applied(odd):
    first, second = questions_about(odd)

    with pytest.raises(OpenQuestions):
        apply(odd)
    imports.dismiss_all(record=odd, actor=ADA, at=clock.now())
    with pytest.raises(NeedsLook):
        imports.dismiss_question(question=first, actor=ADA, at=clock.now())
    with pytest.raises(NeedsLook):
        answer(first, "right", AGENT)
    answer(first, "right")
    odd.refresh_from_db()
    with pytest.raises(OpenQuestions):
        apply(odd)
    answer(second, "right")
    odd.refresh_from_db()
    apply(odd)

    assert odd.state == "applying"


def test_a_wrong_file_cancels_its_import(feed, odd):
    first, second = questions_about(odd)

    answer(first, "wrong")
    odd.refresh_from_db()
    second.refresh_from_db()

    assert (odd.state, second.state) == ("cancelled", "superseded")


@pytest.mark.parametrize(("rights", "is_refused"), [((), True), (("cancel",), False)])
def test_a_page_calls_a_file_wrong_if_it_may_cancel_it(owner, odd, rights, is_refused):
    policy = PagePolicy("ses_1", "", "", "webhook", frozenset(), rights=frozenset(rights))
    page = Caller(owner, "lic_feeds", ADA, is_page=True, session=policy)
    question = questions_about(odd)[0]

    with pytest.raises(NotAllowed) if is_refused else nullcontext():
        require_answer(page, odd, question, "wrong")
    require_answer(page, odd, question, "right")


def test_an_ordinary_file_asks_nothing(feed, week):
    learn_from(feed, week)
    week(rows(101), "w1.csv")
    record = imports_of(feed)[-1]

    assert (record.state, questions_about(record)) == ("applied", [])


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_each_finding_is_asked_about_in_every_language(language):
    reasons = [
        reason_of(Finding(code, column="Total", before=sides(code), after=sides(code)))
        for code in CODES
    ]
    for question in questions_of(reasons):
        (sentence,) = question.evidence
        texts = [
            sentence,
            *(text for item in question.candidates for text in (item.label, item.effect)),
        ]
        assert [text for text in texts if translated(text, language) == text] == []


def test_nothing_is_applied_before_the_feed_looked_at_it(
    feed, week, put, time, client_of, mint_key, owner
):
    learn_from(feed, week)
    put("w1.csv", later(rows(48)))
    run_twice(feed, time)
    record = imports_of(feed)[-1]
    advance(record.public_id)
    address = f"{V1}/imports/{record.public_id}/apply"

    client = client_of(mint_key(owner.public_id, issued_at=int(time.at.timestamp())))
    early = client.post(address, {"invalidRows": "exclude"}, format="json")
    judging.judge_all(at=clock.now())
    late = client.post(address, {"invalidRows": "exclude"}, format="json")

    assert (early.status_code, early.json()["code"]) == (409, "not_judged")
    assert (late.status_code, late.json()["code"]) == (409, "open_questions")


def test_an_agent_applies_nothing_before_the_feed_looked_at_it(
    feed, week, put, time, mint_key, owner
):
    learn_from(feed, week)
    put("w1.csv", later(rows(48)))
    run_twice(feed, time)
    record = imports_of(feed)[-1]
    advance(record.public_id)
    about = {"issued_at": int(time.at.timestamp()), **ENTITLED}
    agent = Agent(mint_key(owner.public_id, **about))

    early = agent.refusal("execute_import", recordId=record.public_id)
    judging.judge_all(at=clock.now())
    late = agent.refusal("execute_import", recordId=record.public_id)

    assert (early["code"], late["code"]) == ("not_judged", "open_questions")
