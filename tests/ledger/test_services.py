"""The ledger keeps what was asked, once, and who decided."""

from datetime import UTC, datetime

import pytest

from common.actors import Actor
from common.errors import IllegalMove
from common.models import Move
from ledger import selectors, services, transitions
from ledger.models import Answer, Question
from licensing.models import Tenant
from tabular.model.issue import NewQuestion

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
ADA = Actor(kind="person", id="lic_1", label="Ada")
KINDS = {"column", "columns"}


@pytest.fixture
def owner():
    return Tenant.objects.create(public_id="tnt_owner", created_at=NOON)


@pytest.fixture
def ask(owner):
    def ask(*fingerprints, kind="column", **members):
        new_questions = [
            NewQuestion(kind=kind, fingerprint=name, **members) for name in fingerprints
        ]
        return services.ask_all(
            tenant=owner, subject="rec_1", new_questions=new_questions, kinds=KINDS, at=NOON
        )

    return ask


def states():
    return dict(Question.objects.order_by("pk").values_list("fingerprint", "state"))


def test_a_question_asked_again_is_the_same_one_with_fresh_evidence(ask):
    (first,) = ask("a", evidence=("old",))
    (again,) = ask("a", evidence=("new",))

    assert again.public_id == first.public_id
    assert Question.objects.get().evidence == ["new"]


def test_what_is_no_longer_asked_is_superseded(ask):
    ask("a", "b")
    ask("b", "c")

    assert states() == {"a": "superseded", "b": "open", "c": "open"}


def test_a_step_supersedes_only_what_steps_of_its_kind_ask(ask):
    ask("order", kind="date_order")
    ask("a")

    assert states() == {"order": "open", "a": "open"}


def test_an_answered_question_is_not_opened_again(ask):
    (question,) = ask("a")
    transitions.answer(question=question, value="p.name", actor=ADA, at=NOON)

    (again,) = ask("a")

    assert (again.state, again.answer) == ("answered", "p.name")


def test_a_superseded_question_can_be_asked_again(ask):
    (first,) = ask("a")
    ask()

    (again,) = ask("a")

    assert again.public_id != first.public_id
    assert again.state == "open"


def test_an_answer_says_who_gave_it_in_the_row_and_in_the_history(ask):
    (question,) = ask("a")
    transitions.answer(question=question, value=None, actor=ADA, at=NOON)

    kept = Question.objects.get()
    assert (kept.answer, kept.answered_by, kept.answered_at) == (None, ADA.as_dict(), NOON)
    assert Move.objects.get(subject=question.public_id).actor == ADA.as_dict()


def test_a_superseded_question_takes_no_answer(ask):
    (question,) = ask("a")
    ask()
    question.refresh_from_db()

    with pytest.raises(IllegalMove):
        transitions.answer(question=question, value="p.name", actor=ADA, at=NOON)


def test_the_newest_answer_is_the_remembered_one(ask, owner):
    (question,) = ask("a")
    for value in ("p.name", {"X": "p.city"}):
        transitions.answer(question=question, value=value, actor=ADA, at=NOON)
        services.remember(question=question, scope="")

    assert Answer.objects.get().value == {"X": "p.city"}


def test_one_scope_never_reads_what_another_remembers(ask, owner):
    (question,) = ask("a")
    transitions.answer(question=question, value="p.name", actor=ADA, at=NOON)
    services.remember(question=question, scope="customer 1")

    assert set(selectors.remembered(owner, "customer 1", ["a"])) == {"a"}
    assert selectors.remembered(owner, "customer 2", ["a"]) == {}
    assert selectors.remembered(owner, "", ["a"]) == {}
